// SPDX-License-Identifier: BSD-3-Clause
// SMoE as window, commands and benchmarks drive it: a model from a file or one that is being
// fitted, and its picture for any window, size and view.
#pragma once

#include "app/engine/engine.h"
#include "app/engine/inspect.h"
#include "app/engine/smoe/fit_job.h"
#include "app/engine/smoe/open_model.h"
#include "app/engine/smoe/picture.h"
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

class SmoeEngine : public Engine {
 public:
  void describe(FieldVisitor& field) override { smoe::describe(settings_, field); }
  void adopt(std::unique_ptr<LoadedInputs> inputs) override;
  const std::vector<std::string>& inputs() const override { return models_.inputs(); }
  void setSize(int width, int height) override { picture_.setViewport({width, height}); }
  Frame frame() const override {
    const gpu::Texture& shown = picture_.texture();
    return {.picture = shown ? &shown : nullptr, .size = picture_.size()};
  }
  bool stale() const override { return picture_.stale(); }
  void restart() override { picture_.restart(); }
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
  Picture& picture() { return picture_; }
  FitJob& fit() { return fit_; }
  /// One per component of the current model, in the view that is shown; sliced in float64 on the
  /// CPU when somebody looks at them.
  const std::vector<Record>& records();

 private:
  bool work(gpu::Context& gpu, double budgetMs) override;

  // In the order of who needs whom.
  Settings settings_;
  ModelStore models_{settings_};
  ModelSource source_{settings_, models_};
  Picture picture_{settings_, models_, source_};
  FitJob fit_{settings_, models_, source_};
  struct Sliced {
    std::uint64_t model = 0;  // its generation
    ViewCoordinates at{0};
    std::vector<Record> records;
  };
  Sliced sliced_;  // for records()
};

/// "1.25, -0.5" for light fields, "3.5" for video.
std::string viewLabel(ViewCoordinates at, int leading);

}  // namespace fathom::smoe
