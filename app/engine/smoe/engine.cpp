// SPDX-License-Identifier: BSD-3-Clause
// Reading inputs, how the parts of the engine work together, and the entry in the list of
// techniques.
#include "app/engine/smoe/engine.h"

#include "app/engine/core/error.h"
#include "app/engine/gpu/slices.h"
#include "app/engine/io/picture.h"
#include "app/engine/io/view_folder.h"
#include "app/engine/smoe/fit/mixture.h"
#include "app/engine/smoe/fit/quality.h"
#include "app/engine/smoe/model/file.h"
#include "app/engine/smoe/model/reference.h"

namespace fathom::smoe {
namespace {

/// A fit begins with a component per this many pixels, up to the default number.
constexpr int kPixelsPerStart = 16;

bool isFlatPicture(const fs::path& file) {
  try {
    const FileKind kind = kindOf(file);
    return isPlainPicture(kind) || kind == FileKind::FlatExr;
  } catch (const Error&) {
    return false;
  }
}

/// What a fit begins with: coarse, but there at once.
Model initialModel(const TrainingSet& training, const std::string& input, int components) {
  Model model = emptyModel(training);
  model.source = input, model.fit = "the start of a fit";
  const int ofAlpha = alphaComponents(training, components);
  for (const Gaussian& gaussian : startMixture(training, std::max(1, components - ofAlpha)))
    model.components.push_back(rounded(whiten(gaussian, model.dims, input), model));
  if (isGray(model.colorSpace)) model = asGray(std::move(model));
  if (training.alpha)
    model.alpha = std::make_shared<const Model>(initialModel(*training.alpha, input, ofAlpha));
  return model;
}

/// Of a picture, or a folder of views or frames.
Model initialModel(const std::string& input, Progress& progress) {
  const TrainingSet training = readTraining(input, std::nullopt, progress);
  const int components =
      std::clamp(training.size.x * training.size.y / kPixelsPerStart, 1, Settings{}.components);
  return initialModel(training, input, components);
}

}  // namespace

// ---- Inputs

bool accepts(const std::vector<std::string>& inputs) {
  std::error_code ignored;
  if (inputs.size() != 1) return false;
  if (fs::is_directory(inputs[0], ignored)) return holdsPictures(inputs[0]);
  return fs::is_regular_file(inputs[0], ignored) &&
         (isModelFile(inputs[0]) || isFlatPicture(inputs[0]));
}

std::unique_ptr<LoadedInputs> read(const std::vector<std::string>& inputs, Progress& progress) {
  if (inputs.empty()) throw UsageError("smoe: expected a model, found no input");
  if (inputs.size() > 1)
    fail("{}: expected one model, found {} inputs", inputs.back(), inputs.size());
  const std::string& input = inputs[0];
  std::error_code ignored;
  const bool folder = fs::is_directory(input, ignored);
  if (!folder && (isModelFile(input) || !isFlatPicture(input)))
    return readModelInput(input, progress);
  auto loaded = std::make_unique<ModelInputs>();
  loaded->names = inputs;
  loaded->model = std::make_shared<const Model>(initialModel(input, progress));
  return loaded;
}

std::unique_ptr<LoadedInputs> readModelInput(const std::string& file, Progress& progress) {
  auto loaded = std::make_unique<ModelInputs>();
  loaded->names = {file};
  loaded->model = std::make_shared<const Model>(readModel(file, progress));
  return loaded;
}

// ---- The engine

void SmoeEngine::adopt(std::unique_ptr<LoadedInputs> inputs) {
  auto& own = ownInputs<ModelInputs>(*inputs);
  // A part or a view of another model says nothing about this one.
  const bool another = models_ && models_.inputs() != own.names;
  if (another) settings_.window.clear(), settings_.view.clear();
  models_.open(std::move(own.model), std::move(own.names));
  fit_.drop();
  // A picture is what its own model is fitted to and compared with.
  if (!models_.inputs().empty() && models_->source == models_.inputs()[0]) settings_.source.clear();
}

Image SmoeEngine::reference() const {
  FATHOM_CHECK(drawn() != nullptr);
  return gpu::runAsync(
      [model = *models_, window = drawn()->window] { return reference::picture(model, window); });
}

std::vector<std::pair<std::string, std::string>> SmoeEngine::chosen() const {
  if (!drawn()) return {};
  const DecodeOptions& used = drawn()->options;
  return {{"tile", std::to_string(used.tilePixels)}, {"masks", used.masks ? "on" : "off"}};
}

std::optional<Engine::Working> SmoeEngine::working() {
  if (!fit_.running() && !fit_.waiting()) return std::nullopt;
  const auto stop = [this] { fit_.stop(); };
  if (fit_.waiting()) return Working{"Fitting", 0, stop};
  const Progress& progress = fit_.progress();  // of a stage, each begins at 0
  return Working{progress.phase().empty() ? "fitting" : progress.phase(), progress.fraction(),
                 stop};
}

// ---- The entry in the registry

const TechniqueEntry& entry() {
  static const TechniqueEntry entry{
      {"smoe",
       "SMoE",
       "Steered mixtures of experts: images and light fields as a few thousand components, "
       "decoded with a bound on the error, and fitted to your own.",
       "Avramelos et al., \"Highly Parallel Steered Mixture-of-Experts Rendering at Pixel-Level "
       "for "
       "Image and Light Field Data\"",
       {".smoe", ".png", ".exr", ".ppm", ".pgm", ".jpg", ".jpeg", ".webp", ".tif", ".tiff",
        ".hdr"}},
      accepts,
      read,
      defaultSettings<Settings>,
      makeEngine<SmoeEngine>};
  return entry;
}

}  // namespace fathom::smoe
