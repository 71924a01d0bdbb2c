// SPDX-License-Identifier: BSD-3-Clause
// Drawing and keeping small frames. A frame is known by what its picture depends on: the genomes
// around its time, the shutter and the settings.
#include "app/engine/flame/film/film_preview.h"

#include "app/engine/core/color.h"
#include "app/engine/flame/film/preview_motion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

namespace fathom::flame {
namespace {

constexpr double kSide = 400, kQuality = 12;                  // pixels, samples per pixel
constexpr double kSideOnDevice = 640, kQualityOnDevice = 40;  // where there is a real one

std::uint64_t keyOfSettings(const Settings& settings) {
  Settings copy = settings;
  copy.quality = copy.supersample = 0;
  std::string all;
  for (const FieldValue& value :
       valuesOf([&](FieldVisitor& field) { flame::describe(copy, field); }))
    all += value.text + ' ';
  return std::hash<std::string>{}(all);
}

SmallFrame smallFrom(const Image& light, std::uint64_t key) {
  SmallFrame frame{key, {light.width, light.height}, {}};
  frame.rgba.reserve(light.pixels.size() * 4);
  const auto byte = [](float v) {
    return std::uint8_t(std::lround(std::clamp(v, 0.0f, 1.0f) * 255));
  };
  for (const glm::vec4& pixel : light.pixels) {
    for (int c = 0; c < 3; ++c) frame.rgba.push_back(byte(srgbFromLinear(pixel[c])));
    frame.rgba.push_back(byte(pixel.a));
  }
  return frame;
}

Image lightFrom(const SmallFrame& frame) {
  static const std::array<float, 256> linear = [] {
    std::array<float, 256> table{};
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = linearFromSrgb(float(i) / 255);
    return table;
  }();
  Image image(frame.size.x, frame.size.y);
  const std::uint8_t* at = frame.rgba.data();
  for (glm::vec4& pixel : image.pixels) {
    pixel = {linear[at[0]], linear[at[1]], linear[at[2]], float(at[3]) / 255};
    at += 4;
  }
  return image;
}

std::uint64_t keyOf(const Transport& transport, int frame, std::uint64_t settingsKey) {
  double half = 0;
  if (transport.settings().motionBlur)
    for (const Genome& genome : transport.timeline().genomes())
      half = std::max(half, std::abs(genome.temporalFilterWidth) / 2);
  return (transport.timeline().fingerprint(frame, half) * 31 + settingsKey) | 1;
}

}  // namespace

void FilmPreview::reset() {
  drawing_.reset();
  cache_.clear();
  shownKey_ = 0;
}

std::vector<bool> FilmPreview::kept(const Transport& transport, const Settings& settings) const {
  const FrameRange frames = transport.range();
  std::vector<bool> there(std::size_t(frames.count()));
  if (cache_.count() == 0) return there;
  const std::uint64_t settingsKey = keyOfSettings(settings);
  for (int i = 0; i < frames.count(); ++i) {
    const int frame = frames.first + i;
    there[std::size_t(i)] =
        cache_.has(frame) && cache_.find(frame, keyOf(transport, frame, settingsKey));
  }
  return there;
}

void FilmPreview::start(gpu::Context& gpu, const Transport& transport, const Settings& settings,
                        std::uint64_t seed) {
  if (!rendering_) rendering_ = std::make_unique<Rendering>(gpu);
  Settings quick = settings;
  quick.quality = quick.supersample = 0;
  const bool software = gpu.device().software;
  const PreviewQuality quality{software ? kSide : kSideOnDevice,
                               software ? kQuality : kQualityOnDevice,
                               transport.settings().motionBlur};
  const auto motion = std::make_shared<const PreviewMotion>(transport.timeline().motion(), quality);
  rendering_->start(std::make_shared<const Exposure>(motion, *drawing_), quick, seed);
}

bool FilmPreview::step(gpu::Context& gpu, Transport& transport, const Settings& settings,
                       std::uint64_t seed, double budgetMs) {
  // The frame that is being drawn has changed, or another one is missing.
  const std::uint64_t settingsKey = keyOfSettings(settings);
  const auto keyNow = [&](int frame) { return keyOf(transport, frame, settingsKey); };
  if (drawing_ && keyNow(*drawing_) != drawingKey_) drawing_.reset();
  if (!drawing_) {
    drawing_ = cache_.missing(transport.frame(), transport.range(), keyNow);
    if (!drawing_) return false;
    drawingKey_ = keyNow(*drawing_);
    start(gpu, transport, settings, seed);
  }
  if (!rendering_->sample(budgetMs)) return true;
  rendering_->toneMap();
  const int frame = *std::exchange(drawing_, std::nullopt);
  cache_.put(frame, smallFrom(rendering_->light().downloadImage(), drawingKey_), transport.frame(),
             transport.range());
  if (frame == transport.frame()) transport.frameArrived();
  return true;
}

bool FilmPreview::show(gpu::Context& gpu, const Transport& transport, const Settings& settings) {
  const double time = transport.timeline().time();
  const int frame = int(std::lround(time));
  if (time != frame) return false;
  const std::uint64_t key = keyOf(transport, frame, keyOfSettings(settings));
  const SmallFrame* found = cache_.find(frame, key);
  if (!found) return false;
  if (shownKey_ == key && picture_) return true;
  gpu::ensure(gpu, picture_, "film preview", gpu::TextureFormat::Rgba32f, found->size);
  picture_.upload(lightFrom(*found));
  shownKey_ = key;
  return true;
}

}  // namespace fathom::flame
