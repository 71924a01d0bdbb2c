#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The figures of docs/results/deep-images.md, "Files": tests/deep/measure_files.sh merge|8k FOLDER [RUNS]
#   merge   two captures of 25 million samples merged by --stream, by --stream=off and by oiiotool
#   8k      hairball at 7680x4320 captured, merged, flattened, and sampled rows held against the
#           reference; 12 GiB of disk
# Run it in the root of a built tree. Prints wall and CPU seconds and peak memory of each process.
set -euo pipefail
if (($# < 2)) || [[ ! -x build/fathom ]]; then
  sed -n '3,7s/^# //p' "$0" >&2
  exit 2
fi
if [[ ! -x /usr/bin/time ]]; then
  echo "expected GNU time (apt-get install time), found none" >&2
  exit 1
fi
what=$1 folder=$2 runs=${3:-3}
mkdir -p "$folder"

# measure NAME COMMAND...
measure() {
  local name=$1
  shift
  /usr/bin/time -o "$folder/time.txt" -f '%e s wall  %U user  %S sys  %M KiB' "$@" >/dev/null
  printf '%-13s %s\n' "$name" "$(tail -1 "$folder/time.txt")"
}

capture() { # capture SCENE SIZE FILE
  [[ -f $3 ]] || measure "capture" build/fathom deep capture "$1" --size "$2" -o "$3" --quiet
}

case $what in
  merge)
    capture hairball:seed=1 1408x792 "$folder/a.exr"
    capture hairball:seed=2 1408x792 "$folder/b.exr"
    build/fathom info "$folder/a.exr" "$folder/b.exr" | grep -E '  (fragments|memory) '
    for ((i = 0; i < runs; ++i)); do
      for way in --stream --stream=off; do
        measure "$way" build/fathom deep merge "$folder/a.exr" "$folder/b.exr" $way \
          -o "$folder/merged.exr" --quiet
      done
    done
    if command -v oiiotool >/dev/null; then
      measure oiiotool oiiotool "$folder/a.exr" "$folder/b.exr" --deepmerge -o "$folder/oiio.exr"
    fi
    ;;
  8k)
    capture hairball#hair 7680x4320 "$folder/hair.exr"
    capture hairball#spheres 7680x4320 "$folder/spheres.exr"
    measure merge build/fathom deep merge "$folder/hair.exr" "$folder/spheres.exr" \
      -o "$folder/merged.exr" --quiet
    measure flatten build/fathom deep flatten "$folder/hair.exr" "$folder/spheres.exr" \
      -o "$folder/flat.exr" --quiet
    build/tests/deep/deep_check_rows 20 "$folder/merged.exr" "$folder/flat.exr" \
      "$folder/hair.exr" "$folder/spheres.exr"
    ;;
  *)
    echo "expected merge or 8k, found $what" >&2
    exit 2
    ;;
esac
