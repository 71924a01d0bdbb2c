// SPDX-License-Identifier: BSD-3-Clause
// Lists of output pixels made from those of the pixels under them, on the GPU: counted, scanned,
// gathered, sorted by the sorter of all lists, then recomposed. What it is held to, and how
// fragments are made of the result, is operations/resample.h.
#pragma once

#include "app/engine/deep/lists/fragment_lists.h"
#include "app/engine/deep/operations/resample.h"

namespace fathom::deep {

class ListResampler : public PointRecomposer {
 public:
  explicit ListResampler(gpu::Context& gpu) : store_(gpu) {}

  /// Rows that do not fit the device are cut. Throws Error when a single pixel does not.
  void recompose(const ShownPoints& source, const Resampling& how, const Rect& rows,
                 std::span<const std::size_t> offsets, RecomposedLists& out) override;
  /// How many fragments one dispatch may make, for tests.
  void limitFragments(std::size_t count) { limit_ = count; }
  /// How many regions the last call was cut into.
  int regions() const { return regions_; }

 private:
  /// Where the lists of a region are: pixel after pixel, the last offset behind the last.
  struct Part {
    Rect region;
    std::span<const std::size_t> offsets;
    std::size_t count() const { return offsets.back() - offsets.front(); }
  };
  void cutOrRun(const ShownPoints& source, const Resampling& how, const Part& part,
                std::size_t first, RecomposedLists& out);
  void run(const ShownPoints& source, const Resampling& how, const Part& part, std::size_t first,
           RecomposedLists& out);
  /// Rows of the image that lie under the table, to the device; returns its first point.
  std::size_t uploadSource(const ShownPoints& source, TapTable& taps);
  void uploadTaps(const TapTable& taps, const Rect& sourceWindow, int firstRow);
  void dispatch(const ShownPoints& source, const Part& part, std::size_t firstPoint);
  void words(gpu::Words& buffer, const char* name, std::span<const std::uint32_t> values);

  ListStore store_;
  FragmentLists lists_;
  std::size_t limit_ = SIZE_MAX;
  int regions_ = 0;
  TapTable taps_;
  gpu::Words tapsX_, tapsY_, weights_, offsets_, depths_, shown_, places_, points_, values_;
};

}  // namespace fathom::deep
