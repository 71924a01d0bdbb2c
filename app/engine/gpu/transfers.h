// SPDX-License-Identifier: BSD-3-Clause
// Memory that processor and device both see, for what goes to and fro all the time: parameters of
// dispatches, and contents of buffers that are read at once.
#pragma once

#include "app/engine/gpu/buffer.h"

namespace fathom::gpu {

/// Small blocks of parameters for dispatches, written straight into memory that the device reads:
/// no call of the driver and no barrier per block. The ring has quarters; one is used again when
/// the device has passed the fence behind it.
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

/// Buffer contents brought to the processor through memory of their own, piece by piece. Read where
/// they lie, drivers may move the whole buffer to the processor's side (NVIDIA's message 131186),
/// and every shader that uses it afterwards goes over the bus.
class StagedRead {
 public:
  static constexpr std::int64_t kPieceBytes = std::int64_t(4) << 20;

  explicit StagedRead(Context& context);
  /// Waits for the device: one piece is copied there while another is taken in here. The caller has
  /// checked the range. Throws DeviceLost.
  void read(const RawBuffer& source, void* data, std::int64_t bytes, std::int64_t offsetBytes);

 private:
  std::array<ReadBack, 2> pieces_;
};

}  // namespace fathom::gpu
