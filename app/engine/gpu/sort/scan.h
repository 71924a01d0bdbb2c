// SPDX-License-Identifier: BSD-3-Clause
// The one prefix sum of the program and, by it, the one reduce-by-key: any length, no assumption
// about forward progress between work groups.
#pragma once

#include "app/engine/gpu/buffer.h"

namespace fathom::gpu {

/// out[i] = in[0] + ... + in[i-1] for i = 0 .. count; out holds count + 1 words (uint, sums modulo
/// 2^32) and the last is the total. `in` and `out` may be the same buffer if it holds count + 1
/// words. Ends with the barrier for Access::Storage. Scratch is kept in the Scanner between calls.
class Scanner {
 public:
  /// `mute` n > 0: every n-th block of the input keeps its sum to itself, for tests of what others
  /// do then; not in place.
  explicit Scanner(Context& context, int mute = 0) : context_(context), mute_(mute) {}
  void exclusive(const BufferRange& in, const BufferRange& out, std::size_t count);
  /// The number of the last scan, by which states are told apart, for tests of its end.
  void setEpoch(std::uint32_t epoch) { epoch_ = epoch; }

 private:
  Context& context_;
  int mute_;
  Words states_;  // what blocks have published, in which scan
  std::uint32_t epoch_ = 0;
};

class KeyReducer {
 public:
  explicit KeyReducer(Context& context) : context_(context), scanner_(context) {}

  /// keys: uint[count], equal ones side by side (sorted, or the runs of an image); values:
  /// uint[count], or null to count keys. Run r gets runKeys[r] and in runSums[r] the sum of its
  /// values, modulo 2^32; both hold `count` words, for as many runs there may be. Ends with the
  /// barrier for Access::Storage. Throws Error when count + 1 words do not fit a storage block.
  void reduce(const Words& keys, const Words* values, std::size_t count, Words& runKeys,
              Words& runSums);

  /// uint[count + 1] for r = 0 .. runs: where run r begins; the last one is count.
  const Words& starts() const { return starts_; }
  /// How many runs the last call found. Waits for the device.
  std::uint32_t runCount() const { return runs_.download(count_, 1).front(); }

 private:
  Context& context_;
  Scanner scanner_;
  std::size_t count_ = 0;
  Words runs_;    // uint[count + 1]: heads, then the run of each key; their number
  Words prefix_;  // uint[count + 1]: sums of the values before
  Words starts_;
};

}  // namespace fathom::gpu
