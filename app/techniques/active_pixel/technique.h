// SPDX-License-Identifier: BSD-3-Clause
// Active pixels as the window sees them: a scene dealt out to parts inside one process, each drawn
// and compressed, composited as ranks would be; or a compressed image from a file.
#pragma once

#include "app/techniques/active_pixel/mode_times.h"
#include "app/techniques/active_pixel/parts.h"
#include "app/techniques/active_pixel/settings.h"
#include "app/techniques/active_pixel/share.h"
#include "app/techniques/active_pixel/tuning.h"
#include "app/techniques/facets.h"
#include "app/techniques/technique.h"

#include <chrono>
#include <memory>
#include <optional>

namespace fathom::active_pixel {

/// Either a source of shares or a compressed image.
struct Input : LoadedInputs {
  std::shared_ptr<const ShareSource> source;
  std::shared_ptr<const SparseImage> file;
  SparseFacts facts;  // of the file
};
bool accepts(const std::vector<std::string>& inputs);
/// One scene, folder of OBJ files or .icet file. Throws Error.
std::unique_ptr<LoadedInputs> read(const std::vector<std::string>& inputs, Progress& progress);

class ActivePixelTechnique : public Technique,
                             public Panels,
                             public Playing,
                             public Inspection,
                             public Legend,
                             public Background {
 public:
  void describe(FieldVisitor& field) override;
  void adopt(std::unique_ptr<LoadedInputs> inputs) override;
  const std::vector<std::string>& inputs() const override { return input_.names; }
  void setSize(int width, int height) override;
  glm::ivec2 size() const override { return size_; }
  Camera* camera() override { return input_.source ? &camera_ : nullptr; }
  std::optional<glm::vec3> pick(int x, int y) override;
  bool update(gpu::Context& gpu, Effect effect, double budgetMs) override;
  const gpu::Texture& result() const override { return shown_; }
  /// The composite of the parts, by the reference.
  Image reference() const override;
  std::optional<PixelReport> inspect(int x, int y) override;
  std::vector<LegendEntry> entries() const override;
  std::vector<std::pair<std::string, std::string>> facts() const override;
  std::vector<TechniquePage> pages() const override;
  void drawPage(const std::string& name) override;
  /// Turns the scene on, once the picture is there and, with the page of modes open, measured.
  Effect takeChange() override;
  /// Measures all modes on the current picture while their page is open.
  bool backgroundStep(gpu::Context& gpu, double budgetMs) override;
  bool animated() const override { return settings_.turn && input_.source; }

  Panels* panels() override { return this; }
  Playing* playing() override { return this; }
  Inspection* inspection() override { return this; }
  Legend* legend() override { return this; }
  Background* background() override { return this; }


  // For commands, benches and tests.
  Settings& settingsStruct() { return settings_; }
  const Settings& settingsStruct() const { return settings_; }
  const ShareSource* source() const { return input_.source.get(); }
  const std::vector<Part>& parts() const;
  const Frame& composited() const { return composited_; }
  const ModeHistory& modeTimes() const { return modes_; }
  std::uint64_t pictures() const { return pictures_; }  // made so far
  /// How a turning scene turns, in degrees per picture (Lipinski et al. 2021, sec. 4).
  static constexpr float kTurnDeg = 2;

 private:
  enum class Stage { Take, Compress, Composite, Show, Done };
  void startPicture();
  void step();
  void takeShare();
  void composite();
  void show();
  PartView view() const;
  std::vector<int> order() const;
  std::vector<Words> sparseImages() const;
  Compositing compositing() const;
  bool modesPageOpen() const;

  Settings settings_;
  Input input_;
  Camera camera_;
  glm::ivec2 size_{0};

  gpu::Context* gpu_ = nullptr;
  std::unique_ptr<Parts> parts_;
  int takenParts_ = 0;  // how the shares that are there were taken
  Split takenSplit_ = Split::Objects;
  Stage stage_ = Stage::Done;
  std::size_t next_ = 0;  // part that the stage comes to next
  Way way_;
  TunedChoice tuned_{"active-pixel", kSpace};
  bool stale_ = true;  // nothing of the input is on the GPU yet
  Frame composited_;
  double compositeMs_ = 0;
  gpu::Texture frame_, codes_, shown_;
  std::uint64_t pictures_ = 0;

  ModeHistory modes_;
  std::chrono::steady_clock::time_point modesSeen_{};  // when their page was drawn last
  std::chrono::steady_clock::time_point turned_{};
};

const TechniqueEntry& entry();

}  // namespace fathom::active_pixel
