// SPDX-License-Identifier: BSD-3-Clause
// Slicing, and the colors of components on a display.
#include "app/engine/smoe/view_records.h"

#include "app/engine/core/color.h"
#include "app/engine/smoe/model/reference.h"

namespace fathom::smoe {
namespace {

float halfWayToWhite(float linear) { return 0.5f + 0.5f * srgbFromLinear(linear); }

}  // namespace

const std::vector<Record>& ViewRecords::records() {
  const Picture::Recipe* drawn = picture_.drawn();
  const ViewCoordinates at = drawn ? drawn->window.at : ViewCoordinates(0);
  if (model_ != models_.generation() || at_ != at) {
    records_ = reference::recordsOf(*models_, at);
    colors_.clear();
    model_ = models_.generation(), at_ = at;
  }
  return records_;
}

const std::vector<OverlayColor>& ViewRecords::colors() {
  const std::vector<Record>& all = records();
  if (colors_.size() == all.size()) return colors_;
  std::vector<glm::dvec3> means;
  means.reserve(all.size());
  for (const Record& r : all) means.push_back(r.color);
  const Image linear = reference::toImage(means, {int(means.size()), 1}, models_->colorSpace);
  colors_.clear();
  for (const glm::vec4& p : linear.pixels)
    colors_.push_back({halfWayToWhite(p.r), halfWayToWhite(p.g), halfWayToWhite(p.b), 1});
  return colors_;
}

}  // namespace fathom::smoe
