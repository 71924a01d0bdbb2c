// SPDX-License-Identifier: BSD-3-Clause
// Buffer contents brought to the processor through memory of their own, piece by piece. Read where
// they lie, drivers may move the whole buffer to the processor's side (NVIDIA's message 131186), and
// every shader that uses it afterwards goes over the bus.
#pragma once

#include "app/gpu/buffer.h"

#include <array>
#include <cstdint>

namespace fathom::gpu {

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
