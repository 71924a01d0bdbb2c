// SPDX-License-Identifier: BSD-3-Clause
// What headers and count tables tell, parts grouped by view or name, flat pixels made deep; reading
// on any thread; and adopting: images become compatible (unify()), their index words are numbered
// across all inputs.
#include "app/engine/deep/read/inputs.h"

#include "app/engine/core/error.h"
#include "app/engine/core/progress.h"
#include "app/engine/core/text.h"
#include "app/engine/deep/operations/chain.h"
#include "app/engine/deep/operations/sample_list.h"
#include "app/engine/deep/read/camera_attributes.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/exr/flat_exr.h"
#include "app/engine/scene/load_scene.h"
#include "app/system/machine.h"

#include <fmt/ranges.h>
#include <half.h>

namespace fathom::deep {
namespace {

std::string gib(std::uint64_t bytes) {
  return fmt::format("{:.1f} GiB", double(bytes) / double(1u << 30));
}

}  // namespace

InputFile describeInput(const std::string& input, Progress& progress) {
  const auto [path, wanted] = splitPart(input);
  const ExrFileInfo info = describeExr(path, &progress);
  InputFile file{path, wanted, info.fileBytes, {}, {}};
  bool found = false;
  for (std::size_t i = 0; i < info.parts.size(); ++i) {
    const ExrPartInfo& part = info.parts[i];
    if (part.deep) file.parts.push_back(part.label());
    if (found || !(wanted.empty() ? part.deep : part.is(wanted))) continue;
    found = true;
    file.part = part.label();
    if (info.totals[i]) file.totals = *info.totals[i];
  }
  return file;  // a part that is not there is refused by who reads it
}

std::string memoryQuestion(std::span<const InputFile> files, std::uint64_t limit) {
  std::uint64_t need = 0, fragments = 0;
  for (const InputFile& file : files)
    need += file.totals.memoryBytes, fragments += file.totals.fragmentCount;
  if (need <= limit) return {};
  return fmt::format("{} fragments need {} of memory; up to {} are taken without asking.",
                     fragments, gib(need), gib(limit));
}

std::uint64_t memoryWithoutAsking() { return system::memoryBytes() / 2; }

namespace {

/// Of an ExrPartInfo or a PartGroup.
std::string keyOf(const auto& part) { return part.view.empty() ? part.name : part.view; }

/// The deep parts of one input.
struct InputParts {
  std::string input;
  std::vector<ExrPartInfo> deep;
};

InputParts deepPartsOf(const std::string& input, const std::string& wanted,
                       std::vector<std::string>& notes) {
  const auto [path, named] = splitPart(input);
  InputParts found{input, {}};
  if (!looksLikeDeepExr(path)) return found;  // flat with Z, or refused when it is read
  for (const ExrPartInfo& part : exrParts(path)) {
    if (part.deep)
      found.deep.push_back(part);
    else if (named.empty() && wanted.empty())
      notes.push_back(fmt::format("{}: part {} is flat and not in the output", path,
                                  part.name.empty() ? std::to_string(part.index) : part.name));
  }
  if (!named.empty() || !wanted.empty()) found.deep.clear();
  return found;
}

}  // namespace

std::vector<PartGroup> partGroups(const std::vector<std::string>& inputs, const std::string& part,
                                  std::vector<std::string>& notes) {
  std::vector<InputParts> all;
  for (const std::string& input : inputs) all.push_back(deepPartsOf(input, part, notes));
  std::vector<PartGroup> groups;
  const auto isKnown = [&](const ExrPartInfo& own) {
    return std::ranges::any_of(groups, [&](const PartGroup& g) { return keyOf(g) == keyOf(own); });
  };
  for (const InputParts& one : all) {
    if (one.deep.size() < 2) continue;
    for (const ExrPartInfo& own : one.deep)
      if (!isKnown(own)) groups.push_back({own.name, own.view, {}, {}});
  }
  if (groups.empty()) {
    PartGroup& whole = groups.emplace_back();
    whole.inputs = inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i) whole.numbers.push_back(i);
    return groups;
  }
  std::vector<std::vector<std::string>> lacking(all.size());
  for (PartGroup& group : groups) {
    const std::string key = keyOf(group);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const InputParts& one = all[i];
      const auto same = std::ranges::find(one.deep, key, keyOf<ExrPartInfo>);
      const bool isCommon = one.deep.size() < 2 && (one.deep.empty() || !isKnown(one.deep[0]));
      if (same == one.deep.end() && !isCommon) {
        lacking[i].push_back(key);
        continue;
      }
      group.inputs.push_back(isCommon ? one.input : fmt::format("{}#{}", one.input, same->index));
      group.numbers.push_back(i);
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t more = lacking[i].size() > 4 ? lacking[i].size() - 3 : 0;
    if (more > 0) lacking[i].resize(3);
    if (!lacking[i].empty())
      notes.push_back(fmt::format("{}: has no part for {}{}", all[i].input,
                                  fmt::join(lacking[i], ", "),
                                  more > 0 ? fmt::format(" and {} others", more) : ""));
  }
  // Parts of one file need different names.
  std::set<std::string> names;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].name.empty()) groups[i].name = groups[i].view;
    if (!names.insert(groups[i].name).second)
      names.insert(groups[i].name = fmt::format("{}.{}", groups[i].name, i));
  }
  return groups;
}

