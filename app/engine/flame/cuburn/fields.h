// SPDX-License-Identifier: BSD-3-Clause
// The fields of cuburn's genomes that move: one table says, for each path, its default, whether it
// is periodic and how it is interpolated. All else is read from this.
#pragma once

#include "app/engine/flame/cuburn/spline.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace fathom::flame::cuburn {

/// "camera.scale", "filters.de.radius", ...; none for what is no such field.
std::optional<SplineKind> fieldKind(const std::string& path);
/// Below an xform: "weight", "pre_affine.angle", "variations.julian.power".
std::optional<SplineKind> xformFieldKind(const std::string& path);
/// cuburn's short names of variations become those of flam3.
std::string xformFieldNamed(const std::string& path);

/// Of "variations.julian.power": "variations.julian.weight"; empty for all that is no parameter.
std::string weightOfParameter(const std::string& path);

/// A filter of cuburn that Fathom has: logscale, colorclip or de. The others (bilateral, smearclip,
/// plainclip, haloclip, logencode, yuv) are named to the user and left out.
bool hasFilter(std::string_view name);

/// By path.
using Values = std::map<std::string, Value>;
using Curves = std::map<std::string, Curve>;

/// The curve at a path; the constant default of its kind when there is none.
Curve curveIn(const Curves& curves, const std::string& path);
Curve xformCurveIn(const Curves& curves, const std::string& path);

}  // namespace fathom::flame::cuburn
