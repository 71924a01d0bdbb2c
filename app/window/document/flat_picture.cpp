// SPDX-License-Identifier: BSD-3-Clause
// Reading is all the work; the texture is made at the first step.
#include "app/window/document/flat_picture.h"

#include "app/engine/gpu/context.h"
#include "app/engine/io/exr/exr_attributes.h"
#include "app/engine/io/picture.h"

namespace fathom::viewer {
namespace {

struct PictureInputs : LoadedInputs {
  Picture picture;
  std::string type;
};

bool isPicture(FileKind kind) { return isPlainPicture(kind) || kind == FileKind::FlatExr; }

bool accepts(const std::vector<std::string>& inputs) {
  std::error_code ignored;
  if (inputs.size() != 1 || !std::filesystem::is_regular_file(inputs[0], ignored)) return false;
  try {
    return isPicture(kindOf(inputs[0]));
  } catch (const Error&) {
    return false;
  }
}

std::unique_ptr<LoadedInputs> read(const std::vector<std::string>& inputs, Progress& progress) {
  if (inputs.size() != 1)
    throw UsageError(fmt::format("picture: expected one file, found {} inputs", inputs.size()));
  progress.begin("Reading", 1);
  auto loaded = std::make_unique<PictureInputs>();
  loaded->names = inputs;
  const FileKind kind = kindOf(inputs[0]);
  loaded->type = nameOf(kind);
  loaded->picture = readPicture(inputs[0]);
  // Other primaries than those of the display's own space: shown as the same colors.
  if (kind == FileKind::FlatExr)
    if (const auto matrix = matrixToRec709(inputs[0])) {
      loaded->type += ", own primaries";
      for (glm::vec4& pixel : loaded->picture.image.pixels)
        pixel = glm::vec4(*matrix * glm::vec3(pixel), pixel.a);
    }
  progress.advance(1);
  return loaded;
}

std::string rangeOf(const std::vector<float>& depth) {
  float low = INFINITY, high = -INFINITY;
  for (const float z : depth)
    if (std::isfinite(z)) low = std::min(low, z), high = std::max(high, z);
  return low > high ? "none finite" : fmt::format("{:.4g} .. {:.4g}", low, high);
}

Describe noSettings() {
  return [](FieldVisitor&) {};
}

}  // namespace

void FlatPicture::adopt(std::unique_ptr<LoadedInputs> inputs) {
  auto& own = ownInputs<PictureInputs>(*inputs);
  inputs_ = own.names;
  image_ = std::move(own.picture.image);
  origin_ = {own.picture.dataWindow.x, own.picture.dataWindow.y};
  pixelAspect_ = own.picture.pixelAspect;
  facts_ = {{"type", own.type},
            {"size", fmt::format("{} x {}", image_.width, image_.height)},
            {"alpha", own.picture.hasAlpha ? "yes" : "no"}};
  if (!own.picture.depth.empty()) facts_.emplace_back("Z", rangeOf(own.picture.depth));
  texture_ = {};
}

bool FlatPicture::work(gpu::Context& gpu, double) {
  if (texture_) return true;
  if (std::max(image_.width, image_.height) > gpu.limits().textureSize)
    fail("{}: expected at most {} pixels on a side, found {}x{}", inputs_[0],
         gpu.limits().textureSize, image_.width, image_.height);
  texture_ = gpu::Texture(gpu, "picture", gpu::TextureFormat::Rgba32f, image_.width, image_.height);
  texture_.upload(image_);
  return true;
}

const TechniqueEntry& flatPictureEntry() {
  static const TechniqueEntry entry{
      .info = {kFlatPicture, "Picture", "An image as it is: values, histogram, and conversions.",
               "", pictureEndings()},
      .accepts = accepts,
      .read = read,
      .settings = noSettings,
      .make = makeEngine<FlatPicture>};
  return entry;
}

const std::vector<TechniqueEntry>& windowTechniques() {
  static const std::vector<TechniqueEntry> list = [] {
    std::vector<TechniqueEntry> all{flatPictureEntry()};
    all.insert(all.end(), techniques().begin(), techniques().end());
    return all;
  }();
  return list;
}

}  // namespace fathom::viewer
