// SPDX-License-Identifier: BSD-3-Clause
// What the window reports about a picture: the runs that hold the pixel under the cursor, the
// legend of an overlay, the pages of parts and modes, and the facts below the settings.
#pragma once

#include "app/engine/inspect.h"
#include "app/engine/active_pixel/local_composite.h"
#include "app/engine/active_pixel/turntable.h"
#include "app/window/parts.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fathom::active_pixel {

class RunInspector {
 public:
  /// Both must outlive this.
  RunInspector(const View& view, const LocalComposite& composite)
      : view_(view), composite_(composite) {}
  std::optional<PixelReport> inspect(int x, int y);
  std::optional<glm::vec3> pick(int x, int y);

 private:
  const View& view_;
  const LocalComposite& composite_;
};

class OverlayLegend {
 public:
  OverlayLegend(const View& view, const LocalComposite& composite)
      : view_(view), composite_(composite) {}
  std::vector<LegendEntry> entries() const;

 private:
  const View& view_;
  const LocalComposite& composite_;
};

class PartPanels : public Panels {
 public:
  /// All must outlive this; the page of modes has the switch that lets the scene turn.
  PartPanels(View& view, const LocalComposite& composite, ModeMeter& meter)
      : view_(view), composite_(composite), meter_(meter) {}
  std::vector<TechniquePage> pages() const override;
  void drawPage(const std::string& name) override;

 private:
  View& view_;
  const LocalComposite& composite_;
  ModeMeter& meter_;
};

/// Of a file at once; of a scene once there is a picture.
std::vector<std::pair<std::string, std::string>> factsOf(const View& view,
                                                         const LocalComposite& composite);

}  // namespace fathom::active_pixel
