// SPDX-License-Identifier: BSD-3-Clause
// How the depth of a deep image is looked at: peeling by depth or by number, and the fragments of a
// region as points in space. Nothing here changes what is merged or written to files.
#pragma once

#include "app/core/fields.h"
#include "app/core/rect.h"

#include <cstdint>
#include <limits>
#include <string>

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
/// The float's place in the order of all depths, and back: see depthKey().
std::uint32_t zKey(float z);
float zOfKey(std::uint32_t key);

/// "X,Y,WIDTH,HEIGHT" in pixels of the picture, cut to it; empty is all of it. Throws UsageError.
Rect parseRegion(const std::string& text, int width, int height);
std::string textOf(const Rect& region);

/// Which fragments of a merged list are composited.
struct Peel {
  ZRange range;    // those with their Z in it
  int number = 0;  // above 0: of them, only the one with this number, counted from the front
  bool operator==(const Peel&) const = default;
  bool isNothing() const { return *this == Peel{}; }
};

enum class PointColor { Color, Alpha, Input, Depth };

struct Seeing {
  std::string peel;  // a ZRange
  int peelNumber = 0;
  std::string region;  // of the points; empty: the whole picture
  PointColor pointColor = PointColor::Color;
  float pointSize = 2;       // pixels of the window
  bool pointAlpha = false;   // of the points, their alpha's share is drawn
  float pointDepth = 1;      // of the box over its width
  int pointLimit = 2000000;  // fragments beyond are thinned out evenly

  Peel peeled() const { return {parseZRange("peel", peel), peelNumber}; }
};

/// `points`: they are what is shown.
void describe(Seeing& seeing, FieldVisitor& field, bool points);

}  // namespace fathom::deep
