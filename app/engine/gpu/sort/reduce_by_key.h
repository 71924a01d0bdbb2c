// SPDX-License-Identifier: BSD-3-Clause
// The one reduce-by-key of the program: runs of equal neighboring keys become a key with a sum or a
// count, by prefix sums, without any assumption about forward progress between work groups.
#pragma once

#include "app/engine/gpu/buffer.h"
#include "app/engine/gpu/sort/scan.h"

#include <cstdint>

namespace fathom::gpu {

class KeyReducer {
 public:
  explicit KeyReducer(Context& context) : context_(context), scanner_(context) {}

  /// keys: uint[count], equal ones side by side (sorted, or the runs of an image); values:
  /// uint[count], or null to count keys. Run r gets runKeys[r] and in runSums[r] the sum of its
  /// values, modulo 2^32; both hold `count` words, for as many runs there may be. Ends with the
  /// barrier for Reader::Storage. Throws Error when count + 1 words do not fit a storage block.
  void reduce(const Buffer<std::uint32_t>& keys, const Buffer<std::uint32_t>* values,
              std::size_t count, Buffer<std::uint32_t>& runKeys, Buffer<std::uint32_t>& runSums);

  /// uint[count + 1] for r = 0 .. runs: where run r begins; the last one is count.
  const Buffer<std::uint32_t>& starts() const { return starts_; }
  /// How many runs the last call found. Waits for the device.
  std::uint32_t runCount() const { return runs_.download(count_, 1).front(); }

 private:
  Context& context_;
  Scanner scanner_;
  std::size_t count_ = 0;
  Buffer<std::uint32_t> runs_;    // uint[count + 1]: heads, then the run of each key; their number
  Buffer<std::uint32_t> prefix_;  // uint[count + 1]: sums of the values before
  Buffer<std::uint32_t> starts_;
};

}  // namespace fathom::gpu
