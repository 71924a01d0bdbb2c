// SPDX-License-Identifier: BSD-3-Clause
// A technique for tests of the window: its picture is computed on the CPU from a few settings, so
// that every pixel is known. Inputs are files that hold "PIC WIDTH HEIGHT", or the word "spin", a
// scene with a camera.
#pragma once

#include "app/engine/engine.h"
#include "app/window/parts.h"

namespace fathom::viewer {

struct FakeSettings {
  enum class Tint { Red, Green, Blue };
  Tint tint = Tint::Green;
  float level = 0.5f;
  int cells = 8;
  bool classes = false, failing = false, aside = false;
};
void describe(FakeSettings& settings, FieldVisitor& field);

class FakeTechnique : public Engine, public Background {
 public:
  void describe(FieldVisitor& field) override { viewer::describe(settings_, field); }
  void adopt(std::unique_ptr<LoadedInputs> inputs) override;
  const std::vector<std::string>& inputs() const override { return inputs_; }
  void setSize(int width, int height) override;
  glm::ivec2 size() const override { return size_; }
  Camera* camera() override { return isScene_ ? &camera_ : nullptr; }
  bool update(gpu::Context& gpu, Effect effect, double budgetMs) override;
  /// The scene "spin-in-slices" is made in kSlices of kSliceMs each.
  static constexpr int kSlices = 4, kSliceMs = 20;
  /// With "aside" on: kAsideSlices of kAsideMs beside the picture, which then fail.
  static constexpr int kAsideSlices = 20, kAsideMs = 200;
  bool backgroundStep(gpu::Context& gpu, double budgetMs) override;
  bool progressive() const override { return inSlices_; }
  const gpu::Texture& result() const override { return result_; }
  Image reference() const override;
  std::optional<PixelReport> inspect(int x, int y) override;
  std::optional<glm::vec3> pick(int x, int y) override;
  std::vector<LegendEntry> legend() const override;
  std::vector<std::pair<std::string, std::string>> facts() const override;

  Background* background() override { return this; }

  /// The color of every pixel in the left half at these settings; the right half is black.
  static glm::vec4 leftColor(int tint, float level);

 private:
  FakeSettings settings_;
  std::vector<std::string> inputs_;
  bool isScene_ = false, inSlices_ = false;
  int slice_ = 0, asideSlices_ = 0;
  glm::ivec2 size_{0};
  Camera camera_;
  int updates_ = 0, rebuilds_ = 0;
  gpu::Texture result_;
};

const TechniqueEntry& fakeEntry();

}  // namespace fathom::viewer
