// SPDX-License-Identifier: BSD-3-Clause
// From settings to a recipe, and the stages that turn it into a picture.
#include "app/engine/smoe/picture.h"

#include "app/engine/smoe/decode/lists.h"

namespace fathom::smoe {
namespace {

constexpr int kPanels = 3;  // source, model, error

/// Lists are shown on a scale that ends at a power of two.
float listGain(const ListFacts& lists) {
  return 256.0f / float(std::bit_ceil(std::max(lists.longest, 4u)));
}

std::vector<std::uint32_t> lengthsOf(const Decoder& decoder) {
  std::vector<std::uint32_t> lengths;
  for (const TileBand& band : decoder.bands()) {
    const std::vector<std::uint32_t> starts = band.starts.download();
    for (std::uint32_t i = 0; i < band.params.tileCount; ++i)
      lengths.push_back(starts[i + 1] - starts[i]);
  }
  return lengths;
}

/// True when they differ by window and view alone.
bool onlyMoved(const Picture::Recipe& from, Picture::Recipe to) {
  to.window = from.window;
  return to == from;
}

}  // namespace

Picture::Picture(const Settings& settings, const ModelStore& models, const ModelSource& source)
    : settings_(settings), models_(models), source_(source) {
  const auto atOnce = [](double) { return true; };
  stages_.add(
      "model", [this] { return std::tuple(target_->model); }, atOnce, [this] { uploadModel(); });
  stages_.add(
      "lists",
      [this] { return std::tuple(target_->window, target_->options, gpu_->shaderGeneration()); },
      [this](double leftMs) {
        return decoder_->build(target_->window, target_->options, leftMs, Decoder::Lists::Expected);
      });
  stages_.add(
      "picture", [this] { return std::tuple(target_->show, target_->gain, target_->source); },
      [this](double leftMs) { return draw(leftMs); });
}

// What is wanted
// -------------------------------------------------------------------------------------------------

/// Of one panel.
glm::ivec2 Picture::requestedSize() const {
  const auto panel = [this](glm::ivec2 all) {
    if (settings_.show == Show::Beside && all.x > 0) all.x = std::max(1, all.x / kPanels);
    return all;
  };
  if (fixedSize_.x > 0) return panel(fixedSize_);
  const glm::ivec2 room = panel(viewport_);
  if (!settings_.window.empty()) return room;
  // The whole model fills the room, decoded for it rather than enlarged.
  const glm::dvec2 model(models_ ? models_->width : 0, models_ ? models_->height : 0);
  if (model.x < 1 || room.x < 1 || room.y < 1) return glm::ivec2(0);
  const double scale = std::min(room.x / model.x, room.y / model.y);
  return scale > 1 ? glm::max(glm::ivec2(model * scale), glm::ivec2(1)) : glm::ivec2(0);
}

glm::ivec2 Picture::size() const {
  if (shown_) return shown_.size();
  if (!models_) return glm::ivec2(0);
  const glm::ivec2 requested = requestedSize();
  const glm::ivec2 one = requested.x > 0 ? requested : glm::ivec2(models_->width, models_->height);
  return {one.x * panels(), one.y};
}

int Picture::panels() const {
  return (drawn_ ? drawn_->show : settings_.show) == Show::Beside ? kPanels : 1;
}

glm::ivec2 Picture::modelPanel() const {
  return {drawn_ && panels() > 1 ? drawn_->window.size.x : 0, 0};
}

ViewWindow Picture::wantedWindow() const { return windowFor(*models_, settings_, requestedSize()); }

Picture::Recipe Picture::wanted() const {
  Recipe wanted;
  wanted.model = models_.generation();
  wanted.window = wantedWindow();
  wanted.options = optionsOf(settings_);
  wanted.show = settings_.show;
  if (comparesWithSource(settings_.show))
    wanted.source = source_.ready(), wanted.gain = settings_.errorGain;
  return wanted;
}

/// While something is dragged, complete pictures follow each other, rather than beginnings of new
/// ones: the one in progress is completed first.
void Picture::retarget() {
  const Recipe next = wanted();
  movedOn_ = inProgress() && onlyMoved(*target_, next);
  if (!movedOn_) target_ = next;
}

// Stages
// -------------------------------------------------------------------------------------------------

void Picture::useContext(gpu::Context& gpu) {
  if (gpu_ == &gpu) return;
  gpu_ = &gpu;
  shown_ = {}, next_ = {}, decoded_ = {};
  decoder_.reset();
  stages_.invalidateAll();
}

Picture::Asked Picture::asking() const {
  return {models_.generation(), requestedSize(), settings_, source_.ready()};
}

void Picture::restart() {
  stages_.invalidateAll();
  target_.reset();
  asked_.reset();
}

bool Picture::step(gpu::Context& gpu, double budgetMs) {
  if (!models_) return true;
  useContext(gpu);
  if (!target_ || stale()) {
    asked_ = asking();
    retarget();
  }
  if (!stages_.run(budgetMs, [&] { gpu.pace(); })) return false;
  // Lists that had too little room are made again, and so is the picture.
  if (!decoder_->listsKnown(!TimeBudget(budgetMs).limited())) return false;
  if (!decoder_->listsUpToDate()) {
    stages_.invalidate("lists");
    return false;
  }
  if (std::exchange(movedOn_, false)) target_ = wanted();
  return stages_.complete();
}

void Picture::uploadModel() {
  if (!decoder_) decoder_ = std::make_unique<Decoder>(*gpu_);
  decoder_->setModel(*models_);
}

bool Picture::draw(double budgetMs) {
  Recipe recipe = *target_;
  const bool beside = recipe.show == Show::Beside;
  const glm::ivec2 one = recipe.window.size, all(one.x * (beside ? kPanels : 1), one.y);
  if (gpu::ensure(*gpu_, next_, "smoe image", gpu::TextureFormat::Rgba32f, all))
    next_.setNearest(true);
  if (beside) gpu::ensure(*gpu_, decoded_, "smoe panel", gpu::TextureFormat::Rgba32f, one);
  if (recipe.show == Show::Picture || comparesWithSource(recipe.show)) {
    if (!decoder_->shade(beside ? decoded_ : next_, budgetMs)) return false;
    // A source of another shape is reported once, when it arrives; the plain picture stays then.
    const bool compares = recipe.source && source_.matches();
    if (beside)
      difference_.applyBeside(*gpu_, decoded_, next_, recipe.window, recipe.gain,
                              compares ? recipe.source : nullptr);
    else if (compares)
      difference_.apply(*gpu_, next_, recipe.window, recipe.gain, recipe.source);
  } else {
    if (recipe.show == Show::Lists) recipe.gain = listGain(decoder_->facts());
    decoder_->show(next_, recipe.show, recipe.gain);
  }
  std::swap(shown_, next_);
  drawn_ = std::move(recipe);
  ++count_;
  return true;
}

// Facts
// -------------------------------------------------------------------------------------------------

const ListFacts& Picture::listFacts() const {
  if (!inProgress() && facts_.picture != count_) facts_ = {decoder_->facts(), count_};
  return facts_.value;
}

const std::vector<std::uint32_t>& Picture::listLengths() const {
  if (!inProgress() && lengths_.picture != count_) lengths_ = {lengthsOf(*decoder_), count_};
  return lengths_.value;
}

}  // namespace fathom::smoe
