#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Draws docs/pictures/variations-N.png: what each variation of docs/reference/variations.md, in the order of its
# table, does to a grid of lines. docs/make_variation_pictures.sh [PROGRAM]; needs ImageMagick.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
fathom=${1:-build/fathom}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
font=$(fc-match -f '%{file}' Inter)
mapfile -t names < <(sed -n '/<!-- variations -->/,/<!-- end -->/s/^| `\([^`]*\)`.*/\1/p' docs/reference/variations.md)

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

# With the defaults of these nothing moves, or everything meets in a point.
declare -A more=(
  [asteria]='asteria_alpha="0.6"' [bTransform]='bTransform_rotate="0.5" bTransform_power="2"'
  [bent2]='bent2_x="0.5" bent2_y="1.6"'
  [cpow]='cpow_i="0.4" cpow_power="2"'
  [curve]='curve_xamp="0.5" curve_yamp="0.4"'
  [disc2]='disc2_rot="1" disc2_twist="0.8"' [escher]='escher_beta="0.6"' [fan2]='fan2_x="0.9" fan2_y="0.7"'
  [flower]='flower_petals="5"' [julian]='julian_power="3"' [juliascope]='juliascope_power="3"'
  [joukowski]='joukowski="0.5" joukowski_p1="1"' [lazysusan]='lazysusan_spin="0.8" lazysusan_twist="0.6"'
  [mobius]='mobius_re_a="1" mobius_re_b="0.3" mobius_re_c="0.4" mobius_im_c="0.4" mobius_re_d="1.2"'
  [modulus]='modulus_x="0.7" modulus_y="0.5"' [parabola]='parabola_width="1" parabola_height="1"'
  [pdj]='pdj_a="1.5" pdj_b="1.8" pdj_c="1.2" pdj_d="2"' [perspective]='perspective_angle="0.6" perspective_dist="3"'
  [poincare3D]='poincare3D_r="0.5" poincare3D_a="0.3"' [popcorn2]='popcorn2_x="0.3" popcorn2_y="0.3" popcorn2_c="2"'
  [rectangles]='rectangles_x="0.5" rectangles_y="0.7"' [rings2]='rings2_val="0.7"'
  [separation]='separation_x="0.6" separation_y="0.4"'
  [spirograph]='spirograph="0.3" spirograph_d="1" spirograph_tmax="7"'
  [split]='split_xsize="0.8" split_ysize="1.2"' [splits]='splits_x="0.4" splits_y="0.3"'
  [stripes]='stripes_space="0.4" stripes_warp="0.6"'
  [super_shape]='super_shape_m="5" super_shape_n1="2" super_shape_n2="1.5"' [taurus]='taurus="0.4"'
  [target]='target_even="0.6" target_odd="-0.3"'
  [waves2]='waves2_scalex="0.2" waves2_scaley="0.15" waves2_freqx="4" waves2_freqy="5"'
  [wedge]='wedge_angle="0.6" wedge_count="3" wedge_hole="0.2"'
  [wedge_julia]='wedge_julia_angle="0.6" wedge_julia_count="3" wedge_julia_power="2" wedge_julia_dist="1"'
  [wedge_sph]='wedge_sph_angle="0.6" wedge_sph_count="3"' [whorl]='whorl_inside="0.6" whorl_outside="1"'
  [xheart]='xheart_angle="0.5"'
  [yz_affine]='yz_affine_a="0.6"'
  [zx_affine]='zx_affine_a="0.6"'
  [trade]='trade_d1="0.5" trade_d2="1.5"'
  [pre_blur]='pre_blur="0.3" linear="1"'
  [flatten]='linear="1"'
  [farblur]='farblur="0.2" linear="1"'
  [rotate_x]='linear="1"'
  [rotate_y]='linear="1"'
  [zcone]='linear="1"'
  [zscale]='linear="1"'
  [ztranslate]='linear="1"'
  [inflateZ_1]='linear="1"'
  [inflateZ_4]='linear="1"' [inflateZ_6]='linear="1"' [zblur]='linear="1"' [extrude]='linear="1"'
  [distance_color]='linear="1"' [szubieta]='szubieta="0.018"' [circleRand]='circleRand="0.16"'
  [checkerboard_wf]='checkerboard_wf="0.3" checkerboard_wf_axis="0"' [koch_js]='koch_js="0.7" koch_js_level="4"'
  [dragon_js]='dragon_js="0.11"' [gosperisland_js]='gosperisland_js="0.04"' [hilbert_js]='hilbert_js="0.2"'
  [tree_js]='tree_js="0.25" tree_js_level="5"' [htree_js]='htree_js_level="4"' [rsquares_js]='rsquares_js_level="4"'
  [pixel_flow]='pixel_flow_len="1.5" pixel_flow_width="9"' [glitchy1]='glitchy1_scale_x="2"' [eMotion]='eMotion_move="0.5"'
  [text_wf]='text_wf_scale_x="1.4"' [seashell3D]='seashell3D="0.8"' [rhodonea]='rhodonea_inner_spread="0.4"'
  [hopalong]='hopalong="0.3"' [threeply]='threeply="0.5"' [gingerbread_man]='gingerbread_man="0.17"'
  [gumowski_mira]='gumowski_mira="0.07"' [macmillan]='macmillan="0.4"' [cyclic_color]='linear="1"'
  [parplot2d_wf]='parplot2d_wf="0.4"' [yplot2d_wf]='yplot2d_wf="0.3"' [polarplot3d_wf]='polarplot3d_wf="0.7"'
  [shape]='shape_m="5" shape_n1="2" shape_n2="1.5" shape_holes="0"' [butterfly_fay]='butterfly_fay="0.6" butterfly_fay_cycles="6"'
  [inversion]='inversion_shape="1" inversion_b="0.6"' [trig]='trig="0.4"' [crop_cross]='crop_cross_width="1" crop_cross_Size="0.4"'
  [crop_triangle]='crop_triangle_x1="-1" crop_triangle_y1="-0.8" crop_triangle_x2="1" crop_triangle_y2="-0.8" crop_triangle_y3="1"'
  [crop_polygon]='crop_polygon_radius="0.6"' [crop_stars]='crop_stars_radius="1" crop_stars_n="5"' [crop_x]='crop_x_w="1.2" crop_x_radius="0.2"'
  [blur_pixelize]='blur_pixelize_scale="0.5"' [cut_fun]='cut_fun_mode="0" cut_fun_zoom="3"'
  [cut_tileillusion]='cut_tileillusion_mode="0" cut_tileillusion_zoom="4"' [dc_dmodulus]='dc_dmodulus_x="0.6" dc_dmodulus_y="0.6"'
  [zscale_wf]='linear="1"' [y]='y_star="1"' [fract_julia_wf]='fract_julia_wf="0.4"' [estiq]='estiq="0.6"'
  [inflateZ_3]='linear="1"' [inflateZ_5]='linear="1"' [lazyTravis]='lazyTravis_spin_in="0.5" lazyTravis_space="0.3"')

palette=$(for i in {0..255}; do
  if ((i < 128)); then printf 'ff9a3c'; else printf '5cb8ff'; fi
done)
{
  echo '<flames>'
  for name in "${names[@]}"; do
    echo "<flame name=\"$name\" size=\"96 96\" scale=\"24\" center=\"0 0\" quality=\"60\" filter=\"0.6\""
    echo '  oversample="2" brightness="6" gamma="2.5" vibrancy="1" estimator_radius="0" background="0.03 0.04 0.06">'
    cat "$work/lines"
    own="$name=\"1\""
    if [[ ${more[$name]:-} == "$name="* ]]; then own=; fi
    coefs='1 0 0 1 0 0'  # those whose shape follows from its last two have none at the origin
    if [[ $name =~ ^(fan|rings|waves|popcorn)$ ]]; then coefs='1 0 0 1 0.5 0.7'; fi
    echo "<finalxform color=\"0\" color_speed=\"0\" $own ${more[$name]:-} coefs=\"$coefs\"/>"
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
