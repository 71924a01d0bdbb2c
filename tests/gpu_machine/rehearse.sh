#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# rehearse.sh ARCHIVE [--interrupt SECONDS] [--minutes N]: unpacks what `./dev gpu` has made into a root of its own that
# holds a shell, the tools that run.sh names, glibc and Mesa's driver, no loader of OpenGL and no package; and runs it
# there with Mesa's renderer under another name, so that the program takes it for a GPU. Asks for root.
# --interrupt stops a first run after that time; the second goes on with the results that it packed, as on another
# machine. The results are left in build/gpu-rehearsal/results.
set -euo pipefail
archive=$(realpath "${1:?usage: rehearse.sh ARCHIVE [--interrupt SECONDS] [--minutes N]}")
shift
interrupt=0
[[ ${1:-} != --interrupt ]] || { interrupt=${2:?}; shift 2; }
cd "$(dirname "$0")/../.."
mkdir -p build/gpu-rehearsal
root=$(mktemp -d)
libraries=/usr/lib/$(uname -m)-linux-gnu
devices=(null zero urandom random)
tidy() {
  umount "$root/proc" "${devices[@]/#/$root/dev/}" 2>/dev/null || true
  rm -rf --one-file-system "$root"
}
trap tidy EXIT

# take FILE...: with the libraries that it needs
take() {
  local file library
  for file in "$@"; do
    mkdir -p "$root$(dirname "$file")"
    cp -L "$file" "$root$file"
    { ldd "$file" 2>/dev/null || true; } | awk '$2 == "=>" && $3 ~ /^\// {print $3} $1 ~ /^\/lib/ {print $1}' |
      while read -r library; do
        mkdir -p "$root$(dirname "$library")"
        [[ -e $root$library ]] || cp -L "$library" "$root$library"
      done
  done
}
mkdir -p "$root"/{dev,proc,tmp,opt,usr/bin,usr/lib,usr/lib64}
ln -s usr/bin usr/lib usr/lib64 "$root/"
for tool in bash awk grep sed sort tail head cut tr getconf mkdir rm cat timeout du wc dirname readlink basename date ls mv env sleep tar gzip; do
  path=$(readlink -f "$(command -v $tool)")
  take "$path"
  [[ -e $root/bin/$tool ]] || ln -s "$path" "$root/bin/$tool"
done
[[ -e $root/bin/sh ]] || ln -s "$(readlink -f "$(command -v bash)")" "$root/bin/sh"
take "$libraries"/{libEGL_mesa.so.0,dri/swrast_dri.so,dri/kms_swrast_dri.so} /usr/share/glvnd/egl_vendor.d/50_mesa.json
# Loaded by name, or by others than those above.
for name in libdl.so.2 libpthread.so.0 librt.so.1 libm.so.6 libresolv.so.2 libutil.so.1; do
  [[ -e $root$libraries/$name ]] || take "$libraries/$name"
done
rm -f "$root$libraries"/lib{EGL,GL,OpenGL,GLX,GLdispatch}.so*
mount -t proc proc "$root/proc"
for device in "${devices[@]}"; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
tar -C "$root/opt" -xJf "$archive"
begin=$SECONDS
run=(chroot "$root" /usr/bin/env -i PATH=/bin:/usr/bin HOME=/tmp force_gl_renderer=GPU MESA_SHADER_CACHE_DISABLE=true
  /opt/fathom-gpu/run --sizes quick "$@")
if ((interrupt)); then
  "${run[@]}" >build/gpu-rehearsal/interrupted.txt &
  sleep "$interrupt"
  kill $!
  wait $! || true
  echo "interrupted: $(tail -1 build/gpu-rehearsal/interrupted.txt), packed in $((SECONDS - begin - interrupt)) s"
  mv "$root/opt/fathom-gpu/results.tar.gz" "$root/tmp/"
  rm -r "$root/opt/fathom-gpu/results"
  run+=(--earlier /tmp/results.tar.gz)
fi
"${run[@]}"
rm -rf build/gpu-rehearsal/results
cp -r "$root"/opt/fathom-gpu/results{,.tar.gz} build/gpu-rehearsal/
echo "rehearsed in $((SECONDS - begin)) s, archive $(stat -c %s "$archive") bytes, results packed" \
  "$(stat -c %s build/gpu-rehearsal/results.tar.gz) bytes: build/gpu-rehearsal/results/summary.md"
