// SPDX-License-Identifier: BSD-3-Clause
// Inputs, stages of work and the picture. What is told about it stands in report.cpp, the mouse and
// what is drawn over it in overlay.cpp, pages in panel*.cpp.
#include "app/techniques/smoe/technique.h"

#include "app/gpu/pass.h"
#include "app/io/image_file.h"
#include "app/techniques/smoe/bench.h"
#include "app/techniques/smoe/command.h"
#include "app/techniques/smoe/fit_mixture.h"
#include "app/techniques/smoe/io.h"
#include "app/techniques/smoe/reference.h"
#include "app/techniques/smoe/tuning.h"

#include <bit>
#include <cmath>
#include <filesystem>

namespace fathom::smoe {
namespace {

using Clock = std::chrono::steady_clock;

/// Reference lists leave out what weighs less than e^-40: nothing in double precision.
constexpr double kExactThreshold = 40;

/// A component per so many pixels begins a fit, up to the default number.
constexpr int kPixelsPerStart = 16;

bool isFlatPicture(const std::filesystem::path& file) {
  try {
    const FileKind kind = kindOf(file);
    return kind == FileKind::Png || kind == FileKind::Ppm || kind == FileKind::FlatExr;
  } catch (const Error&) {
    return false;
  }
}

/// What a fit to the picture begins with: coarse, but there at once.
Model beginningOf(const std::string& input, Progress& progress) {
  const TrainingSet training = readTraining(input, ColorSpace::Srgb, progress);
  Model model;
  model.width = training.size.x, model.height = training.size.y;
  model.colorSpace = training.colorSpace;
  model.centerFractionBits = fractionBitsFor(model.width, model.height);
  model.source = input, model.fit = "the start of a fit";
  const int count =
      std::clamp(model.width * model.height / kPixelsPerStart, 1, Settings{}.components);
  for (const Gaussian& gaussian : startMixture(training, count))
    model.components.push_back(rounded(whiten(gaussian, model.dims, input), model));
  return model;
}

/// Lists are shown on a scale that ends at a power of two.
float listGain(const ListFacts& lists) {
  return 256.0f / float(std::bit_ceil(std::max(lists.longest, 4u)));
}

}  // namespace

const TechniqueEntry& entry() {
  static const TechniqueEntry entry{
      {"smoe",
       "SMoE",
       "Steered mixtures of experts: pictures and light fields as a few thousand components, "
       "decoded with a bound on the error, and fitted to your own.",
       "Avramelos et al., \"Highly Parallel Steered Mixture-of-Experts Rendering at Pixel-Level for "
       "Image and Light Field Data\"",
       {".smoe", ".png", ".exr", ".ppm"}},
      accepts,
      read,
      defaultSettings<Settings>,
      makeTechnique<SmoeTechnique>,
      {"model", "fit"},
      commands,
      benches,
      tunables};
  return entry;
}

// Inputs
// -------------------------------------------------------------------------------------------------

bool accepts(const std::vector<std::string>& inputs) {
  std::error_code ignored;
  return inputs.size() == 1 && std::filesystem::is_regular_file(inputs[0], ignored) &&
         (isModelFile(inputs[0]) || isFlatPicture(inputs[0]));
}

std::unique_ptr<LoadedInputs> read(const std::vector<std::string>& inputs, Progress& progress) {
  if (inputs.empty()) throw UsageError("smoe: expected a model, found no input");
  if (inputs.size() > 1)
    fail("{}: expected one model, found {} inputs", inputs.back(), inputs.size());
  const std::string& input = inputs[0];
  if (isModelFile(input) || !isFlatPicture(input)) return readModelInput(input, progress);
  auto loaded = std::make_unique<ModelInputs>();
  loaded->names = inputs;
  loaded->model = std::make_shared<const Model>(beginningOf(input, progress));
  return loaded;
}

std::unique_ptr<LoadedInputs> readModelInput(const std::string& file, Progress& progress) {
  auto loaded = std::make_unique<ModelInputs>();
  loaded->names = {file};
  loaded->model = std::make_shared<const Model>(readModel(file, progress));
  return loaded;
}

void SmoeTechnique::adopt(std::unique_ptr<LoadedInputs> inputs) {
  auto& own = ownInputs<ModelInputs>(*inputs);
  adopt(std::move(own.model), std::move(own.names));
}

void SmoeTechnique::adopt(std::shared_ptr<const Model> model, std::vector<std::string> names) {
  model_ = std::move(model);
  inputs_ = std::move(names);
  ++modelGeneration_;
  fit_.drop();
  checks_.drop();
  fitWanted_ = unsaved_ = false;
  savedAs_ = "model.smoe";
  if (inputs_.empty()) return;
  savedAs_ = std::filesystem::path(inputs_[0]).replace_extension(".smoe").string();
  // A picture is what its own model is fitted to and compared with.
  if (model_->source == inputs_[0]) settings_.source.clear();
}

glm::ivec2 SmoeTechnique::pictureSize() const {
  if (askedSize_.x > 0) return askedSize_;
  return settings_.window.empty() ? glm::ivec2(0) : room_;
}

glm::ivec2 SmoeTechnique::size() const {
  if (shown_) return {shown_.width(), shown_.height()};
  if (!model_) return glm::ivec2(0);
  const glm::ivec2 asked = pictureSize();
  return asked.x > 0 ? asked : glm::ivec2(model_->width, model_->height);
}

// The picture
// -------------------------------------------------------------------------------------------------

bool SmoeTechnique::sameAsDrawn(Drawing wanted) const {
  if (!drawn_) return false;
  if (wanted.show == Show::Lists) wanted.gain = drawn_->gain;  // follows from the lists
  return wanted == *drawn_;
}

SmoeTechnique::Drawing SmoeTechnique::wanted() const {
  Drawing wanted{windowFor(*model_, settings_, pictureSize()), optionsOf(settings_, variant_),
                 settings_.show, 1, modelGeneration_};
  if (settings_.show == Show::Error)
    wanted.source = source_.ready().get(), wanted.gain = settings_.errorGain;
  return wanted;
}

/// True when the picture in work differs from what is wanted by its window and view alone: while
/// something is dragged, complete pictures follow, rather than beginnings of new ones.
bool SmoeTechnique::onlyMoved() const {
  if (!asked_ || stale_) return false;
  Drawing moved = wanted();
  moved.window = asked_->window;
  if (moved.show == Show::Lists) moved.gain = asked_->gain;
  return moved == *asked_;
}

/// What settings leave open is as tuned, else as suits the device.
void SmoeTechnique::chooseVariant() {
  const gpu::Variant before = variant_;
  variant_ = defaultVariant(gpu_->device().software);
  if (settings_.tile == TileSize::Auto || settings_.masks == Masks::Auto) {
    if (const auto tuned = tuned_.choose(*gpu_, tunables()[0], pictureSize())) variant_ = *tuned;
  } else {
    tuned_.forget();
  }
  if (decoder_ && before[kFetch] == variant_[kFetch]) return;
  decoder_ = std::make_unique<Decoder>(*gpu_, DecoderForms{variant_[kFetch] == 0});
  stale_ = true;
}

void SmoeTechnique::begin() {
  chooseVariant();
  const Drawing next = wanted();
  asked_.reset();
  if (!stale_ && sameAsDrawn(next)) return;
  if (stale_ || uploaded_ != modelGeneration_) {
    decoder_->setModel(*model_);
    uploaded_ = modelGeneration_;
  }
  asked_ = next;
  const glm::ivec2 size = next.window.size;
  if (!next_ || next_.width() != size.x || next_.height() != size.y) {
    next_ = gpu::Texture(*gpu_, "smoe picture", gpu::TextureFormat::Rgba32f, size.x, size.y);
    next_.setNearest(true);
  }
  stale_ = false;
}

bool SmoeTechnique::advance(double budgetMs) {
  const Clock::time_point start = Clock::now();
  const auto left = [&] {
    const std::chrono::duration<double, std::milli> spent = Clock::now() - start;
    return std::max(1.0, budgetMs - spent.count());
  };
  if (!decoder_->build(asked_->window, asked_->options, budgetMs)) return false;
  if (asked_->show == Show::Picture || asked_->show == Show::Error) {
    if (!decoder_->shade(next_, left())) return false;
    if (asked_->source) showError(next_);
  } else {
    if (asked_->show == Show::Lists) asked_->gain = listGain(decoder_->facts());
    decoder_->show(next_, asked_->show, asked_->gain);
  }
  std::swap(shown_, next_);
  drawn_ = asked_;
  asked_.reset();
  ++pictures_;
  return true;
}

bool SmoeTechnique::update(gpu::Context& gpu, Effect effect, double budgetMs) {
  if (!model_) return true;
  if (gpu_ != &gpu) {
    gpu_ = &gpu;
    shown_ = {}, next_ = {};
    decoder_.reset();
    stale_ = true;
  }
  if (effect == Effect::Rebuild) stale_ = true;
  if (effect != Effect::None || stale_ || uploaded_ != modelGeneration_) {
    moved_ = onlyMoved();
    if (!moved_) begin();
  }
  if (asked_ && !advance(budgetMs)) return false;
  if (std::exchange(moved_, false)) begin();
  return !asked_;
}

Image SmoeTechnique::reference() const {
  FATHOM_CHECK(drawn_.has_value());
  const ViewWindow& window = drawn_->window;
  const int samples = window.samples;
  const std::vector<Record> records = reference::recordsOf(*model_, window.at);
  const reference::Grid grid{window.size * samples, window.corner, window.step / samples};
  constexpr int tile = 16;
  const reference::BoundedLists lists =
      reference::boundedLists(records, grid, tile, kExactThreshold);
  const Image fine = reference::toImage(reference::decode(records, grid, lists.lists, tile),
                                        grid.size, model_->colorSpace);
  if (samples == 1) return fine;
  Image picture(window.size.x, window.size.y);
  for (int y = 0; y < grid.size.y; ++y)
    for (int x = 0; x < grid.size.x; ++x)
      picture.at(x / samples, y / samples) += fine.at(x, y) / float(samples * samples);
  return picture;
}

// Beside the picture
// ------------------------------------------------------------------------------------------

Effect SmoeTechnique::takeChange() { return std::exchange(pending_, Effect::None); }

bool SmoeTechnique::backgroundStep(gpu::Context& gpu, double budgetMs) {
  if (!complaint_.empty()) throw UsageError(std::exchange(complaint_, {}));
  turn();
  if (settings_.show == Show::Error && model_ && !source_.busy() && !fitWanted_) {
    const SourceRequest request = sourceRequest();
    if (!request.input.empty()) source_.ask(request);
  }
  workFit(gpu, budgetMs);
  const bool checking = checks_.work(gpu, budgetMs);
  return checking || source_.busy() || fit_.running() || animated();
}

bool SmoeTechnique::animated() const { return settings_.orbit && model_ && model_->leading() > 0; }

std::optional<Part> SmoeTechnique::part() const {
  try {
    return parseWindow(settings_.window);
  } catch (const UsageError&) {
    return std::nullopt;  // said by the next update()
  }
}

ViewCoordinates SmoeTechnique::view() const {
  try {
    return parseView(settings_.view, model_->leading());
  } catch (const UsageError&) {
    return drawn_ ? drawn_->window.at : ViewCoordinates(0);
  }
}

const ListFacts& SmoeTechnique::listFacts() const {
  if (!asked_ && lists_.of != pictures_) lists_ = {decoder_->facts(), pictures_};
  return lists_.facts;
}

void SmoeTechnique::setView(ViewCoordinates at) {
  settings_.view = viewText(at, model_->leading());
  pending_ = std::max(pending_, Effect::Redraw);
}

const std::vector<Record>& SmoeTechnique::recordsOfView() {
  const ViewCoordinates at = drawn_ ? drawn_->window.at : ViewCoordinates(0);
  if (sliced_.model != modelGeneration_ || sliced_.at != at)
    sliced_ = {reference::recordsOf(*model_, at), modelGeneration_, at, {}};
  return sliced_.records;
}

}  // namespace fathom::smoe
