// SPDX-License-Identifier: BSD-3-Clause
// Lists of a fit, made on the device: those of a decoder with tiles of 8 pixels become those of a
// region, and a radix sort by component turns them round. What buildComponentLists() lists at tau
// is listed, and nothing that it does not list at tau + 0.02: bounds are float32 here.
#pragma once

#include "app/engine/gpu/sort/radix_sort.h"
#include "app/engine/smoe/decode/lists.h"
#include "app/engine/smoe/fit/passes.h"

#include <cstdint>

namespace fathom::smoe {

class FitListMaker {
 public:
  explicit FitListMaker(gpu::Context& gpu);

  /// Lists of the region for the records that the passes hold. Waits once, for their sizes.
  /// tau: nats, as in buildComponentLists().
  void make(FitPasses& passes, FitRegion& region, double tau);

 private:
  void build(FitPasses& passes, const FitRegion& region, double tau);
  void join(FitRegion::DeviceLists& lists, const FitRegion& region);
  void turnRound(FitRegion::DeviceLists& lists, const FitRegion& region);
  void sort(gpu::Buffer<std::uint32_t>& values, std::size_t count, std::uint32_t largestKey);
  shared::FitBand band(const FitRegion& region) const;

  gpu::Context& gpu_;
  DeviceModel model_;
  ListBuilder builder_;
  gpu::Scanner scanner_;
  gpu::RadixSorter sorter_;
  gpu::Buffer<std::uint32_t> keys_, otherKeys_, otherValues_;
};

}  // namespace fathom::smoe
