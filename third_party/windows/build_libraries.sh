#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# build_libraries.sh FOLDER PACKAGE...: builds the distribution's source packages for Windows, as static
# libraries in FOLDER/prefix. What is there is not built again.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
prefix=$folder/prefix
triple=x86_64-w64-mingw32
mkdir -p "$prefix/lib/pkgconfig" "$prefix/include" "$prefix/built" "$folder/sources" "$folder/lists"

# The system's own mirrors, asked for sources.
apt=(apt-get -o "Dir::State::Lists=$folder/lists" -o "Dir::Etc::SourceList=$folder/sources.list"
  -o "Dir::Etc::SourceParts=$folder/sources.list.d" -o APT::Sandbox::User=root)
if [[ ! -d $folder/sources.list.d ]]; then
  mkdir "$folder/sources.list.d"
  sed 's/^deb /deb-src /' /etc/apt/sources.list >"$folder/sources.list" 2>/dev/null || true
  for list in /etc/apt/sources.list.d/*; do
    grep -qE 'debian\.org|ubuntu\.com' "$list" || continue
    sed 's/^deb /deb-src /; s/^Types:.*/Types: deb-src/' "$list" >"$folder/sources.list.d/${list##*/}"
  done
  "${apt[@]}" update
fi

# fetch NAME VERSION: the distribution's newest of that version that its mirrors still have, unpacked
fetch() {
  local version
  cd "$folder/sources/$1"
  for version in $(apt-cache "${apt[@]:1}" madison "$1" | awk '{print $3}' | grep "^$2" | uniq); do
    "${apt[@]}" source -qq --only-source "$1=$version" && return
  done
  # A mirror without the distribution's patches: as the authors released it.
  "${apt[@]}" source -qq --only-source --tar-only --download-only "$1"
  mkdir released
  tar -C released --strip-components=1 -xf ./*.orig.tar.*
}

# cmake_library [-D...]: configures, builds and installs the current folder
cmake_library() {
  cmake -S . -B build-windows -G Ninja -DCMAKE_TOOLCHAIN_FILE="$here/toolchain.cmake" \
    -DFATHOM_WINDOWS_PREFIX="$prefix" -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_BUILD_TYPE=Release \
    -DBUILD_SHARED_LIBS=OFF -DBUILD_TESTING=OFF -DCMAKE_POSITION_INDEPENDENT_CODE=OFF \
    -DCMAKE_CXX_STANDARD=17 "$@"
  cmake --build build-windows --target install
}

# compiled_library NAME FLAGS SOURCE...: an archive and what pkg-config says of it
compiled_library() {
  local name=$1 flags=$2 source objects=()
  shift 2
  for source in "$@"; do
    local object=build-windows/${source//\//-}.o compiler=g++
    [[ $source == *.c ]] && compiler=gcc
    mkdir -p build-windows
    # shellcheck disable=SC2086
    $triple-$compiler-posix -O2 $flags -I. -I"$prefix/include" -c "$source" -o "$object"
    objects+=("$object")
  done
  $triple-ar rcs "$prefix/lib/lib$name.a" "${objects[@]}"
  printf 'Name: %s\nDescription: %s\nVersion: 1\nCflags: -I%s\nLibs: -L%s -l%s\n' "$name" "$name" \
    "$prefix/include" "$prefix/lib" "$name" >"$prefix/lib/pkgconfig/$name.pc"
}

build() {
  case $1 in
    cli11) cmake_library -DCLI11_BUILD_TESTS=OFF -DCLI11_BUILD_EXAMPLES=OFF -DCLI11_BUILD_DOCS=OFF ;;
    eigen3) cmake_library -DEIGEN_BUILD_DOC=OFF -DEIGEN_BUILD_PKGCONFIG=OFF ;;
    expat) cd expat && cmake_library -DEXPAT_BUILD_TOOLS=OFF -DEXPAT_BUILD_EXAMPLES=OFF -DEXPAT_BUILD_TESTS=OFF \
      -DEXPAT_BUILD_DOCS=OFF -DEXPAT_SHARED_LIBS=OFF -DEXPAT_DTD=OFF ;;
    fmtlib) cmake_library -DFMT_TEST=OFF -DFMT_DOC=OFF ;;
    glfw3) cmake_library -DGLFW_BUILD_EXAMPLES=OFF -DGLFW_BUILD_TESTS=OFF -DGLFW_BUILD_DOCS=OFF ;;
    glm) cmake_library -DGLM_TEST_ENABLE=OFF -DBUILD_STATIC_LIBS=OFF ;;
    googletest) cmake_library ;;
    imath) cmake_library -DPYTHON=OFF ;;
    imgui)
      mkdir -p "$prefix/include/backends"
      cp ./*.h misc/cpp/imgui_stdlib.h "$prefix/include/"
      cp backends/imgui_impl_{glfw,opengl3}.h "$prefix/include/backends/"
      compiled_library imgui "" imgui.cpp imgui_draw.cpp imgui_tables.cpp imgui_widgets.cpp \
        imgui_demo.cpp misc/cpp/imgui_stdlib.cpp backends/imgui_impl_{glfw,opengl3}.cpp ;;
    libdeflate)
      cp libdeflate.h "$prefix/include/"
      compiled_library deflate "" lib/*.c lib/x86/cpu_features.c
      mv "$prefix/lib/pkgconfig/deflate.pc" "$prefix/lib/pkgconfig/libdeflate.pc" ;;
    libpng1.6) cmake_library -DPNG_SHARED=OFF -DPNG_TESTS=OFF ;;
    libwebp) cmake_library $(printf -- '-DWEBP_BUILD_%s=OFF ' ANIM_UTILS CWEBP DWEBP GIF2WEBP IMG2WEBP \
      VWEBP WEBPINFO WEBPMUX EXTRAS LIBWEBPMUX) ;;
    libzstd) cd build/cmake && cmake_library -DZSTD_BUILD_PROGRAMS=OFF -DZSTD_BUILD_SHARED=OFF \
      -DZSTD_BUILD_TESTS=OFF ;;
    muparser) cmake_library -DENABLE_SAMPLES=OFF -DENABLE_OPENMP=OFF
      sed -i "s/^Cflags:/& -DMUPARSER_STATIC/" "$prefix/lib/pkgconfig/muparser.pc" ;;
    nlohmann-json3) cmake_library -DJSON_BuildTests=OFF ;;
    opencolorio) cmake_library -DOCIO_INSTALL_EXT_PACKAGES=NONE -DOCIO_BUILD_APPS=OFF \
      -DOCIO_BUILD_TESTS=OFF -DOCIO_BUILD_GPU_TESTS=OFF -DOCIO_BUILD_PYTHON=OFF -DOCIO_BUILD_DOCS=OFF \
      -DOCIO_WARNING_AS_ERROR=OFF -DOCIO_USE_SSE=ON ;;
    openexr) cmake_library -DOPENEXR_BUILD_TOOLS=OFF -DOPENEXR_INSTALL_EXAMPLES=OFF ;;
    pugixml) cmake_library ;;
    pystring)
      mkdir -p "$prefix/include/pystring"
      cp pystring.h "$prefix/include/pystring/"
      compiled_library pystring "" pystring.cpp ;;
    tiff) cmake_library -Dtiff-tools=OFF -Dtiff-tests=OFF -Dtiff-contrib=OFF -Dtiff-docs=OFF -Djpeg=OFF \
      -Dlzma=OFF -Djbig=OFF -Dwebp=OFF -Dlerc=OFF -Dcxx=OFF ;;
    tinyobjloader) cmake_library ;;
    yaml-cpp) cmake_library -DYAML_CPP_BUILD_TESTS=OFF -DYAML_CPP_BUILD_TOOLS=OFF ;;
    *) echo "$1: no recipe in ${BASH_SOURCE[0]}" >&2 && exit 2 ;;
  esac
}

for package in "$@"; do
  name=${package%%=*}
  [[ -e $prefix/built/$name ]] && continue
  echo "build_libraries.sh: $package" >&2
  rm -rf "$folder/sources/$name"
  mkdir -p "$folder/sources/$name"
  if ! (fetch "$name" "${package#*=}") >"$folder/$name.log" 2>&1; then
    cat "$folder/$name.log" >&2
    [[ $name == opencolorio ]] || exit 1
    echo "build_libraries.sh: the program will be built without OpenColorIO" >&2
    continue
  fi
  (cd "$folder/sources/$name"/*/ && build "$name") >>"$folder/$name.log" 2>&1 || {
    tail -20 "$folder/$name.log" >&2
    echo "build_libraries.sh: $name: expected it to build, see $folder/$name.log" >&2
    exit 1
  }
  cat "$folder/sources/$name"/*/{debian/copyright,LICENSE,COPYING} >"$prefix/built/$name" 2>/dev/null || true
done
