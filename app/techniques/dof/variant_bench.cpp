// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/dof/variant_bench.h"

#include "app/techniques/dof/variant_workload.h"

namespace fathom::dof {
namespace {

void runVariants(BenchRun& run) {
  Settings settings;
  settings.maxRadius = MaxRadius::Eight;
  const glm::ivec2 size = run.size({320, 180}, {1280, 720}, {1920, 1080});
  run.sweep([&](FieldVisitor& field) { describe(settings, field); },
            [&] {
              VariantWorkload workload(run.gpu(), size, settings.radius(), run.seed());
              std::vector<BenchCase> cases;
              for (int i = 0; i < kSpace.count(); ++i) {
                const gpu::Variant variant = kSpace.at(i);
                BenchCase c;
                c.workload = workloadClass(settings.radius(), false);
                c.label = kSpace.id(variant);
                c.size = size;
                settings.variant = c.label;
                c.settings = valuesOf([&](FieldVisitor& field) { describe(settings, field); });
                c.work = double(workload.entryCount()) * DOF_TILE_PIXELS;
                c.bytes = 16 * std::int64_t(workload.entryCount() + workload.pixelCount());
                c.trial = [&workload, variant] { workload.run(variant); };
                c.check = [&workload, variant] { return workload.check(variant); };
                cases.push_back(std::move(c));
              }
              run.measureTogether(cases);
            });
}

}  // namespace

Bench variantsBench() {
  return {"dof.variants",
          "All 320 variants of accumulation, in shuffled rounds.",
          "Lier et al. 2016, figure 9",
          "pixel-entry tests",
          {{"max-radius", {"8", "16"}}},
          runVariants};
}

}  // namespace fathom::dof
