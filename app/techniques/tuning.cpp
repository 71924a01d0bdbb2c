// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/tuning.h"

#include <algorithm>
#include <ctime>

namespace fathom {

double timedMs(gpu::Context& gpu, const std::function<void()>& run) {
  gpu.finish();
  if (gpu.device().software) {
    const gpu::Timings::Pause pause(gpu.timings());  // the window's timings are the picture's
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

std::string sweepCsv(const gpu::Space& space, const gpu::VariantSweep& sweep) {
  std::vector<const gpu::VariantSweep::Row*> rows;
  for (const auto& row : sweep.rows()) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(), [](const auto* a, const auto* b) {
    if (a->ms.empty() != b->ms.empty()) return b->ms.empty();
    return a->medianMs() < b->medianMs();
  });
  const std::vector<gpu::Variant> variants = gpu::allVariants(space);
  std::string text = "variant,state,median_ms,trials\n";
  for (const auto* row : rows) {
    static const char* const states[] = {"waiting", "passed", "failed"};
    text += fmt::format("{},{},{:.4f},{}\n", space.id(variants[std::size_t(row->variant)]),
                        states[int(row->state)], row->medianMs(), row->ms.size());
  }
  return text;
}

}  // namespace fathom
