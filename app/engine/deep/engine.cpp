// SPDX-License-Identifier: BSD-3-Clause
// Which of picture and points is brought up to date, and what is said of them.
#include "app/engine/deep/engine.h"

#include "app/engine/core/error.h"
#include "app/engine/core/text.h"
#include "app/engine/deep/bands/merge.h"
#include "app/engine/deep/bands/steps.h"
#include "app/engine/deep/lists/arrange_lists.h"
#include "app/engine/scene/load_scene.h"

namespace fathom::deep {

// ---- Inputs and settings

void DeepEngine::describe(FieldVisitor& field) { deep::describe(settings_, field); }

void DeepEngine::adopt(std::unique_ptr<LoadedInputs> inputs) {
  auto& loaded = ownInputs<Loaded>(*inputs);
  if (loaded.names.empty()) {
    if (!inputs_.isOpen()) fail("{}: expected open deep images, found none", loaded.recipeFile);
    settings_.steps = loaded.recipe;
    return;
  }
  stopSteps();
  inputs_.adopt(std::move(loaded), settings_.thickness);
  bands_.clear();
  work_ = Work::None;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < inputs_.count(); ++i)
    names.push_back(inputs_.scene() ? inputs_.nameOf(i) : inputs_.names()[i]);
  // Edits stay when as many inputs come again: a file was read anew, or another part of it. When
  // inputs came or went, the others keep theirs.
  const std::vector<std::string> before = std::exchange(inputsEdited_, names);
  if (before.size() != names.size() && !before.empty()) carryEdits(settings_, before, names);
}

void DeepEngine::adoptFrame(const Loaded& frame) {
  stopSteps();
  inputs_.adopt(Loaded(frame), settings_.thickness);
  inputsEdited_ = inputs_.names();
  bands_.clear();
}

void DeepEngine::setSize(int width, int height) {
  if (showsPoints())
    points_.setSize({width, height});  // the scene's own lists stay as they are
  else
    inputs_.setSize(width, height);
}

Frame DeepEngine::frame() const {
  const gpu::Texture& shown = pointsShown_ ? points_.texture() : picture_.texture();
  Frame frame{.picture = shown ? &shown : nullptr};
  if (showsPoints()) {
    frame.size = points_.size();
    frame.refines = pointsShown_;
    return frame;
  }
  frame.size = inputs_.size(), frame.origin = inputs_.origin();
  if (!inputs_.images().empty()) frame.pixelAspect = inputs_.images()[0].pixelAspect;
  return frame;
}

Camera* DeepEngine::camera() {
  if (showsPoints()) return &points_.camera();
  return inputs_.scene() ? &inputs_.camera() : nullptr;
}

std::optional<Camera> DeepEngine::homeCamera() const {
  if (showsPoints()) return homePointCamera();
  return inputs_.scene() ? std::optional(inputs_.scene()->camera) : std::nullopt;
}

void DeepEngine::resolveSettings(gpu::Context& gpu) {
  inputs_.setThickness(settings_.thickness);
  setup_ = MergeSetup(resolveAuto(settings_, gpu, inputs_.size(), tuned_), inputs_);
  bands_.require(listsKeyOf(inputs_, setup_, gpu), setup_);
}

void DeepEngine::keepResolved() {
  settings_.layout = setup_.settings.layout;
  settings_.blockSize = setup_.settings.blockSize, settings_.slots = setup_.settings.slots;
}

// ---- Steps

DeepEngine::StepsAsked DeepEngine::stepsAsked() const {
  if (settings_.steps.empty()) return {};
  return {inputs_.openedGeneration(), withoutView(settings_), frameNumber_};
}

