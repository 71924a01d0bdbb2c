// SPDX-License-Identifier: BSD-3-Clause
// What the window adds to the SMoE engine: two pages (what the picture is made of; fitting and
// saving a model), the mouse over the picture, measurements on demand, and saving.
#pragma once

#include "app/engine/smoe/engine.h"
#include "app/window/parts.h"
#include "app/window/smoe/measure.h"
#include "app/window/smoe/tools.h"

namespace fathom::smoe {

/// What the fit page asks for beside the settings.
struct FitForm {
  int seed = 1;
  int moreSteps = 500;  // when a finished fit continues
  int added = 200;      // components, when some are added
};

class SmoeWindowParts : public WindowParts, public Editing, public Panels, public Background {
 public:
  explicit SmoeWindowParts(SmoeEngine& owner);

  void adopted(const std::vector<std::string>& before) override;

  std::optional<TechniqueFile> savable() const override;
  void save(const std::string& file) override { engine.models().save(file); }
  bool unsaved() const override { return engine.models().unsaved(); }
  std::string content() const override;
  void recover(const std::string& file) override;
  std::any keep() override;
  void restore(std::any kept) override;

  std::vector<TechniquePage> pages() const override;
  void drawPage(const std::string& name) override;
  TechniqueRequest takeRequest() override { return std::exchange(request, {}); }

  /// Orbits, fits, measures: one slice of each.
  bool backgroundStep(gpu::Context& gpu, double budgetMs) override;

  // What the pages show and change.
  SmoeEngine& engine;
  SmoeTools mouse;
  Checks checks;
  ErrorHeat heat;  // of the fit that is in progress
  FitForm form;
  TechniqueRequest request;

 private:
  void followFit(gpu::Context& gpu);

  int fits_ = 0;                             // FitJob::begun() of which checks are
  std::uint64_t heatOf_ = 0, measured_ = 0;  // generations of the fit
};

/// View, lists with their certificate. There is a model.
void drawModelPage(SmoeWindowParts& page);  // page_model.cpp
/// Fitting and saving. There is a model.
void drawFitPage(SmoeWindowParts& page);  // page_fit.cpp

}  // namespace fathom::smoe
