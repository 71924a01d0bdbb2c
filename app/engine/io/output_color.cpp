// SPDX-License-Identifier: BSD-3-Clause
// Colors as files have them: primaries by their CIE coordinates, and one output color for the whole
// program, as limits of pixels are.
#include "app/engine/core/bytes.h"
#include "app/engine/core/error.h"
#include "app/engine/io/color_config.h"

namespace fathom {
namespace {

/// Red, green, blue and white as x and y.
using Primaries = std::array<glm::dvec2, 4>;
const Primaries kRec709{{{0.64, 0.33}, {0.3, 0.6}, {0.15, 0.06}, {0.3127, 0.329}}};

glm::dvec3 xyzOf(glm::dvec2 p) { return glm::dvec3(p.x / p.y, 1, (1 - p.x - p.y) / p.y); }

/// Columns are the XYZ of the three primaries, scaled so that they sum to the white.
glm::dmat3 toXyz(const Primaries& p) {
  const glm::dmat3 primaries(xyzOf(p[0]), xyzOf(p[1]), xyzOf(p[2]));
  const glm::dvec3 scale = glm::inverse(primaries) * xyzOf(p[3]);
  return {primaries[0] * scale.x, primaries[1] * scale.y, primaries[2] * scale.z};
}

glm::dmat3 adaptation(glm::dvec2 from, glm::dvec2 to) {
  const glm::dmat3 cone = glm::transpose(
      glm::dmat3(0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296));
  const glm::dvec3 ratio = (cone * xyzOf(to)) / (cone * xyzOf(from));
  const glm::dmat3 scale(ratio.x, 0, 0, 0, ratio.y, 0, 0, 0, ratio.z);
  return glm::inverse(cone) * scale * cone;
}

bool usable(const Primaries& c) {
  for (const glm::dvec2& p : c)
    if (!(std::abs(p.y) > 1e-5) || !std::isfinite(p.x) || !std::isfinite(p.y)) return false;
  const double area = (c[1].x - c[0].x) * (c[2].y - c[0].y) - (c[1].y - c[0].y) * (c[2].x - c[0].x);
  return std::abs(area) > 1e-6;
}

OutputColor output;
std::unique_ptr<const ColorConfig> config;  // null: no output color

void toOutput(Image& image) {
  if (output.space.empty())
    config->apply(output.display, output.view, "", image);
  else
    config->toSpace(output.space, image);
}

/// Straight where alpha is divided out, of Rec. 709 where the primaries are known.
Image linearOf(const Image& image, bool straight, const SharedAttributes& attributes) {
  const std::optional<glm::dmat3> matrix =
      attributes && (!config || config->knowsRec709()) ? matrixToRec709(*attributes) : std::nullopt;
  Image made = image;
  for (glm::vec4& p : made.pixels) {
    if (straight && p.a > 0) p = glm::vec4(glm::vec3(p) / p.a, p.a);
    if (matrix) p = glm::vec4(*matrix * glm::dvec3(p), p.a);
  }
  return made;
}

}  // namespace

std::optional<glm::dmat3> matrixToRec709(const Attributes& attributes) {
  const Attribute* a = findAttribute(attributes, "chromaticities");
  if (!a || a->type != "chromaticities" || a->value.size() != 8 * sizeof(float))
    return std::nullopt;
  Primaries own;
  bool same = true;
  for (std::size_t i = 0; i < 4; ++i) {
    own[i] = {load<float>(a->value.data() + 8 * i), load<float>(a->value.data() + 8 * i + 4)};
    same = same && glm::all(glm::lessThan(glm::abs(own[i] - kRec709[i]), glm::dvec2(1e-4)));
  }
  if (same || !usable(own)) return std::nullopt;
  return glm::inverse(toXyz(kRec709)) * adaptation(own[3], kRec709[3]) * toXyz(own);
}

void setOutputColor(const OutputColor& color) {
  output = color;
  config.reset();
  if ((color.display + color.view + color.space).empty()) return;
  if (!color.space.empty() && !(color.display + color.view).empty())
    throw UsageError("--colorspace: expected without --display and --view, found both");
  config = std::make_unique<const ColorConfig>("");
  Image one(1, 1);
  toOutput(one);  // what the config does not have is said before any work
}

bool hasOutputColor() { return config != nullptr; }

Image displayed(const Image& image, bool straight, const SharedAttributes& attributes) {
  Image shown = linearOf(image, straight, attributes);
  if (config)
    toOutput(shown);
  else
    for (glm::vec4& p : shown.pixels)
      for (int c = 0; c < 3; ++c) p[c] = srgbFromLinear(p[c]);
  return shown;
}

Image exported(const Image& image, const SharedAttributes& attributes) {
  Image made = linearOf(image, true, attributes);
  toOutput(made);
  for (glm::vec4& p : made.pixels)
    if (p.a > 0) p = glm::vec4(glm::vec3(p) * p.a, p.a);
  return made;
}

SharedAttributes exportedAttributes(const SharedAttributes& attributes) {
  if (!config || !attributes) return attributes;
  Attributes left = *attributes;
  std::erase_if(left, [](const Attribute& a) { return a.name == "chromaticities"; });
  return std::make_shared<const Attributes>(std::move(left));
}

}  // namespace fathom
