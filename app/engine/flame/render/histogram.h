// SPDX-License-Identifier: BSD-3-Clause
// Where the chaos game leaves its hits, and what the image passes read. Rows of buckets, top row
// first, in parts that fit a storage block each; part i begins at row firstRow + i * rowsPerPart.
#pragma once

#include "app/engine/gpu/buffer.h"

namespace fathom::flame {

struct HistogramShape {
  glm::ivec2 size{0};     // output pixels
  int supersample = 1;    // buckets per pixel along each axis
  int gutter = 0;         // buckets around the picture on each side
  bool hasAlpha = false;  // false: every hit has alpha, opacity, weight 1, so A = N = 255 * hits
  bool operator==(const HistogramShape&) const = default;
  glm::ivec2 buckets() const { return size * supersample + 2 * gutter; }
  /// Words per bucket: R G B N, or R G B N A and three that stay 0 (rows of 16 bytes). All are
  /// sums over hits of weight * visibility * 255 * color (N: of visibility * 255; without alpha N
  /// counts hits, not 255ths).
  int words() const { return hasAlpha ? 8 : 4; }
};

struct Histogram {
  HistogramShape shape;
  int firstRow = 0, rows = 0;  // of buckets, that are drawn: all of them, or a band
  int rowsPerPart = 0;         // from firstRow on
  std::vector<gpu::Words> parts;
  double samples = 0;  // drawn so far, those that fell outside included
  double weight = 1;  // their mean, where moments of a shutter weigh differently; N is not weighted
  double lost = 0;    // share of hits that direct accumulation lost, 0 in the other modes
};

}  // namespace fathom::flame
