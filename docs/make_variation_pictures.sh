#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Draws docs/pictures/variations-N.png: what each variation of docs/variations.md, in the order of its
# table, does to a grid of lines. docs/make_variation_pictures.sh [PROGRAM]; needs ImageMagick.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
fathom=${1:-build/fathom}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
font=$(fc-match -f '%{file}' Inter)
mapfile -t names < <(sed -n '/<!-- variations -->/,/<!-- end -->/s/^| `\([^`]*\)`.*/\1/p' docs/variations.md)

# line X-OR-Y AT COLOR: an xform whose points lie on a line of the grid
line() {
  local post="0 2.4 0 0 $2 0"
  if [[ $1 == y ]]; then post="2.4 0 0 0 0 $2"; fi
  echo "<xform weight=\"1\" color=\"$3\" color_speed=\"1\" square=\"1\" coefs=\"1 0 0 1 0 0\" post=\"$post\"/>"
}
for at in -1.2 -1 -0.8 -0.6 -0.4 -0.2 0 0.2 0.4 0.6 0.8 1 1.2; do
  line x "$at" 0
  line y "$at" 1
done >"$work/lines"

palette=$(for i in {0..255}; do
  if ((i < 128)); then printf 'ff9a3c'; else printf '5cb8ff'; fi
done)
{
  echo '<flames>'
  for name in "${names[@]}"; do
    echo "<flame name=\"$name\" size=\"96 96\" scale=\"24\" center=\"0 0\" quality=\"60\" filter=\"0.6\""
    echo '  oversample="2" brightness="6" gamma="2.5" vibrancy="1" estimator_radius="0" background="0.03 0.04 0.06">'
    cat "$work/lines"
    echo "<finalxform color=\"0\" color_speed=\"0\" $name=\"1\" coefs=\"1 0 0 1 0 0\"/>"
    echo "<palette count=\"256\" format=\"RGB\">$palette</palette></flame>"
  done
  echo '</flames>'
} >"$work/all.flame"
"$fathom" flame render "$work/all.flame" --seed 1 --quiet -o "$work/%04d.png"

for ((first = 0, sheet = 1; first < ${#names[@]}; first += 100, ++sheet)); do
  tiles=()
  for ((i = first; i < first + 100 && i < ${#names[@]}; ++i)); do
    printf -v tile '%s/%04d.png' "$work" $((i + 1))
    size=11
    if ((${#names[i]} > 16)); then size=8; fi
    convert "$tile" -background '#101418' -gravity north -extent 100x116 -fill '#d8dde4' -font "$font" \
      -pointsize $size -gravity south -annotate +0+3 "${names[i]}" "$work/tile-$i.png"
    tiles+=("$work/tile-$i.png")
  done
  montage "${tiles[@]}" -tile 10x -geometry 100x116+0+0 -background '#101418' "$work/sheet.png"
  convert "$work/sheet.png" -strip -dither None -colors 64 "PNG8:docs/pictures/variations-$sheet.png"
done
