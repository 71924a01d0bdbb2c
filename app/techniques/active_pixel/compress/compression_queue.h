// SPDX-License-Identifier: BSD-3-Clause
// A pipeline of frames: while frame n + 1 is drawn, n is compressed and n - 1 read back.
#pragma once

#include "app/techniques/active_pixel/compress/compressor.h"

#include <cstdint>
#include <deque>
#include <optional>

namespace fathom::active_pixel {

class CompressionQueue {
 public:
  /// Frames in flight after a push: the one that was drawn last and the one before.
  static constexpr std::size_t kInFlight = 2;
  static_assert(kInFlight < Compressor::kSlots, "the frame that is handed out has its slot too");

  struct Finished {
    std::uint64_t frame = 0;  // counts the pushes from 0
    Compressor::Result result;
  };
  explicit CompressionQueue(gpu::Context& gpu) : compressor_(gpu) {}

  /// Queues the compression of a frame just drawn. Hands out the frame that was pushed kInFlight
  /// pushes before, once there is one; its bytes are good until the next push.
  std::optional<Finished> push(const CompressRequest& request, Method method) {
    slots_.push_back(compressor_.compress(request, method));
    compressor_.poll();
    if (slots_.size() <= kInFlight) return std::nullopt;
    return finishOldest();
  }
  /// The oldest frame still in flight, waiting for it; none when all were handed out.
  std::optional<Finished> drain() {
    if (slots_.empty()) return std::nullopt;
    return finishOldest();
  }

 private:
  Finished finishOldest() {
    const int slot = slots_.front();
    slots_.pop_front();
    return {finished_++, compressor_.result(slot)};
  }

  Compressor compressor_;
  std::deque<int> slots_;
  std::uint64_t finished_ = 0;
};

}  // namespace fathom::active_pixel