namespace {

glm::vec4 repaired(glm::vec4 color, DeepRepairs& repairs) {
  for (int c = 0; c < 4; ++c)
    if (!std::isfinite(color[c])) color[c] = 0, ++repairs.nanColor;
  if (color.a < 0 || color.a > 1) color.a = std::clamp(color.a, 0.0f, 1.0f), ++repairs.alphaOutside;
  return color;
}

float repaired(float z, DeepRepairs& repairs) {
  if (!std::isnan(z)) return z;
  ++repairs.nanDepth;
  return INFINITY;
}

bool isHalf(const glm::vec4& color) {
  for (int c = 0; c < 4; ++c)
    if (float(half(color[c])) != color[c]) return false;
  return true;
}

std::vector<std::byte> planeOf(const std::vector<float>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

std::optional<Picture> readFlatWithDepth(const fs::path& file, const std::string& part) {
  if (!looksLikeExr(file) || looksLikeDeepExr(file)) return std::nullopt;
  std::optional<Picture> picture = loadFlatExr(file, part);
  if (!picture || picture->depth.empty()) return std::nullopt;
  return picture;
}

DeepImage deepened(const Picture& picture, float thickness) {
  FATHOM_CHECK_OP(picture.depth.size(), ==, picture.image.pixels.size());
  DeepImage image;
  image.dataWindow = picture.dataWindow;
  image.displayWindow = picture.displayWindow;
  image.pixelAspect = picture.pixelAspect;
  image.hasZBack = thickness > 0;

  std::vector<glm::vec4> colors;
  std::vector<float> depths, backs;
  for (std::size_t p = 0; p < picture.image.pixels.size(); ++p) {
    const glm::vec4 color = repaired(picture.image.pixels[p], image.repairs);
    if (color != glm::vec4(0)) {
      const float z = repaired(picture.depth[p], image.repairs);
      colors.push_back(color), depths.push_back(z), backs.push_back(z + std::max(thickness, 0.0f));
    }
    image.fragmentOffsets.push_back(colors.size());
  }

  const bool fits = std::all_of(colors.begin(), colors.end(), isHalf);
  image.format = fits ? FragmentFormat::Half : FragmentFormat::Indexed;
  for (std::size_t i = 0; i < colors.size(); ++i) {
    const glm::vec4& c = colors[i];
    const auto z = std::bit_cast<std::uint32_t>(depths[i]);
    const auto zBack = std::bit_cast<std::uint32_t>(backs[i]);
    image.words.insert(image.words.end(), {fits ? packHalves(c.r, c.g) : std::uint32_t(i),
                                           fits ? packHalves(c.b, c.a) : 0, z, zBack});
  }
  for (int c = 3; c >= 0; --c) {
    DeepChannel& channel = image.channels.emplace_back();
    channel.name = "RGBA"[c], channel.type = fits ? ChannelType::Half : ChannelType::Float;
    if (fits) continue;
    std::vector<float> values;
    for (const glm::vec4& color : colors) values.push_back(color[c]);
    channel.values = planeOf(values);
  }
  const auto addDepth = [&](const char* name, const std::vector<float>& values) {
    image.channels.push_back(
        {name, ChannelType::Float, fits ? std::vector<std::byte>{} : planeOf(values)});
  };
  addDepth("Z", depths);
  if (image.hasZBack) addDepth("ZBack", backs);
  return image;
}

// ---- Reading

namespace {

bool isRecipe(const std::vector<std::string>& inputs) {
  return inputs.size() == 1 && endingOf(inputs[0]) == ".recipe";
}

}  // namespace

bool accepts(const std::vector<std::string>& inputs) {
  return isRecipe(inputs) || std::all_of(inputs.begin(), inputs.end(), [](const auto& input) {
           return isSceneSpec(input) || looksLikeExr(splitPart(input).first);
         });
}

std::unique_ptr<LoadedInputs> read(const std::vector<std::string>& inputs, Progress& progress) {
  if (!isRecipe(inputs)) return readInputs(inputs, progress, memoryWithoutAsking());
  auto read = std::make_unique<Loaded>();
  read->recipe = readFile(inputs[0], kMaxRecipeBytes), read->recipeFile = inputs[0];
  parseSteps(read->recipe, inputs[0]);
  return read;
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
  const DeepReadOptions options{.progress = &progress};
  std::unique_ptr<Loaded> read = readFiles(inputs, options);
  read->files = std::move(files);
  return read;
}

std::unique_ptr<Loaded> readFiles(const std::vector<std::string>& files,
                                  const DeepReadOptions& options) {
  auto read = std::make_unique<Loaded>();
  read->names = files;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto [path, part] = splitPart(files[i]);
    DeepReadOptions own = options;
    if (!part.empty()) own.part = part;
    if (std::optional<Picture> flat = readFlatWithDepth(path, own.part)) {
      read->flats.emplace(i, std::move(*flat));
      DeepImage& header = read->images.emplace_back();
      for (const ExrPartInfo& one : exrParts(path))
        if (!header.attributes && (own.part.empty() ? !one.deep : one.is(own.part)))
          header.attributes = one.attributes;
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

// ---- Adopting

void Inputs::adopt(Loaded&& loaded, float thickness) {
  if (loaded.scene)
    adoptScene(std::move(loaded));
  else if (loaded.streamed)
    adoptFiles(std::move(loaded));
  else
    adoptImages(std::move(loaded), thickness);
  openedGeneration_ = ++generation_;
}

void Inputs::adoptMade(MadeImages&& made) {
  const bool same = made.images.empty() && made_->images.empty();
  made_ = std::make_shared<MadeImages>(std::move(made));
  if (same) return;
  measure();
  ++generation_;
}

void Inputs::take(Loaded&& loaded) {
  loaded_ = std::make_shared<Loaded>(std::move(loaded)), made_ = std::make_shared<MadeImages>();
}

void Inputs::adoptScene(Loaded&& loaded) {
  take(std::move(loaded));
  camera_ = scene()->camera;
  if (size_.x <= 0) size_ = {1280, 720};
  merged_ = {};
  merged_.dataWindow = merged_.displayWindow = {0, 0, size_.x, size_.y};
  fragmentCount_ = 0;
  for (const std::string& warning : scene()->warnings) log::warn("{}", warning);
}

void Inputs::adoptImages(Loaded&& loaded, float thickness) {
  std::vector<DeepImage>& images = loaded.images;
  for (const auto& [input, flat] : loaded.flats) {
    SharedAttributes attributes = std::move(images[input].attributes);
    images[input] = deepened(flat, thickness);
    images[input].attributes = std::move(attributes);
  }
  unify(images, loaded.names);
  countThrough(images, loaded.names);
  for (std::size_t i = 1; i < images.size(); ++i)
    if (!(images[i].displayWindow == images[0].displayWindow))
      log::warn("{}: the display window differs from the one of {}, which is kept", loaded.names[i],
                loaded.names[0]);
  thickness_ = thickness;
  take(std::move(loaded));
  measure();
}

/// The header and size of what images() are merged to.
void Inputs::measure() {
  merged_ = emptyLike(images()[0], {});
  fragmentCount_ = 0;
  for (const DeepImage& image : images()) {
    merged_.dataWindow = unite(merged_.dataWindow, image.dataWindow);
    fragmentCount_ += image.fragmentCount();
  }
  size_ = {merged_.dataWindow.width, merged_.dataWindow.height};
}

void Inputs::adoptFiles(Loaded&& loaded) {
  take(std::move(loaded));
  merged_ = streamed()->header();
  size_ = {merged_.dataWindow.width, merged_.dataWindow.height};
  fragmentCount_ = streamed()->fragmentCount();
}

void Inputs::setThickness(float thickness) {
  if (loaded_->flats.empty() || thickness_ == thickness) return;
  Loaded again = loaded_.use_count() > 1 ? *loaded_ : std::move(*loaded_);
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

void Inputs::dropTriangles() {
  if (!scene()) return;
  auto kept = std::make_shared<Scene>(cut(*scene(), {}));
  kept->parts = scene()->parts, kept->bounds = scene()->bounds;
  loaded_ = std::make_shared<Loaded>(*loaded_);  // copies of these inputs keep theirs
  loaded_->scene = std::move(kept);
}

// ---- What is open

std::size_t Inputs::count() const {
  return scene() ? scene()->parts.size() : streamed() ? streamed()->count() : images().size();
}

std::size_t Inputs::openedCount() const {
  return scene() || streamed() ? count() : openedImages().size();
}

std::string Inputs::nameOf(std::size_t input) const {
  return scene() ? scene()->parts[input].name : fs::path(names()[input]).filename().string();
}

const InputFile* Inputs::file(std::size_t input) const {
  return input < loaded_->files.size() ? &loaded_->files[input] : nullptr;
}

Rect Inputs::windowOf(const Rect& region) const {
  return {region.x + origin().x, region.y + origin().y, region.width, region.height};
}

std::vector<DeepRepairs> Inputs::repairs() const {
  if (streamed()) return streamed()->repairs();
  std::vector<DeepRepairs> repairs;
  for (const DeepImage& image : openedImages()) repairs.push_back(image.repairs);
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
  header.channels = halfRgbaAndZ();
  return header;
}

}  // namespace fathom::deep