/// What is being made is finished and shown before newer steps begin, so that a number that is
/// dragged shows.
bool DeepEngine::proceedSteps(double budgetMs) {
  if (!making_.valid()) {
    inputs_.setThickness(settings_.thickness);
    StepsAsked now = stepsAsked();
    if (now == stepsOf_) return true;
    stepsOf_ = std::move(now);
    asked_ = asking(), work_ = Work::None;
    stop_ = false;
    making_ = std::async(std::launch::async, [this, settings = settings_, frame = frameNumber_] {
      return runSteps(inputs_, settings, frame, stop_);
    });
  }
  constexpr std::chrono::milliseconds kWait{4};  // then a frame is drawn
  if (!std::isinf(budgetMs) && making_.wait_for(kWait) != std::future_status::ready) return false;
  try {
    inputs_.adoptMade(making_.get());
  } catch (const Error& error) {
    inputs_.refuseSteps(std::get<Settings>(stepsOf_).steps, error.what());
    throw;
  }
  return true;
}

void DeepEngine::stopSteps() {
  stop_ = true;
  if (making_.valid()) making_.wait(), making_ = {};
  stepsOf_ = {};
}

// ---- Pictures

bool DeepEngine::work(gpu::Context& gpu, double budgetMs) {
  if (!inputs_.isOpen()) return true;
  if (bands_.attach(gpu)) {
    picture_.drop();
    points_.drop();
    pointsShown_ = false;
    work_ = Work::None;
  }
  if (!proceedSteps(budgetMs)) return false;
  bands_.pipeline().scenes.expectDone();
  const bool restart = std::exchange(restart_, false);
  if (showsPoints()) {
    if (begins(Work::Points, gpu)) points_.request(bands_.key(), setup_);
    return workOnPoints(budgetMs);
  }
  if (restart) bands_.invalidate(), picture_.invalidate();
  if (begins(Work::Picture, gpu)) picture_.request(bands_.key(), setup_);
  return workOnPicture(budgetMs);
}

bool DeepEngine::begins(Work work, gpu::Context& gpu) {
  if (work_ == work && !stale()) return false;
  asked_ = asking();
  work_ = Work::None;  // until it is known what to do
  resolveSettings(gpu);
  asked_ = asking(), work_ = work;
  return true;
}

bool DeepEngine::workOnPicture(double budgetMs) {
  const bool complete = picture_.proceed(budgetMs);
  if (std::isinf(budgetMs)) bands_.pipeline().scenes.expectAll();
  if (complete) pointsShown_ = false;
  return complete;
}

bool DeepEngine::workOnPoints(double budgetMs) {
  const bool complete = points_.proceed(budgetMs);
  if (points_.isDrawn()) pointsShown_ = true;
  return complete;
}

bool DeepEngine::isIdle() const {
  return work_ == Work::Points ? points_.hasLists()
                               : work_ == Work::Picture && picture_.isComplete();
}

Image DeepEngine::reference() const {
  return referencePicture(inputs_, bands_,
                          inputs_.scene() ? setup_ : MergeSetup(settings_, inputs_));
}

BandMerger DeepEngine::bandMerger(gpu::Context& gpu) {
  if (!settings_.steps.empty()) throw UsageError("--do: expected the command deep run");
  resolveSettings(gpu);
  bands_.clear();
  work_ = Work::None;
  return BandMerger(gpu, inputs_, setup_);
}

std::vector<std::uint32_t> DeepEngine::counts(gpu::Context& gpu) {
  restart();
  step(gpu, INFINITY);
  const glm::ivec2 size = inputs_.size();
  std::vector<std::uint32_t> all(std::size_t(size.x) * std::size_t(size.y));
  EditedMerge merge(bands_.pipeline(), setup_);
  for (std::size_t i = 0; i < bands_.count(); ++i) {
    Band& band = bands_[i];
    bands_.ensureLoaded(band);
    const Rect& r = band.region;
    const std::vector<std::uint32_t> counts = countPixels(bands_.pipeline(), merge.counted(band));
    for (int y = 0; y < r.height; ++y)
      std::copy_n(counts.begin() + std::ptrdiff_t(y) * r.width, r.width,
                  all.begin() + std::ptrdiff_t(y + r.y) * size.x + r.x);
  }
  return all;
}

