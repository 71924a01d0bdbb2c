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
  bool operator==(const FakeSettings&) const = default;
};
void describe(FakeSettings& settings, FieldVisitor& field);

class FakeTechnique : public Engine {
 public:
  void describe(FieldVisitor& field) override { viewer::describe(settings_, field); }
  void adopt(std::unique_ptr<LoadedInputs> inputs) override;
  const std::vector<std::string>& inputs() const override { return inputs_; }
  void setSize(int width, int height) override;
  Camera* camera() override { return isScene_ ? &camera_ : nullptr; }
  Frame frame() const override {
    return {.picture = result_ ? &result_ : nullptr, .size = size_, .refines = inSlices_};
  }
  bool stale() const override { return asked_ != key(); }
  void restart() override { asked_.reset(); }
  /// The scene "spin-in-slices" is made in kSlices of kSliceMs each.
  static constexpr int kSlices = 4, kSliceMs = 20;
  /// With "aside" on: kAsideSlices of kAsideMs beside the picture, which then fail.
  static constexpr int kAsideSlices = 20, kAsideMs = 200;
  bool backgroundStep();
  Image reference() const override;
  std::optional<PixelReport> inspect(int x, int y) override;
  std::optional<glm::vec3> pick(int x, int y) override;
  std::vector<LegendEntry> legend() const override;
  std::vector<std::pair<std::string, std::string>> facts() const override;

  /// The color of every pixel in the left half at these settings; the right half is black.
  static glm::vec4 leftColor(int tint, float level);

 private:
  using Key = std::tuple<FakeSettings, Camera, glm::ivec2, int>;
  Key key() const { return {settings_, camera_, size_, inputGeneration_}; }
  bool work(gpu::Context& gpu, double budgetMs) override;

  FakeSettings settings_;
  std::vector<std::string> inputs_;
  bool isScene_ = false, inSlices_ = false;
  int slice_ = 0, asideSlices_ = 0;
  glm::ivec2 size_{0};
  Camera camera_;
  int inputGeneration_ = 0, steps_ = 0;
  std::optional<Key> asked_;
  gpu::Texture result_;
};

const TechniqueEntry& fakeEntry();
/// Its work beside the picture, for the window.
const WindowEntry& fakeWindowEntry();

}  // namespace fathom::viewer
