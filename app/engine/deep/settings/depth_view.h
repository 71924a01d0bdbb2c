// SPDX-License-Identifier: BSD-3-Clause
// How the depth of a deep image is looked at: peeling by depth or by number, and the fragments of a
// region as points in space. Nothing here changes what is merged or written to files.
#pragma once

#include "app/engine/core/fields.h"
#include "app/engine/core/image.h"
#include "app/engine/deep/operations/z_range.h"

#include <string>

namespace fathom::deep {

/// "X,Y,WIDTH,HEIGHT" in pixels of the picture, cut to it; empty is all of it. Throws UsageError.
Rect parseRegion(const std::string& text, int width, int height);
std::string textOf(const Rect& region);

enum class PointColor { Color, Alpha, Input, Depth };

struct DepthView {
  std::string peel;  // a ZRange
  int peelNumber = 0;
  std::string region;  // of the points; empty: the whole picture
  PointColor pointColor = PointColor::Color;
  float pointSize = 2;       // pixels of the window
  bool pointAlpha = false;   // of the points, their alpha's share is drawn
  float pointDepth = 1;      // of the box over its width
  int pointLimit = 2000000;  // fragments beyond are thinned out evenly

  bool operator==(const DepthView&) const = default;
  Peel peeled() const { return {parseZRange("peel", peel), peelNumber}; }
};

/// `points`: they are what is shown.
void describe(DepthView& view, FieldVisitor& field, bool points);

}  // namespace fathom::deep
