// SPDX-License-Identifier: BSD-3-Clause
// The pages of deep images: the inputs with their order and edits, and the depth view with peeling,
// points and fragments per pixel, and compositing over ranks.
#pragma once

#include "app/engine/core/fields.h"
#include "app/engine/deep/bands/inputs.h"
#include "app/window/deep/rank_preview.h"
#include "app/engine/deep/settings/settings.h"
#include "app/window/deep/frame_player.h"
#include "app/window/deep/merged_saver.h"
#include "app/engine/deep/view/point_scene.h"
#include "app/window/deep/region_tool.h"
#include "app/engine/deep/view/surveyor.h"
#include "app/window/parts.h"

namespace fathom::deep {

/// The inputs as a short list: visibility, order, role and depth of each, what its file holds, and
/// removing it; and saving what they become.
class InputsPage {
 public:
  InputsPage(Settings& settings, const Inputs& inputs, MergedSaver& saver)
      : settings_(settings), inputs_(inputs), saver_(saver) {}
  void draw();
  TechniqueRequest takeRequest() { return std::exchange(request_, {}); }

 private:
  bool drawInput(std::size_t place);
  void drawEdit(std::size_t input);
  void drawZRange(InputEdit& edit);
  void drawIds(InputEdit& edit);
  void drawFile(std::size_t input);
  void drawParts(std::size_t input);
  void moveInput(std::size_t from, std::size_t to);
  void drawSaving();

  Settings& settings_;
  const Inputs& inputs_;
  MergedSaver& saver_;
  std::string file_ = "merged.exr", complaint_;  // where it is saved, and why it cannot be
  std::size_t open_ = 0;  // the one whose edits are shown; SIZE_MAX: none
  TechniqueRequest request_;
};

/// The strip that peels by depth: the fragments from front to back, with a grip at either end of
/// what is shown.
class PeelStrip {
 public:
  PeelStrip(Settings& settings, const Surveyor& surveyor)
      : settings_(settings), surveyor_(surveyor) {}
  void draw();

 private:
  enum class Grip { None, Near, Far, Both };
  /// The shares of the fragments in front of either end.
  struct Ends {
    float low, high;
  };
  Grip gripAt(float share, const Ends& ends, float reach) const;
  void drag(Ends& ends, float share, float moved);
  void drawNumbers();

  Settings& settings_;
  const Surveyor& surveyor_;
  Grip grip_ = Grip::None;
};

/// What the pages show and change.
struct DepthPage {
  Settings& settings;
  const Inputs& inputs;
  PointScene& points;
  Surveyor& surveyor;
  RegionTool& tool;
  MergedSaver& saver;
  FramePlayer& frames;
  RankPreview& ranks;
};
/// Points in space: region, looks and where to look from. True when the camera has moved.
bool drawPointsSection(const DepthPage& page);
/// Fragments per pixel: totals, histogram, and the pixels that have the most.
void drawSurveySection(const DepthPage& page, TechniqueRequest& request);
/// What compositing over ranks would send and show.
void drawRanksPage(const DepthPage& page);

class DeepPanels : public Panels {
 public:
  /// All must outlive this.
  explicit DeepPanels(const DepthPage& page)
      : page_(page),
        inputsPage_(page.settings, page.inputs, page.saver),
        peel_(page.settings, page.surveyor) {}

  std::vector<TechniquePage> pages() const override;
  void drawPage(const std::string& name) override;
  std::optional<TechniqueStrip> strip() const override;
  void drawStrip() override;
  TechniqueRequest takeRequest() override;
  Effect takeChange() { return std::exchange(change_, Effect::None); }

 private:
  void drawDepthPage();

  DepthPage page_;
  InputsPage inputsPage_;
  PeelStrip peel_;
  TechniqueRequest request_;
  Effect change_ = Effect::None;
};

}  // namespace fathom::deep
