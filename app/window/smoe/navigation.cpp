// SPDX-License-Identifier: BSD-3-Clause
// Ranges of views, drags and orbits.
#include "app/window/smoe/navigation.h"

#include <cmath>

#include <glm/common.hpp>
#include <glm/gtc/constants.hpp>

namespace fathom::smoe {
namespace {

constexpr double kAround = 0.5, kBeyond = 3;  // view steps

glm::dvec2 lastView(const Model& model) { return glm::dvec2(model.views - 1) - model.viewOrigin; }

}  // namespace

ViewCoordinates ViewRange::clamped(ViewCoordinates at) const { return glm::clamp(at, low, high); }

ViewRange viewRangeOf(const Model& model, bool beyond) {
  if (model.leading() == 0) return {};
  if (model.leading() == 1) return {{0, 0}, {model.frames - 1.0, 0}};
  const double margin = beyond ? kBeyond : kAround;
  return {-model.viewOrigin - margin, lastView(model) + margin};
}

ViewCoordinates draggedView(const Model& model, ViewCoordinates from, glm::dvec2 share,
                            const ViewRange& range) {
  const glm::dvec2 way = model.leading() == 1 ? glm::dvec2(share.x * model.frames, 0)
                                              : -share * glm::dvec2(model.views);
  return range.clamped(from + way);
}

ViewCoordinates orbitView(const Model& model, double seconds) {
  if (model.leading() == 0) return ViewCoordinates(0);
  if (model.leading() == 1)
    return {
        std::min(std::fmod(seconds * kFramesPerSecond, double(model.frames)), model.frames - 1.0),
        0};
  const double angle = std::fmod(seconds / kOrbitSeconds, 1.0) * glm::two_pi<double>();
  const glm::dvec2 middle = (lastView(model) - model.viewOrigin) / 2.0;
  return middle +
         glm::dvec2(std::cos(angle), std::sin(angle)) * glm::dvec2(model.views - 1) * kOrbitShare;
}

}  // namespace fathom::smoe
