// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/deep/technique.h"

#include "app/core/deep_channels.h"
#include "app/core/log.h"
#include "app/io/deep_exr.h"
#include "app/techniques/deep/command.h"
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

Describe settings() {
  return [settings = std::make_shared<Settings>(Settings{.layout = Layout::Auto})](
             FieldVisitor& field) { describe(*settings, field); };
}

std::unique_ptr<Technique> make() { return std::make_unique<DeepTechnique>(); }

const TechniqueEntry& entry() {
  static const TechniqueEntry entry{.info = staticInfo(),
                                    .accepts = accepts,
                                    .read = read,
                                    .settings = settings,
                                    .make = make,
                                    .panelNames = {"inputs", "depth"},
                                    .commands = commands,
                                    .benches = benches,
                                    .tunables = tunables};
  return entry;
}

void DeepTechnique::describe(FieldVisitor& field) { deep::describe(settings_, field); }

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

bool accepts(const std::vector<std::string>& inputs) {
  return std::all_of(inputs.begin(), inputs.end(), [](const std::string& input) {
    return isSceneSpec(input) || looksLikeExr(splitInput(input).first);
  });
}

std::unique_ptr<LoadedInputs> read(const std::vector<std::string>& inputs, Progress& progress) {
  return readInputs(inputs, progress, memoryWithoutAsking());
}

std::unique_ptr<LoadedInputs> readInputs(const std::vector<std::string>& inputs, Progress& progress,
                                         std::uint64_t askAbove) {
  if (inputs.empty()) throw UsageError("deep: expected a scene or deep EXR files, found no input");
  if (std::any_of(inputs.begin(), inputs.end(), isSceneSpec)) {
    if (inputs.size() > 1)
      fail("{}: expected one scene, or deep EXR files alone, found {} inputs", inputs[0],
           inputs.size());
    auto read = std::make_unique<Loaded>();
    read->names = inputs;
    read->scene = loadScene(inputs[0], progress);
    return read;
  }
  checkMemory(inputs, {});
  std::vector<InputFile> files;
  for (const std::string& input : inputs) files.push_back(describeInput(input, progress));
  if (const std::string question = memoryQuestion(files, askAbove); !question.empty())
    if (!progress.confirm(question)) throw Cancelled();
  DeepReadOptions options;
  options.progress = &progress;
  std::unique_ptr<Loaded> read = readFiles(inputs, options);
  read->files = std::move(files);
  return read;
}

std::unique_ptr<Loaded> readFiles(const std::vector<std::string>& files,
                                  const DeepReadOptions& options) {
  auto read = std::make_unique<Loaded>();
  read->names = files;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto [path, part] = splitInput(files[i]);
    DeepReadOptions own = options;
    if (!part.empty()) own.part = part;
    if (std::optional<Picture> flat = readFlatWithDepth(path, own.part)) {
      read->flats.emplace(i, std::move(*flat));
      read->images.emplace_back();
    } else {
      read->images.push_back(readDeepExr(path, own));
    }
  }
  return read;
}

std::unique_ptr<Loaded> loaded(std::vector<DeepImage> images, std::vector<std::string> names) {
  auto made = std::make_unique<Loaded>();
  made->images = std::move(images);
  made->names = std::move(names);
  return made;
}

std::unique_ptr<Loaded> loaded(std::shared_ptr<const StreamedFiles> files) {
  auto made = std::make_unique<Loaded>();
  made->names = files->names();
  made->streamed = std::move(files);
  return made;
}

void DeepTechnique::adopt(std::unique_ptr<LoadedInputs> inputs) {
  Loaded& loaded = ownInputs<Loaded>(*inputs);
  if (loaded.scene)
    adoptScene(std::move(loaded));
  else if (loaded.streamed)
    adoptFiles(std::move(loaded));
  else
    adoptImages(std::move(loaded));
}

void DeepTechnique::adoptScene(Loaded&& loaded) {
  inputs_ = std::move(loaded.names);
  images_.clear();
  files_.reset();
  flats_.clear();
  inputFiles_.clear();
  scene_ = std::move(loaded.scene);
  renderer_.reset();
  camera_ = scene_->camera;
  if (size_.x <= 0) size_ = {1280, 720};
  window_ = displayWindow_ = {0, 0, size_.x, size_.y};
  fragmentsIn_ = 0;
  bands_.clear();
  resultStale_ = true;
  resetEdits();
  for (const std::string& warning : scene_->warnings) log::warn("{}", warning);
}

/// Flat inputs become deep again when their thickness has changed.
void DeepTechnique::applyThickness() {
  if (flats_.empty() || thicknessUsed_ == settings_.thickness) return;
  Loaded again;
  again.names = inputs_;
  again.images = std::move(images_), again.flats = std::move(flats_);
  again.files = std::move(inputFiles_);
  std::uint32_t base = 0;  // the index words count through all inputs
  for (DeepImage& image : again.images) {
    if (image.format == FragmentFormat::Indexed)
      for (std::size_t w = 0; w < image.words.size(); w += 4) image.words[w] -= base;
    base += std::uint32_t(image.fragmentCount());
  }
  adoptImages(std::move(again));
}

/// The images become compatible.
void DeepTechnique::adoptImages(Loaded&& loaded) {
  std::vector<DeepImage>& images = loaded.images;
  std::vector<std::string>& names = loaded.names;
  for (const auto& [input, flat] : loaded.flats)
    images[input] = deepened(flat, settings_.thickness);
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
  flats_ = std::move(loaded.flats);
  thicknessUsed_ = settings_.thickness;
  inputFiles_ = std::move(loaded.files);
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

void DeepTechnique::adoptFiles(Loaded&& loaded) {
  inputs_ = std::move(loaded.names);
  images_.clear();
  flats_.clear();
  inputFiles_.clear();
  scene_.reset();
  renderer_.reset();
  files_ = std::move(loaded.streamed);
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
