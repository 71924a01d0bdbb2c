// SPDX-License-Identifier: BSD-3-Clause
// Every variant is a case of its own on one workload; all are timed in shuffled rounds.
#include "app/lab/dof/variant_bench.h"

#include "app/lab/dof/variant_workload.h"

namespace fathom::dof {
namespace {

constexpr const char* kFigure9 = "Lier et al. 2016, figure 9";

PaperTable figure9() {
  PaperTable table;
  table.name = kFigure9;
  table.title = "All 320 variants of accumulation";
  table.unit = "ms";
  table.shape = PaperTable::Shape::Strip;
  table.rowsAre = "workload";
  for (int i = 0; i < kSpace.dimensionCount(); ++i)
    table.parts.emplace_back(kSpace.dimensions[i].name);
  table.colorPart = kEarly;
  table.colorValues = {"none", "block", "each"};
  table.note =
      "The paper draws 320 bars for each of three GPUs, scaled between fastest and slowest, "
      "without "
      "printing numbers. It finds: peeled loops and distances in floating point faster; early out "
      "per "
      "block best on Maxwell and none on Kepler, each element usually the worst; the other choices "
      "of "
      "little weight.";
  return table;
}

void measureVariants(BenchRun& run) {
  Settings settings;
  settings.maxRadius = MaxRadius::R8;
  const glm::ivec2 size = run.size({96, 54}, {1280, 720}, {1920, 1080});
  run.sweep([&](FieldVisitor& field) { describe(settings, field); },
            [&] {
              VariantWorkload workload(run.gpu(), size, settings.radius(), run.seed());
              std::vector<BenchCase> cases;
              for (int i = 0; i < kSpace.count(); ++i) {
                const Variant variant = kSpace.at(i);
                BenchCase c;
                c.workload = workloadClass(settings.radius(), false);
                c.label = kSpace.id(variant);
                c.size = size;
                settings.variant = c.label;
                c.settings = valuesOf([&](FieldVisitor& field) { describe(settings, field); });
                c.paper = {{kFigure9, c.workload, c.label, {}}};
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
          kFigure9,
          "pixel-entry tests",
          {{"max-radius", {"8", "16"}, {"8"}}},
          measureVariants,
          {figure9()}};
}

}  // namespace fathom::dof
