// SPDX-License-Identifier: BSD-3-Clause
// The one prefix sum of the program: any length, reduce - scan - add, no assumption about forward
// progress.
#pragma once

#include "app/gpu/buffer.h"

#include <deque>

namespace fathom::gpu {

/// out[i] = in[0] + ... + in[i-1] for i = 0 .. count; out holds count + 1 words (uint, sums modulo
/// 2^32) and the last is the total. `in` and `out` may be the same buffer if it holds count + 1
/// words. Ends with the barrier for Reader::Storage. Scratch is kept in the Scanner between calls.
class Scanner {
 public:
  explicit Scanner(Context& context) : context_(context) {}
  void exclusive(const BufferRange& in, const BufferRange& out, std::size_t count);

 private:
  void scan(const BufferRange& in, const BufferRange& out, std::size_t count, std::size_t level);

  Context& context_;
  // uint[wholeBlockCount + 1] per level: the sums of the blocks of the level below. A deque,
  // because a level is still in use while a deeper one is added.
  std::deque<Buffer<std::uint32_t>> sums_;
};

}  // namespace fathom::gpu
