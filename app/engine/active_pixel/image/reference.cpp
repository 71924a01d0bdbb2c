// SPDX-License-Identifier: BSD-3-Clause
// Runs are written and read pixel by pixel. Compositing follows IceT: equal depths go to the back,
// bytes divide by 255 rounding down.
#include "app/engine/active_pixel/image/reference.h"

#include "app/engine/core/bytes.h"
#include "app/engine/core/error.h"

namespace fathom::active_pixel::reference {
namespace {

/// Appends pixel after pixel to a sparse image, in IceT's own canonical form.
class RunWriter {
 public:
  explicit RunWriter(const Format& format) : words_(kHeaderWords), format_(format) {}

  void addInactive(int count = 1) {
    if (count > 0) pair_ = 0;
    inactive_ += std::uint32_t(count);
  }
  void addActive(const Frame& frame, std::size_t pixel) {
    if (pair_ == 0) {
      pair_ = words_.size();
      words_.push_back(inactive_);
      words_.push_back(0);
      inactive_ = 0;
    }
    ++words_[pair_ + 1];
    const std::size_t at = words_.size(), colorWords = std::size_t(format_.colorBytes()) / 4;
    words_.resize(at + std::size_t(format_.payloadBytes()) / 4);
    if (colorWords) std::memcpy(&words_[at], frame.colorAt(pixel), colorWords * 4);
    if (format_.depth == Depth::Float32)
      std::memcpy(&words_[at + colorWords], &frame.depth[pixel], 4);
  }
  SparseImage finish(int width, int height) {
    if (inactive_ > 0) words_.insert(words_.end(), {inactive_, 0});
    const auto first = header(format_, width, height, words_.size() * 4);
    std::copy(first.begin(), first.end(), words_.begin());
    return {std::move(words_)};
  }

 private:
  std::vector<std::uint32_t> words_;
  Format format_;
  std::size_t pair_ = 0;        // where the pair of the open active run stands; 0: none is open
  std::uint32_t inactive_ = 0;  // pixels since the last active one
};

/// The pair of a run and what lies before and after it, walked without trust.
struct RunReader {
  std::span<const std::uint32_t> words;
  std::size_t at = kHeaderWords;
  std::uint32_t inactive = 0, active = 0;

