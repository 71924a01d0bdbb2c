// SPDX-License-Identifier: BSD-3-Clause
// Two passes over the pixels: the range first, then the bins.
#include "app/window/picture/statistics.h"

namespace fathom::viewer {

PictureStatistics statisticsOf(const Image& image) {
  PictureStatistics found;
  bool any = false;
  for (const glm::vec4& pixel : image.pixels)
    for (int c = 0; c < 3; ++c) {
      const float value = pixel[c];
      if (!std::isfinite(value)) {
        ++found.invalid;
        continue;
      }
      found.low = any ? std::min(found.low, value) : value;
      found.high = any ? std::max(found.high, value) : value;
      any = true;
    }
  const float span = found.high - found.low;
  const float scale = span > 0 ? float(PictureStatistics::kBins) / span : 0;
  for (const glm::vec4& pixel : image.pixels)
    for (int c = 0; c < 3; ++c)
      if (std::isfinite(pixel[c])) {
        const int bin =
            std::clamp(int((pixel[c] - found.low) * scale), 0, PictureStatistics::kBins - 1);
        ++found.bins[std::size_t(c)][std::size_t(bin)];
      }
  return found;
}

void Statistics::update(const Document& document) {
  jobs_.deliver();
  if (!document.complete() || !document.picture() || jobs_.pending() > 0) return;
  if (document.pictures().generation() == counted_) return;
  counted_ = document.pictures().generation();
  const auto image = std::make_shared<const Image>(document.picture()->downloadImage());
  jobs_.submit([this, image]() -> JobQueue::Delivery {
    const auto found = std::make_shared<const PictureStatistics>(statisticsOf(*image));
    return [this, found] { latest_ = *found; };
  });
}

}  // namespace fathom::viewer
