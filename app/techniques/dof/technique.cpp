// SPDX-License-Identifier: BSD-3-Clause
// How the engine of depth of field hands on what window and commands ask.
#include "app/techniques/dof/technique.h"

#include "app/core/log.h"
#include "app/techniques/dof/variants/variant_workload.h"

#include <utility>

namespace fathom::dof {

void DofTechnique::describe(FieldVisitor& field) { dof::describe(shot_.settings, field); }

void DofTechnique::adopt(std::unique_ptr<LoadedInputs> inputs) {
  shot_.open(std::move(ownInputs<Input>(*inputs)));
  if (!shot_.input.scene) return;
  for (const std::string& warning : shot_.input.scene->warnings) log::warn("{}", warning);
}

void DofTechnique::setSize(int width, int height) {
  if (shot_.input.deep || shot_.input.flat) return;  // files have their own
  shot_.size = {width, height};
}

bool DofTechnique::update(gpu::Context& gpu, Effect effect, double budgetMs) {
  shot_.readFiles();
  if (effect == Effect::Rebuild) blur_.restart();
  return blur_.run(gpu, budgetMs);
}

std::vector<std::pair<std::string, std::string>> DofTechnique::facts() const {
  return factsOf(shot_, blur_);
}

}  // namespace fathom::dof
