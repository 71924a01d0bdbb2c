// SPDX-License-Identifier: BSD-3-Clause
// A technique made by following "How to add a technique" (docs/architecture.md) to the letter: an
// input and an engine, without pages or tools. Its files say "RAMP WIDTH HEIGHT".
#pragma once

#include "app/engine/core/stages.h"
#include "app/engine/engine.h"
#include "tests/techniques/tiny/settings.h"

namespace fathom::tiny {

/// A file that was read.
struct RampFile : LoadedInputs {
  glm::ivec2 size{0};
};

class RampTechnique : public Engine {
 public:
  RampTechnique();
  void describe(FieldVisitor& field) override { tiny::describe(settings_, field); }
  void adopt(std::unique_ptr<LoadedInputs> inputs) override;
  const std::vector<std::string>& inputs() const override { return inputs_; }
  void setSize(int, int) override {}  // the file says it
  Frame frame() const override { return {.picture = ramp_ ? &ramp_ : nullptr, .size = size_}; }
  bool stale() const override { return stages_.changed(); }
  void restart() override { stages_.invalidateAll(); }
  Image reference() const override;

 protected:
  virtual void fill();

  Settings settings_;
  glm::ivec2 size_{0};
  gpu::Context* gpu_ = nullptr;
  gpu::Texture ramp_;

 private:
  bool work(gpu::Context& gpu, double budgetMs) override;

  std::vector<std::string> inputs_;
  Stages stages_;
};

bool accepts(const std::vector<std::string>& inputs);
std::unique_ptr<LoadedInputs> read(const std::vector<std::string>& inputs, Progress& progress);

}  // namespace fathom::tiny
