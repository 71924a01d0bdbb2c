#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Makes the film of docs/guides/dof.md: a pull of focus through the atrium, there and back. Run from
# the root of the repository; needs ffmpeg. FATHOM names the program.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${FATHOM:-build/fathom}" dof render atrium --size 320x180 --f-number 0.7 --mm-per-unit 300 --max-radius 8 \
  --focus 6:60@1-20 -o "$work/frame.%02d.png" --quiet
ffmpeg -v error -y -framerate 10 -i "$work/frame.%02d.png" -filter_complex \
  '[0]split[to][copy];[copy]reverse[back];[to][back]concat,split[film][colors];[colors]palettegen=max_colors=144[palette];[film][palette]paletteuse=dither=bayer:bayer_scale=4' \
  docs/pictures/dof-pull.gif
