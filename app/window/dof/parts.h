// SPDX-License-Identifier: BSD-3-Clause
// What the window has of depth of field, for one engine: the page on which it opens, with what is
// in focus along a strip of depths, and the lens; the page of variants; focus by a click on the
// picture, and the pull of focus.
#pragma once

#include "app/engine/core/stopwatch.h"
#include "app/engine/dof/engine.h"
#include "app/window/dof/pull.h"
#include "app/window/dof/variants_page.h"
#include "app/window/parts.h"

namespace fathom::dof {

/// How many pixels lie at which depth: bins even in the logarithm of depth.
struct DepthBins {
  static constexpr int kCount = 128;
  float low = 1, high = 2;  // scene units, of what is no background
  std::array<std::uint32_t, kCount> counts{};
  bool empty = true;

  /// 0..1 from low to high, and back.
  float place(double depth) const;
  double depthAt(float place) const;
};
/// `sharp` holds depth in alpha.
DepthBins depthBinsOf(const Image& sharp);

class LensPage {
 public:
  /// Widgets over the settings, with the numbers of the full picture while a preview
  /// of this scale is shown.
  void draw(DofEngine& engine, double previewScale);

 private:
  void drawStrip(DofEngine& engine, const Lens& lens);
  DepthBins bins_;
  std::uint64_t countedAt_ = 0;  // generation of the picture whose depths were counted
};

/// Focus by a click on the picture, reached in a short move, and what is drawn over the picture
/// meanwhile: the point in focus, and the circle of confusion under the cursor.
class FocusPicker : public PictureTools {
 public:
  /// All must outlive this; the focus distance of the settings is what moves.
  FocusPicker(DofEngine& engine, PullControl& pull, const double& previewScale)
      : shot_(engine.shot()), engine_(engine), pull_(pull), previewScale_(previewScale) {}

  /// Moves the focus to what lies there, in the frames that follow.
  void pick(int x, int y);
  /// The next step of the move.
  void advance();
  bool moving() const { return move_.has_value(); }

  bool interact(const PictureInput& input) override;
  void drawOverlay(PictureOverlay& overlay) override;
  std::vector<Shortcut> actions() override;

 private:
  struct Move {
    double from, to;  // scene units
    Stopwatch since;
  };
  void drawCircleOfConfusion(PictureOverlay& overlay) const;
  /// A pixel as the user sees them is this one of the engine's, whose previews are smaller.
  glm::ivec2 inEngine(glm::ivec2 pixel) const {
    return glm::ivec2((glm::dvec2(pixel) + 0.5) * previewScale_);
  }

  Shot& shot_;
  const DofEngine& engine_;
  PullControl& pull_;
  const double& previewScale_;
  std::optional<glm::ivec2> cursor_, picked_;  // px
  float pickedFocus_ = 0;                      // the distance that it was picked for
  std::optional<Move> move_;
};

class DofWindowParts : public WindowParts, public Panels, public Background {
 public:
  explicit DofWindowParts(DofEngine& engine);
  void adopted(const std::vector<std::string>& before) override { pull_.opened(before); }
  void advance() override;
  std::vector<TechniquePage> pages() const override;
  void drawPage(const std::string& name) override;
  std::optional<TechniqueStrip> strip() const override;
  void drawStrip() override { drawPullStrip(pull_); }
  bool backgroundStep(gpu::Context& gpu, double budgetMs) override;
  FocusPicker& picker() { return picker_; }

 private:
  DofEngine& engine_;
  PullControl pull_;
  FocusPicker picker_;
  LensPage lens_;
  VariantPage variants_;
};

}  // namespace fathom::dof
