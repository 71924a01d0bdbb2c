// SPDX-License-Identifier: BSD-3-Clause
// From settings to a recipe, and the stages that turn it into a picture.
#include "app/engine/smoe/engine.h"

#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/slices.h"
#include "app/engine/smoe/model/reference.h"
#include "shaders/smoe/window/compare.h"

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
bool onlyMoved(const SmoeEngine::Recipe& from, SmoeEngine::Recipe to) {
  to.window = from.window;
  return to == from;
}

}  // namespace

SmoeEngine::SmoeEngine() {
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

// ---- What is wanted

/// Of one panel.
glm::ivec2 SmoeEngine::requestedSize() const {
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

glm::ivec2 SmoeEngine::pictureSize() const {
  if (shown_) return shown_.size();
  if (!models_) return glm::ivec2(0);
  const glm::ivec2 requested = requestedSize();
  const glm::ivec2 one = requested.x > 0 ? requested : glm::ivec2(models_->width, models_->height);
  return {one.x * panels(), one.y};
}

int SmoeEngine::panels() const {
  return (drawn_ ? drawn_->show : settings_.show) == Show::Beside ? kPanels : 1;
}

glm::ivec2 SmoeEngine::modelPanel() const {
  return {drawn_ && panels() > 1 ? drawn_->window.size.x : 0, 0};
}

ViewWindow SmoeEngine::wantedWindow() const {
  return windowFor(*models_, settings_, requestedSize());
}

SmoeEngine::Recipe SmoeEngine::wanted() const {
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
void SmoeEngine::retarget() {
  const Recipe next = wanted();
  movedOn_ = inProgress() && onlyMoved(*target_, next);
  if (!movedOn_) target_ = next;
}

// ---- Stages

void SmoeEngine::useContext(gpu::Context& gpu) {
  if (gpu_ == &gpu) return;
  gpu_ = &gpu;
  shown_ = {}, next_ = {}, decoded_ = {};
  decoder_.reset();
  stages_.invalidateAll();
}

SmoeEngine::Asked SmoeEngine::asking() const {
  return {models_.generation(), requestedSize(), settings_, source_.ready()};
}

void SmoeEngine::restart() {
  stages_.invalidateAll();
  target_.reset();
  asked_.reset();
}

bool SmoeEngine::work(gpu::Context& gpu, double budgetMs) {
  const gpu::NoYield ownSlices;  // by measured rates
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

void SmoeEngine::uploadModel() {
  if (!decoder_) decoder_ = std::make_unique<Decoder>(*gpu_);
  decoder_->setModel(*models_);
}

bool SmoeEngine::draw(double budgetMs) {
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

// ---- Facts

const ListFacts& SmoeEngine::listFacts() const {
  if (!inProgress() && facts_.picture != count_) facts_ = {decoder_->facts(), count_};
  return facts_.value;
}

const std::vector<std::uint32_t>& SmoeEngine::listLengths() const {
  if (!inProgress() && lengths_.picture != count_) lengths_ = {lengthsOf(*decoder_), count_};
  return lengths_.value;
}

// ---- Pictures of errors: the passes difference.comp, beside.comp and heat.comp

namespace {

constexpr int kHeatSide = 256;  // px at most

/// A picture of a training set as light.
Image linearOf(const Image& encodedPicture, const Coding& coding) {
  std::vector<glm::dvec3> colors;
  colors.reserve(encodedPicture.pixels.size());
  for (const glm::vec4& p : encodedPicture.pixels) colors.emplace_back(p);
  return reference::toImage(colors, {encodedPicture.width, encodedPicture.height}, coding);
}

shared::Compare compareOf(const ViewWindow& window, glm::ivec2 sourceSize, float gain) {
  shared::Compare p{};
  p.size = window.size;
  p.sourceSize = sourceSize;
  p.corner = glm::vec2(window.corner);
  p.step = float(window.step);
  p.gain = gain;
  return p;
}

}  // namespace

void DifferenceView::upload(gpu::Context& gpu, std::size_t index) {
  const glm::ivec2 size = source_->size;
  gpu::ensure(gpu, texture_, "smoe source", gpu::TextureFormat::Rgba32f, size);
  Image light = linearOf(source_->pictures[index], source_->coding());
  if (source_->alpha)
    for (std::size_t i = 0; i < light.pixels.size(); ++i)
      light.pixels[i].a = source_->alpha->pictures[0].pixels[i].r;
  texture_.upload(light);
  index_ = index;
}

void DifferenceView::show(gpu::Context& gpu, const SharedTraining& source, ViewCoordinates at) {
  const std::size_t index = source->nearest(at);
  if (source_ == source && index_ == index && texture_) return;
  source_ = source;
  upload(gpu, index);
}

void DifferenceView::apply(gpu::Context& gpu, const gpu::Texture& picture, const ViewWindow& window,
                           float gain, const SharedTraining& source) {
  show(gpu, source, window.at);
  const shared::Compare p = compareOf(window, source->size, gain);
  gpu::barrier(gpu::Access::Storage);  // the picture, for the pass
  gpu::Pass& pass = gpu.pass({"difference", "shaders/smoe/window/difference.comp", {}});
  pass.texture(SMOE_COMPARE_SOURCE, texture_)
      .image(SMOE_COMPARE_RESULT, picture)
      .params(SMOE_COMPARE_PARAMS, p);
  pass.dispatchGrid(p.size, gpu::Each{60});
  gpu::barrier(gpu::Access::Texture | gpu::Access::Transfer);  // display
}

void DifferenceView::applyBeside(gpu::Context& gpu, const gpu::Texture& picture,
                                 const gpu::Texture& result, const ViewWindow& window, float gain,
                                 const SharedTraining& source) {
  if (source) show(gpu, source, window.at);
  const shared::Compare p = compareOf(window, source ? source->size : glm::ivec2(0), gain);
  gpu::barrier(gpu::Access::Texture);  // the picture, for the pass
  gpu::Pass& pass = gpu.pass({"beside", "shaders/smoe/window/beside.comp", {}});
  pass.texture(SMOE_COMPARE_SOURCE, source ? texture_ : picture)
      .texture(SMOE_COMPARE_PICTURE, picture)
      .image(SMOE_COMPARE_RESULT, result)
      .params(SMOE_COMPARE_PARAMS, p);
  pass.dispatchGrid(result.size(), gpu::Each{60});
  gpu::barrier(gpu::Access::Texture | gpu::Access::Transfer);  // display
}

void ErrorHeat::draw(gpu::Context& gpu, const gpu::Texture& error) {
  if (!error) return;
  const glm::ivec2 from = error.size();
  const float step = std::max(1.0f, float(std::max(from.x, from.y)) / kHeatSide);
  const glm::ivec2 size = glm::max(glm::ivec2(glm::vec2(from) / step), glm::ivec2(1));
  gpu::ensure(gpu, texture_, "smoe error", gpu::TextureFormat::Rgba8, size);
  shared::Compare p{};
  p.size = size, p.sourceSize = from;
  p.step = step;
  p.gain = kGain;
  gpu::Pass& pass = gpu.pass({"heat", "shaders/smoe/window/heat.comp", {}});
  pass.texture(SMOE_COMPARE_SOURCE, error)
      .image(SMOE_COMPARE_RESULT, texture_)
      .params(SMOE_COMPARE_PARAMS, p);
  pass.dispatchGrid(size, gpu::Each{20 + 10.0 * step * step});
  gpu::barrier(gpu::Access::Texture);  // the page
}

}  // namespace fathom::smoe
