// SPDX-License-Identifier: BSD-3-Clause
// Filling bands, and making room when they do not fit the device.
#include "app/engine/deep/bands/band_store.h"

#include "app/engine/deep/lists/arrange_lists.h"

namespace fathom::deep {

void Band::noteFragments() {
  fragmentCount = 0;
  for (const FragmentLists& lists : inputs) fragmentCount += lists.fragmentCount;
}

void Band::release() {
  Band empty;
  empty.region = region;
  empty.fragmentCount = fragmentCount;
  *this = std::move(empty);
}

// ---- One input

void InputLoader::load(const Inputs& inputs, std::span<const DeepImage> images,
                       const MergeSetup& setup, std::size_t input, const Rect& region,
                       FragmentLists& out, const shared::Summary* counted) {
  pipeline_.sortMethod = setup.settings.sort;
  if (!inputs.scene())
    return uploadLists(pipeline_, images[input], inputs.origin(), region, setup.shape, out);
  const SceneCapture::View view = viewOf(inputs, region);
  pipeline_.scenes.capture(*renderer_, input, view, setup.shape, out, counted);
}

SceneCapture::View InputLoader::viewOf(const Inputs& inputs, const Rect& region) {
  if (scene_ != inputs.scene()) {
    renderer_ = std::make_unique<SceneRenderer>(gpu_, inputs.scene());
    scene_ = inputs.scene();
  }
  SceneCapture::View view{inputs.camera(), inputs.size(), region};
  view.camera.fitDepth(scene_->bounds);
  return view;
}

void InputLoader::open(const Inputs& inputs, Band& band) {
  if (band.inputs.size() != inputs.count()) {
    band.inputs.clear();
    band.inputs.resize(inputs.count());
  }
  band.whole = nullptr;
}

void InputLoader::load(const Inputs& inputs, std::span<const DeepImage> images,
                       const MergeSetup& setup, std::size_t input, Band& band) {
  open(inputs, band);
  load(inputs, images, setup, input, band.region, band.inputs[input]);
}

void InputLoader::loadNext(const Inputs& inputs, std::span<const DeepImage> images,
                           const MergeSetup& setup, Band& band) {
  open(inputs, band);
  if (band.loaded == 0) {
    counted_.clear();
    pipeline_.sortMethod = setup.settings.sort;
    if (inputs.scene()) {
      const SceneCapture::View view = viewOf(inputs, band.region);
      counted_ = pipeline_.scenes.count(*renderer_, view, setup.shape, band.inputs);
    }
  }
  load(inputs, images, setup, band.loaded, band.region, band.inputs[band.loaded],
       counted_.empty() ? nullptr : &counted_[band.loaded]);
}

// ---- Bands

bool BandStore::attach(gpu::Context& gpu) {
  if (loader_ && &loader_->gpu() == &gpu) return false;
  bands_.clear();
  loader_ = std::make_unique<InputLoader>(gpu);
  key_ = {};
  return true;
}

void BandStore::require(const ListsKey& key, const MergeSetup& setup) {
  setup_ = setup;
  if (key == key_ && !bands_.empty()) return;
  if (key.inputs != key_.inputs) bands_.clear();
  key_ = key;
  invalidate();
  const Rect all{0, 0, key.size.x, key.size.y};
  std::int64_t covered = 0;
  Rect hull;
  for (const Band& band : bands_) covered += band.region.area(), hull = unite(hull, band.region);
  if (!bands_.empty() && covered == all.area() && hull == all) return;
  bands_.clear();
  bands_.emplace_back().region = all;
}

void BandStore::clear() {
  bands_.clear();
  if (loader_) loader_->dropScene();
}

void BandStore::invalidate() {
  for (Band& band : bands_) band.loaded = 0;
}

std::uint64_t BandStore::fragmentCount() const {
  std::uint64_t count = 0;
  for (const Band& band : bands_) count += band.fragmentCount;
  return count;
}

BandStore::Step BandStore::step(std::size_t i, const std::function<void(Band&)>& work) {
  Band& band = bands_[i];
  try {
    if (!isLoaded(band)) {
      loader_->loadNext(inputs_, inputs_.images(), setup_, band);
      if (++band.loaded == inputs_.count()) band.noteFragments();
      return Step::More;
    }
    work(band);
    return Step::Done;
  } catch (const gpu::DoesNotFit& reason) {
    // What other bands hold may be all that is in the way.
    if (releaseOthers(&band)) {
      band.release();
      return Step::More;
    }
    split(i, reason);
    return Step::Cut;
  } catch (...) {
    // Of what is half captured the tables are counts no more.
    if (!isLoaded(band)) band.loaded = 0;
    throw;
  }
}

void BandStore::ensureLoaded(Band& band) {
  const auto loadAll = [&] {
    for (std::size_t i = 0; i < inputs_.count(); ++i)
      loader_->load(inputs_, inputs_.images(), setup_, i, band);
  };
  if (isLoaded(band)) return;
  try {
    loadAll();
  } catch (const gpu::DoesNotFit&) {
    releaseOthers(nullptr);
    loadAll();
  }
  band.loaded = inputs_.count();
  band.noteFragments();
}

void BandStore::loadApart(std::size_t input, const Rect& region, FragmentLists& out) {
  loader_->load(inputs_, inputs_.images(), setup_, input, region, out);
}

bool BandStore::releaseOthers(const Band* kept) {
  bool released = false;
  for (Band& band : bands_) {
    if (&band == kept) continue;
    released = released || !band.inputs.empty();
    band.release();
  }
  return released;
}

void BandStore::split(std::size_t index, const gpu::DoesNotFit& reason) {
  const std::vector<Rect> parts = cut(bands_[index].region, reason);
  bands_[index].region = parts[0];
  bands_[index].release();
  for (std::size_t i = 1; i < parts.size(); ++i) {
    Band rest;
    rest.region = parts[i];
    bands_.insert(bands_.begin() + std::ptrdiff_t(index + i), std::move(rest));
  }
}

}  // namespace fathom::deep
