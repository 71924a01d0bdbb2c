// SPDX-License-Identifier: BSD-3-Clause
// Depth of field as the window, the commands and the benchmarks see it: a scene, a deep EXR or a
// picture with depth, blurred by tiled splatting or by one of the operators to compare with.
#pragma once

#include "app/techniques/dof/accumulator.h"
#include "app/techniques/dof/input.h"
#include "app/techniques/dof/lens_sampler.h"
#include "app/techniques/dof/panel_variants.h"
#include "app/techniques/dof/pipeline.h"
#include "app/techniques/dof/settings.h"
#include "app/techniques/dof/variant_runner.h"
#include "app/techniques/facets.h"
#include "app/techniques/technique.h"
#include "app/techniques/tuned.h"

#include <chrono>
#include <memory>
#include <optional>

namespace fathom::dof {

class DofTechnique : public Technique,
                     public Panels,
                     public PictureTools,
                     public Inspection,
                     public Legend,
                     public Background {
 public:
  void describe(FieldVisitor& field) override;
  void adopt(std::unique_ptr<LoadedInputs> inputs) override;
  const std::vector<std::string>& inputs() const override { return input_.names; }
  void setSize(int width, int height) override;
  glm::ivec2 size() const override { return size_; }
  glm::ivec2 origin() const override;
  Camera* camera() override { return input_.scene ? &camera_ : nullptr; }
  std::optional<glm::vec3> pick(int x, int y) override;
  bool update(gpu::Context& gpu, Effect effect, double budgetMs) override;
  const gpu::Texture& result() const override;
  Image reference() const override;
  std::optional<PixelReport> inspect(int x, int y) override;
  std::vector<LegendEntry> entries() const override;
  std::vector<std::pair<std::string, std::string>> facts() const override;
  std::vector<TechniquePage> pages() const override;
  void drawPage(const std::string& name) override;
  /// A slice of a sweep over all variants, while one runs.
  bool backgroundStep(gpu::Context& gpu, double budgetMs) override;
  bool progressive() const override { return settings_.op == Operator::Lens; }
  Effect takeChange() override;
  bool interact(const PictureInput& input) override;
  void drawOverlay(PictureOverlay& overlay) override;
  std::vector<TechniqueAction> actions() override;

  Panels* panels() override { return this; }
  PictureTools* tools() override { return this; }
  Inspection* inspection() override { return this; }
  Legend* legend() override { return this; }
  Background* background() override { return this; }

  // For commands, benches and the panel, beyond what the window needs.
  Settings& settingsStruct() { return settings_; }
  const Settings& settingsStruct() const { return settings_; }
  /// What decides about the lists under these settings.
  ListRequest listRequest() const;
  /// The lens of the settings and of what is open; its focus is the one in use.
  Lens lens() const;
  /// Median depth of the 5 x 5 pixels around one of the current result; background: 10^6 mm. None
  /// when nothing is there yet.
  std::optional<float> focusAt(int x, int y) const;
  /// Moves the focus to what lies there, in the frames that follow (takeChange).
  void pickFocus(int x, int y);
  const Pipeline::Totals& totals() const;
  /// Id of the variant that accumulated the current result; "" for operators without one.
  const std::string& usedVariant() const { return usedVariant_; }
  const gpu::Texture& picture() const { return *picture_; }  // color and Z
  /// Lens points drawn and wanted, for the progress line; 0 of 0 without them.
  std::pair<std::size_t, std::size_t> lensProgress() const;

 private:
  enum class Stage { Capture, Lists, Gather, Lens, Truth, Show, Done };
  bool listed() const { return settings_.op <= Operator::Slabs; }
  bool layered() const;
  bool shaped() const;
  Variant variant() const;
  /// The variant for "auto": the tuned one of the profile, if there is one for this device.
  void chooseVariant();
  double horizontalFov() const;
  Camera sceneCamera() const;
  void step();
  void capture();
  void planLists();
  void accumulate();
  void gather();
  void show();
  void nextAfterBlur();
  std::unique_ptr<Source> makeSource() const;

  Settings settings_;
  Input input_;
  Camera camera_;
  glm::ivec2 size_{0};

  gpu::Context* gpu_ = nullptr;
  std::unique_ptr<SceneRenderer> renderer_;
  std::unique_ptr<PictureCapture> capture_;
  std::unique_ptr<Pipeline> pipeline_;
  std::unique_ptr<VariantRunner> runner_;
  std::unique_ptr<LensSampler> sampler_;
  std::unique_ptr<Source> source_;
  gpu::Texture upload_;                    // a file's color and Z
  const gpu::Texture* picture_ = nullptr;  // upload_ or what capture_ drew
  gpu::Texture blurred_, shown_;
  Stage stage_ = Stage::Done;
  std::size_t band_ = 0;
  bool stale_ = true;  // the input is not on the GPU yet
  bool sourceLayered_ = false;
  double autoFocus_ = 1;  // scene units; in the middle of the picture
  std::string usedVariant_;
  std::string autoVariant_{kDefaultVariant};  // what "auto" means now
  TunedChoice tuned_{"dof", kSpace};          // where that comes from

  VariantPage variantPage_;

  struct Picker {
    std::optional<glm::ivec2> cursor, at;  // pixels
    double from = 1, to = 1;               // scene units
    std::chrono::steady_clock::time_point start;
    bool moving = false;
  } picker_;

  // The tile under the cursor, kept while it stays there.
  struct Inspected {
    std::uint64_t generation = 0;
    std::uint32_t tile = UINT32_MAX;
    std::vector<Entry> list;
  } inspected_;
  std::uint64_t generation_ = 0;
};

const TechniqueEntry& entry();

}  // namespace fathom::dof
