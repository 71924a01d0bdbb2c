// SPDX-License-Identifier: BSD-3-Clause
// The two pages of SMoE in the window: what the picture is made of, and fitting and saving a model.
#pragma once

#include "app/window/parts.h"
#include "app/engine/smoe/checks.h"
#include "app/engine/smoe/fit_control.h"
#include "app/window/smoe/rate_history.h"
#include "app/window/smoe/tools.h"

#include <string>
#include <vector>

namespace fathom::smoe {

/// What the pages show and change.
struct PageContext {
  Settings& settings;
  const ModelStore& models;
  ModelSource& source;
  const Picture& picture;
  SmoeTools& tools;
  FitControl& fit;
  Checks& checks;
  const RateHistory& rates;
};

/// View, lists with their certificate, bit depth. There is a model.
void drawModelPage(const PageContext& page);  // panel_model.cpp
/// Fitting and saving. There is a model.
void drawFitPage(const PageContext& page);  // panel_fit.cpp

/// Quality over size of what was measured.
void drawRates(const std::vector<MeasuredRate>& rates);  // panel_rate.cpp

class SmoePanels : public Panels {
 public:
  explicit SmoePanels(const PageContext& page) : page_(page) {}
  std::vector<TechniquePage> pages() const override;
  void drawPage(const std::string& name) override;

 private:
  PageContext page_;
};

}  // namespace fathom::smoe
