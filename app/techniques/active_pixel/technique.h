// SPDX-License-Identifier: BSD-3-Clause
// Active pixels as the window sees them: a scene dealt out to parts inside one process, each drawn
// and compressed, composited as ranks would be; or a compressed image from a file.
#pragma once

#include "app/techniques/active_pixel/mode_times.h"
#include "app/techniques/active_pixel/parts.h"
#include "app/techniques/active_pixel/settings.h"
#include "app/techniques/active_pixel/share.h"
#include "app/techniques/active_pixel/tuning.h"
#include "app/techniques/technique.h"

#include <chrono>
#include <memory>
#include <optional>

namespace fathom::active_pixel {

class ActivePixelTechnique : public Technique {
 public:
  const Info& info() const override;
  void describe(FieldVisitor& field) override;
  bool accepts(const std::string& input) const override;
  Adopt read(const std::vector<std::string>& inputs, Progress& progress) override;
  const std::vector<std::string>& inputs() const override { return inputs_; }
  void setSize(int width, int height) override;
  glm::ivec2 size() const override { return size_; }
  Camera* camera() override { return source_ ? &camera_ : nullptr; }
  std::optional<glm::vec3> pick(int x, int y) override;
  bool update(gpu::Context& gpu, Effect effect, double budgetMs) override;
  const gpu::Texture& result() const override { return shown_; }
  /// The composite of the parts, by the reference.
  Image reference() const override;
  std::optional<PixelReport> inspect(int x, int y) override;
  std::vector<LegendEntry> legend() const override;
  std::vector<std::pair<std::string, std::string>> facts() const override;
  std::vector<TechniquePage> pages() const override;
  void drawPage(const std::string& name) override;
  /// Turns the scene on, once the picture is there and, with the page of modes open, measured.
  Effect takeChange() override;
  /// Measures all modes on the current picture while their page is open.
  bool backgroundStep(gpu::Context& gpu, double budgetMs) override;
  bool animated() const override { return settings_.turn && source_; }

  // For commands, benches and tests.
  Settings& settingsStruct() { return settings_; }
  const Settings& settingsStruct() const { return settings_; }
  const ShareSource* source() const { return source_.get(); }
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
  std::vector<std::string> inputs_;
  std::shared_ptr<const ShareSource> source_;  // null: nothing, or a file
  std::shared_ptr<const SparseImage> file_;
  SparseFacts fileFacts_;
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

std::unique_ptr<Technique> make();
const Info& staticInfo();

}  // namespace fathom::active_pixel
