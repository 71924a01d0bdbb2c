#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: symbols.sh LIBRARY: only fathom_icet_* is exported, each under a version; the soname has the
# interface's number; neither windows nor MPI nor IceT are needed.
set -u
library=$1
status=0
fail() {
  echo "symbols.sh: $*"
  status=1
}
names=$(nm -D --defined-only "$library" | awk '{print $3}')
count=$(echo "$names" | grep -c '^fathom_icet_[a-z_]*@@FATHOM_ICET_1$')
[ "$count" = 8 ] || fail "expected 8 versioned functions, found $count"
others=$(echo "$names" | grep -v '^fathom_icet_' | grep -v '^FATHOM_ICET_1')
[ -z "$others" ] || fail "expected no other names, found $(echo "$others" | head -3)"
readelf -d "$library" | grep -q 'soname: \[libfathom_icet.so.1\]' || fail "expected libfathom_icet.so.1 as soname"
needed=$(readelf -d "$library" | grep NEEDED)
for library in libmpi libvtk libIceT imgui libCLI; do
  echo "$needed" | grep -q "$library" && fail "expected not to need $library"
done
exit $status
