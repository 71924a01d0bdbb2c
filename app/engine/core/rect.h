// SPDX-License-Identifier: BSD-3-Clause
// A half-open rectangle of pixels, y growing downward as in EXR windows.
#pragma once

#include <algorithm>
#include <cstdint>

namespace fathom {

struct Rect {
  int x = 0, y = 0;
  int width = 0, height = 0;

  std::int64_t area() const { return std::int64_t(width) * height; }
  bool empty() const { return width <= 0 || height <= 0; }
  int right() const { return x + width; }    // one past the last column
  int bottom() const { return y + height; }  // one past the last row
  bool contains(int px, int py) const {
    return px >= x && py >= y && px < right() && py < bottom();
  }
  bool operator==(const Rect&) const = default;
};

/// The smallest rectangle that holds both; an empty one adds nothing.
inline Rect unite(const Rect& a, const Rect& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  const int x = std::min(a.x, b.x), y = std::min(a.y, b.y);
  return {x, y, std::max(a.right(), b.right()) - x, std::max(a.bottom(), b.bottom()) - y};
}

inline Rect intersect(const Rect& a, const Rect& b) {
  const int x = std::max(a.x, b.x), y = std::max(a.y, b.y);
  return {x, y, std::max(0, std::min(a.right(), b.right()) - x),
          std::max(0, std::min(a.bottom(), b.bottom()) - y)};
}

}  // namespace fathom
