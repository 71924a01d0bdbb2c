// SPDX-License-Identifier: BSD-3-Clause
// What the window reports about a picture: the splats that cover the pixel under the cursor, the
// legend of an overlay, the page of variants, and the facts below the settings.
#pragma once

#include "app/engine/inspect.h"
#include "app/engine/dof/blur.h"
#include "app/window/dof/panel_lens.h"
#include "app/engine/dof/pull_control.h"
#include "app/window/dof/panel_variants.h"
#include "app/window/parts.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fathom::dof {

class SplatInspector {
 public:
  /// Both must outlive this.
  SplatInspector(const Shot& shot, const Blur& blur) : shot_(shot), blur_(blur) {}
  std::optional<PixelReport> inspect(int x, int y);
  std::optional<glm::vec3> pick(int x, int y);

 private:
  bool inPicture(int x, int y) const;
  const std::vector<Entry>* listAt(const Pipeline& lists, int x, int y);

  const Shot& shot_;
  const Blur& blur_;
  // The tile under the cursor, kept while it stays there.
  std::uint64_t generation_ = 0;
  std::uint32_t tile_ = UINT32_MAX;
  std::vector<Entry> list_;
};

class OverlayLegend {
 public:
  explicit OverlayLegend(const Shot& shot) : shot_(shot) {}
  std::vector<LegendEntry> entries() const;

 private:
  const Shot& shot_;
};

/// The page of the lens, that of variants with the sweep that it may start, and the timeline.
class DofPanels : public Panels, public Background {
 public:
  /// All must outlive this; pages write the shot's settings.
  DofPanels(Shot& shot, const Blur& blur, PullControl& pull)
      : shot_(shot), blur_(blur), pull_(pull) {}
  std::vector<TechniquePage> pages() const override;
  void drawPage(const std::string& name) override;
  std::optional<TechniqueStrip> strip() const override;
  void drawStrip() override;
  bool backgroundStep(gpu::Context& gpu, double budgetMs) override;

 private:
  Shot& shot_;
  const Blur& blur_;
  PullControl& pull_;
  LensPage lens_;
  VariantPage page_;
};

/// Read-outs of the lens and statistics of the lists; empty before the first picture.
std::vector<std::pair<std::string, std::string>> factsOf(const Shot& shot, const Blur& blur);

}  // namespace fathom::dof
