#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# installed.sh BUILD WORK: the libraries in C, installed and moved: a host finds them by pkg-config and by
# find_package, links and starts; the shaders came along.
set -euo pipefail
build=$1 work=$2
rm -rf "$work"
mkdir -p "$work/host"
DESTDIR=$work/stage cmake --install "$build" --component libraries --prefix /opt/fathom >/dev/null
mv "$work/stage/opt/fathom" "$work/moved here"
cat >"$work/host/host.c" <<'C'
#include <fathom_composite.h>
#include <fathom_icet.h>
int main(void) { return fathom_icet_version() != FATHOM_ICET_VERSION || !fathom_icet_message(); }
C
cat >"$work/host/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.18)
project(host C)
find_package(Fathom 0.1 REQUIRED)
find_package(MPI REQUIRED)
add_executable(host host.c)
target_link_libraries(host Fathom::fathom_composite Fathom::fathom_icet MPI::MPI_C)
CMAKE
libraries=$(dirname "$(find "$work/moved here" -name libfathom_icet.so)")
export PKG_CONFIG_PATH=$libraries/pkgconfig
eval "mpicc '$work/host/host.c' -o '$work/by-pkg-config' $(pkg-config --cflags --libs fathom_icet fathom_composite)"
LD_LIBRARY_PATH=$libraries "$work/by-pkg-config"
cmake -S "$work/host" -B "$work/host/build" -DCMAKE_PREFIX_PATH="$work/moved here" >/dev/null
cmake --build "$work/host/build" >/dev/null
"$work/host/build/host"
[[ -f "$work/moved here/share/libfathom/shaders/active_pixel/classify.comp" ]]
