// SPDX-License-Identifier: BSD-3-Clause
// The picture in bands: which fit the device, what each needs, merging and showing one after the
// other.
#include "app/techniques/deep/technique.h"

#include "app/core/deep_channels.h"
#include "app/techniques/deep/reference.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace fathom::deep {

void DeepTechnique::plan() {
  const Rect all{0, 0, size_.x, size_.y};
  // Bands found before are kept, with their buffers, while they still cover the picture.
  std::int64_t covered = 0;
  Rect hull;
  for (const Band& band : bands_) covered += band.region.area(), hull = unite(hull, band.region);
  if (bands_.empty() || covered != all.area() || !(hull == all)) {
    bands_.clear();
    Band band;
    band.region = all;
    bands_.push_back(std::move(band));
  }
  for (Band& band : bands_) band.resident = false;
  madeLists_.clear();
  bandAt_ = inputAt_ = 0;
  working_ = true;
}

void DeepTechnique::acquire(Band& band, std::size_t input) {
  if (band.inputs.size() != inputCount()) {
    band.inputs.clear();
    band.inputs.resize(inputCount());
  }
  band.whole = nullptr;
  if (scene_ && !renderer_) renderer_ = std::make_unique<SceneRenderer>(*gpu_, scene_);
  fill(band.inputs[input], band.region, input);
}

void DeepTechnique::fill(FragmentLists& lists, const Rect& region, std::size_t input) const {
  pipeline_->setSort(settings_.sort);
  if (scene_) {
    Camera camera = camera_;
    camera.fitDepth(scene_->bounds);
    pipeline_->capture(*renderer_, input, camera, size_, region, shape(), lists);
  } else {
    pipeline_->upload(images_[input], {window_.x, window_.y}, region, shape(), lists);
  }
}

void DeepTechnique::ensureResident(Band& band) {
  const auto acquireAll = [&] {
    for (std::size_t i = 0; i < inputCount(); ++i) acquire(band, i);
  };
  if (band.resident) return;
  try {
    acquireAll();
  } catch (const DoesNotFit&) {
    for (Band& other : bands_) release(other);
    acquireAll();
  }
  band.resident = true;
}

void DeepTechnique::release(Band& band) {
  band.inputs.clear();
  band.merged.clear();
  band.edited.clear();
  band.mattes.clear();
  band.whole = nullptr;
  band.resident = false;
}

void DeepTechnique::split(std::size_t index, const DoesNotFit& reason) {
  const std::vector<Rect> parts = cut(bands_[index].region, reason);
  release(bands_[index]);
  bands_[index].region = parts[0];
  for (std::size_t i = 1; i < parts.size(); ++i) {
    Band rest;
    rest.region = parts[i];
    bands_.insert(bands_.begin() + std::ptrdiff_t(index + i), std::move(rest));
  }
}

FragmentLists& DeepTechnique::merged(Band& band) {
  if (const std::string key = mergeKey(); !band.whole || band.wholeKey != key) {
    band.whole = mergeWithEdits(band, true, mergeEdit(false))[0];
    band.wholeKey = key;
  }
  return *band.whole;
}

std::string DeepTechnique::mergeKey() {
  std::vector<FieldValue> looks =
      valuesOf([this](FieldVisitor& field) { deep::describe(settings_.seeing, field, true); });
  looks.push_back({"show", {}, {}, {}});
  std::string key;
  for (const FieldValue& value : valuesOf(settings()))
    if (std::none_of(looks.begin(), looks.end(),
                     [&](const FieldValue& look) { return look.name == value.name; }))
      key += value.text + "\n";
  return key;
}

void DeepTechnique::countFragments() {
  if (!scene_) return;
  fragmentsIn_ = 0;
  for (const Band& band : bands_) fragmentsIn_ += band.fragmentCount;
}

void DeepTechnique::show(Band& band) {
  if (settings_.show == Show::Points) return;  // they come when all lists are there
  if (settings_.show == Show::HeatMap) {
    pipeline_->heatMap(countedLists(band), next_);
    return;
  }
  if (shape().format == FragmentFormat::Indexed) return;  // showIndexed()
  composite(band, next_);
}

