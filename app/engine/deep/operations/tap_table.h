// SPDX-License-Identifier: BSD-3-Clause
// The pixels under every pixel of an output, and their weights, as tables: of each column and row
// where the picture is only resized or moved, else of each pixel. For those who resample many lists:
// on the CPU a row at a time, on the GPU (shaders/deep/resample) a band.
#pragma once

#include "app/engine/deep/operations/resample.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fathom::deep {

struct TapTable {
  /// The pixels first .. first + count along one axis, inside the image; their weights are at
  /// weights[at]. Along x with every weight 1 pixel, the same along y.
  struct Axis {
    std::int32_t first = 0;
    std::uint32_t count = 0, at = 0;
  };
  Rect region;             // of the output
  bool separable = false;  // entries per column and row of the region, else per pixel in raster order
  std::vector<Axis> x, y;
  std::vector<float> weights;

  const Axis& xAt(int column, int row) const { return x[entry(column, row, column)]; }
  const Axis& yAt(int column, int row) const { return y[entry(column, row, row)]; }
  /// One pixel of the image is all that lies under this one.
  bool isWhole(const Axis& ax, const Axis& ay) const {
    return ax.count == 1 && ay.count == 1 && weights[ax.at] == 1 && weights[ay.at] == 1;
  }

 private:
  std::size_t entry(int column, int row, int own) const {
    return separable ? std::size_t(own)
                     : std::size_t(row) * std::size_t(region.width) + std::size_t(column);
  }
};

/// True where columns and rows can be resampled one after the other.
bool isSeparable(const Resampling& how);
/// Fills the table for a region; the vectors of `out` are used again. Entries per pixel with no fragments
/// of the image under them are left empty.
void fillTaps(const Resampling& how, const DeepImage& image, const Rect& region, TapTable& out);

}  // namespace fathom::deep