// ---- Facts

std::uint64_t DeepEngine::fragmentsIn() const {
  return inputs_.scene() ? bands_.fragmentCount() : inputs_.fragmentCount();
}

std::vector<std::pair<std::string, std::string>> DeepEngine::chosen() const {
  if (!inputs_.isOpen() || !bands_.isAttached()) return {};
  Settings used = setup_.settings;
  used.method = resolve(used.method, bands_.gpu().device().software);
  used.strategy = resolve(used.strategy, inputs_.count());
  std::vector<std::pair<std::string, std::string>> chosen;
  for (const FieldValue& value : valuesOf(describing(used)))
    if (value.name == "layout" || value.name == "method" || value.name == "strategy")
      chosen.emplace_back(value.name, value.text);
  return chosen;
}

std::vector<std::pair<std::string, std::string>> DeepEngine::facts() const {
  std::vector<std::pair<std::string, std::string>> facts;
  if (!inputs_.isOpen()) return facts;
  const glm::ivec2 size = inputs_.size();
  const double pixels = std::max(1.0, double(size.x) * double(size.y));
  facts.emplace_back("image", fmt::format("{} x {}", size.x, size.y));
  facts.emplace_back("inputs", std::to_string(inputs_.openedCount()));
  facts.emplace_back("fragments", fmt::format("{} ({:.2f} per pixel)", grouped(fragmentsIn()),
                                              double(fragmentsIn()) / pixels));
  if (!tuned_.note().empty()) facts.emplace_back("profile", tuned_.note());
  if (settings_.method == Method::Auto && bands_.isAttached()) {
    const bool software = bands_.gpu().device().software;
    const Method method = resolve(setup_.settings.method, software);
    facts.emplace_back("method in use", method == Method::Stepwise ? "stepwise" : "rbm");
  }
  std::int64_t used = 0, allocated = 0;
  for (const Band& band : bands_.bands())
    for (const FragmentLists& lists : band.inputs)
      used += lists.usedBytes(), allocated += lists.allocatedBytes();
  if (used > 0)
    facts.emplace_back("inputs on the GPU",
                       allocated > used ? fmt::format("{} used, {} allocated", gpu::bytesText(used),
                                                      gpu::bytesText(allocated))
                                        : gpu::bytesText(used));
  if (showsPoints() && points_.isCollected()) facts.emplace_back("points", points_.text());
  if (bands_.count() > 1) facts.emplace_back("bands", std::to_string(bands_.count()));
  for (std::size_t i = 0; i < inputs_.openedImages().size(); ++i) {
    const DeepRepairs& r = inputs_.openedImages()[i].repairs;
    if (r.total() + r.unsortedPixels > 0)
      facts.emplace_back(inputs_.nameOf(i), fmt::format("{} values repaired, {} pixels sorted",
                                                        r.total(), r.unsortedPixels));
  }
  return facts;
}

// ---- For the registry

namespace {

/// All settings as the engine begins with them.
Describe settings() {
  return [settings = std::make_shared<Settings>(Settings{.layout = Layout::Auto})](
             FieldVisitor& field) { describe(*settings, field); };
}

}  // namespace

const TechniqueEntry& entry() {
  static const TechniqueEntry entry{{"deep", "Deep images",
                                     "Capture scenes or load deep EXRs, merge them on the GPU, "
                                     "composite, inspect every fragment.",
                                     "Archer, Leach, van Schyndel, \"GPU based techniques for deep "
                                     "image merging\", Computational "
                                     "Visual Media 4(3), 2018",
                                     sceneEndings({".exr", ".fdp", ".recipe"})},
                                    accepts,
                                    read,
                                    settings,
                                    makeEngine<DeepEngine>};
  return entry;
}

}  // namespace fathom::deep
