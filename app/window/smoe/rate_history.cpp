// SPDX-License-Identifier: BSD-3-Clause
// From costs of encodings to points of rate and distortion.
#include "app/window/smoe/rate_history.h"

#include <algorithm>

namespace fathom::smoe {

void RateHistory::follow(const Checks& checks, const std::string& source) {
  const std::shared_ptr<const Model>& model = checks.costsOf();
  if (!model || model == last_ || checks.measuringCosts() || !checks.againstSource() ||
      checks.costs().size() != std::size_t(kEncodings))
    return;
  last_ = model;
  const double pixels = double(model->width) * model->height * std::max(1, model->frames) *
                        std::max(1, model->views.x * model->views.y);
  std::vector<MeasuredRate>& rates = rates_[source];
  for (const Cost& cost : checks.costs()) {
    const MeasuredRate rate{8 * double(cost.bytes) / pixels, cost.psnr,
                            int(model->components.size()), cost.encoding};
    if (std::find(rates.begin(), rates.end(), rate) == rates.end()) rates.push_back(rate);
  }
  std::sort(rates.begin(), rates.end(), [](const MeasuredRate& a, const MeasuredRate& b) {
    return a.bitsPerPixel < b.bitsPerPixel;
  });
}

const std::vector<MeasuredRate>& RateHistory::of(const std::string& source) const {
  static const std::vector<MeasuredRate> none;
  const auto found = rates_.find(source);
  return found == rates_.end() ? none : found->second;
}

}  // namespace fathom::smoe
