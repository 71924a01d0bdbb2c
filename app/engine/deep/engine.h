// SPDX-License-Identifier: BSD-3-Clause
// Deep images as the window, the commands and the benchmarks see them: deep EXR files, or a scene
// whose parts are captured, merged and composited on the GPU. The engine decides what is shown, the
// picture or points in space; the parts that make either hold no state of each other:
//   Inputs -> BandStore -> BandPicture, PointScene, Surveyor, PixelInspection
#pragma once

#include "app/engine/deep/bands/band_merger.h"
#include "app/engine/deep/bands/band_picture.h"
#include "app/engine/deep/bands/inspection.h"
#include "app/lab/deep/tuning.h"
#include "app/window/deep/panels.h"
#include "app/engine/deep/settings/variant_space.h"
#include "app/window/deep/frame_player.h"
#include "app/engine/deep/view/legend.h"
#include "app/window/deep/merged_saver.h"
#include "app/engine/engine.h"

#include <functional>

namespace fathom::deep {

/// Beside the picture: saving first, then the survey.
class DeepBackground : public Background {
 public:
  DeepBackground(MergedSaver& saver, Surveyor& surveyor, RankPreview& ranks)
      : saver_(saver), surveyor_(surveyor), ranks_(ranks) {}
  bool backgroundStep(gpu::Context& gpu, double budgetMs) override {
    if (saver_.isBusy()) return saver_.step(budgetMs) || true;
    const bool surveys = surveyor_.backgroundStep(gpu, budgetMs);
    return ranks_.backgroundStep(gpu) || surveys;
  }

 private:
  MergedSaver& saver_;
  Surveyor& surveyor_;
  RankPreview& ranks_;
};

/// What the window shows and does beside the picture.
struct DeepWindowParts {
  DeepWindowParts(Settings& settings, const Inputs& inputs, const MergeSetup& setup,
                  BandStore& bands, PointScene& points, Surveyor& surveyor,
                  const std::function<bool()>& isIdle, const std::function<bool()>& isPictureIdle)
      : saver(inputs),
        ranks(inputs, setup, isPictureIdle),
        background(saver, surveyor, ranks),
        inspection(inputs, bands, settings, isIdle),
        tool(settings, inputs, points, inspection),
        legend(settings, inputs, points),
        panels({settings, inputs, points, surveyor, tool, saver, frames, ranks}) {}
  DeepWindowParts(const DeepWindowParts&) = delete;
  DeepWindowParts& operator=(const DeepWindowParts&) = delete;

  MergedSaver saver;
  RankPreview ranks;
  FramePlayer frames;
  DeepBackground background;
  PixelInspection inspection;
  RegionTool tool;
  ColorLegend legend;
  DeepPanels panels;
};

class DeepEngine : public Engine {
 public:
  void describe(FieldVisitor& field) override;
  void adopt(std::unique_ptr<LoadedInputs> inputs) override;
  const std::vector<std::string>& inputs() const override { return inputs_.names(); }
  void setSize(int width, int height) override;
  glm::ivec2 size() const override { return showsPoints() ? points_.size() : inputs_.size(); }
  glm::ivec2 origin() const override { return showsPoints() ? glm::ivec2(0) : inputs_.origin(); }
  float pixelAspect() const override;
  Camera* camera() override;
  std::optional<Camera> homeCamera() const override;
  bool update(gpu::Context& gpu, Effect effect, double budgetMs) override;
  bool progressive() const override { return showsPoints() && pointsShown_; }
  Effect takeChange() override;
  const gpu::Texture& result() const override {
    if (pointsShown_) return points_.texture();
    return window_.ranks.texture() ? *window_.ranks.texture() : picture_.texture();
  }
  Image reference() const override;
  std::vector<std::pair<std::string, std::string>> chosen() const override;
  std::vector<std::pair<std::string, std::string>> facts() const override;

  Panels* panels() override { return &window_.panels; }
  Playing* playing() override { return window_.frames.frames().empty() ? nullptr : &window_.frames; }
  PictureTools* tools() override { return &window_.tool; }
  std::optional<PixelReport> inspect(int x, int y) override { return window_.inspection.inspect(x, y); }
  std::optional<glm::vec3> pick(int x, int y) override { return window_.inspection.pick(x, y); }
  std::vector<LegendEntry> legend() const override { return window_.legend.entries(); }
  Background* background() override { return &window_.background; }

  // For the commands, beyond what the window needs.
  Settings& settingsStruct() { return settings_; }
  const Inputs& opened() const { return inputs_; }
  Surveyor& surveyor() { return surveyor_; }
  FramePlayer& frames() { return window_.frames; }
  PixelInspection& inspection() { return window_.inspection; }
  Edits edits(Purpose purpose) const { return MergeSetup(settings_, inputs_).edits(purpose); }
  /// Merges or composites what is open, band by band.
  BandMerger bandMerger(gpu::Context& gpu);
  /// The layout, block size and slots of the last picture or file take the place of an auto.
  void keepSettled();
  /// Fragments of all inputs; of a scene once it was drawn.
  std::uint64_t fragmentsIn() const;
  /// Fragments per pixel of all inputs together, over the whole picture.
  std::vector<std::uint32_t> counts(gpu::Context& gpu);
  /// Wall time that uploads took so far.
  double uploadMs() { return bands_.isAttached() ? bands_.pipeline().transfer.uploadMs() : 0; }

 private:
  bool showsPoints() const { return settings_.show == Show::Points && inputs_.isOpen(); }
  /// Nobody works on the bands.
  bool isIdle() const;
  /// Decides what settings leave open, and what the lists are to hold; once per picture or file.
  void settle(gpu::Context& gpu);
  bool updatePicture(gpu::Context& gpu, Effect effect, double budgetMs);
  bool updatePoints(gpu::Context& gpu, Effect effect, double budgetMs);

  Settings settings_{.layout = Layout::Auto};
  MergeSetup setup_;  // what the last update made of them
  TunedChoice tuned_{"deep", kVariants};
  Inputs inputs_;
  std::vector<std::string> inputsEdited_;  // the inputs that the settings' edits belong to
  mutable BandStore bands_{inputs_};  // a cache: reference() may need the room
  BandPicture picture_{inputs_, bands_};
  PointScene points_{inputs_, bands_};
  bool pointsShown_ = false;  // they are the result
  enum class Work { None, Picture, Points };
  Work work_ = Work::None;  // what update() was last asked for since adopt()

  Surveyor surveyor_{bands_, setup_, [this] { return isIdle(); }};
  DeepWindowParts window_{settings_, inputs_, setup_, bands_, points_, surveyor_,
                          [this] { return isIdle(); },
                          [this] { return work_ == Work::Picture && isIdle(); }};
};

}  // namespace fathom::deep
