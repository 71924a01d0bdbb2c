#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# build_devices.sh FOLDER mesa=VERSION: builds devices that do nothing, FOLDER/{intel,amdgpu,nouveau}.so, from the
# distribution's source of Mesa (drm-shim). Preloaded, they stand in for the kernel's driver of a GPU, so
# that Mesa's compilers run without one. What cannot be built is told in a line; what is there stays.
set -uo pipefail
mkdir -p "$1/lists" "$1/objects" "$1/generated/intel/dev"
folder=$(cd "$1" && pwd)
version=${2#mesa=}
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
say() { echo "build_devices.sh: $*" >&2; }

# Only what the devices are made of.
fetch() {
  echo "deb-src http://deb.debian.org/debian $suite-backports main" >"$folder/sources.list"
  local exact apt=(-qq -o "Dir::State::Lists=$folder/lists" -o "Dir::Etc::SourceList=$folder/sources.list"
    -o Dir::Etc::SourceParts=/dev/null -o APT::Sandbox::User=root)
  # Sources are found by their whole version alone: apt compares patterns with those of programs.
  cd "$folder" && apt-get "${apt[@]}" update &&
    exact=$(apt-cache "${apt[@]}" showsrc --only-source mesa | awk -v v="$version" '/^Version:/ && index($2, v) == 1 && !found++ {print $2}') &&
    apt-get "${apt[@]}" source --only-source --tar-only --download-only "mesa=$exact" &&
    mkdir -p source.part && tar -C source.part --strip-components=1 -xf mesa_*.orig.tar.* --wildcards '*/include/*' \
      '*/src/amd/common/*.h' '*/src/amd/drm-shim/*' '*/src/c11/*' '*/src/compiler/*.h' '*/src/drm-shim/*' \
      '*/src/gallium/drivers/nouveau/*.h' '*/src/intel/common/*' '*/src/intel/dev/*' '*/src/intel/tools/*' \
      '*/src/nouveau/drm-shim/*' '*/src/nouveau/headers/*' '*/src/util/*' && mv source.part source
}

# object SOURCE: compiles a file of Mesa; prints its object
object() {
  local made=$folder/objects/${1//\//-}.o
  [[ -e $made ]] || gcc -O1 -fPIC -w -std=gnu11 -ffunction-sections -fdata-sections -fvisibility=hidden -D_GNU_SOURCE -DNDEBUG \
    -DHAVE_{ENDIAN_H,SECURE_GETENV,PTHREAD,STRUCT_TIMESPEC,FUNC_ATTRIBUTE_PACKED,__BUILTIN_CLZ,MEMFD_CREATE} \
    -DUTIL_ARCH_LITTLE_ENDIAN=1 -DUTIL_ARCH_BIG_ENDIAN=0 -Iinclude -Isrc -Isrc/amd -Isrc/intel -Isrc/intel/dev \
    -Isrc/nouveau/headers -I"$folder/generated"{,/intel{,/dev}} -I/usr/include/libdrm -c "$1" -o "$made" || return
  echo "$made"
}

# device NAME SOURCE...: the library; -z,defs: no symbol is left to be looked for
device() {
  local name=$1 source objects=()
  shift
  [[ -e $folder/$name.so ]] && return
  for source in "$@" src/drm-shim/{device,drm_shim}.c src/c11/impl/{threads_posix,time}.c \
    src/util/{anon_file,hash_table,log,os_misc,ralloc,rb_tree,set,simple_mtx,u_call_once,u_debug,u_process,vma}.c; do
    objects+=("$(object "$source")") || return
  done
  gcc -shared -Wl,--gc-sections,-z,defs "${objects[@]}" -o "$folder/$name.part" -ldl -lpthread -lm &&
    mv "$folder/$name.part" "$folder/$name.so"
}

generate() {
  local dev=src/intel/dev made=$folder/generated
  /usr/bin/python3 $dev/intel_device_info_gen_h.py "$made/intel/dev/intel_device_info_gen.h" &&
    /usr/bin/python3 $dev/intel_device_info_serialize_gen_c.py "$made/serialize.c" &&
    /usr/bin/python3 $dev/gen_wa_helpers.py $dev/mesa_defs.json "$made/intel/dev/intel_wa.h" "$made/intel/dev/intel_wa.c"
}

[[ -e $folder/intel.so && -e $folder/amdgpu.so && -e $folder/nouveau.so ]] && exit
if [[ ! -d $folder/source ]] && ! (fetch) >"$folder/fetch.log" 2>&1; then
  say "expected the source of Mesa $version in $suite-backports, found none ($folder/fetch.log)"
  exit 1
fi
cd "$folder/source" || exit
status=0
build() {
  device "$@" >"$folder/$1.log" 2>&1 && return
  say "expected $1.so to build from Mesa $version, see $folder/$1.log"
  status=1
}
build amdgpu src/amd/drm-shim/amdgpu_{noop_drm_shim,devices}.c
build nouveau src/nouveau/drm-shim/nouveau_noop.c
generate >"$folder/generate.log" 2>&1 || say "expected Mesa's scripts to run, see $folder/generate.log"
build intel src/intel/tools/intel_noop_drm_shim.c src/intel/dev/{intel_device_info,intel_hwconfig,intel_debug,intel_kmd}.c \
  src/intel/dev/{i915,xe}/intel_device_info.c src/intel/common/intel_gem.c "$folder/generated/serialize.c" \
  "$folder/generated/intel/dev/intel_wa.c" src/util/parson.c
exit $status
