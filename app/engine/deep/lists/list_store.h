// SPDX-License-Identifier: BSD-3-Clause
// What all passes over fragment lists share: room for lists and their tables, programs compiled for
// a shape, the prefix sum, the summary that passes write for the host, and scratch buffers.
#pragma once

#include "app/engine/deep/lists/fragment_lists.h"
#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/sort/scan.h"

namespace fathom::deep {

class ListStore {
 public:
  explicit ListStore(gpu::Context& gpu);

  gpu::Context& gpu() const { return gpu_; }
  gpu::Scanner& scanner() { return scanner_; }
  gpu::Pass& pass(const std::string& name, const std::string& file, const ListShape& shape,
                  std::vector<gpu::Define> defines = {});

  /// Tables for the region; contents undefined. Data follows with reserve() once the count is
  /// known. Both throw DoesNotFit.
  void prepare(FragmentLists& out, const Rect& region, const ListShape& shape);
  void reserve(FragmentLists& out, std::uint64_t fragments);

  /// Group minimums, length classes and totals; the scanned table comes after it (LA counts in its
  /// table). Waits for the device once; `nodes`: a counter that the summary brings along.
  shared::Summary summarize(FragmentLists& lists, const gpu::RawBuffer* nodes = nullptr);
  /// The two halves of it: the passes, which leave the summary in summary(); and, once the host has
  /// it, what follows from it.
  void queueSummary(FragmentLists& lists, const gpu::RawBuffer* nodes = nullptr);
  void accept(FragmentLists& lists, const shared::Summary& summary);
  /// RIA: ranks from counts.
  void rankLists(FragmentLists& lists);
  /// Complete tables from counts that are in place (LA: in the table), by a scan.
  void tabulate(FragmentLists& lists);
  /// Linked lists that run back to front are reversed.
  void ascend(FragmentLists& lists);

  /// Written by passes, cleared by who starts them.
  gpu::Buffer<shared::Summary>& summary() { return summary_; }
  shared::Summary readSummary() { return summary_.download().front(); }

  SortMethod sortMethod = SortMethod::Auto;  // Auto: InPlace on software renderers, else Network
  /// Wall time that was spent on copying deep images to and from the device so far.
  double uploadMs = 0, downloadMs = 0;

  /// Buffers that passes use one after the other; nothing stays in them for longer.
  struct Scratch {
    using Words = gpu::Buffer<std::uint32_t>;
    Words order;          // uint[DEEP_CLASSES][groups] flags, then places, of groups by length
    Words groups;         // the groups by length
    Words raster;         // uint[height][width]: fragments per pixel, or their exclusive sums
    Words rasterOffsets;  // where the list of each pixel begins in rasterWords
    Words rasterWords;    // fragments in raster order, front to back
    Words longLists;      // the lists beyond the longest network
    Words lists;          // fragments of such lists, of one list, or of lists that are thinned
    // Of packLists(), with room for each pixel, row and run.
    Words packPixels, packStarts, packRows, packRuns, packCounts;
    FragmentLists plain, plainMatte, plainOut;  // linearized, on the way from and to RIA
  };
  Scratch& scratch() { return scratch_; }
  void ensure(gpu::Buffer<std::uint32_t>& buffer, const std::string& name, std::uint64_t words) {
    gpu::ensure(gpu_, buffer, name, words);
  }

 private:
  void ensure(BufferSlice& slice, const std::string& name, std::uint64_t words);

  gpu::Context& gpu_;
  gpu::Scanner scanner_;
  gpu::Buffer<shared::Summary> summary_;
  Scratch scratch_;
};

/// Binds lists as number `index` of a pass.
gpu::Program& bind(gpu::Program& program, const FragmentLists& lists, unsigned index = 0);

/// Batcher's odd-even merge sort for n = 2^k inputs as "CX(0, 1) CX(2, 3) ..."
std::string sortingNetwork(int n);

}  // namespace fathom::deep
