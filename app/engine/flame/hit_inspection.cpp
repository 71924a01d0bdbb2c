// SPDX-License-Identifier: BSD-3-Clause
// The table of a pixel: a row per bucket, with its hits and their mean color.
#include "app/engine/flame/hit_inspection.h"

#include <fmt/format.h>

namespace fathom::flame {

std::optional<PixelReport> HitInspection::inspect(int x, int y) {
  const Rendering* rendering = rendering_();
  if (!rendering) return std::nullopt;
  const glm::ivec2 size = editor_.genome().size;
  if (x < 0 || y < 0 || x >= size.x || y >= size.y) return std::nullopt;
  const PixelHits hits = rendering->hitsAt({x, y});
  PixelReport report;
  report.headline = fmt::format("pixel {}, {}: {:.0f} hits", x, y, hits.count);
  report.columns = {"bucket", "hits", "R", "G", "B"};
  for (std::size_t i = 0; i < hits.buckets.size(); ++i) {
    const glm::dvec4& b = hits.buckets[i];
    const double n = b.w > 0 ? b.w * 255 : 1;
    report.rows.push_back({std::to_string(i), fmt::format("{:.2f}", b.w),
                           fmt::format("{:.4f}", b.x / n), fmt::format("{:.4f}", b.y / n),
                           fmt::format("{:.4f}", b.z / n)});
  }
  return report;
}

}  // namespace fathom::flame
