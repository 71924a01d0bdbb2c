// SPDX-License-Identifier: BSD-3-Clause
// How the engine of depth of field hands on what window and commands ask.
#include "app/engine/dof/engine.h"

#include "app/engine/core/log.h"
#include "app/lab/dof/variant_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fathom::dof {

void DofEngine::describe(FieldVisitor& field) { dof::describe(shot_.settings, field); }

void DofEngine::adopt(std::unique_ptr<LoadedInputs> inputs) {
  const std::vector<std::string> before = shot_.input.names;
  shot_.open(std::move(ownInputs<Input>(*inputs)));
  pull_.opened(before);
  if (!shot_.input.scene) return;
  for (const std::string& warning : shot_.input.scene->warnings) log::warn("{}", warning);
}

Effect DofEngine::takeChange() {
  const Effect picked = picker_.advance();
  return std::max(picked, pull_.advance(PullControl::Clock::now()));
}

void DofEngine::setSize(int width, int height) {
  if (shot_.input.deep || shot_.input.flat) return;  // files have their own
  shot_.size = {width, height};
}

bool DofEngine::update(gpu::Context& gpu, Effect effect, double budgetMs) {
  shot_.readFiles();
  if (effect == Effect::Rebuild) blur_.restart();
  return blur_.run(gpu, budgetMs);
}

std::vector<std::pair<std::string, std::string>> DofEngine::facts() const {
  return factsOf(shot_, blur_);
}

std::vector<std::pair<std::string, std::string>> DofEngine::chosen() const {
  if (shot_.empty() || !blur_.sharp()) return {};
  const Lens lens = blur_.lens();
  return {{"focus-distance", fmt::format("{:.4g}", lens.focus)},
          {"focal-length", fmt::format("{:.3g} mm", lens.focalLength)},
          {"mm-per-unit", fmt::format("{:.4g}", shot_.mmPerUnit())}};
}

}  // namespace fathom::dof