  bool next() {
    if (at + 2 > words.size()) return false;
    inactive = words[at];
    active = words[at + 1];
    at += 2;
    return true;
  }
};

template <class Enum>
std::string texts(std::uint32_t (*number)(Enum), std::initializer_list<Enum> values) {
  std::vector<std::uint32_t> numbers;
  std::ranges::transform(values, std::back_inserter(numbers), number);
  return fmt::format("0x{:04X}", fmt::join(numbers, ", 0x"));
}

template <class Enum>
Enum enumOf(std::uint32_t word, std::uint32_t (*number)(Enum), std::initializer_list<Enum> values,
            const std::string& name, const char* what) {
  for (const Enum value : values)
    if (number(value) == word) return value;
  fail("{}: expected a {} format that IceT knows ({}), found 0x{:X}", name, what,
       texts(number, values), word);
}

Format formatOf(std::span<const std::uint32_t> words, Compositing compositing,
                const std::string& name) {
  Format format;
  format.color = enumOf(words[1], icetColorFormat,
                        {Color::None, Color::Rgba8, Color::Rgba32f, Color::Rgb32f}, name, "color");
  format.depth = enumOf(words[2], icetDepthFormat, {Depth::None, Depth::Float32}, name, "depth");
  format.compositing = compositing;
  return format;
}

SparseFacts checkHeader(std::span<const std::uint32_t> words, Compositing compositing,
                        const std::string& name) {
  if (words.size() < kHeaderWords)
    fail("{}: expected a header of {} bytes, found {} bytes", name, kHeaderBytes, words.size() * 4);
  if (words[0] != kSparseMagic)
    fail("{}: expected IceT's number of a sparse image, 0x{:08X}, found 0x{:08X}", name,
         kSparseMagic, words[0]);
  SparseFacts facts;
  facts.format = formatOf(words, compositing, name);
  if (!facts.format.valid())
    fail("{}: expected {}, found {} {} depth", name,
         compositing == Compositing::ZBuffer ? "depth to composite by"
                                             : "colors with alpha and no depth to blend",
         active_pixel::name(facts.format.color),
         facts.format.depth == Depth::None ? "without" : "with");
  if (words[3] > INT32_MAX || words[4] > INT32_MAX)
    fail("{}: expected a size below 2^31, found {} x {}", name, words[3], words[4]);
  facts.width = int(words[3]);
  facts.height = int(words[4]);
  const auto pixels = std::uint64_t(words[3]) * words[4];
  std::uint64_t room = 0;
  try {
    room = bufferBytes(facts.format, facts.width, facts.height);
  } catch (const Error& error) {
    fail("{}: {}", name, error.what());
  }
  if (words[5] < pixels)
    fail("{}: expected room for {} pixels, found room for {}", name, pixels, words[5]);
  facts.bytes = words[6];
  if (facts.bytes != words.size() * 4)
    fail("{}: expected {} bytes as its header says, found {}", name, facts.bytes, words.size() * 4);
  if (facts.bytes > room)
    fail("{}: expected at most {} bytes for {} x {} pixels, found {}", name, room, facts.width,
         facts.height, facts.bytes);
  return facts;
}

/// Front over back, both premultiplied. Bytes divide by 255 rounding down, as IceT does.
void blend(const Frame& front, const Frame& back, std::size_t pixel, Frame& result) {
  if (front.format.color == Color::Rgba8) {
    const auto alpha = std::to_integer<unsigned>(front.colorAt(pixel)[3]);
    for (std::size_t c = 0; c < 4; ++c) {
      const unsigned behind =
          std::to_integer<unsigned>(back.colorAt(pixel)[c]) * (255 - alpha) / 255;
      const unsigned sum = std::to_integer<unsigned>(front.colorAt(pixel)[c]) + behind;
      result.colorAt(pixel)[c] = std::byte(std::min(255u, sum));
    }
  } else {
    const glm::vec4 over = front.colorOf(pixel), under = back.colorOf(pixel);
    result.setColor(pixel, over + under * (1.0f - over.a));
  }
}

void copyPixel(const Frame& from, std::size_t pixel, Frame& to) {
  if (const int bytes = from.format.colorBytes())
    std::memcpy(to.colorAt(pixel), from.colorAt(pixel), std::size_t(bytes));
  if (!from.depth.empty()) to.depth[pixel] = from.depth[pixel];
}

}  // namespace

bool isActive(const Frame& frame, std::size_t pixel) {
  if (frame.format.compositing == Compositing::ZBuffer) return frame.depth[pixel] < 1.0f;
  const std::byte* const color = frame.colorAt(pixel);
  if (frame.format.color == Color::Rgba8) return color[3] != std::byte(0);
  return (load<std::uint32_t>(color + 12) & 0x7FFFFFFFu) != 0;  // any alpha but +0 and -0
}

SparseImage encode(const Frame& frame) {
  const Region all{0, 0, frame.width, frame.height};
  return encode(frame, frame.width, frame.height, {all, all});
}

SparseImage encode(const Frame& frame, int tileWidth, int tileHeight, const Placement& placement) {
  FATHOM_CHECK(frame.format.valid());
  bufferBytes(frame.format, tileWidth, tileHeight);  // throws when IceT cannot count it
  const auto& [source, target] = placement;
  RunWriter writer(frame.format);
  const int left = std::clamp(target.x, 0, tileWidth);
  const int right = std::clamp(target.x + target.width, left, tileWidth);
  for (int y = 0; y < tileHeight; ++y) {
    const int dy = y - target.y;
    if (dy < 0 || dy >= target.height) {
      writer.addInactive(tileWidth);
      continue;
    }
    writer.addInactive(left);
    for (int x = left; x < right; ++x) {
      const int sx = source.x + x - target.x, sy = source.y + dy;
      const bool shown = sx >= 0 && sy >= 0 && sx < frame.width && sy < frame.height;
      const std::size_t pixel =
          shown ? std::size_t(sy) * std::size_t(frame.width) + std::size_t(sx) : 0;
      if (shown && isActive(frame, pixel))
        writer.addActive(frame, pixel);
      else
        writer.addInactive();
    }
    writer.addInactive(tileWidth - right);
  }
  return writer.finish(tileWidth, tileHeight);
}

Frame decode(std::span<const std::uint32_t> words, Compositing compositing, glm::vec4 background) {
  const SparseFacts facts = check(words, compositing, "sparse image");
  Frame frame(facts.format, facts.width, facts.height, background);
  const std::size_t colorBytes = std::size_t(facts.format.colorBytes());
  std::size_t pixel = 0;
  for (RunReader run{words}; run.next();) {
    pixel += run.inactive;
    for (const std::size_t end = pixel + run.active; pixel < end; ++pixel) {
      const auto* const payload = reinterpret_cast<const std::byte*>(words.data() + run.at);
      if (colorBytes) std::memcpy(frame.colorAt(pixel), payload, colorBytes);
      if (!frame.depth.empty()) frame.depth[pixel] = load<float>(payload + colorBytes);
      run.at += std::size_t(facts.format.payloadBytes()) / 4;
    }
  }
  return frame;
}

SparseFacts check(std::span<const std::uint32_t> words, Compositing compositing,
                  const std::string& name) {
  SparseFacts facts = checkHeader(words, compositing, name);
  const auto pixels = std::uint64_t(facts.width) * std::uint64_t(facts.height);
  const auto payloadWords = std::uint64_t(facts.format.payloadBytes()) / 4;
  std::uint64_t counted = 0;
  RunReader run{words};
  while (run.next()) {
    counted += std::uint64_t(run.inactive) + run.active;
    if (counted > pixels)
      fail("{}: expected runs of {} pixels in all, found more at byte {}", name, pixels,
           run.at * 4 - 8);
    if (run.active * payloadWords > words.size() - run.at)
      fail("{}: expected {} active pixels after byte {}, found {} bytes", name, run.active,
           run.at * 4, (words.size() - run.at) * 4);
    facts.active += run.active;
    facts.runs += run.active > 0;
    run.at += run.active * payloadWords;
  }
  if (run.at != words.size())
    fail("{}: expected a run of two words at byte {}, found {} bytes", name, run.at * 4,
         (words.size() - run.at) * 4);
  if (counted != pixels)
    fail("{}: expected runs of {} pixels in all, found {}", name, pixels, counted);
  if (pixels > 0) facts.ratio = double(facts.bytes) / double(pixels * payloadWords * 4);
  return facts;
}

Frame composite(const Frame& front, const Frame& back) {
  FATHOM_CHECK(front.format == back.format);
  FATHOM_CHECK(front.width == back.width && front.height == back.height);
  Frame result = front;
  const bool blends = front.format.compositing == Compositing::Blend;
  for (std::size_t pixel = 0; pixel < front.pixelCount(); ++pixel) {
    if (!isActive(back, pixel)) continue;
    if (!isActive(front, pixel))
      copyPixel(back, pixel, result);
    else if (blends)
      blend(front, back, pixel, result);
    else if (back.depth[pixel] <= front.depth[pixel])
      copyPixel(back, pixel, result);
  }
  return result;
}

Frame compositeAll(std::span<const Frame> frames) {
  FATHOM_CHECK(!frames.empty());
  Frame result = frames.front();
  for (const Frame& frame : frames.subspan(1)) result = composite(result, frame);
  return result;
}

}  // namespace fathom::active_pixel::reference
