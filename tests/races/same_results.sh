#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What is watched does the same work as what is not: otherwise nothing that is reported, or not,
# means anything. same_results.sh RACES FATHOM
set -euo pipefail
races=$1 fathom=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
commands=(
  "deep flatten planes:count=60,spheres=0 --size 24x16 -o FILE"
  "dof render planes:count=2,spheres=3 --size 24x16 --operator coverage --sort radix -o FILE"
)
for i in "${!commands[@]}"; do
  "$fathom" ${commands[i]//FILE/$folder/plain$i.exr} --quiet
  echo "fathom ${commands[i]//FILE/$folder/watched$i.exr}"
done >"$folder/list.txt"
"$races" --jobs 1 "$folder/list.txt"
for i in "${!commands[@]}"; do
  "$fathom" compare "$folder/plain$i.exr" "$folder/watched$i.exr" --fail-max-above 0.001
done
