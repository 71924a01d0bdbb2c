#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# linked.sh SOURCES FILE...: no library is looked for in the current folder (an empty entry of a run path), all
# are bound at the start, stacks are protected, libEGL is not needed to start, and the folder of the sources is
# nowhere inside.
set -u
sources=$1
shift
status=0
fail() {
  echo "linked.sh: $*"
  status=1
}
for file in "$@"; do
  dynamic=$(readelf -dW "$file")
  echo "$dynamic" | grep -E 'R(UN)?PATH' | grep -E '\[:|::|:\]|\[\]' && fail "$file: looks into the current folder"
  echo "$dynamic" | grep -q 'BIND_NOW' || fail "$file: expected BIND_NOW"
  echo "$dynamic" | grep NEEDED | grep -q libEGL && fail "$file: expected not to need libEGL"
  readelf -sW --dyn-syms "$file" | grep -q __stack_chk_fail || fail "$file: expected protected stacks"
  grep -c -F -a "$sources/" "$file" >/dev/null && fail "$file: names the folder of the sources"
done
exit $status
