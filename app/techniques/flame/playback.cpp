// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/flame/playback.h"

#include "app/core/color.h"
#include "app/techniques/flame/quick_motion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

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

}  // namespace

FrameRange Playback::range() const {
  return framesBetween(timeline_.firstTime(), timeline_.lastTime(), settings_.loop);
}

int Playback::playhead() const {
  const FrameRange frames = range();
  return std::clamp(int(std::floor(timeline_.time() + 1e-6)), frames.first, frames.last);
}

void Playback::play() {
  if (!timeline_.moves() || playing()) return;
  followSettings(Clock::now());
  player_.start(int(std::floor(timeline_.time() + 1e-6)), range(), Clock::now());
  shownKey_ = 0;
}

void Playback::stop() {
  player_.stop();
  drawing_.reset();
}

/// The frame that is due stays the same under another rate.
void Playback::followSettings(Clock::time_point now) {
  if (player_.frameRate == settings_.frameRate && player_.loop == settings_.loop) return;
  if (playing())
    player_.resume(now,
                   framesBetween(timeline_.firstTime(), timeline_.lastTime(), player_.loop));
  player_.frameRate = settings_.frameRate;
  player_.loop = settings_.loop;
}

void Playback::reset() {
  stop();
  cache_.clear();
  shownKey_ = 0;
}

bool Playback::tick(Clock::time_point now) {
  followSettings(now);
  if (!playing()) return false;
  if (!timeline_.moves()) return stop(), true;
  const int frame = player_.frameAt(now, range());
  // The end is shown before the film comes to rest there.
  if (player_.ended(now, range()) && timeline_.time() == frame) return stop(), true;
  const bool moved = timeline_.time() != frame;
  timeline_.setTime(frame);
  return std::exchange(arrived_, false) || moved;
}

std::optional<Playback::Clock::time_point> Playback::dueAt() const {
  if (!playing()) return std::nullopt;
  return arrived_ ? Clock::now() : player_.nextAt(Clock::now());
}

std::uint64_t Playback::keyOf(int frame, std::uint64_t settingsKey) const {
  double half = 0;
  if (settings_.motionBlur)
    for (const Genome& genome : timeline_.genomes())
      half = std::max(half, std::abs(genome.temporalFilterWidth) / 2);
  return (timeline_.fingerprint(frame, half) * 31 + settingsKey) | 1;
}

std::vector<bool> Playback::kept(const Settings& settings) const {
  const FrameRange frames = range();
  std::vector<bool> there(std::size_t(frames.count()));
  if (cache_.count() == 0) return there;
  const std::uint64_t settingsKey = keyOfSettings(settings);
  for (int i = 0; i < frames.count(); ++i) {
    const int frame = frames.first + i;
    there[std::size_t(i)] = cache_.has(frame) && cache_.find(frame, keyOf(frame, settingsKey));
  }
  return there;
}

bool Playback::step(gpu::Context& gpu, const Settings& settings, std::uint64_t seed,
                    double budgetMs) {
  if (!playing()) return false;
  const std::uint64_t settingsKey = keyOfSettings(settings);
  if (drawing_ && keyOf(*drawing_, settingsKey) != drawingKey_) drawing_.reset();
  if (!drawing_) {
    drawing_ =
        cache_.missing(playhead(), range(), [&](int frame) { return keyOf(frame, settingsKey); });
    if (!drawing_) return false;
    drawingKey_ = keyOf(*drawing_, settingsKey);
    if (!rendering_) rendering_ = std::make_unique<Rendering>(gpu);
    Settings quick = settings;
    quick.quality = quick.supersample = 0;
    const bool software = gpu.device().software;
    const Quickness quickness{software ? kSide : kSideOnDevice,
                              software ? kQuality : kQualityOnDevice, settings_.motionBlur};
    const auto motion = std::make_shared<const QuickMotion>(timeline_.motion(), quickness);
    rendering_->start(std::make_shared<const Exposure>(motion, *drawing_), quick, seed);
  }
  if (!rendering_->sample(budgetMs)) return true;
  rendering_->develop();
  const int frame = *std::exchange(drawing_, std::nullopt);
  cache_.put(frame, smallFrom(rendering_->light().downloadImage(), drawingKey_), playhead(),
             range());
  arrived_ = arrived_ || frame == playhead();
  return true;
}

bool Playback::show(gpu::Context& gpu, const Settings& settings) {
  const int frame = int(std::lround(timeline_.time()));
  if (timeline_.time() != frame) return false;
  const std::uint64_t key = keyOf(frame, keyOfSettings(settings));
  const SmallFrame* found = cache_.find(frame, key);
  if (!found) return false;
  if (shownKey_ == key && picture_) return true;
  if (picture_.width() != found->size.x || picture_.height() != found->size.y) {
    picture_ = {};
    picture_ = gpu::Texture(gpu, "film preview", gpu::TextureFormat::Rgba32f, found->size.x,
                            found->size.y);
  }
  picture_.upload(lightFrom(*found));
  shownKey_ = key;
  return true;
}

}  // namespace fathom::flame