/// Colors that do not fit the words of a fragment are composited by the CPU, once per set of
/// inputs.
void DeepTechnique::showIndexed() {
  std::string key =
      mergeKey() + settings_.seeing.peel + fmt::format(" {}", settings_.seeing.peelNumber);
  if (indexedPicture_.pixels.empty() || indexedKey_ != key) {
    indexedPicture_ = reference();
    indexedKey_ = std::move(key);
  }
  next_.upload(indexedPicture_);
}

/// One step of work: an input of a band, or showing the band. A region that does not fit is cut,
/// and its parts take its place.
void DeepTechnique::step() {
  Band& band = bands_[bandAt_];
  try {
    if (!band.resident && inputAt_ < inputCount()) {
      acquire(band, inputAt_);
      ++inputAt_;
      return;
    }
    band.resident = true;
    band.fragmentCount = 0;
    for (const FragmentLists& lists : band.inputs) band.fragmentCount += lists.fragmentCount;
    show(band);
  } catch (const DoesNotFit& reason) {
    // What the bands before hold may be all that is in the way.
    bool freed = false;
    for (std::size_t i = 0; i < bands_.size(); ++i)
      if (i != bandAt_ && !bands_[i].inputs.empty()) release(bands_[i]), freed = true;
    if (freed)
      release(band);
    else
      split(bandAt_, reason);
    inputAt_ = 0;
    return;
  }
  inputAt_ = 0;
  ++bandAt_;
  working_ = bandAt_ < bands_.size();
}

bool DeepTechnique::update(gpu::Context& gpu, Effect effect, double budgetMs) {
  if (!scene_ && images_.empty()) return true;
  if (gpu_ != &gpu) {
    gpu_ = &gpu;
    pipeline_ = std::make_unique<Pipeline>(gpu);
    renderer_.reset();
    bands_.clear();
    points_.cloud = {}, points_.view.reset(), points_.shown = false;
    resultStale_ = true;
  }
  if (showsPoints()) return updatePoints(effect, budgetMs);
  if (points_.stage == PointStage::Lists) resultStale_ = true;  // they were in work
  points_.stage = PointStage::Idle;
  if (resultStale_) effect = Effect::Rebuild;
  if (effect != Effect::None) settle();
  if (effect == Effect::Rebuild) {
    applyThickness();
    plan();
  } else if (effect == Effect::Redraw) {
    bandAt_ = inputAt_ = 0;
    working_ = true;
    if (bands_.empty()) plan();
  }
  if (!working_) return true;
  resultStale_ = false;

  if (!next_ || next_.width() != size_.x || next_.height() != size_.y)
    next_ = gpu::Texture(gpu, "merged picture", gpu::TextureFormat::Rgba32f, size_.x, size_.y);
  const auto start = std::chrono::steady_clock::now();
  while (working_) {
    step();
    if (!working_ || std::isinf(budgetMs)) continue;
    gpu.finish();  // the clock must see what the device did
    const std::chrono::duration<double, std::milli> spent =
        std::chrono::steady_clock::now() - start;
    if (spent.count() >= budgetMs) return false;
  }
  if (shape().format == FragmentFormat::Indexed && settings_.show == Show::Picture) showIndexed();
  countFragments();
  madeLists_ = listsKey();
  std::swap(result_, next_);
  points_.shown = false;
  return true;
}

std::vector<std::uint32_t> DeepTechnique::counts(gpu::Context& gpu) {
  update(gpu, Effect::Rebuild, INFINITY);
  std::vector<std::uint32_t> all(std::size_t(size_.x) * std::size_t(size_.y));
  for (Band& band : bands_) {
    ensureResident(band);
    const std::vector<std::uint32_t> counts = pipeline_->downloadCounts(countedLists(band));
    for (int y = 0; y < band.region.height; ++y)
      std::copy_n(counts.begin() + std::ptrdiff_t(y) * band.region.width, band.region.width,
                  all.begin() + std::ptrdiff_t(y + band.region.y) * size_.x + band.region.x);
  }
  return all;
}

}  // namespace fathom::deep
