// SPDX-License-Identifier: BSD-3-Clause
// OpenEXR gives both matrices to XYZ; white points that differ are adapted between them.
#include "app/engine/io/exr/chromaticities.h"

#include "app/engine/core/error.h"

#include <OpenEXR/ImfChromaticities.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfMultiPartInputFile.h>
#include <OpenEXR/ImfStandardAttributes.h>

#include <glm/matrix.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include <cmath>
#include <exception>

namespace fathom {
namespace {

/// Columns are the XYZ of the three primaries, scaled so that they sum to the white.
glm::mat3 toXyz(const Imf::Chromaticities& c) {
  const auto xyz = [](const Imath::V2f& p) {
    return glm::vec3(p.x / p.y, 1, (1 - p.x - p.y) / p.y);
  };
  const glm::mat3 primaries(xyz(c.red), xyz(c.green), xyz(c.blue));
  const glm::vec3 scale = glm::inverse(primaries) * xyz(c.white);
  return {primaries[0] * scale.x, primaries[1] * scale.y, primaries[2] * scale.z};
}

glm::mat3 adaptation(const Imath::V2f& from, const Imath::V2f& to) {
  const auto xyz = [](const Imath::V2f& p) {
    return glm::vec3(p.x / p.y, 1, (1 - p.x - p.y) / p.y);
  };
  const glm::mat3 cone = glm::transpose(glm::mat3(0.8951f, 0.2664f, -0.1614f, -0.7502f, 1.7135f,
                                                  0.0367f, 0.0389f, -0.0685f, 1.0296f));
  const glm::vec3 ratio = (cone * xyz(to)) / (cone * xyz(from));
  const glm::mat3 scale(ratio.x, 0, 0, 0, ratio.y, 0, 0, 0, ratio.z);
  return glm::inverse(cone) * scale * cone;
}

bool near(const Imath::V2f& a, const Imath::V2f& b) {
  return std::abs(a.x - b.x) < 1e-4f && std::abs(a.y - b.y) < 1e-4f;
}

bool usable(const Imf::Chromaticities& c) {
  for (const Imath::V2f& p : {c.red, c.green, c.blue, c.white})
    if (!(std::abs(p.y) > 1e-5f) || !std::isfinite(p.x) || !std::isfinite(p.y)) return false;
  const float area =
      (c.green.x - c.red.x) * (c.blue.y - c.red.y) - (c.green.y - c.red.y) * (c.blue.x - c.red.x);
  return std::abs(area) > 1e-6f;
}

}  // namespace

std::optional<glm::mat3> matrixToRec709(const std::filesystem::path& file) {
  try {
    const Imf::MultiPartInputFile input(file.c_str(), 0);
    const Imf::Header& header = input.header(0);
    if (!Imf::hasChromaticities(header)) return std::nullopt;
    const Imf::Chromaticities own = Imf::chromaticities(header), rec709;
    const bool same = near(own.red, rec709.red) && near(own.green, rec709.green) &&
                      near(own.blue, rec709.blue) && near(own.white, rec709.white);
    if (same || !usable(own)) return std::nullopt;
    return glm::inverse(toXyz(rec709)) * adaptation(own.white, rec709.white) * toXyz(own);
  } catch (const std::exception& e) {
    fail("{}: expected a readable EXR header, found: {}", file.string(), e.what());
  }
}

}  // namespace fathom
