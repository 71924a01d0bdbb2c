// SPDX-License-Identifier: BSD-3-Clause
// SMoE as the window, the commands and the benchmarks see it: a model from a file or one that is
// being fitted, and its picture for any window, size and view.
#pragma once

#include "app/techniques/facets.h"
#include "app/techniques/smoe/checks.h"
#include "app/techniques/smoe/decoder.h"
#include "app/techniques/smoe/fit_session.h"
#include "app/techniques/smoe/fit_source.h"
#include "app/techniques/smoe/framing.h"
#include "app/techniques/smoe/model.h"
#include "app/techniques/smoe/settings.h"
#include "app/techniques/technique.h"
#include "app/techniques/tuned.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fathom::smoe {

/// A model as it was read, or what a fit to the picture begins with.
struct ModelInputs : LoadedInputs {
  std::shared_ptr<const Model> model;
};

/// A model file, or a picture to fit one to.
bool accepts(const std::vector<std::string>& inputs);
std::unique_ptr<LoadedInputs> read(const std::vector<std::string>& inputs, Progress& progress);
/// The same where only a model will do.
std::unique_ptr<LoadedInputs> readModelInput(const std::string& file, Progress& progress);

class SmoeTechnique : public Technique,
                      public Editing,
                      public Playing,
                      public Panels,
                      public PictureTools,
                      public Inspection,
                      public Legend,
                      public Background {
 public:
  void describe(FieldVisitor& field) override { smoe::describe(settings_, field); }
  void adopt(std::unique_ptr<LoadedInputs> inputs) override;
  const std::vector<std::string>& inputs() const override { return inputs_; }
  /// The room there is: what a part of the model fills. A whole model has its own size.
  void setSize(int width, int height) override { room_ = {width, height}; }
  glm::ivec2 size() const override;
  bool update(gpu::Context& gpu, Effect effect, double budgetMs) override;
  const gpu::Texture& result() const override { return shown_; }
  Image reference() const override;
  std::optional<PixelReport> inspect(int x, int y) override;                // report.cpp
  std::vector<LegendEntry> entries() const override;                        // report.cpp
  std::vector<std::pair<std::string, std::string>> facts() const override;  // report.cpp

  std::vector<TechniquePage> pages() const override;  // panel.cpp
  void drawPage(const std::string& name) override;
  std::vector<TechniqueAction> actions() override;
  std::optional<TechniqueFile> savable() const override;
  void save(const std::string& file) override;
  bool unsaved() const override { return unsaved_; }
  Effect takeChange() override;
  bool backgroundStep(gpu::Context& gpu, double budgetMs) override;
  bool animated() const override;
  bool interact(const PictureInput& input) override;   // overlay.cpp
  void drawOverlay(PictureOverlay& overlay) override;  // overlay.cpp

  Editing* editing() override { return this; }
  Playing* playing() override { return this; }
  Panels* panels() override { return this; }
  PictureTools* tools() override { return this; }
  Inspection* inspection() override { return this; }
  Legend* legend() override { return this; }
  Background* background() override { return this; }

  // The fit, in fitting.cpp.
  /// What the settings name, or the model that is open; empty: nothing.
  std::string sourceName() const;
  /// Fits a new model to the source, or goes on with the one that is open.
  void startFit(bool fromModel);
  const FitSession& fit() const { return fit_; }
  /// Reads what the model is compared with, now. Throws Error: there is none, it is unreadable, or
  /// of another shape than the model.
  void readSource(gpu::Context& gpu, Progress& progress);

  // For commands, benches and pages, beyond what the window needs.
  Settings& settingsStruct() { return settings_; }
  const Settings& settingsStruct() const { return settings_; }
  const Model* model() const { return model_.get(); }
  /// Makes a model current that was read or made elsewhere.
  void adopt(std::shared_ptr<const Model> model, std::vector<std::string> names);
  /// A picture of this size instead of the model's own.
  void resize(glm::ivec2 size) { askedSize_ = size; }
  /// What the picture of now shows; none before the first one.
  const ViewWindow* window() const { return drawn_ ? &drawn_->window : nullptr; }
  /// Null before the first update().
  const Decoder* decoder() const { return decoder_.get(); }

 private:
  /// Everything that a picture is made from.
  struct Drawing {
    ViewWindow window;
    DecodeOptions options;
    Show show = Show::Picture;
    float gain = 1;
    std::uint64_t model = 0;
    const TrainingSet* source = nullptr;  // of the difference
    bool operator==(const Drawing&) const = default;
  };
  /// The form of the fit page's rows that are no settings.
  struct FitForm {
    CaptureRequest capture;
    int seed = 1, more = 500, added = 200;
  };
  glm::ivec2 pictureSize() const;
  Drawing wanted() const;
  bool sameAsDrawn(Drawing wanted) const;
  bool onlyMoved() const;
  void chooseVariant();
  void begin();
  bool advance(double budgetMs);
  void setView(ViewCoordinates at);
  const std::vector<Record>& recordsOfView();
  void drawEllipses(PictureOverlay& overlay);
  /// What the settings' texts say, or what is shown while they are no window and no view.
  std::optional<Part> part() const;
  ViewCoordinates view() const;
  const ListFacts& listFacts() const;
  void zoom(const PictureInput& input);
  void moveView(glm::dvec2 dragged);
  std::string viewName(ViewCoordinates at) const;
  SourceRequest sourceRequest() const;
  bool sourceFits() const;
  void demandSource() const;
  void showError(const gpu::Texture& picture);
  void workFit(gpu::Context& gpu, double budgetMs);
  void showModelOfFit();
  void drawHeat(gpu::Context& gpu);
  void turn();
  std::size_t bytesAs(Encoding encoding) const;

  void drawFitPage();  // panel_fit.cpp
  void drawFitSource();
  void drawFitButtons();
  void addToFit();
  void drawFitState();
  void drawSaving();
  void drawModelPage();  // panel_model.cpp
  void drawViewRows();
  void drawLists();
  void drawFidelity();

  Settings settings_;
  std::vector<std::string> inputs_;
  std::shared_ptr<const Model> model_;
  std::uint64_t modelGeneration_ = 0;  // counts models, 0: none yet
  glm::ivec2 askedSize_{0}, room_{0};

  gpu::Context* gpu_ = nullptr;
  gpu::Variant variant_ = defaultVariant(false);
  TunedChoice tuned_{"smoe", kSpace};
  std::unique_ptr<Decoder> decoder_;
  std::uint64_t uploaded_ = 0;            // generation of the model that the decoder has
  gpu::Texture shown_, next_;             // the last complete picture, and the one in work
  std::optional<Drawing> drawn_, asked_;  // what they show
  bool moved_ = false;                    // since asked_: to be made again when that is complete
  bool stale_ = true;                     // to be made again though nothing is different
  Effect pending_ = Effect::None;

  struct {
    std::vector<Record> records;
    std::uint64_t model = 0;
    ViewCoordinates at{0};
    std::vector<OverlayColor> colors;  // of the components, made for ellipses
  } sliced_;                           // of the view, for ellipses and read-outs

  // Fitting, comparing, measuring.
  FitForm form_;
  FitSource source_;
  FitSession fit_;
  Checks checks_;
  bool fitWanted_ = false, fitFromModel_ = false;  // as soon as the source is there
  bool unsaved_ = false;
  std::string savedAs_;  // suggestion for the next save
  std::chrono::steady_clock::time_point modelTaken_{};
  double takingMs_ = 0;         // what showing the model of a fit took
  std::uint64_t shownFit_ = 0;  // the fit's generation whose model is shown
  gpu::Texture sourceTexture_;  // linear, of sourceShown_
  const TrainingSet* sourceShown_ = nullptr;
  std::size_t sourceIndex_ = 0;  // its picture
  gpu::Texture heat_;            // the fit's error, for the page
  std::uint64_t heatOf_ = 0;     // the fit's generation that it shows
  float heatGain_ = 8;
  mutable struct {
    ListFacts facts;
    std::uint64_t of = 0;  // generation of the picture
  } lists_;
  std::string complaint_;  // of a page; said by backgroundStep(), where it is caught
  mutable struct {
    std::array<std::size_t, 3> bytes{};  // per encoding
    std::uint64_t model = 0;
  } sizes_;
  struct {
    std::vector<std::uint32_t> lengths;
    std::uint64_t of = 0;  // generation of the picture
  } listLengths_;
  std::uint64_t pictures_ = 0;  // counts them
};

const TechniqueEntry& entry();

}  // namespace fathom::smoe
