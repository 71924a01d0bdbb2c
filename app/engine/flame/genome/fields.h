// SPDX-License-Identifier: BSD-3-Clause
// The fields of genomes and xforms, each written once: reading, writing and checking files,
// Python's genomes, the mix of keyframes and what a change costs are visitors of these lists. The
// order is that of the written file.
#pragma once

#include "app/engine/flame/genome/model.h"

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

/// What a field is besides a value of the file; or'ed.
enum FieldUse : unsigned {
  kChanged = 0,  // written where it differs from its default
  kAlways = 1,   // written even so
  kBlends = 2,   // keyframes mix it
  kFinite = 4,   // there is no picture where it is no finite number
  kTone = 8,     // acts on the histogram once it is drawn
};

/// What a field is called in files of flam3, and in Python.
struct FieldName {
  constexpr FieldName(const char* both) : file(both), plain(both) {}
  constexpr FieldName(const char* inFile, const char* inPython) : file(inFile), plain(inPython) {}
  std::string_view file, plain;
};

/// What visitors of the lists below inherit: groups of fields are their members one by one.
template <class Visitor>
struct EachField {
  template <class Members>
  void group(std::string_view /*plain*/, Members&& members) {
    members(static_cast<Visitor&>(*this));
  }
  template <class Vector>
  void triple(const std::array<const char*, 3>& names, std::string_view /*plain*/, Vector& value,
              unsigned use) {
    for (int i = 0; i < 3; ++i)
      static_cast<Visitor&>(*this).real(names[std::size_t(i)], value[i], use);
  }
};

/// The camera of flames with depth, a group of the list below.
template <class Camera, class Visitor>
void visitCameraFields(Camera& camera, Visitor& v) {
  v.real({"cam_pitch", "pitch"}, camera.pitch, kChanged);
  v.real({"cam_yaw", "yaw"}, camera.yaw, kChanged);
  v.real({"cam_roll", "bank"}, camera.bank, kChanged);
  v.real({"cam_perspective", "perspective"}, camera.perspective, kChanged);
  v.real({"cam_zpos", "zpos"}, camera.zpos, kChanged);
  v.triple({"cam_pos_x", "cam_pos_y", "cam_pos_z"}, "shift", camera.shift, kChanged);
  v.real({"cam_dof", "blur"}, camera.blur, kChanged);
  v.real({"cam_dof_area", "blur_area"}, camera.blurArea, kChanged);
  v.real({"cam_dof_exponent", "blur_exponent"}, camera.blurExponent, kChanged);
  v.triple({"cam_xfocus", "cam_yfocus", "cam_zfocus"}, "focus", camera.focus, kChanged);
  v.integer({"new_dof", "new_blur"}, camera.newBlur, kChanged);
}

