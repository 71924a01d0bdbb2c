// SPDX-License-Identifier: BSD-3-Clause
// Small blocks of parameters for dispatches, written straight into memory that the device reads: no
// call of the driver and no barrier per block. The ring has quarters; one is used again when the
// device has passed the fence behind it.
#pragma once

#include "app/gpu/buffer.h"

#include <array>
#include <cstdint>

namespace fathom::gpu {

class UniformRing {
 public:
  static constexpr std::int64_t kQuarterBytes = 64 * 1024;

  explicit UniformRing(Context& context);
  ~UniformRing();
  UniformRing(const UniformRing&) = delete;
  UniformRing& operator=(const UniformRing&) = delete;

  /// Copies at most kQuarterBytes; whole rows of 16 bytes are bound. What is returned holds for the
  /// calls made next, until 3 quarters more have been placed.
  BufferRange place(const void* data, std::int64_t bytes);

 private:
  void nextQuarter();

  RawBuffer buffer_;
  std::byte* mapped_ = nullptr;
  std::int64_t alignment_ = 256, at_ = 0;
  std::size_t quarter_ = 0;
  std::array<void*, 4> fences_{};
};

}  // namespace fathom::gpu
