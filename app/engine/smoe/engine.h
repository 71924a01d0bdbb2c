// SPDX-License-Identifier: BSD-3-Clause
// SMoE as the window, the commands and the benchmarks see it: a model from a file or one that is
// being fitted, and its picture for any window, size and view.
#pragma once

#include "app/window/parts.h"
#include "app/engine/smoe/settings.h"
#include "app/engine/smoe/checks.h"
#include "app/engine/smoe/fit_control.h"
#include "app/window/smoe/inspector.h"
#include "app/engine/smoe/model_source.h"
#include "app/engine/smoe/model_store.h"
#include "app/window/smoe/panel.h"
#include "app/engine/smoe/picture.h"
#include "app/window/smoe/tools.h"
#include "app/engine/smoe/view_records.h"
#include "app/engine/engine.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fathom::smoe {

/// A model as it was read, or what a fit to a picture begins with.
struct ModelInputs : LoadedInputs {
  std::shared_ptr<const Model> model;
};

/// A model file, or a picture to fit one to.
bool accepts(const std::vector<std::string>& inputs);
std::unique_ptr<LoadedInputs> read(const std::vector<std::string>& inputs, Progress& progress);
/// The same where only a model will do.
std::unique_ptr<LoadedInputs> readModelInput(const std::string& file, Progress& progress);

class SmoeEngine : public Engine, public Background {
 public:
  SmoeEngine();

  void describe(FieldVisitor& field) override { smoe::describe(settings_, field); }
  void adopt(std::unique_ptr<LoadedInputs> inputs) override;
  const std::vector<std::string>& inputs() const override { return models_.inputs(); }
  void setSize(int width, int height) override {
    if (picture_.setRoom({width, height})) roomChange_ = Effect::Redraw;
  }
  glm::ivec2 size() const override { return picture_.size(); }
  bool update(gpu::Context& gpu, Effect effect, double budgetMs) override;
  Effect takeChange() override {
    return std::max({tools_.takeChange(), fit_.takeChange(),
                     std::exchange(roomChange_, Effect::None)});
  }
  const gpu::Texture& result() const override { return picture_.texture(); }
  Image reference() const override;
  std::vector<std::pair<std::string, std::string>> chosen() const override;
  std::vector<std::pair<std::string, std::string>> facts() const override;
  bool backgroundStep(gpu::Context& gpu, double budgetMs) override;
  /// A fit, which can be stopped.
  std::optional<Working> working() override;

  Editing* editing() override { return &models_; }
  Playing* playing() override { return &tools_; }
  Panels* panels() override { return &panels_; }
  PictureTools* tools() override { return &tools_; }
  std::optional<PixelReport> inspect(int x, int y) override { return inspector_.inspect(x, y); }
  std::vector<LegendEntry> legend() const override { return legend_.entries(); }
  Background* background() override { return this; }

  // For commands and tests, beyond what the window needs.
  Settings& settingsStruct() { return settings_; }
  const ModelStore& models() const { return models_; }
  ModelSource& source() { return source_; }
  Picture& picture() { return picture_; }
  FitControl& fit() { return fit_; }
  const RateHistory& rates() const { return rates_; }

 private:
  // In the order of who needs whom.
  Settings settings_;
  Effect roomChange_ = Effect::None;
  ModelStore models_;
  ModelSource source_;
  Picture picture_;
  ViewRecords records_;
  Checks checks_;
  FitControl fit_;
  SmoeTools tools_;
  RateHistory rates_;
  Inspector inspector_;
  PictureLegend legend_;
  SmoePanels panels_;
};

}  // namespace fathom::smoe
