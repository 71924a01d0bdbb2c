// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/deep/technique.h"

#include "app/core/deep_channels.h"
#include "app/core/log.h"
#include "app/io/deep_exr.h"
#include "app/techniques/deep/reference.h"

#include <algorithm>

namespace fathom::deep {

const Info& staticInfo() {
  static const Info info{
      "deep",
      "Deep images",
      "Capture scenes or load deep EXRs, merge them on the GPU, composite, inspect every fragment.",
      "Archer, Leach, van Schyndel, \"GPU based techniques for deep image merging\", Computational "
      "Visual Media 4(3), 2018",
      {".exr", ".obj"}};
  return info;
}

std::unique_ptr<Technique> make() { return std::make_unique<DeepTechnique>(); }

const Info& DeepTechnique::info() const { return staticInfo(); }

void DeepTechnique::describe(FieldVisitor& field) { deep::describe(settings_, field); }

bool DeepTechnique::accepts(const std::string& input) const {
  return isSceneSpec(input) || looksLikeExr(input);
}

// Inputs
// ------------------------------------------------------------------------------------------------

Technique::Adopt DeepTechnique::read(const std::vector<std::string>& inputs, Progress& progress) {
  if (inputs.empty()) throw UsageError("deep: expected a scene or deep EXR files, found no input");
  const auto scenes = std::count_if(inputs.begin(), inputs.end(), isSceneSpec);
  if (scenes > 0) {
    if (inputs.size() > 1)
      fail("{}: expected one scene, or deep EXR files alone, found {} inputs", inputs[0],
           inputs.size());
    std::shared_ptr<const Scene> scene = loadScene(inputs[0], progress);
    return [this, scene, inputs] {
      inputs_ = inputs;
      images_.clear();
      scene_ = scene;
      renderer_.reset();
      camera_ = scene->camera;
      if (size_.x <= 0) size_ = {1280, 720};
      window_ = displayWindow_ = {0, 0, size_.x, size_.y};
      fragmentsIn_ = 0;
      bands_.clear();
      resultStale_ = true;
      for (const std::string& warning : scene->warnings) log::warn("{}", warning);
    };
  }
  auto images = std::make_shared<std::vector<DeepImage>>();
  for (const std::string& input : inputs) {
    DeepReadOptions options;
    options.progress = &progress;
    images->push_back(readDeepExr(input, options));
  }
  return [this, images, inputs] { adoptImages(std::move(*images), inputs); };
}

void DeepTechnique::adoptImages(std::vector<DeepImage> images, std::vector<std::string> names) {
  unify(images);
  // The index words of all inputs count through, so that a merged list tells where each fragment
  // came from.
  std::uint64_t base = 0;
  for (DeepImage& image : images) {
    if (image.format == FragmentFormat::Indexed) {
      if (base + image.fragmentCount() > UINT32_MAX)
        fail("{}: expected at most 2^32 fragments with extra channels in all inputs, found {}",
             names.empty() ? "deep" : names[0], base + image.fragmentCount());
      for (std::size_t i = 0; i < image.words.size(); i += 4) image.words[i] += std::uint32_t(base);
    }
    base += image.fragmentCount();
  }
  for (std::size_t i = 1; i < images.size(); ++i)
    if (!(images[i].displayWindow == images[0].displayWindow))
      log::warn("{}: the display window differs from the one of {}, which is kept", names[i],
                names[0]);
  Rect window;
  for (const DeepImage& image : images) window = unite(window, image.dataWindow);

  inputs_ = std::move(names);
  images_ = std::move(images);
  scene_.reset();
  renderer_.reset();
  window_ = window;
  displayWindow_ = images_[0].displayWindow;
  size_ = {window.width, window.height};
  fragmentsIn_ = base;
  bands_.clear();
  indexedPicture_ = {};
  resultStale_ = true;
}

std::size_t DeepTechnique::inputCount() const {
  return scene_ ? scene_->parts.size() : images_.size();
}

void DeepTechnique::setSize(int width, int height) {
  if (!scene_ && !images_.empty()) return;  // files have their own size
  if (size_ == glm::ivec2(width, height)) return;
  size_ = {width, height};
  if (scene_) window_ = displayWindow_ = {0, 0, width, height};
}

ListShape DeepTechnique::shape() const {
  if (!images_.empty()) return shapeOf(settings_, images_[0].format);
  return shapeOf(settings_, settings_.captureFormat == CaptureFormat::Rgba8 ? FragmentFormat::Rgba8
                                                                            : FragmentFormat::Half);
}

DeepImage DeepTechnique::emptyMerged() const {
  DeepImage merged;
  merged.dataWindow = window_;
  merged.displayWindow = displayWindow_;
  merged.format = shape().format;
  if (images_.empty()) {
    for (const char* name : {"A", "B", "G", "R"})
      merged.channels.push_back({name, ChannelType::Half, {}});
    merged.channels.push_back({"Z", ChannelType::Float, {}});
    return merged;
  }
  merged.pixelAspect = images_[0].pixelAspect;
  merged.hasZBack = images_[0].hasZBack;
  for (const DeepChannel& channel : images_[0].channels)
    merged.channels.push_back({channel.name, channel.type, {}});
  return merged;
}

}  // namespace fathom::deep
