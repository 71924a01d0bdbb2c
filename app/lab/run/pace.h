// SPDX-License-Identifier: BSD-3-Clause
// How fast a software renderer is at the moment. Clock rates, other programs and other virtual
// machines on the same cores change that by half for seconds at a time.
#pragma once

#include "app/engine/gpu/buffer.h"

namespace fathom::gpu {
class Context;
}

namespace fathom::bench {

class Pace {
 public:
  explicit Pace(gpu::Context& gpu);
  /// Processor time of a fixed amount of rendering, in ms: about 3 at 2 GHz. Waits for the device
  /// and leaves the timings of passes alone.
  double measure();
  std::int64_t bytes() const { return samples_.bytes() + results_.bytes(); }

 private:
  gpu::Context& gpu_;
  gpu::Buffer<glm::vec4> samples_, results_;
};

}  // namespace fathom::bench
