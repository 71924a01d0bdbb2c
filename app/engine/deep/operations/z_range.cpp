// SPDX-License-Identifier: BSD-3-Clause
// Depth ranges as text, NEAR:FAR, and as keys that shaders compare.
#include "app/engine/deep/operations/z_range.h"

#include "app/engine/core/deep_image.h"
#include "app/engine/core/fields.h"

namespace fathom::deep {
namespace {

/// One end of a range; empty keeps what it is.
bool parseRangeEnd(const std::string& text, float& end) {
  if (text.empty()) return true;
  char* rest = nullptr;
  const float value = std::strtof(text.c_str(), &rest);
  if (*rest != 0 || std::isnan(value)) return false;
  end = value;
  return true;
}

}  // namespace

ZRange parseZRange(const std::string& setting, const std::string& text) {
  ZRange range;
  if (text.empty()) return range;
  const std::size_t colon = text.find(':');
  const bool valid = colon != std::string::npos &&
                     parseRangeEnd(text.substr(0, colon), range.nearest) &&
                     parseRangeEnd(text.substr(colon + 1), range.farthest);
  if (!valid) throw UsageError(setting + ": expected NEAR:FAR, found \"" + text + "\"");
  return range;
}

std::uint32_t zKey(float z) { return depthKey(std::bit_cast<std::uint32_t>(z)); }

std::string textOf(const ZRange& range) {
  if (range.isAll()) return {};
  const auto end = [](float z) { return std::isinf(z) ? std::string() : shortest(z); };
  return end(range.nearest) + ":" + end(range.farthest);
}

}  // namespace fathom::deep
