// SPDX-License-Identifier: BSD-3-Clause
// Scenes are drawn with the depth test, files uploaded as they were read; the depth in the middle
// is where the lens focuses unless the settings say otherwise.
#include "app/engine/dof/capture.h"

#include "app/engine/core/progress.h"

namespace fathom::dof {
namespace {

constexpr double kInfinityMm = 1e6;          // focus on the background
constexpr double kAveragedWarning = 0.005;   // share of the pixels
constexpr int kFocusReach = 2;               // px: median over 5 x 5
constexpr int kFaintReach = 8;               // px: of what is drawn by chance
constexpr std::size_t kMostKnots = 1 << 14;  // software renderers end longer loops

Image pictureOf(const Shot& shot) {
  if (shot.input.deep) return colorAndDepth(*shot.input.deep);
  return colorAndDepth(*shot.input.flat, shot.settings, shot.tangentPerPixel());
}

/// The picture with a margin of what lies beyond its border.
Image withMargin(const Image& image, int margin, Edges edges) {
  if (margin == 0) return image;
  Image wide(image.width + 2 * margin, image.height + 2 * margin);
  for (int y = 0; y < wide.height; ++y)
    for (int x = 0; x < wide.width; ++x)
      wide.at(x, y) = image.at(insideOf(x - margin, image.width, edges),
                               insideOf(y - margin, image.height, edges));
  return wide;
}

/// The camera of a picture that is larger by the margin on each side; pixels stay where they are.
Camera withMargin(Camera camera, glm::ivec2 size, int margin) {
  const double tangent = std::tan(glm::radians(double(camera.verticalFovDeg)) / 2);
  camera.verticalFovDeg =
      float(glm::degrees(2 * std::atan(tangent * (size.y + 2.0 * margin) / size.y)));
  return camera;
}

SeenBy seenBy(const Lens& lens, const gpu::Texture* mask, bool any = false) {
  const double k = lens.farRadius();
  return {float(k), float(k * lens.focus), int(lens.maxRadius), any, mask};
}

void warnOfAveragedDepth(const Shot& shot, const Image& picture) {
  if (!shot.input.flat || shot.settings.snapDepth) return;
  const double share = averagedShare(picture);
  if (share > kAveragedWarning)
    log::warn("{}: depth looks averaged at edges ({:.1f} % of the pixels): try --snap-depth",
              shot.input.flat->name, 100 * share);
}

/// PictureCapture leaves out what is that translucent.
constexpr auto kIsFaint = [](const auto& material) { return material.color.a <= 0.5f; };
bool isFaint(const Scene& scene) { return std::ranges::any_of(scene.materials, kIsFaint); }

/// The first layer would be an empty picture.
void warnOfFaintSurfaces(const Scene& scene) {
  if (std::ranges::all_of(scene.materials, kIsFaint))
    log::warn(
        "the first layer has surfaces of alpha above 0.5 only, and here are none: try --layers "
        "all with an operator other than gather");
}

}  // namespace

void Capture::take(const Shot& shot) {
  const bool isSame = picture_ && margin_ == shot.margin() && renderer_ &&
                      &renderer_->scene() == shot.input.scene.get() &&
                      picture_->size() == shot.size + 2 * margin_;
  margin_ = shot.margin(), samples_ = shot.samples();
  if (!isSame || !captured_) source_.reset(), captured_ = nullptr;
  retakes_ = captured_ != nullptr;
  lists_.reset();
  if (shot.input.scene)
    draw(shot);
  else
    upload(shot);
  uploadMask(shot);
  uploadHoldOut(shot);
  autoFocus_.reset();
  mmPerUnit_ = shot.mmPerUnit();
}

void Capture::draw(const Shot& shot) {
  if (!renderer_ || &renderer_->scene() != shot.input.scene.get()) {
    renderer_ = std::make_unique<SceneRenderer>(gpu_, shot.input.scene);
    if (!shot.layered() || shot.settings.op == Operator::Gather)
      warnOfFaintSurfaces(*shot.input.scene);
  }
  alpha_ = {};
  camera_ = withMargin(shot.sceneCamera(), shot.size, margin_);
  picture_ = &drawn_.draw(*renderer_, camera_, shot.size + 2 * margin_);
}

void Capture::upload(const Shot& shot) {
  renderer_.reset();
  const Image picture = pictureOf(shot);
  warnOfAveragedDepth(shot, picture);
  const Edges edges = shot.settings.edges;
  const glm::ivec2 size = shot.size + 2 * margin_;
  if (gpu::ensure(gpu_, uploaded_, "dof image", gpu::TextureFormat::Rgba32f, size))
    uploaded_.setNearest(true);
  uploaded_.upload(withMargin(picture, margin_, edges));
  picture_ = &uploaded_;
  alpha_ = {};
  if (!shot.input.flat || !shot.input.flat->hasAlpha) return;
  const Image color = withMargin(shot.input.flat->image, margin_, edges);
  std::vector<float> alphas;
  alphas.reserve(color.pixels.size());
  for (const glm::vec4& p : color.pixels) alphas.push_back(p.a);
  alpha_ = gpu::Texture(gpu_, "dof alpha", gpu::TextureFormat::R32f, size.x, size.y);
  alpha_.setNearest(true);
  alpha_.write(alphas.data(), std::int64_t(alphas.size() * sizeof(float)));
}

/// A scene's mask lies over its frame, whatever the sizes.
void Capture::uploadMask(const Shot& shot) {
  if (!shot.mask) {
    mask_ = {};
    return;
  }
  const Edges edges = shot.input.scene ? Edges::Extend : shot.settings.edges;
  const FocusMask wide = shot.mask->over(shot.size).with(margin_, edges);
  if (gpu::ensure(gpu_, mask_, "dof focus mask", gpu::TextureFormat::R32f,
                  {wide.width, wide.height}))
    mask_.setNearest(true);
  mask_.write(wide.values.data(), std::int64_t(wide.values.size() * sizeof(float)));
}

/// Its pixels are those of the picture, at their places in the data.
void Capture::uploadHoldOut(const Shot& shot) {
  held_.samples = 0;
  if (!shot.input.held) return;
  const DeepImage& image = *shot.input.held;
  const glm::ivec2 size = shot.size / shot.samples();
  std::vector<std::uint32_t> begins;
  std::vector<glm::vec4> knots;
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x) {
      const glm::ivec2 at = shot.origin() + glm::ivec2(x, y);
      begins.push_back(std::uint32_t(knots.size()));
      if (image.dataWindow.contains(at.x, at.y))
        addKnots(image, image.pixelIndex(at.x, at.y), knots);
      else
        knots.emplace_back(0, 1, 0, INFINITY);
      if (knots.size() - begins.back() > kMostKnots)
        fail("hold-outs: expected at most {} depths in a pixel, found {} at {},{}", kMostKnots,
             knots.size() - begins.back(), at.x, at.y);
    }
  gpu::ensure(gpu_, held_.begins, "dof hold-out pixels", begins.size());
  gpu::ensure(gpu_, held_.knots, "dof hold-outs", knots.size());
  held_.begins.upload(begins);
  held_.knots.upload(knots);
  held_.samples = shot.samples();
}

