// SPDX-License-Identifier: BSD-3-Clause
// Depth of field as the window, the commands and the benchmarks see it: a scene, a deep EXR or a
// picture with depth, blurred by tiled splatting or by one of the operators to compare with. The
// work is that of Blur; here it meets the inputs and the facets.
#pragma once

#include "app/engine/dof/blur.h"
#include "app/engine/dof/focus_picker.h"
#include "app/engine/dof/inspector.h"
#include "app/engine/dof/pull_control.h"
#include "app/engine/engine.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fathom::dof {

class DofEngine : public Engine {
 public:
  void describe(FieldVisitor& field) override;
  void adopt(std::unique_ptr<LoadedInputs> inputs) override;
  const std::vector<std::string>& inputs() const override { return shot_.input.names; }
  void setSize(int width, int height) override;
  glm::ivec2 size() const override { return shot_.size; }
  glm::ivec2 origin() const override { return shot_.origin(); }
  Camera* camera() override { return shot_.input.scene ? &shot_.camera : nullptr; }
  bool update(gpu::Context& gpu, Effect effect, double budgetMs) override;
  bool progressive() const override { return shot_.settings.op == Operator::Lens; }
  Effect takeChange() override;
  const gpu::Texture& result() const override { return blur_.result(); }
  Image reference() const override { return blur_.reference(); }
  std::vector<std::pair<std::string, std::string>> facts() const override;
  std::vector<std::pair<std::string, std::string>> chosen() const override;
  Editing* editing() override { return &pull_.track(); }
  Playing* playing() override { return &pull_.track(); }
  Panels* panels() override { return &panels_; }
  PictureTools* tools() override { return &picker_; }
  std::optional<PixelReport> inspect(int x, int y) override { return inspector_.inspect(x, y); }
  std::optional<glm::vec3> pick(int x, int y) override { return inspector_.pick(x, y); }
  std::vector<LegendEntry> legend() const override { return legend_.entries(); }
  Background* background() override { return &panels_; }

  // For commands, benches and tests.
  Settings& settingsStruct() { return shot_.settings; }
  Blur& blur() { return blur_; }
  const Shot& shot() const { return shot_; }
  void setFrame(std::optional<int> frame) { shot_.frameNumber = frame; }
  FocusPicker& focusPicker() { return picker_; }
  PullControl& pull() { return pull_; }

 private:
  Shot shot_;
  Blur blur_{shot_};
  PullControl pull_{shot_, blur_};
  FocusPicker picker_{shot_, blur_, pull_};
  SplatInspector inspector_{shot_, blur_};
  OverlayLegend legend_{shot_};
  DofPanels panels_{shot_, blur_, pull_};
};

}  // namespace fathom::dof