/// `genome` is a Genome or a const Genome. A visitor has text(), real(), integer(), reals() (two or
/// three numbers), pixels(), word(), triple() and group().
template <class G, class Visitor>
void visitGenomeFields(G& genome, Visitor& v) {
  v.real("time", genome.time, kAlways | kBlends);
  v.text("name", genome.name);
  v.pixels("size", genome.size, kAlways | kBlends);
  v.reals("center", glm::value_ptr(genome.center), 2, kAlways | kBlends | kFinite);
  v.real("scale", genome.scale, kAlways | kBlends | kFinite);
  v.real("zoom", genome.zoom, kBlends | kFinite);
  v.real("rotate", genome.rotate, kBlends | kFinite);
  v.real({"cam_zoom", "camera_zoom"}, genome.cameraZoom, kChanged);
  v.group("camera", [&](auto& inner) { visitCameraFields(genome.camera, inner); });
  v.integer({"preserve_z", "preserves_z"}, genome.preservesZ, kChanged);
  v.integer("supersample", genome.supersample, kAlways | kBlends);
  v.real("filter", genome.filter, kAlways | kBlends);
  v.word("filter_shape", genome.filterShape, kFilterShapes, kAlways);
  v.word({"temporal_filter_type", "temporal_filter"}, genome.temporalFilter, kTemporalFilters,
         kChanged);
  v.real("temporal_filter_width", genome.temporalFilterWidth, kBlends);
  v.real("temporal_filter_exp", genome.temporalFilterExp, kBlends);
  v.real("quality", genome.quality, kAlways | kBlends | kTone);
  v.integer("passes", genome.passes, kBlends);
  v.integer("temporal_samples", genome.temporalSamples, kBlends);
  v.reals("background", glm::value_ptr(genome.background), 3, kAlways | kBlends | kFinite | kTone);
  v.real("brightness", genome.brightness, kAlways | kBlends | kFinite | kTone);
  v.real("gamma", genome.gamma, kAlways | kBlends | kFinite | kTone);
  v.real("vibrancy", genome.vibrancy, kAlways | kBlends | kFinite | kTone);
  auto& own = genome.jwildfire;
  v.real("contrast", own.contrast, kFinite | kTone);
  v.real("white_level", own.whiteLevel, kFinite | kTone);
  v.real("low_density_brightness", own.lowDensityBrightness, kFinite | kTone);
  v.real("fg_opacity", own.foregroundOpacity, kFinite | kTone);
  v.word("filter_kernel", own.radialShape, kRadialShapes, kTone);
  v.real("filter_sharpness", own.filterSharpness, kFinite | kTone);
  v.real("filter_low_density", own.filterLowDensity, kFinite | kTone);
  v.real("antialias_amount", own.antialiasAmount, kFinite);
  v.real("antialias_radius", own.antialiasRadius, kFinite);
  v.word({"post_symmetry_type", "post_symmetry"}, own.symmetry, kPostSymmetries, kChanged);
  v.integer("post_symmetry_order", own.symmetryOrder, kChanged);
  v.real({"post_symmetry_centre_x", "post_symmetry_x"}, own.symmetryCenter.x, kFinite);
  v.real({"post_symmetry_centre_y", "post_symmetry_y"}, own.symmetryCenter.y, kFinite);
  v.real("post_symmetry_distance", own.symmetryDistance, kFinite);
  v.real("post_symmetry_rotation", own.symmetryRotation, kFinite);
  v.real("saturation", genome.saturation, kTone);
  v.triple({"balancing_red", "balancing_green", "balancing_blue"}, "balance", genome.balance,
           kTone);
  v.real("estimator_radius", genome.estimatorRadius, kAlways | kBlends | kTone);
  v.real("estimator_minimum", genome.estimatorMinimum, kAlways | kBlends | kTone);
  v.real("estimator_curve", genome.estimatorCurve, kAlways | kBlends | kTone);
  v.real("gamma_threshold", genome.gammaThreshold, kAlways | kBlends | kFinite | kTone);
  v.word("palette_mode", genome.paletteMode, kPaletteModes, kAlways);
  v.word("interpolation", genome.interpolation, kInterpolations, kChanged);
  v.word({"interpolation_type", "matrix_interpolation"}, genome.matrixInterpolation,
         kMatrixInterpolations, kChanged);
  v.word("palette_interpolation", genome.paletteInterpolation, kPaletteInterpolations, kChanged);
  v.real("hsv_rgb_palette_blend", genome.hsvRgbPaletteBlend, kChanged);
  v.integer({"soloxform", "solo_xform"}, genome.soloXform, kChanged);
  v.real("highlight_power", genome.highlightPower, kBlends | kFinite | kTone);
  v.real("hue", genome.hue, kBlends | kFinite);
  v.integer({"palette", "palette_number"}, genome.paletteNumber, kChanged);
}

/// The plain numbers of an xform; weight, color, coefs, post, chaos and variations have rules of
/// their own.
template <class X, class Visitor>
void visitXformFields(X& xform, Visitor& v) {
  v.real("color_speed", xform.colorSpeed, kAlways);
  v.real("animate", xform.animate, kChanged);
  v.real("opacity", xform.opacity, kChanged);
}

/// The numbers of the fields of a use, in their order; words are their index.
std::vector<double> numbersOf(const Genome& genome, FieldUse use);
/// Gives the fields of a use these numbers, rounded where a field is whole.
void setNumbers(Genome& genome, FieldUse use, std::span<const double> numbers);

}  // namespace fathom::flame
