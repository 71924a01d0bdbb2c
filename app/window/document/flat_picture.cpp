// SPDX-License-Identifier: BSD-3-Clause
// Reading is all the work; the texture is made at the first step.
#include "app/window/document/flat_picture.h"

#include "app/engine/gpu/context.h"
#include "app/engine/io/color_config.h"
#include "app/engine/io/exr/exr_attributes.h"
#include "app/engine/io/picture.h"

namespace fathom::viewer {
namespace {

struct PictureInputs : LoadedInputs {
  Picture picture;
  std::string type;
  std::shared_ptr<SentImage> sent;  // null: a file
};

bool isPicture(FileKind kind) { return isPlainPicture(kind) || kind == FileKind::FlatExr; }

bool accepts(const std::vector<std::string>& inputs) {
  std::error_code ignored;
  if (inputs.size() != 1) return false;
  if (sent_images::isSent(inputs)) return sent_images::find(inputs[0]) != nullptr;
  const auto [file, part] = splitPart(inputs[0]);
  if (!fs::is_regular_file(file, ignored)) return false;
  try {
    const FileKind kind = kindOf(file);
    return part.empty() ? isPicture(kind) : kind == FileKind::FlatExr;
  } catch (const Error&) {
    return false;
  }
}

/// One layer. Throws Error.
Picture readLayer(const std::string& file, const ExrPartInfo& part, const std::string& name) {
  const std::vector<ExrLayer> layers = layersOf(part);
  const auto layer = std::ranges::find(layers, name, &ExrLayer::name);
  if (layer == layers.end())
    fail("{}: expected a layer \"{}\", found channels {}", file, name, part.channelNames());
  Picture picture;
  picture.dataWindow = part.dataWindow, picture.displayWindow = part.displayWindow;
  picture.pixelAspect = part.pixelAspect;
  for (const auto& [channel, targets] : shownAs(*layer)) {
    const std::vector<float> values = loadExrChannel(file, part.index, channel);
    if (picture.image.width == 0)
      picture.image = Image(part.dataWindow.width, part.dataWindow.height, {0, 0, 0, 1});
    picture.hasAlpha |= targets[0] == 3;
    for (std::size_t i = 0; i < values.size(); ++i)
      for (const int target : targets) picture.image.pixels[i][target] = values[i];
  }
  return picture;
}

/// "PART" or "PART:LAYER" of an EXR; the layer without a name has nothing behind the colon.
Picture readPartOf(const std::string& file, const std::string& wish) {
  const std::size_t colon = wish.find(':');
  const std::string name = wish.substr(0, colon);
  for (const ExrPartInfo& part : exrParts(file)) {
    if (!part.is(name)) continue;
    if (part.deep) fail("{}: expected a flat part, found a deep one: {}", file, name);
    return colon == std::string::npos ? *loadFlatExr(file, name)
                                      : readLayer(file, part, wish.substr(colon + 1));
  }
  fail("{}: expected a part \"{}\", found none of this number, name or view", file, name);
}

std::unique_ptr<LoadedInputs> read(const std::vector<std::string>& inputs, Progress& progress) {
  if (inputs.size() != 1) failUsage("image: expected one file, found {} inputs", inputs.size());
  progress.begin("Reading", 1);
  auto loaded = std::make_unique<PictureInputs>();
  loaded->names = inputs;
  if (sent_images::isSent(inputs)) {
    loaded->sent = sent_images::find(inputs[0]);
    if (!loaded->sent) fail("{}: expected an image that a renderer sends, found none", inputs[0]);
    loaded->type = "sent by a renderer";
    loaded->picture = loaded->sent->whole();
    return loaded;
  }
  const auto [file, part] = splitPart(inputs[0]);
  const FileKind kind = kindOf(file);
  loaded->type = nameOf(kind);
  loaded->picture = part.empty() ? readPicture(file) : readPartOf(file, part);
  // Other primaries than those of the display's own space: shown as the same colors.
  if (kind == FileKind::FlatExr)
    if (const auto matrix = matrixToRec709(readAttributes(file).at(0))) {
      loaded->type += ", own primaries";
      for (glm::vec4& pixel : loaded->picture.image.pixels)
        pixel = glm::vec4(*matrix * glm::dvec3(pixel), pixel.a);
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

}  // namespace

void FlatPicture::adopt(std::unique_ptr<LoadedInputs> inputs) {
  auto& own = ownInputs<PictureInputs>(*inputs);
  inputs_ = own.names;
  image_ = std::move(own.picture.image);
  origin_ = {own.picture.dataWindow.x, own.picture.dataWindow.y};
  pixelAspect_ = own.picture.pixelAspect;
  const Rect& all = own.picture.displayWindow;
  display_ = all.empty() || all == own.picture.dataWindow
                 ? Rect()
                 : Rect{all.x - origin_.x, all.y - origin_.y, all.width, all.height};
  facts_ = {{"type", own.type},
            {"size", fmt::format("{} x {}", image_.width, image_.height)},
            {"alpha", own.picture.hasAlpha ? "yes" : "no"}};
  if (!own.picture.depth.empty()) facts_.emplace_back("Z", rangeOf(own.picture.depth));
  texture_ = {};
  sent_ = std::move(own.sent);
}

bool FlatPicture::work(gpu::Context& gpu, double) {
  const auto sent = sent_ ? sent_->take(image_, !texture_) : SentImage::Rows{};
  if (texture_ && sent.end > sent.first) texture_.upload(image_, sent.first, sent.end - sent.first);
  if (texture_) return true;
  if (std::max(image_.width, image_.height) > gpu.limits().textureSize)
    fail("{}: expected at most {} pixels on a side, found {}x{}", inputs_[0],
         gpu.limits().textureSize, image_.width, image_.height);
  texture_ = gpu::Texture(gpu, "picture", gpu::TextureFormat::Rgba32f, image_.width, image_.height);
  texture_.upload(image_);
  return true;
}

std::vector<std::pair<std::string, std::vector<int>>> shownAs(const ExrLayer& layer) {
  std::vector<std::pair<std::string, std::vector<int>>> shown;
  std::vector<std::string> colors = layer.channels;
  const auto alpha = std::ranges::find_if(
      colors, [](const std::string& channel) { return channel == "A" || channel.ends_with(".A"); });
  if (alpha != colors.end()) {
    shown.push_back({*alpha, {3}});
    if (colors.size() > 1) colors.erase(alpha);
  }
  if (colors.size() == 1) shown.push_back({colors[0], {0, 1, 2}});
  for (std::size_t c = 0; colors.size() > 1 && c < std::min<std::size_t>(colors.size(), 3); ++c)
    shown.push_back({colors[c], {int(c)}});
  return shown;
}

std::vector<ExrLayer> layersOf(const ExrPartInfo& part) {
  std::vector<ExrLayer> layers;
  for (const ExrPartInfo::Channel& channel : part.channels) {
    const std::size_t point = channel.name.rfind('.');
    const std::string name = point == std::string::npos ? "" : channel.name.substr(0, point);
    auto at = std::ranges::find(layers, name, &ExrLayer::name);
    if (at == layers.end()) at = layers.insert(layers.end(), {name, {}});
    at->channels.push_back(channel.name);
  }
  const auto rank = [](const std::string& channel) {
    return std::string_view("RGBA").find(channel.substr(channel.rfind('.') + 1));
  };
  for (ExrLayer& layer : layers)
    std::ranges::stable_sort(layer.channels,
                             [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  std::ranges::stable_sort(layers, [](const auto& a, const auto& b) { return a.name < b.name; });
  return layers;
}

namespace {

/// Where the display window is another than what there are pixels of, it is outlined.
class FlatParts : public WindowParts, public PictureTools {
 public:
  explicit FlatParts(const FlatPicture& picture) : picture_(picture) { tools = this; }
  bool interact(const PictureInput&) override { return false; }
  void drawOverlay(PictureOverlay& overlay) override {
    const Rect& frame = picture_.display();
    if (frame.empty()) return;
    constexpr OverlayColor kFrame{0.94f, 0.68f, 0.31f, 0.9f};
    overlay.dashed(frame, kFrame);
    overlay.label({frame.x, frame.bottom()}, fmt::format("{} x {}", frame.width, frame.height),
                  kFrame, true);
    overlay.landmark({frame.x, frame.y}, "picture:display-window");
  }

 private:
  const FlatPicture& picture_;
};

}  // namespace

std::unique_ptr<WindowParts> makeFlatParts(Engine& engine) {
  return std::make_unique<FlatParts>(dynamic_cast<const FlatPicture&>(engine));
}

const std::vector<TechniqueEntry>& windowTechniques() {
  static const std::vector<TechniqueEntry> list = [] {
    std::vector<TechniqueEntry> all{
        {.info = {kFlatPicture, "Image", "An image as it is: values, histogram, and conversions.",
                  "", pictureEndings()},
         .accepts = accepts,
         .read = read,
         .settings = [] { return Describe([](FieldVisitor&) {}); },
         .make = makeEngine<FlatPicture>}};
    all.insert(all.end(), techniques().begin(), techniques().end());
    return all;
  }();
  return list;
}

}  // namespace fathom::viewer
