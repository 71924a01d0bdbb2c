// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/deep/technique.h"

#include "app/core/deep_channels.h"
#include "app/core/log.h"
#include "app/io/deep_exr.h"
#include "app/techniques/deep/flat_input.h"
#include "app/techniques/deep/input_edits.h"
#include "app/techniques/deep/reference.h"

#include <algorithm>
#include <utility>

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
  return isSceneSpec(input) || looksLikeExr(splitInput(input).first);
}

namespace {

/// Format, channels and aspect of an image.
DeepImage headerOf(const DeepImage& image) {
  DeepImage header;
  header.format = image.format;
  header.pixelAspect = image.pixelAspect;
  header.hasZBack = image.hasZBack;
  for (const DeepChannel& channel : image.channels)
    header.channels.push_back({channel.name, channel.type, {}});
  return header;
}

}  // namespace

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
      files_.reset();
      flats_.clear();
      inputFiles_.clear();
      scene_ = scene;
      renderer_.reset();
      camera_ = scene->camera;
      if (size_.x <= 0) size_ = {1280, 720};
      window_ = displayWindow_ = {0, 0, size_.x, size_.y};
      fragmentsIn_ = 0;
      bands_.clear();
      resultStale_ = true;
      resetEdits();
      for (const std::string& warning : scene->warnings) log::warn("{}", warning);
    };
  }
  checkMemory(inputs, {});
  auto files = std::make_shared<std::vector<InputFile>>();
  for (const std::string& input : inputs) files->push_back(describeInput(input, progress));
  if (const std::string question = memoryQuestion(*files, askAbove_); !question.empty())
    if (!progress.confirm(question)) throw Cancelled();
  DeepReadOptions options;
  options.progress = &progress;
  auto read = std::make_shared<ReadInputs>(readInputs(inputs, options));
  return [this, files, read, inputs] {
    adoptInputs(std::move(*read), inputs);
    inputFiles_ = std::move(*files);
  };
}

DeepTechnique::ReadInputs DeepTechnique::readInputs(const std::vector<std::string>& files,
                                                    const DeepReadOptions& options) {
  ReadInputs read;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto [path, part] = splitInput(files[i]);
    DeepReadOptions own = options;
    if (!part.empty()) own.part = part;
    if (std::optional<Picture> flat = readFlatWithDepth(path, own.part)) {
      read.flats.emplace(i, std::move(*flat));
      read.images.emplace_back();
    } else {
      read.images.push_back(readDeepExr(path, own));
    }
  }
  return read;
}

void DeepTechnique::adoptInputs(ReadInputs inputs, std::vector<std::string> names) {
  for (const auto& [input, flat] : inputs.flats)
    inputs.images[input] = deepened(flat, settings_.thickness);
  adoptImages(std::move(inputs.images), std::move(names));
  flats_ = std::move(inputs.flats);
  thicknessUsed_ = settings_.thickness;
}

/// Flat inputs become deep again when their thickness has changed.
void DeepTechnique::applyThickness() {
  if (flats_.empty() || thicknessUsed_ == settings_.thickness) return;
  ReadInputs again{std::move(images_), std::move(flats_)};
  std::uint32_t base = 0;  // the index words count through all inputs
  for (DeepImage& image : again.images) {
    if (image.format == FragmentFormat::Indexed)
      for (std::size_t w = 0; w < image.words.size(); w += 4) image.words[w] -= base;
    base += std::uint32_t(image.fragmentCount());
  }
  std::vector<InputFile> files = std::move(inputFiles_);
  adoptInputs(std::move(again), inputs_);
  inputFiles_ = std::move(files);
}

void DeepTechnique::adoptImages(std::vector<DeepImage> images, std::vector<std::string> names) {
  unify(images);
  const std::uint64_t fragments = countThrough(images, names);
  for (std::size_t i = 1; i < images.size(); ++i)
    if (!(images[i].displayWindow == images[0].displayWindow))
      log::warn("{}: the display window differs from the one of {}, which is kept", names[i],
                names[0]);
  Rect window;
  for (const DeepImage& image : images) window = unite(window, image.dataWindow);

  inputs_ = std::move(names);
  images_ = std::move(images);
  flats_.clear();
  inputFiles_.clear();
  scene_.reset();
  renderer_.reset();
  window_ = window;
  displayWindow_ = images_[0].displayWindow;
  files_.reset();
  header_ = headerOf(images_[0]);
  size_ = {window.width, window.height};
  fragmentsIn_ = fragments;
  bands_.clear();
  indexedPicture_ = {};
  resultStale_ = true;
  resetEdits();
}

/// Edits stay when as many inputs come again: a file was read anew, or another part of it.
void DeepTechnique::resetEdits() {
  ++inputsRead_;
  const std::size_t before = std::exchange(inputsEdited_, inputCount());
  if (before == inputCount() || before == 0) return;
  setEdits(std::vector<InputEdit>(inputCount()));
  settings_.order.clear();
}

std::vector<std::size_t> DeepTechnique::order() const { return orderOf(settings_, inputCount()); }

void DeepTechnique::setOrder(std::span<const std::size_t> order) {
  FATHOM_CHECK_OP(order.size(), ==, inputCount());
  deep::setOrder(settings_, order);
}

void DeepTechnique::adoptFiles(std::shared_ptr<const StreamedFiles> files) {
  inputs_ = files->names();
  images_.clear();
  flats_.clear();
  scene_.reset();
  renderer_.reset();
  files_ = std::move(files);
  header_ = files_->header();
  window_ = header_.dataWindow;
  displayWindow_ = header_.displayWindow;
  size_ = {window_.width, window_.height};
  fragmentsIn_ = files_->fragmentCount();
  bands_.clear();
  resultStale_ = true;
  resetEdits();
}

std::size_t DeepTechnique::inputCount() const {
  return scene_ ? scene_->parts.size() : files_ ? files_->count() : images_.size();
}

void DeepTechnique::setSize(int width, int height) {
  if (showsPoints()) {  // the scene's own lists stay as they are
    points_.size = {width, height};
    return;
  }
  if (!scene_ && inputCount() > 0) return;  // files have their own size
  if (size_ == glm::ivec2(width, height)) return;
  size_ = {width, height};
  if (scene_) window_ = displayWindow_ = {0, 0, width, height};
}

ListShape DeepTechnique::shape() const {
  if (!scene_ && inputCount() > 0) return shapeOf(settled_, header_.format);
  return shapeOf(settled_, settings_.captureFormat == CaptureFormat::Rgba8 ? FragmentFormat::Rgba8
                                                                           : FragmentFormat::Half);
}

DeepImage DeepTechnique::emptyMerged() const {
  DeepImage merged;
  if (!scene_ && inputCount() > 0) {
    merged = header_;
  } else {
    merged.format = shape().format;
    for (const char* name : {"A", "B", "G", "R"})
      merged.channels.push_back({name, ChannelType::Half, {}});
    merged.channels.push_back({"Z", ChannelType::Float, {}});
  }
  merged.dataWindow = window_;
  merged.displayWindow = displayWindow_;
  merged.tidy = mergeEdit(true).tidy;
  return merged;
}

}  // namespace fathom::deep