float Capture::maskAt(int x, int y) const {
  float value = 1;
  if (mask_)
    mask_.readRegion({std::clamp(x + margin_, 0, mask_.width() - 1),
                      std::clamp(y + margin_, 0, mask_.height() - 1), 1, 1},
                     &value, 1);
  return value;
}

float Capture::depthAt(int x, int y) const {
  return picture_
      ->texel(std::clamp(x + margin_, 0, picture_->width() - 1),
              std::clamp(y + margin_, 0, picture_->height() - 1))
      .a;
}

float Capture::focusAt(int x, int y, double mmPerUnit) const {
  const float depth = medianAround(*picture_, x, y, kFocusReach * samples_);
  if (!isBackground(depth)) return depth;
  // Translucent surfaces, which the picture leaves out: by chance each hides its share of the rest.
  if (renderer_ && isFaint(renderer_->scene())) {
    PictureCapture rolled(gpu_);
    const float seen =
        medianAround(rolled.draw(*renderer_, camera_, picture_->size(), 1), x, y, kFaintReach);
    if (!isBackground(seen)) return seen;
  }
  return float(kInfinityMm / mmPerUnit);
}

/// Infinite where most is background.
float Capture::medianAround(const gpu::Texture& picture, int x, int y, int reach) const {
  // One read of the pixels around it that there are.
  const Rect all{0, 0, picture.width(), picture.height()};
  const int side = 2 * reach + 1;
  const int left = std::clamp(x + margin_, 0, all.width - 1) - reach;
  const int top = std::clamp(y + margin_, 0, all.height - 1) - reach;
  const Rect region = intersect({left, top, side, side}, all);
  std::vector<glm::vec4> texels(std::size_t(region.area()));
  picture.readRegion(region, texels.data(), region.width);
  std::vector<float> depths;
  for (const glm::vec4& p : texels) depths.push_back(isBackground(p.a) ? INFINITY : p.a);
  const auto middle = depths.begin() + std::ptrdiff_t(depths.size() / 2);
  std::nth_element(depths.begin(), middle, depths.end());
  return *middle;
}

double Capture::autoFocus() const {
  if (!picture_) return 1;
  const glm::ivec2 size = picture_->size() - 2 * margin_;
  if (!autoFocus_) autoFocus_ = focusAt(size.x / 2, size.y / 2, mmPerUnit_);
  return *autoFocus_;
}

Source& Capture::source(const Shot& shot, const Lens& lens) {
  const int radius = shot.settings.radius();
  const bool another = sourceLayered_ != shot.layered() || (lists_ && sourceRadius_ != radius);
  const bool resliced = lists_ && lists_->hasVolumes && sliced_ != shot.slicing(lens);
  if (!source_ || another || resliced) {
    source_ = makeSource(shot, lens);
    sourceLayered_ = shot.layered();
  } else if (captured_ && (retakes_ || !captured_->serves(seenBy(lens, mask())))) {
    // Where only the lens moves, it is worth while to hold what any may see.
    captured_->retake(withMargin(shot.sceneCamera(), shot.size, margin_),
                      seenBy(lens, mask(), !retakes_));
  }
  sourceRadius_ = radius;
  retakes_ = false;
  return *source_;
}

std::unique_ptr<Source> Capture::makeSource(const Shot& shot, const Lens& lens) {
  captured_ = nullptr;
  if (!shot.layered()) {
    auto made = std::make_unique<PictureSource>(gpu_, *picture_, margin_, alpha());
    made->setMask(mask());
    return made;
  }
  if (shot.input.deep) {
    sliced_ = shot.slicing(lens);
    lists_ = std::make_shared<PointLists>(
        pointsOf(*shot.input.deep, *sliced_, shot.input.aovs && !shot.input.aovs->empty()));
    auto made = std::make_unique<DeepSource>(gpu_, lists_, *picture_, margin_,
                                             shot.settings.radius(), shot.settings.edges);
    made->setMask(mask());
    return made;
  }
  auto made = std::make_unique<CaptureSource>(gpu_, *renderer_,
                                              withMargin(shot.sceneCamera(), shot.size, margin_),
                                              *picture_, margin_, seenBy(lens, mask()));
  captured_ = made.get();
  return made;
}

}  // namespace fathom::dof
