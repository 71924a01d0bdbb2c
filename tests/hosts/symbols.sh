#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: symbols.sh LIBFATHOM_ICET LIBFATHOM_COMPOSITE: each exports the functions of its header, which its .map
# names one by one, and no others, all under its version; the soname has the interface's number; what a host may not have is not needed.
set -u
status=0
fail() {
  echo "symbols.sh: $*"
  status=1
}
check() { # check LIBRARY NAME NOT_NEEDED...
  library=$1 name=$2
  shift 2
  version=$(echo "$name" | tr a-z A-Z)_1
  shown=$(nm -D --defined-only "$library" | awk '{print $3}' | grep -v "^$version" | sort)
  header=$(dirname "$0")/../../app/c_library/$name.h
  declared=$(grep -oE "\b${name}_[a-z_]+\(" "$header" | tr -d '(' | sort -u | sed "s/\$/@@$version/")
  [ "$shown" = "$declared" ] || fail "$name: expected the functions of its header, found $(echo "$shown
$declared" | sort | uniq -u | tr '\n' ' ')"
  readelf -d "$library" | grep -q "soname: \[lib$name.so.1\]" || fail "expected lib$name.so.1 as soname"
  for unwanted in "$@"; do
    readelf -d "$library" | grep NEEDED | grep -q "$unwanted" && fail "$name: expected not to need $unwanted"
  done
}
check "$1" fathom_icet libmpi libvtk libIceT imgui libCLI
check "$2" fathom_composite libEGL libGL libvtk libIceT imgui libCLI libglfw
exit $status
