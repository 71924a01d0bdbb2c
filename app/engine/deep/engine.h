// SPDX-License-Identifier: BSD-3-Clause
// The engine of deep images: deep EXR files, or a scene whose parts are captured, merged and
// composited on the GPU; and its line for the registry. The engine decides what is shown, the
// picture or points in space; the parts that make either hold no state of each other:
//   Inputs -> BandStore -> BandPicture, PointScene, PixelInspection
// Before all, steps make other images of the inputs, on a thread of their own.
#pragma once

#include "app/engine/deep/bands/band_merger.h"
#include "app/engine/deep/bands/band_picture.h"
#include "app/engine/deep/bands/inspection.h"
#include "app/engine/deep/settings/variant_space.h"
#include "app/engine/deep/view/point_scene.h"
#include "app/engine/engine.h"

namespace fathom::deep {

class DeepEngine : public Engine {
 public:
  ~DeepEngine() override { stopSteps(); }
  void describe(FieldVisitor& field) override;
  void adopt(std::unique_ptr<LoadedInputs> inputs) override;
  const std::vector<std::string>& inputs() const override { return inputs_.names(); }
  void setSize(int width, int height) override;
  Camera* camera() override;
  std::optional<Camera> homeCamera() const override;
  Frame frame() const override;
  bool stale() const override {
    return inputs_.isOpen() && (asked_ != asking() || !(stepsOf_ == stepsAsked()));
  }
  void restart() override { restart_ = true, asked_.reset(); }
  Image reference() const override;
  std::vector<std::pair<std::string, std::string>> chosen() const override;
  std::vector<std::pair<std::string, std::string>> facts() const override;

  std::optional<PixelReport> inspect(int x, int y) override { return inspection_.inspect(x, y); }
  std::optional<glm::vec3> pick(int x, int y) override { return inspection_.pick(x, y); }
  std::vector<LegendEntry> legend() const override {
    return legendEntries(settings_, inputs_, points_);
  }

  // For the window, beyond what it knows of all engines.
  /// Another frame of the sequence that is open: edits and settings stay, whatever its files are
  /// called.
  void adoptFrame(const Loaded& frame);
  /// Of the sequence, for expressions of steps.
  void setFrameNumber(std::optional<int> frame) { frameNumber_ = frame; }
  PointScene& points() { return points_; }
  BandStore& bands() { return bands_; }
  PixelInspection& inspection() { return inspection_; }
  /// What the last step made of the settings.
  const MergeSetup& setup() const { return setup_; }
  /// The lists of all bands are there, and nobody works on them.
  bool isIdle() const;

  // For the commands.
  Settings& settingsStruct() { return settings_; }
  const Inputs& opened() const { return inputs_; }
  void dropTriangles() { inputs_.dropTriangles(); }
  Edits edits(Purpose purpose) const { return MergeSetup(settings_, inputs_).edits(purpose); }
  /// Merges or composites what is open, band by band.
  BandMerger bandMerger(gpu::Context& gpu);
  /// The layout, block size and slots of the last picture or file take the place of an auto.
  void keepResolved();
  /// Fragments of all inputs; of a scene once it was drawn.
  std::uint64_t fragmentsIn() const;
  /// Fragments per pixel of all inputs together, over the whole picture.
  std::vector<std::uint32_t> counts(gpu::Context& gpu);
  /// Wall time that uploads took so far.
  double uploadMs() { return bands_.isAttached() ? bands_.pipeline().uploadMs : 0; }

 private:
  bool showsPoints() const { return settings_.show == Show::Points && inputs_.isOpen(); }
  /// Decides what settings leave open, and what the lists are to hold; once per picture or file.
  void resolveSettings(gpu::Context& gpu);
  bool work(gpu::Context& gpu, double budgetMs) override;
  bool workOnPicture(double budgetMs);
  bool workOnPoints(double budgetMs);

  Settings settings_{.layout = Layout::Auto};
  MergeSetup setup_;  // what the last step made of them
  TunedChoice tuned_{"deep", kVariants};
  Inputs inputs_;
  std::vector<std::string> inputsEdited_;  // the inputs that the settings' edits belong to
  mutable BandStore bands_{inputs_};       // a cache: reference() may need the room
  BandPicture picture_{inputs_, bands_};
  PointScene points_{inputs_, bands_};
  bool pointsShown_ = false;  // they are the result
  enum class Work { None, Picture, Points };
  Work work_ = Work::None;  // what step() was last asked for since adopt()
  /// Everything that a picture or points are made of.
  struct Asked {
    Settings settings;
    std::uint64_t inputs = 0;  // generation
    glm::ivec2 size{0}, pointsSize{0};
    Camera camera, pointsCamera;
    bool operator==(const Asked&) const = default;
  };
  Asked asking() const {
    return {settings_,      inputs_.generation(), inputs_.size(),
            points_.size(), inputs_.camera(),     points_.camera()};
  }
  /// Everything that steps are done with: the generation of inputs, settings, the frame.
  using StepsAsked = std::tuple<std::uint64_t, Settings, std::optional<int>>;
  StepsAsked stepsAsked() const;
  /// True when steps have made images; of older settings, perhaps, while these change.
  bool proceedSteps(double budgetMs);
  void stopSteps();
  /// True when the work is another one than that of the last step; resolves its settings.
  bool begins(Work work, gpu::Context& gpu);
  std::optional<Asked> asked_;  // by the last step()
  bool restart_ = false;
  std::optional<int> frameNumber_;
  StepsAsked stepsOf_;  // what making_ makes, or has made
  std::atomic<bool> stop_ = false;
  std::future<MadeImages> making_;

  PixelInspection inspection_{inputs_, bands_, settings_, [this] { return isIdle(); }};
};

/// Deep images for the registry.
const TechniqueEntry& entry();

}  // namespace fathom::deep
