// SPDX-License-Identifier: BSD-3-Clause
// Reading inputs on any thread, and adopting them: images become compatible (unify()), their index
// words are numbered across all inputs.
#include "app/engine/deep/read/inputs.h"

#include "app/engine/core/deep_image.h"
#include "app/engine/core/progress.h"
#include "app/engine/deep/read/camera_attributes.h"
#include "app/engine/deep/read/exr_inputs.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/scene/load_scene.h"

namespace fathom::deep {

// Reading
// -------------------------------------------------------------------------------------------------

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

// Adopting
// -------------------------------------------------------------------------------------------------

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

void Inputs::adopt(Loaded&& loaded, float thickness) {
  if (loaded.scene)
    adoptScene(std::move(loaded));
  else if (loaded.streamed)
    adoptFiles(std::move(loaded));
  else
    adoptImages(std::move(loaded), thickness);
  ++generation_;
}

void Inputs::adoptScene(Loaded&& loaded) {
  loaded_ = std::move(loaded);
  camera_ = scene()->camera;
  if (size_.x <= 0) size_ = {1280, 720};
  merged_ = {};
  merged_.dataWindow = merged_.displayWindow = {0, 0, size_.x, size_.y};
  fragmentCount_ = 0;
  for (const std::string& warning : scene()->warnings) log::warn("{}", warning);
}

void Inputs::adoptImages(Loaded&& loaded, float thickness) {
  std::vector<DeepImage>& images = loaded.images;
  for (const auto& [input, flat] : loaded.flats) images[input] = deepened(flat, thickness);
  unify(images);
  fragmentCount_ = countThrough(images, loaded.names);
  for (std::size_t i = 1; i < images.size(); ++i)
    if (!(images[i].displayWindow == images[0].displayWindow))
      log::warn("{}: the display window differs from the one of {}, which is kept", loaded.names[i],
                loaded.names[0]);
  merged_ = headerOf(images[0]);
  for (const DeepImage& image : images)
    merged_.dataWindow = unite(merged_.dataWindow, image.dataWindow);
  merged_.displayWindow = images[0].displayWindow;
  size_ = {merged_.dataWindow.width, merged_.dataWindow.height};
  thickness_ = thickness;
  loaded_ = std::move(loaded);
}

void Inputs::adoptFiles(Loaded&& loaded) {
  loaded_ = std::move(loaded);
  merged_ = streamed()->header();
  size_ = {merged_.dataWindow.width, merged_.dataWindow.height};
  fragmentCount_ = streamed()->fragmentCount();
}

void Inputs::setThickness(float thickness) {
  if (loaded_.flats.empty() || thickness_ == thickness) return;
  Loaded again = std::move(loaded_);
  std::uint32_t base = 0;  // index words are numbered across all inputs
  for (DeepImage& image : again.images) {
    if (image.format == FragmentFormat::Indexed)
      for (std::size_t w = 0; w < image.words.size(); w += 4) image.words[w] -= base;
    base += std::uint32_t(image.fragmentCount());
  }
  adopt(std::move(again), thickness);
}

void Inputs::setSize(int width, int height) {
  if (!scene() && count() > 0) return;
  size_ = {width, height};
  if (scene()) merged_.dataWindow = merged_.displayWindow = {0, 0, width, height};
}

// What is open
// -------------------------------------------------------------------------------------------------

std::size_t Inputs::count() const {
  return scene() ? scene()->parts.size() : streamed() ? streamed()->count() : images().size();
}

std::string Inputs::nameOf(std::size_t input) const {
  return scene() ? scene()->parts[input].name
                 : std::filesystem::path(names()[input]).filename().string();
}

const InputFile* Inputs::file(std::size_t input) const {
  return input < loaded_.files.size() ? &loaded_.files[input] : nullptr;
}

Rect Inputs::windowOf(const Rect& region) const {
  return {region.x + origin().x, region.y + origin().y, region.width, region.height};
}

std::vector<DeepRepairs> Inputs::repairs() const {
  if (streamed()) return streamed()->repairs();
  std::vector<DeepRepairs> repairs;
  for (const DeepImage& image : images()) repairs.push_back(image.repairs);
  return repairs;
}

std::vector<SharedAttributes> Inputs::attributes() const {
  if (scene()) return {cameraAttributes(camera_, size_, scene()->name)};
  if (streamed()) return streamed()->attributes();
  std::vector<SharedAttributes> attributes;
  for (const DeepImage& image : images()) attributes.push_back(image.attributes);
  return attributes;
}

DeepImage Inputs::header(FragmentFormat captured) const {
  DeepImage header = merged_;
  if (!scene() && count() > 0) return header;
  header.format = captured;
  for (const char* name : {"A", "B", "G", "R"})
    header.channels.push_back({name, ChannelType::Half, {}});
  header.channels.push_back({"Z", ChannelType::Float, {}});
  return header;
}

}  // namespace fathom::deep
