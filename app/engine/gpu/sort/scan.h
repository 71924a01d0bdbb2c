// SPDX-License-Identifier: BSD-3-Clause
// The one prefix sum of the program: any length, one dispatch, no assumption about forward progress.
#pragma once

#include "app/engine/gpu/buffer.h"

#include <cstdint>

namespace fathom::gpu {

/// out[i] = in[0] + ... + in[i-1] for i = 0 .. count; out holds count + 1 words (uint, sums modulo
/// 2^32) and the last is the total. `in` and `out` may be the same buffer if it holds count + 1
/// words. Ends with the barrier for Reader::Storage. Scratch is kept in the Scanner between calls.
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
  Buffer<std::uint32_t> states_;  // what blocks have published, in which scan
  std::uint32_t epoch_ = 0;
};

}  // namespace fathom::gpu
