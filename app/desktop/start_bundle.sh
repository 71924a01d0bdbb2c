#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Starts the bundled program. Libraries of X and the C++ runtime are the machine's own; those that it
# lacks are taken from lib/spare, each from a folder of its own so that none hides another.
here=$(dirname "$(readlink -f "$0")")
needs=$(cat "$here/lib/glibc")
has=$(getconf GNU_LIBC_VERSION 2>/dev/null) has=${has#glibc }
if [ "$(printf '%s\n' "$needs" "${has:-0}" | sort -V | head -1)" != "$needs" ]; then
  echo "fathom: expected glibc $needs or newer, found ${has:-another C library}" >&2
  exit 1
fi
known=$(PATH="$PATH:/sbin:/usr/sbin" ldconfig -p 2>/dev/null)
for folder in "$here"/lib/spare/*; do
  case $known in
    *"${folder##*/}"*) ;;
    *) LD_LIBRARY_PATH=$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} && export LD_LIBRARY_PATH ;;
  esac
done
exec "$here/bin/fathom" "$@"
