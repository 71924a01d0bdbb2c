// SPDX-License-Identifier: BSD-3-Clause
// How fast a software renderer is at the moment. Clock rates, other programs and other machines on
// the same cores change that by half, for seconds.
#pragma once

#include "app/gpu/buffer.h"
#include "app/gpu/context.h"

#include <glm/vec4.hpp>

namespace fathom::bench {

/// Processor time that all threads of this process have taken so far, in ms. What else runs on the
/// machine disturbs it far less than time by the clock.
double processorMs();

class Pace {
 public:
  explicit Pace(gpu::Context& gpu);
  /// Processor time of a fixed piece of rendering, in ms: about 3 on a machine of 2 GHz. Waits for
  /// the device; not recorded among the passes.
  double measure();
  std::int64_t bytes() const { return words_.bytes() + found_.bytes(); }

 private:
  gpu::Context& gpu_;
  gpu::Buffer<glm::vec4> words_, found_;
};

}  // namespace fathom::bench
