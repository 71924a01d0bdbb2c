#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bundle.sh BUILD: packs the built program, its shaders and assets and the shared libraries that a
# machine may lack into BUILD/fathom-VERSION-ARCH.tar.xz. Left to the machine: the C and C++
# runtimes and everything that belongs to the graphics driver (GL, EGL, glvnd, Mesa).
set -euo pipefail
build=$1
version=$("$build/fathom" --version | awk '{print $NF}')
name=fathom-$version-$(uname -m)
stage=$build/bundle/$name
rm -rf "$stage"
cmake --install "$build" --prefix "$stage" >/dev/null
mkdir -p "$stage/lib" "$stage/licenses"
cp LICENSE "$stage/licenses/fathom"

theirs='^(linux-vdso|ld-linux|libc|libm|libdl|libpthread|librt|libstdc\+\+|libgcc_s|libGL|libGLX|libEGL|libOpenGL|libGLdispatch|libGLESv2|libgbm|libdrm|libglapi)[.-]'
ldd "$build/fathom" | awk '$2 == "=>" && $3 ~ /^\// {print $1, $3}' | while read -r soname path; do
  [[ $soname =~ $theirs ]] && continue
  cp -L "$path" "$stage/lib/$soname"
  package=$(dpkg-query -S "$(readlink -f "$path")" 2>/dev/null | head -1 | cut -d: -f1)
  [[ -z $package ]] || cp -L "/usr/share/doc/$package/copyright" "$stage/licenses/$package"
done
tar -C "$build/bundle" -cJf "$build/$name.tar.xz" "$name"
echo "$build/$name.tar.xz"
