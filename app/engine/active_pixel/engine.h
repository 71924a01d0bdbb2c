// SPDX-License-Identifier: BSD-3-Clause
// Active pixels as the window sees them: a scene dealt out to parts inside one process, each drawn
// and compressed, composited as ranks would be; or a compressed image from a file. The work is that
// of LocalComposite; here it meets the inputs and the facets.
#pragma once

#include "app/engine/active_pixel/inspector.h"
#include "app/engine/active_pixel/local_composite.h"
#include "app/engine/active_pixel/turntable.h"
#include "app/engine/active_pixel/view.h"
#include "app/engine/engine.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fathom::active_pixel {

class ActivePixelEngine : public Engine {
 public:
  void describe(FieldVisitor& field) override;
  void adopt(std::unique_ptr<LoadedInputs> inputs) override;
  const std::vector<std::string>& inputs() const override { return view_.input.names; }
  void setSize(int width, int height) override;
  glm::ivec2 size() const override { return view_.size; }
  Camera* camera() override { return view_.input.source ? &view_.camera : nullptr; }
  bool update(gpu::Context& gpu, Effect effect, double budgetMs) override;
  Effect takeChange() override { return turntable_.advance(); }
  const gpu::Texture& result() const override { return composite_.result(); }
  Image reference() const override { return composite_.reference(); }
  std::vector<std::pair<std::string, std::string>> chosen() const override;
  std::vector<std::pair<std::string, std::string>> facts() const override;
  Panels* panels() override { return &panels_; }
  Playing* playing() override { return &turntable_; }
  std::optional<PixelReport> inspect(int x, int y) override { return inspector_.inspect(x, y); }
  std::optional<glm::vec3> pick(int x, int y) override { return inspector_.pick(x, y); }
  std::vector<LegendEntry> legend() const override { return legend_.entries(); }
  Background* background() override { return &meter_; }

  // For commands and tests.
  Settings& settingsStruct() { return view_.settings; }
  const View& view() const { return view_; }
  const LocalComposite& composite() const { return composite_; }
  void compositeOnGpu(bool wanted) { composite_.compositeOnGpu(wanted); }

 private:
  View view_;
  LocalComposite composite_{view_};
  ModeMeter meter_{view_, composite_};
  Turntable turntable_{view_, composite_, meter_};
  RunInspector inspector_{view_, composite_};
  OverlayLegend legend_{view_, composite_};
  PartPanels panels_{view_, composite_, meter_};
};

}  // namespace fathom::active_pixel
