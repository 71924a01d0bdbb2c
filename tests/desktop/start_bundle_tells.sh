#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# start_bundle_tells.sh START: an archive starts where the C library is new enough, and says what it
# needs where it is older or another one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/bin" "$folder/lib/spare" "$folder/machine"
cp "$1" "$folder/fathom"
echo 2.36 >"$folder/lib/glibc"
printf '#!/bin/sh\necho started "$@"\n' >"$folder/bin/fathom"
chmod +x "$folder/bin/fathom"

# expect WHICH GETCONF CODE TEXT: what a machine with this getconf answers
expect() {
  local said code=0
  printf '#!/bin/sh\n%s\n' "$2" >"$folder/machine/getconf"
  chmod +x "$folder/machine/getconf"
  said=$(PATH="$folder/machine:$PATH" "$folder/fathom" --version 2>&1) || code=$?
  if [[ $code != "$3" || $said != "$4" ]]; then
    echo "$1: expected $3 and \"$4\", found $code and \"$said\""
    exit 1
  fi
}
expect older 'echo glibc 2.31' 1 'fathom: expected glibc 2.36 or newer, found 2.31'
expect other 'exit 1' 1 'fathom: expected glibc 2.36 or newer, found another C library'
expect same 'echo glibc 2.36' 0 'started --version'
expect newer 'echo glibc 2.100' 0 'started --version'
