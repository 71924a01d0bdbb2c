// SPDX-License-Identifier: BSD-3-Clause
// The tables of fields: what kind of spline each is, its default and its limits.
#include "app/engine/flame/cuburn/fields.h"

#include "app/engine/core/error.h"
#include "app/engine/flame/genome/variations.h"

namespace fathom::flame::cuburn {
namespace {

constexpr double kTurn = 360;  // angles are degrees
const std::string kVariations = "variations.";

SplineKind plain(double fallback, CurveLimit limit = CurveLimit::None) {
  return {fallback, 0, CurveDomain::Plain, limit};
}
SplineKind angle(double fallback) {
  return {fallback, kTurn, CurveDomain::Plain, CurveLimit::None};
}
SplineKind magnitude(double fallback) {
  return {fallback, 0, CurveDomain::Magnitude, CurveLimit::None};
}

const std::map<std::string, SplineKind>& fields() {
  static const std::map<std::string, SplineKind> table{
      {"camera.center.x", plain(0)},
      {"camera.center.y", plain(0)},
      {"camera.rotation", angle(0)},
      {"camera.scale", magnitude(1)},
      {"camera.dither_width", magnitude(1)},
      {"camera.spp", magnitude(1)},
      {"filters.logscale.brightness", plain(4)},
      {"filters.colorclip.gamma", plain(4)},
      {"filters.colorclip.gamma_threshold", plain(0.01)},
      {"filters.colorclip.highlight_power", plain(-1)},
      {"filters.colorclip.vibrance", plain(1)},
      {"filters.de.radius", plain(11)},
      {"filters.de.minimum", plain(0)},
      {"filters.de.curve", plain(0.6)},
      {"time.frame_width", plain(1)},
  };
  return table;
}

const std::map<std::string, SplineKind>& xformFields() {
  static const std::map<std::string, SplineKind> table = [] {
    std::map<std::string, SplineKind> all{{"weight", plain(0, CurveLimit::NotNegative)},
                                          {"color", plain(0, CurveLimit::ZeroToOne)},
                                          {"color_speed", plain(0.5, CurveLimit::ZeroToOne)},
                                          {"opacity", magnitude(1)}};
    for (const std::string affine : {"pre_affine.", "post_affine."}) {
      all[affine + "angle"] = all[affine + "spread"] = angle(45);
      all[affine + "magnitude.x"] = all[affine + "magnitude.y"] = magnitude(1);
      all[affine + "offset.x"] = all[affine + "offset.y"] = plain(0);
    }
    return all;
  }();
  return table;
}

std::optional<SplineKind> find(const std::map<std::string, SplineKind>& table,
                               const std::string& path) {
  const auto at = table.find(path);
  if (at == table.end()) return std::nullopt;
  return at->second;
}

/// "variations.julian.power" in its parts; none when it is something else.
struct VariationPath {
  std::string variation, part;
};
std::optional<VariationPath> variationPath(const std::string& path) {
  if (path.compare(0, kVariations.size(), kVariations) != 0) return std::nullopt;
  const std::size_t dot = path.find('.', kVariations.size());
  if (dot == std::string::npos) return std::nullopt;
  return VariationPath{path.substr(kVariations.size(), dot - kVariations.size()),
                       path.substr(dot + 1)};
}

Curve curveOrDefault(const Curves& curves, const std::string& path,
                     const std::optional<SplineKind>& kind) {
  const auto at = curves.find(path);
  if (at != curves.end()) return at->second;
  FATHOM_CHECK(kind.has_value());
  return curveOf({{kind->fallback, 0}, {kind->fallback, 0}, {}}, *kind, 1);
}

}  // namespace

std::optional<SplineKind> fieldKind(const std::string& path) { return find(fields(), path); }

std::optional<SplineKind> xformFieldKind(const std::string& path) {
  const std::optional<VariationPath> parts = variationPath(path);
  if (!parts) return find(xformFields(), path);
  const int index = variationNamed(parts->variation);
  if (index < 0) return std::nullopt;
  if (parts->part == "weight") return plain(0);
  for (const ParameterInfo& parameter : variations()[std::size_t(index)].parameters)
    if (parameter.name == parts->part) return plain(parameter.fallback);
  return std::nullopt;
}

std::string xformFieldNamed(const std::string& path) {
  const std::optional<VariationPath> parts = variationPath(path);
  if (!parts || parts->variation != "oscope") return path;
  return kVariations + "oscilloscope." + parts->part;
}

std::string weightOfParameter(const std::string& path) {
  const std::optional<VariationPath> parts = variationPath(path);
  if (!parts || parts->part == "weight") return "";
  return kVariations + parts->variation + ".weight";
}

bool hasFilter(std::string_view name) {
  return name == "logscale" || name == "colorclip" || name == "de";
}

Curve curveIn(const Curves& curves, const std::string& path) {
  return curveOrDefault(curves, path, fieldKind(path));
}

Curve xformCurveIn(const Curves& curves, const std::string& path) {
  return curveOrDefault(curves, path, xformFieldKind(path));
}

}  // namespace fathom::flame::cuburn
