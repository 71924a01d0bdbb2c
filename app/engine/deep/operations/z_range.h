// SPDX-License-Identifier: BSD-3-Clause
// A range of depths, and peeling by it: which fragments of a merged list are composited.
#pragma once

namespace fathom::deep {

/// A range of Z, both ends included; infinite ends do not limit.
struct ZRange {
  float nearest = -std::numeric_limits<float>::infinity();
  float farthest = std::numeric_limits<float>::infinity();
  bool operator==(const ZRange&) const = default;
  bool isAll() const { return *this == ZRange{}; }
  bool contains(float z) const { return z >= nearest && z <= farthest; }
};
/// "2.5:10", ":10", "2.5:"; empty is everything. Throws UsageError that names the setting.
ZRange parseZRange(const std::string& setting, const std::string& text);
std::string textOf(const ZRange& range);
/// The float's place in the order of all depths: see depthKey().
std::uint32_t zKey(float z);

struct Peel {
  ZRange range;    // those with their Z in it
  int number = 0;  // above 0: of them, only the one with this number, counted from the front
  bool operator==(const Peel&) const = default;
  bool isNothing() const { return *this == Peel{}; }
};

}  // namespace fathom::deep
