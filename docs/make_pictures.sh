#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Makes every picture of README.md and docs/ from scratch: docs/make_pictures.sh [PROGRAM]. The
# window is drawn on a virtual display when there is none. Asks for ImageMagick.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
fathom=${1:-build/fathom}
pictures=docs/pictures
if [[ -z ${DISPLAY:-} ]]; then
  exec xvfb-run -a -s '-screen 0 2600x1500x24' "${BASH_SOURCE[0]}" "$fathom"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$pictures"

# window NAME INPUTS... [FLAGS]: a screenshot once the picture is complete
window() {
  local name=$1
  shift
  "$fathom" view "$@" --size 1600x900 --hidden --frames 8 --screenshot "$pictures/$name.png"
}

# every FOLDER: every page of every technique, or of those that $FATHOM_OF names, in four sizes ($FATHOM_SIZES:
# "800x600@1 ..."), to be looked at one by one; they are not kept.
every() {
  local folder=$1 name page size
  mkdir -p "$folder"
  local -A inputs=([deep]=hairball:strands=300 [dof]=planes:count=1,spheres=60,alpha=1,seed=4
    [flame]=assets/flame/edge.corona=seahorse.json [smoe]=assets/smoe/light-field.smoe
    [active-pixel]=points:count=30000 [picture]=docs/pictures/flame-corona.png)
  local common="settings inspector histogram timings memory compare"
  local -A pages=([deep]="inputs depth $common" [dof]="lens variants $common"
    [flame]="xforms image palette mutations timeline $common" [smoe]="model fit $common"
    [active-pixel]="parts $common" [picture]="$common files help open start commands")
  for name in ${FATHOM_OF:-${!inputs[@]}}; do
    for page in ${pages[$name]}; do
      for size in ${FATHOM_SIZES:-800x600@1 1280x720@1 2560x1440@1 2560x1440@2}; do
        "$fathom" view "${inputs[$name]}" --technique "$name" --open-panel "$page" --pixel 150,120 --hidden \
          --frames 2 --size "${size%@*}" --scale "${size#*@}" --screenshot "$folder/$name-$page-$size.png" ||
          echo "$name $page: not there"
      done
    done
  done
}
if [[ -n ${FATHOM_PAGES:-} ]]; then
  every "$FATHOM_PAGES"
  exit
fi

# The cards of the start page: assets/start, one per technique.
card() {
  local name=$1
  shift
  "$fathom" "$@" --size 480x270 -o "$work/$name.png"
  mkdir -p assets/start
  convert "$work/$name.png" -strip -colors 192 "assets/start/$name.png"
}
card deep deep flatten atrium
card dof dof render atrium --focus-distance 12 --max-radius 32
card flame flame render assets/flame/corona.flame --quality 200
card smoe smoe render assets/smoe/light-field.smoe --window 2,16,172,97
card active-pixel active-pixel composite station --parts 6 --show parts
window window-start --open-panel start

# The atrium in two deep images, as two departments would deliver them.
"$fathom" deep capture 'atrium#interior' --size 1280x720 -o "$work/interior.exr"
"$fathom" deep capture 'atrium#exterior' --size 1280x720 -o "$work/exterior.exr"
window window-merge "$work/interior.exr" "$work/exterior.exr" --open-panel inspector --pixel 420,220
window deep-points "$work/interior.exr" "$work/exterior.exr" --open-panel depth --set show=points \
  --set point-depth=1.6
window deep-peel "$work/interior.exr" "$work/exterior.exr" --open-panel depth --set peel=19:
window deep-inputs "$work/interior.exr" "$work/exterior.exr" --open-panel inputs
window window-heatmap atrium --open-panel timings --set show=heat-map

for flame in corona rosette; do
  "$fathom" flame render assets/flame/$flame.flame --size 600x450 --quality 300 \
    -o "$pictures/flame-$flame.png"
done

"$fathom" deep flatten powerplant --size 960x540 -o "$pictures/powerplant.png"
"$fathom" deep heatmap hairball --size 960x540 -o "$pictures/hairball-heatmap.png"

# Depth of field: the problem (the paper's operator on one layer), the cure, and the truth.
spheres=(dof render planes:count=1,spheres=60,alpha=1,seed=4 --size 480x270
  --focus-distance 20 --f-number 0.8 --max-radius 32)
"$fathom" "${spheres[@]}" --operator over --layers first -o "$pictures/dof-halo.png"
"$fathom" "${spheres[@]}" --operator coverage --layers all -o "$pictures/dof-coverage.png"
"$fathom" "${spheres[@]}" --operator lens --lens-points 256 -o "$pictures/dof-lens.png"
"$fathom" dof render atrium --size 640x360 --focus-distance 20 --max-radius 32 \
  -o "$pictures/dof-atrium.png"

# Active pixels: the table of parts.
window active-pixel-window station --technique active-pixel --open-panel parts \
  --set show=parts --set parts=6
for show in parts regions active runs; do
  "$fathom" active-pixel composite station --size 480x270 --parts 6 --show $show \
    -o "$pictures/active-pixel-$show.png"
done

# The timeline: a film of three genomes, between two of them.
"$fathom" flame random assets/flame/whirlpool.flame --count 4 --seed 5 --size 960x540 -o "$work/flock.flame"
awk '/<flame /{sub(/ time="[^"]*"/, ""); sub(/<flame /, "<flame time=\"" 40 * n++ "\" ")} {print}' \
  "$work/flock.flame" > "$work/film.flame"
window flame-timeline "$work/film.flame" --open-panel none --set time=52 --set quality=100

# The editor, at what is good enough for a picture of the window.
window flame-editor assets/flame/corona.flame --open-panel mutations --set quality=100

# SMoE: components over the picture, a view between views, and how far it moves.
window smoe-window assets/smoe/atrium.smoe --open-panel inspector --pixel 520,190 --set ellipses=on \
  --set window=150,120,96,64
"$fathom" smoe render assets/smoe/light-field.smoe --view 1.5,-0.5 --size 528x384 \
  -o "$pictures/smoe-view.png"
"$fathom" smoe render assets/smoe/light-field.smoe --show disparity --size 528x384 \
  -o "$pictures/smoe-disparity.png"
