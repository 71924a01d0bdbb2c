// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/tuning.h"

#include <ctime>

namespace fathom {

double timedMs(gpu::Context& gpu, const std::function<void()>& run) {
  gpu.finish();
  if (gpu.device().software) {
    const std::clock_t start = std::clock();
    run();
    gpu.finish();
    return 1000.0 * double(std::clock() - start) / CLOCKS_PER_SEC;
  }
  gpu.timings().beginFrame();
  run();
  gpu.timings().endFrame();
  gpu.timings().finish();
  return gpu.timings().gpuSumMs();
}

}  // namespace fathom
