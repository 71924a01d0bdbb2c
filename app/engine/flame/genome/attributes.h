// SPDX-License-Identifier: BSD-3-Clause
// The attributes of <flame> and <xform>, each written once: the reader and the writer are visitors
// of these lists. The order is the one of the written file; `always` ones are written even when
// they have their default.
#pragma once

#include "app/engine/flame/genome/model.h"

#include <span>
#include <string_view>

#include <glm/gtc/type_ptr.hpp>

namespace fathom::flame {

inline constexpr std::string_view kFilterShapes[] = {
    "gaussian", "hermite", "box",     "triangle", "bell",     "bspline",  "mitchell",
    "blackman", "catrom",  "hanning", "hamming",  "lanczos3", "lanczos2", "quadratic"};
inline constexpr std::string_view kTemporalFilters[] = {"box", "gaussian", "exp"};
inline constexpr std::string_view kPaletteModes[] = {"step", "linear"};
inline constexpr std::string_view kInterpolations[] = {"linear", "smooth"};
inline constexpr std::string_view kMatrixInterpolations[] = {"log", "linear", "old", "older"};
inline constexpr std::string_view kPaletteInterpolations[] = {"hsv", "hsv_circular", "rgb",
                                                              "sweep"};
inline constexpr std::string_view kMotionFunctions[] = {"sin", "triangle", "hill"};

/// How often an attribute is written.
enum class Write { Always, Changed };

/// `genome` is a Genome or a const Genome. A visitor has text(), real(), integer(), reals() (two or
/// three numbers), pixels() and word() for them. Palette, hue and highlight_power have rules of
/// their own and are not here.
template <class G, class Visitor>
void visitFlameAttributes(G& genome, Visitor& v) {
  constexpr auto always = Write::Always, changed = Write::Changed;
  v.real("time", genome.time, always);
  v.text("name", genome.name);
  v.pixels("size", genome.size);
  v.reals("center", glm::value_ptr(genome.center), 2, always);
  v.real("scale", genome.scale, always);
  v.real("zoom", genome.zoom, changed);
  v.real("rotate", genome.rotate, changed);
  v.real("cam_zoom", genome.cameraZoom, changed);
  v.real("cam_pitch", genome.camera.pitch, changed);
  v.real("cam_yaw", genome.camera.yaw, changed);
  v.real("cam_roll", genome.camera.bank, changed);
  v.real("cam_perspective", genome.camera.perspective, changed);
  v.real("cam_zpos", genome.camera.zpos, changed);
  v.real("cam_pos_x", genome.camera.shift.x, changed);
  v.real("cam_pos_y", genome.camera.shift.y, changed);
  v.real("cam_pos_z", genome.camera.shift.z, changed);
  v.real("cam_dof", genome.camera.blur, changed);
  v.real("cam_dof_area", genome.camera.blurArea, changed);
  v.real("cam_dof_exponent", genome.camera.blurExponent, changed);
  v.real("cam_xfocus", genome.camera.focus.x, changed);
  v.real("cam_yfocus", genome.camera.focus.y, changed);
  v.real("cam_zfocus", genome.camera.focus.z, changed);
  v.integer("new_dof", genome.camera.newBlur, changed);
  v.integer("preserve_z", genome.preservesZ, changed);
  v.integer("supersample", genome.supersample, always);
  v.real("filter", genome.filter, always);
  v.word("filter_shape", genome.filterShape, kFilterShapes, always);
  v.word("temporal_filter_type", genome.temporalFilter, kTemporalFilters, changed);
  v.real("temporal_filter_width", genome.temporalFilterWidth, changed);
  v.real("temporal_filter_exp", genome.temporalFilterExp, changed);
  v.real("quality", genome.quality, always);
  v.integer("passes", genome.passes, changed);
  v.integer("temporal_samples", genome.temporalSamples, changed);
  v.reals("background", glm::value_ptr(genome.background), 3, always);
  v.real("brightness", genome.brightness, always);
  v.real("gamma", genome.gamma, always);
  v.real("vibrancy", genome.vibrancy, always);
  v.real("contrast", genome.contrast, changed);
  v.real("white_level", genome.whiteLevel, changed);
  v.real("low_density_brightness", genome.lowDensityBrightness, changed);
  v.real("fg_opacity", genome.foregroundOpacity, changed);
  v.word("filter_kernel", genome.radialShape, kRadialShapes, changed);
  v.real("filter_sharpness", genome.filterSharpness, changed);
  v.real("filter_low_density", genome.filterLowDensity, changed);
  v.real("antialias_amount", genome.antialiasAmount, changed);
  v.real("antialias_radius", genome.antialiasRadius, changed);
  v.real("saturation", genome.saturation, changed);
  v.real("balancing_red", genome.balance.x, changed);
  v.real("balancing_green", genome.balance.y, changed);
  v.real("balancing_blue", genome.balance.z, changed);
  v.real("estimator_radius", genome.estimatorRadius, always);
  v.real("estimator_minimum", genome.estimatorMinimum, always);
  v.real("estimator_curve", genome.estimatorCurve, always);
  v.real("gamma_threshold", genome.gammaThreshold, always);
  v.word("palette_mode", genome.paletteMode, kPaletteModes, always);
  v.word("interpolation", genome.interpolation, kInterpolations, changed);
  v.word("interpolation_type", genome.matrixInterpolation, kMatrixInterpolations, changed);
  v.word("palette_interpolation", genome.paletteInterpolation, kPaletteInterpolations, changed);
  v.real("hsv_rgb_palette_blend", genome.hsvRgbPaletteBlend, changed);
  v.integer("soloxform", genome.soloXform, changed);
}

/// The plain numbers of an xform; coefs, post, chaos, color and variations have their own rules.
template <class X, class Visitor>
void visitXformAttributes(X& xform, Visitor& v) {
  v.real("color_speed", xform.colorSpeed, Write::Always);
  v.real("animate", xform.animate, Write::Changed);
  v.real("opacity", xform.opacity, Write::Changed);
}

}  // namespace fathom::flame
