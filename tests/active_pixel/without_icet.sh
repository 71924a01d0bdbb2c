#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program that was linked without IceT and MPI: it says what is missing, once, with exit code 78;
# parts inside one process are composited all the same. usage: without_icet.sh PROGRAM WORK_FOLDER
set -u
program=$1
folder=$2
mkdir -p "$folder"
fail() {
  echo "without_icet.sh: $*"
  exit 1
}

if ldd "$program" | grep -E 'libmpi|IceT'; then fail "expected neither MPI nor IceT"; fi

said=$(OMPI_COMM_WORLD_RANK=0 "$program" active-pixel composite station --size 64x48 2>&1)
code=$?
[ $code = 78 ] || fail "expected exit code 78 under mpirun, found $code: $said"
[ "$said" = "fathom: this fathom was built without IceT and MPI; expected both for compositing over MPI" ] ||
  fail "found another message: $said"
said=$(OMPI_COMM_WORLD_RANK=1 "$program" active-pixel composite station --size 64x48 2>&1)
[ -z "$said" ] || fail "expected rank 1 to be silent, found: $said"

"$program" active-pixel composite station --size 64x48 -o "$folder/parts.png" ||
  fail "expected parts inside one process to work"
[ -s "$folder/parts.png" ] || fail "expected a picture"
