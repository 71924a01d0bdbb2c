// SPDX-License-Identifier: BSD-3-Clause
// SMoE as window, commands and benchmarks drive it: a model from a file or one that is being
// fitted, and its picture for any window, size and view, decoded in stages: upload, lists, shading.
// While one is being made, the last complete one stays.
#pragma once

#include "app/engine/core/stages.h"
#include "app/engine/engine.h"
#include "app/engine/smoe/decode/decoder.h"
#include "app/engine/smoe/fit_job.h"
#include "app/engine/smoe/open_model.h"
#include "app/engine/smoe/settings.h"

namespace fathom::smoe {

/// SMoE in the registry.
const TechniqueEntry& entry();

/// A model as it was read, or what a fit to a picture begins with.
struct ModelInputs : LoadedInputs {
  std::shared_ptr<const Model> model;
};

/// A model file, or a picture to fit one to.
bool accepts(const std::vector<std::string>& inputs);
std::unique_ptr<LoadedInputs> read(const std::vector<std::string>& inputs, Progress& progress);
/// As read(), but only a model will do.
std::unique_ptr<LoadedInputs> readModelInput(const std::string& file, Progress& progress);

// ---- Pictures of errors: the difference of a decoded picture from its source, and the small heat
// map of a fit that is in progress

/// Turns pictures into their amplified difference from a source.
class DifferenceView {
 public:
  /// `picture` (Rgba32f of window.size) becomes gain times its difference from the view or frame of
  /// the source that is nearest to window.at.
  void apply(gpu::Context& gpu, const gpu::Texture& picture, const ViewWindow& window, float gain,
             const SharedTraining& source);
  /// Draws source, picture and amplified difference side by side into `result`, Rgba32f of three
  /// times the window's width. Without a source only the picture.
  void applyBeside(gpu::Context& gpu, const gpu::Texture& picture, const gpu::Texture& result,
                   const ViewWindow& window, float gain, const SharedTraining& source);

 private:
  void show(gpu::Context& gpu, const SharedTraining& source, ViewCoordinates at);
  void upload(gpu::Context& gpu, std::size_t index);

  SharedTraining source_;
  std::size_t index_ = 0;  // of the source's picture that texture_ holds
  gpu::Texture texture_;   // linear
};

/// The error of a fit as a small picture in false color.
class ErrorHeat {
 public:
  static constexpr float kGain = 8;

  void draw(gpu::Context& gpu, const gpu::Texture& error);
  const gpu::Texture& texture() const { return texture_; }

 private:
  gpu::Texture texture_;
};

// ---- The engine

class SmoeEngine : public Engine {
 public:
  SmoeEngine();

  void describe(FieldVisitor& field) override { smoe::describe(settings_, field); }
  void adopt(std::unique_ptr<LoadedInputs> inputs) override;
  const std::vector<std::string>& inputs() const override { return models_.inputs(); }
  /// The room in the window, px: what a part of the model fills, and what the whole model fills
  /// when it is smaller.
  void setSize(int width, int height) override { viewport_ = {width, height}; }
  Frame frame() const override {
    return {.picture = shown_ ? &shown_ : nullptr, .size = pictureSize()};
  }
  bool stale() const override { return models_ && asked_ != asking(); }
  void restart() override;
  Image reference() const override;
  std::vector<std::pair<std::string, std::string>> chosen() const override;
  std::vector<std::pair<std::string, std::string>> facts() const override;
  /// A fit, which can be stopped.
  std::optional<Working> working() override;
  /// The list of the pixel's tile, each component with its gate; the largest gate first.
  std::optional<PixelReport> inspect(int x, int y) override;
  /// The colors of show_tiles.comp and output.glsl.
  std::vector<LegendEntry> legend() const override;

  // What the window's parts, commands and tests work with.
  Settings& settingsStruct() { return settings_; }
  ModelStore& models() { return models_; }
  ModelSource& source() { return source_; }
  FitJob& fit() { return fit_; }
  /// One per component of the current model, in the view that is shown; sliced in float64 on the
  /// CPU when somebody looks at them.
  const std::vector<Record>& records();

  /// Everything that a picture is made from.
  struct Recipe {
    std::uint64_t model = 0;  // its generation
    ViewWindow window;
    DecodeOptions options;
    Show show = Show::Picture;
    float gain = 1;
    SharedTraining source;  // of the difference
    bool operator==(const Recipe&) const = default;
  };

  /// A picture of this size instead of the model's own.
  void resize(glm::ivec2 size) { fixedSize_ = size; }
  /// The window that the settings ask for now. Throws UsageError when their texts are none.
  ViewWindow wantedWindow() const;

  bool inProgress() const { return target_ && !stages_.complete(); }

  /// How many pictures of the window stand side by side in what is shown, or will be: source, model
  /// and error, or one.
  int panels() const;
  /// Where the model's own begins, px.
  glm::ivec2 modelPanel() const;

  /// What it was made from; null before the first one. The gain is that of the picture.
  const Recipe* drawn() const { return drawn_ ? &*drawn_ : nullptr; }
  /// Null before the first step().
  const Decoder* decoder() const { return decoder_.get(); }
  /// Of the lists that the picture was made with; the first call after step() waits for the
  /// device.
  const ListFacts& listFacts() const;
  /// Components per tile, likewise.
  const std::vector<std::uint32_t>& listLengths() const;

 private:
  bool work(gpu::Context& gpu, double budgetMs) override;
  /// What recipes follow from.
  struct Asked {
    std::uint64_t model = 0;  // its generation
    glm::ivec2 size{0};
    Settings settings;
    SharedTraining source;
    bool operator==(const Asked&) const = default;
  };
  void useContext(gpu::Context& gpu);
  glm::ivec2 requestedSize() const;
  Recipe wanted() const;
  Asked asking() const;
  void retarget();
  void uploadModel();
  bool draw(double budgetMs);
  /// Of the picture that is shown, else of the one that will be; (0, 0) without a model.
  glm::ivec2 pictureSize() const;

  // In the order of who needs whom.
  Settings settings_;
  ModelStore models_{settings_};
  ModelSource source_{settings_, models_};
  FitJob fit_{settings_, models_, source_};
  struct Sliced {
    std::uint64_t model = 0;  // its generation
    ViewCoordinates at{0};
    std::vector<Record> records;
  };
  Sliced sliced_;  // for records()

  glm::ivec2 fixedSize_{0}, viewport_{0};

  gpu::Context* gpu_ = nullptr;
  std::unique_ptr<Decoder> decoder_;
  Stages stages_;
  std::optional<Asked> asked_;    // by the newest retarget()
  std::optional<Recipe> target_;  // what the stages work on
  bool movedOn_ = false;  // the view has moved since: to be made again when that is complete
  gpu::Texture next_;     // the picture in progress
  gpu::Texture decoded_;  // its model, where it has panels
  DifferenceView difference_;

  gpu::Texture shown_;
  std::optional<Recipe> drawn_;
  std::uint64_t count_ = 0;  // of complete pictures
  template <class T>
  struct Cached {
    T value{};
    std::uint64_t picture = 0;  // by count_
  };
  mutable Cached<ListFacts> facts_;
  mutable Cached<std::vector<std::uint32_t>> lengths_;
};

/// "1.25, -0.5" for light fields, "3.5" for video.
std::string viewLabel(ViewCoordinates at, int leading);

}  // namespace fathom::smoe
