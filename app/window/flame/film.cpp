// SPDX-License-Identifier: BSD-3-Clause
// The transport, the frames that are kept, and the ruler.
#include "app/window/flame/film.h"

#include "app/engine/core/image.h"
#include "app/engine/flame/motion/exposure.h"

namespace fathom::flame {

constexpr double kRounding = 1e-6;  // frames

void Transport::play(bool on) {
  if (on == playing()) return;
  if (on && timeline_.moves()) {
    followSettings(Clock::now());
    player_.start(int(std::floor(timeline_.time() + kRounding)), range(), Clock::now());
  } else if (!on) {
    player_.stop();
    stopped_ = true;
  }
}

void Transport::goTo(double time) {
  play(false);
  timeline_.setTime(time);
}

void Transport::goBy(int frames) {
  const double from = timeline_.time();
  if (!timeline_.moves()) return goTo(std::round(from) + frames);
  const FrameRange all = range();
  const int whole = int(frames > 0 ? std::floor(from + kRounding) : std::ceil(from - kRounding));
  int to = whole + frames;
  if (settings_.loop) to = to > all.last ? all.first : to < all.first ? all.last : to;
  goTo(std::clamp(to, all.first, all.last));
}

void Transport::setScrubbing(bool on) {
  if (scrubbing_ && !on) stopped_ = true;
  scrubbing_ = on;
}

void Transport::reset() {
  player_.stop();
  scrubbing_ = false;
}

FrameRange Transport::range() const {
  return framesBetween(timeline_.firstTime(), timeline_.lastTime(), settings_.loop);
}

int Transport::frame() const {
  const FrameRange frames = range();
  return std::clamp(int(std::floor(timeline_.time() + kRounding)), frames.first, frames.last);
}

/// The frame that is due stays the same under another rate.
void Transport::followSettings(Clock::time_point now) {
  if (player_.frameRate == settings_.frameRate && player_.loop == settings_.loop) return;
  if (playing())
    player_.resume(now, framesBetween(timeline_.firstTime(), timeline_.lastTime(), player_.loop));
  player_.frameRate = settings_.frameRate;
  player_.loop = settings_.loop;
}

bool Transport::advance(Clock::time_point now) {
  followSettings(now);
  const bool stopped = std::exchange(stopped_, false);
  const bool played = playing();
  const bool another = tick(now);
  return stopped || another || played != playing();  // at rest the picture is drawn in full
}

/// True when there is another frame to show.
bool Transport::tick(Clock::time_point now) {
  if (!playing()) return false;
  if (!timeline_.moves()) return player_.stop(), true;
  const int due = player_.frameAt(now, range());
  // The end is shown before the film comes to rest there.
  if (player_.ended(now, range()) && timeline_.time() == due) return player_.stop(), true;
  const bool moved = timeline_.time() != due;
  timeline_.setTime(due);
  return std::exchange(arrived_, false) || moved;
}

std::optional<Transport::Clock::time_point> Transport::dueAt() const {
  if (!playing()) return std::nullopt;
  return arrived_ ? Clock::now() : player_.nextAt(Clock::now());
}

namespace {

/// Frames until this one is played.
int distance(int frame, int playhead, const FrameRange& range) {
  const int count = std::max(range.count(), 1);
  const int ahead = (frame - playhead) % count;
  return ahead < 0 ? ahead + count : ahead;
}

}  // namespace

const SmallFrame* FrameCache::find(int frame, std::uint64_t key) const {
  const auto at = frames_.find(frame);
  return at != frames_.end() && at->second.key == key ? &at->second : nullptr;
}

void FrameCache::put(int frame, SmallFrame picture, int playhead, const FrameRange& range) {
  SmallFrame& place = frames_[frame];
  bytes_ -= place.rgba.size();
  bytes_ += picture.rgba.size();
  place = std::move(picture);
  while (bytes_ > budget_ && frames_.size() > 1) {
    const auto farther = [&](const auto& a, const auto& b) {
      const auto rank = [&](int f) {
        const bool played = f >= range.first && f <= range.last;
        return played ? distance(f, playhead, range) : range.count();
      };
      return rank(a.first) < rank(b.first);
    };
    const auto latest = std::max_element(frames_.begin(), frames_.end(), farther);
    bytes_ -= latest->second.rgba.size();
    frames_.erase(latest);
  }
}

std::optional<int> FrameCache::missing(int playhead, const FrameRange& range,
                                       const KeyOf& keyOf) const {
  const std::size_t each = frames_.empty() ? 1 : std::max<std::size_t>(1, bytes_ / frames_.size());
  const auto room = int(std::min<std::size_t>(budget_ / each, std::size_t(range.count())));
  const int start = std::clamp(playhead, range.first, range.last) - range.first;
  for (int i = 0; i < room; ++i) {
    const int frame = range.first + (start + i) % range.count();
    if (!find(frame, keyOf(frame))) return frame;
  }
  return std::nullopt;
}

void FrameCache::clear() {
  frames_.clear();
  bytes_ = 0;
}

namespace {

constexpr double kSide = 400, kQuality = 12;                  // pixels, samples per pixel
constexpr double kSideOnDevice = 640, kQualityOnDevice = 40;  // where there is a real one

std::uint64_t keyOfSettings(const Settings& settings) {
  Settings copy = settings;
  copy.quality = copy.supersample = 0;
  std::string all;
  for (const FieldValue& value : valuesOf(describing(copy))) all += value.text + ' ';
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
  rendering_->start(std::make_shared<const Exposure>(transport.timeline().motion(), *drawing_,
                                                     std::nullopt, quality),
                    quick, seed);
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

namespace {
constexpr double kMinFrames = 4, kMaxVisibleFrames = 1e6, kStillFrames = 100;
}

void Ruler::fit(double first, double last) {
  const double length = last - first;
  low_ = first - std::max(1.0, 0.02 * length);
  high_ = length > 0 ? last + std::max(3.0, 0.08 * length) : first + kStillFrames;
}

void Ruler::place(float x, float width) {
  x_ = x;
  width_ = std::max(width, 1.0f);
}

float Ruler::xAt(double time) const { return x_ + float((time - low_) / (high_ - low_)) * width_; }

void Ruler::zoomAt(float x, double factor) {
  const double at = timeAt(x), length = high_ - low_;
  const double next = std::clamp(length / factor, kMinFrames, kMaxVisibleFrames);
  low_ = at - (at - low_) * next / length;
  high_ = low_ + next;
}

void Ruler::pan(float pixels) {
  const double frames = double(pixels) / double(width_) * (high_ - low_);
  low_ -= frames;
  high_ -= frames;
}

void Ruler::show(double time) {
  const double length = high_ - low_, margin = 0.02 * length;
  if (time < low_ + margin) low_ = time - margin;
  if (time > high_ - margin) low_ = time + margin - length;
  high_ = low_ + length;
}

double Ruler::step(float pixels) const {
  const double minStep = double(pixels) / double(width_) * (high_ - low_);
  double step = 1;
  while (step < minStep)
    for (const double more : {2.0, 2.5, 2.0})
      if (step < minStep) step *= more;
  return std::round(step);
}

}  // namespace fathom::flame
