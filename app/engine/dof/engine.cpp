// SPDX-License-Identifier: BSD-3-Clause
// Inputs and frame, the loop over slices, the entry of the registry.
#include "app/engine/dof/engine.h"

#include "app/engine/core/progress.h"
#include "app/engine/gpu/slices.h"
#include "app/engine/scene/load_scene.h"

namespace fathom::dof {

void DofEngine::describe(FieldVisitor& field) { dof::describe(shot_.settings, field); }

void DofEngine::adopt(std::unique_ptr<LoadedInputs> inputs) {
  shot_.open(std::move(ownInputs<Input>(*inputs)));
  if (!shot_.input.scene) return;
  for (const std::string& warning : shot_.input.scene->warnings) log::warn("{}", warning);
}

void DofEngine::setSize(int width, int height) {
  if (shot_.input.deep || shot_.input.flat) return;  // files have their own
  shot_.size = {width, height};
}

fathom::Frame DofEngine::frame() const {
  return {.picture = result() ? &result() : nullptr,
          .size = shot_.size,
          .origin = shot_.origin(),
          .pixelAspect = shot_.pixelAspect(),
          .refines = shot_.settings.op == Operator::Lens};
}

std::vector<std::pair<std::string, std::string>> DofEngine::chosen() const {
  if (shot_.empty() || !sharp()) return {};
  const Lens l = lens();
  return {{"focus-distance", fmt::format("{:.4g}", l.focus)},
          {"focal-length", fmt::format("{:.3g} mm", l.focalLength)},
          {"mm-per-unit", fmt::format("{:.4g}", shot_.mmPerUnit())}};
}

void makeWholePicture(gpu::Context& gpu, DofEngine& technique,
                      const std::function<void()>& betweenSlices) {
  constexpr double kSliceMs = 200;
  if (!gpu.device().software) {
    while (technique.step(gpu, kSliceMs).partial) betweenSlices();
    return;
  }
  gpu::SlicedWork work;
  work.start([&] {
    while (technique.step(gpu, kSliceMs).partial) gpu::yieldIfOverBudget();
  });
  while (!work.resume(kSliceMs)) betweenSlices();
}

const TechniqueEntry& entry() {
  static const TechniqueEntry entry{
      {"dof", "Depth of field",
       "Blur scenes, deep EXRs and images with depth as a lens does, by tiled splatting.",
       "Lier, Franke, Stamminger, Selgrad, \"A Case Study in Implementation-Space Exploration\", "
       "ELS 2016; Selgrad et al., \"Tiled Depth of Field Splatting\", Eurographics 2016",
       sceneEndings({".exr", ".png"})},
      accepts,
      [](const std::vector<std::string>& inputs, Progress& progress) {
        return read(inputs, progress);
      },
      defaultSettings<Settings>,
      makeEngine<DofEngine>};
  return entry;
}

}  // namespace fathom::dof
