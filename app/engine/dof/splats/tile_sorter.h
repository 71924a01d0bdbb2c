// SPDX-License-Identifier: BSD-3-Clause
// Brings every tile's list into the order of depth, ties by tie rank and splat. Two methods with
// the same result: each list by itself, or all splats at once and their entries by tile.
#pragma once

#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/sort/radix_sort.h"
#include "app/engine/gpu/sort/scan.h"
#include "shaders/dof/shared.h"

namespace fathom::dof {

class TileSorter {
 public:
  explicit TileSorter(gpu::Context& gpu) : gpu_(gpu), scanner_(gpu), radix_(gpu) {
    // What is gone through in parts is not queued before its length is known.
    if (gpu.device().software) longest_ = DOF_LIST_PART / 3;
  }

  /// Sorts lists into length classes and writes to `stats` how much room they need; only lists that
  /// lie within params.capacity take part.
  void classify(const shared::Params& params, const gpu::Words& tileBegin,
                const gpu::RawBuffer& stats);
  /// Of classify(), then of sortLists() by length class.
  std::vector<gpu::PassKey> programs() const;
  /// Of sortSplats(), but for the radix sort.
  static std::vector<gpu::PassKey> splatPrograms();
  /// Whether sortLists() may be asked for so many keys, which may all be in one list.
  static bool sortsListsOf(std::uint32_t keys);
  /// Lists of more keys than this take too long for one work group: classify() leaves them out.
  std::uint32_t longest() const { return longest_; }
  void setLongest(std::uint32_t keys) { longest_ = keys; }
  /// Sorts the keys of each list by bitonic networks: in shared memory where the device has room.
  void sortLists(const shared::Params& params, const gpu::Words& tileBegin,
                 const gpu::RawBuffer& keys);

  /// Sorts all splats of the source by depth, writes their entries in that order and sorts those by
  /// tile, each with the radix sort, which is stable. The result is uint[entryCount]: the splat of
  /// each entry, tile by tile. `entryCount` is what count_entries.comp found.
  const gpu::Words& sortSplats(const shared::Params& params, const gpu::RawBuffer& places,
                               const gpu::RawBuffer& depths, std::uint32_t entryCount);

 private:
  gpu::SortedBuffers radixSort(std::size_t count, int bits, bool discard);
  gpu::Context& gpu_;
  gpu::Scanner scanner_;
  gpu::RadixSorter radix_;
  std::uint32_t longest_ = DOF_SORT_LONGEST;
  gpu::Words keys_[2], splats_[2], counts_;
  gpu::Words classes_;   // uint[DOF_CLASSES][tiles]
  gpu::Words commands_;  // uvec4[DOF_CLASSES]
};

}  // namespace fathom::dof
