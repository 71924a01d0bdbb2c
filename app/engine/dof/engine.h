// SPDX-License-Identifier: BSD-3-Clause
// Depth of field as window, command line, Python and laboratory see it: a scene, a deep EXR or a
// picture with depth, blurred by tiled splatting or by one of the operators to compare with. From a
// shot to its blurred picture, in slices of work:
//   capture   color and depth of every pixel
//   blur      tile lists and their accumulation band by band, gathering, or lens points; the mean
//             of a pixel's samples
//   truth     lens points to compare with, when the difference is shown
//   show      the overlay, when one is shown
#pragma once

#include "app/engine/core/stages.h"
#include "app/engine/dof/aov_blur.h"
#include "app/engine/dof/capture.h"
#include "app/engine/dof/lens/lens_sampler.h"
#include "app/engine/dof/shot.h"
#include "app/engine/dof/splats/pipeline.h"
#include "app/engine/dof/splats/reference.h"
#include "app/engine/dof/variants/accumulate.h"
#include "app/engine/engine.h"
#include "app/engine/inspect.h"

namespace fathom::dof {

class DofEngine : public Engine {
 public:
  DofEngine() { addStages(); }

  void describe(FieldVisitor& field) override;
  void adopt(std::unique_ptr<LoadedInputs> inputs) override;
  const std::vector<std::string>& inputs() const override { return shot_.input.names; }
  void setSize(int width, int height) override;
  Camera* camera() override { return shot_.input.scene ? &shot_.camera : nullptr; }
  fathom::Frame frame() const override;
  bool stale() const override { return stages_.changed() || shot_.filesChanged(); }
  void restart() override { stages_.invalidateAll(); }
  /// The picture by the reference, from the capture of the last work(); not of hold-outs.
  Image reference() const override;
  std::vector<std::pair<std::string, std::string>> facts() const override;
  std::vector<std::pair<std::string, std::string>> chosen() const override;
  std::optional<PixelReport> inspect(int x, int y) override;
  std::optional<glm::vec3> pick(int x, int y) override;
  std::vector<LegendEntry> legend() const override;

  Settings& settingsStruct() { return shot_.settings; }
  Shot& shot() { return shot_; }
  const Shot& shot() const { return shot_; }

  /// The next work() does everything again but the capture, though nothing has changed.
  void restartBlur() { stages_.invalidate("blur"); }
  /// work() has returned true, and not been called again since.
  bool complete() const { return complete_; }
  /// Pictures from now on are handed on as deep images too, of at most `most` points per pixel,
  /// which composited are the picture: band by band of rows, from the top, with deepHeader().
  void makeDeep(int most, std::function<void(DeepImage&&)> take);
  /// Windows and channels: float A, B, G, R and Z.
  DeepImage deepHeader() const;
  /// What was blurred beside the color of a complete picture, and may be taken; null: nothing.
  AovBlur* aovs() { return device_ && device_->aovs ? &*device_->aovs : nullptr; }
  /// Complete pictures so far.
  std::uint64_t generation() const { return generation_; }
  /// The sharp picture, color and Z, a pixel for each sample, with margin() of them more on each
  /// side; null before the first work().
  const gpu::Texture* sharp() const { return device_ ? device_->capture.picture() : nullptr; }
  int margin() const { return device_ ? device_->capture.margin() : 0; }
  /// Z at a pixel of the picture; there is a sharp one. Waits for the device.
  float depthAt(int x, int y) const;
  /// Signed radius there in px, by depth and focus mask. Waits for the device.
  double radiusAt(int x, int y) const;
  /// Depth to focus on at a pixel of sharp(), which is there (Capture::focusAt).
  float focusAt(int x, int y) const;
  /// The lens of the settings and of what is open; its focus is the one in use.
  Lens lens() const { return shot_.lens(autoFocus()); }
  /// What decides about the lists under these settings; lengths in samples.
  ListRequest listRequest() const;
  Variant variant() const { return choice_.of(grid()); }
  const VariantChoice& choice() const { return choice_; }
  /// Id of the variant that accumulated the current result; empty for operators without one.
  const std::string& usedVariant() const { return usedVariant_; }
  /// The lists of the last band, of samples; null when the operator needs none, or nothing was run.
  const Pipeline* lists() const { return device_ && shot_.splats() ? &device_->pipeline : nullptr; }
  Pipeline::Totals totals() const { return lists() ? lists()->totals() : Pipeline::Totals(); }
  /// Lens points drawn and wanted; 0 of 0 without them.
  std::pair<std::size_t, std::size_t> lensProgress() const;

 private:
  /// What lives on one GPU.
  struct Device {
    explicit Device(gpu::Context& context) : gpu(context) {}
    gpu::Context& gpu;
    Capture capture{gpu};
    Pipeline pipeline{gpu};
    VariantRunner runner{gpu};
    LensSampler sampler{gpu};
    ApertureTables tables{gpu};
    std::optional<AovBlur> aovs;
    gpu::Texture blurred, averaged, alpha, shown;
  };

  bool work(gpu::Context& gpu, double budgetMs) override;
  void addStages();
  void capture();
  void beginBlur();
  bool blurStep(bool waits);
  bool blurSamples(bool waits);
  void average();
  void beginLists();
  bool accumulateBand(bool waits);
  void runVariant(const TileLists& lists, const shared::Optics& optics);
  void beginLensPoints();
  void show();
  /// The newest picture, complete or growing (lens points).
  const gpu::Texture& result() const;
  const gpu::Texture& blurredPicture() const;
  /// The shot with each sample a pixel, and its lens.
  Shot grid() const { return shot_.finer(); }
  Lens gridLens() const { return grid().lens(autoFocus()); }
  double autoFocus() const;
  Source& source() const;
  SplatList capturedSplats() const;

  bool inPicture(int x, int y) const;
  const std::vector<Entry>* listAt(const Pipeline& lists, int x, int y);
  std::vector<double> cellWeights(const std::vector<Entry>& entries, glm::ivec2 at,
                                  std::vector<std::string>& cells);

  Shot shot_;
  std::unique_ptr<Device> device_;
  VariantChoice choice_;
  Stages stages_;
  std::size_t band_ = 0;  // to be accumulated next
  bool checks_ = false;   // it was, with lists that are yet to be checked
  ListSlices slices_;     // of a deep image, and who takes it
  std::function<void(DeepImage&&)> takeDeep_;
  std::string usedVariant_;
  bool complete_ = false;
  std::uint64_t generation_ = 0;
  struct Inspected {
    std::uint64_t generation = 0;
    std::uint32_t tile = UINT32_MAX;
    std::vector<Entry> list;
    std::optional<ApertureMap> map;  // of lens cells
  };
  Inspected inspected_;  // the tile under the cursor, kept while it stays there
};

/// All the work of a picture at once, which can be stopped soon all the same: calls `betweenSlices`
/// several times a second; what it throws ends the work. Renderers that work on the processor take
/// seconds for some dispatches: those are left in their middle for it.
void makeWholePicture(gpu::Context& gpu, DofEngine& technique,
                      const std::function<void()>& betweenSlices);

/// Depth of field for the registry.
const TechniqueEntry& entry();

}  // namespace fathom::dof
