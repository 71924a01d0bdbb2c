// SPDX-License-Identifier: BSD-3-Clause
// One description of the models serves both ways: Coder is an Encoder, which is told each symbol,
// or a Decoder, which tells it. Symbols are coded by rANS (Duda 2013) with adaptive distributions.
// Coders are copied to where loops run, so that what they hold stays in registers; what is done
// for each symbol is inlined by force.
#include "app/engine/io/exr/deep_codec.h"

#include "app/engine/core/bytes.h"

#include <unordered_map>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace fathom::deep_pack {
namespace {

// ---- Coding symbols

constexpr int kBits = 15;                    // of a probability
constexpr int kMost = (1 << kBits) - 1;      // where the last symbol ends
constexpr std::uint32_t kLowest = 1u << 16;  // of a state between two symbols
constexpr int kMaxRate = 7;                  // distributions end up moving by 1/128

/// Eight lanes, which every processor compares at once; compilers compare more of them one by one.
using Lanes = std::int16_t __attribute__((vector_size(16)));
using Sums = std::array<Lanes, 2>;

constexpr Sums kPlaces{Lanes{0, 1, 2, 3, 4, 5, 6, 7}, Lanes{8, 9, 10, 11, 12, 13, 14, 15}};

/// Where the sums go after each symbol: those behind it are raised to the most.
const std::array<Sums, 16> kTargets = [] {
  std::array<Sums, 16> targets{};
  for (std::int16_t symbol = 0; symbol < 16; ++symbol)
    for (std::size_t half = 0; half < 2; ++half)
      targets[std::size_t(symbol)][half] =
          kPlaces[half] + ((kPlaces[half] > symbol) & std::int16_t(kMost - 16));
  return targets;
}();

/// By how many halves sums come nearer after so many symbols.
constexpr auto kRates = [] {
  std::array<std::uint8_t, (1 << kMaxRate) + 1> rates{};
  for (std::size_t seen = 0; seen < rates.size(); ++seen)
    rates[seen] = std::uint8_t(std::bit_width(seen) - 1);
  return rates;
}();

/// How likely each of 16 symbols is, as the sums before them and the one of all. In a line of the
/// cache by itself.
struct alignas(64) Model {
  std::array<std::uint16_t, 17> sums{};
  std::uint16_t seen = 4;

  Model() {
    for (std::size_t k = 0; k < 17; ++k)
      sums[k] = std::uint16_t(std::min<int>(2048 * int(k), kMost));
  }
  /// The likeliest is `middle`, as if some symbols had been seen.
  explicit Model(int middle) : seen(12) {
    std::array<int, 17> before{};
    for (int k = 0; k < 16; ++k)
      before[std::size_t(k) + 1] =
          before[std::size_t(k)] +
          (k == 15 ? 4 : std::max(4, 64 >> std::min(4, std::abs(k - middle))));
    for (std::size_t k = 0; k < 16; ++k)
      sums[k] = std::uint16_t((kMost - 16) * before[k] / before[16] + int(k));
    sums[16] = kMost;
  }
  [[gnu::always_inline]] Lanes half(std::size_t which) const {
    Lanes lanes;
    std::memcpy(&lanes, sums.data() + 8 * which, sizeof lanes);
    return lanes;
  }
  [[gnu::always_inline]] void learn(std::size_t symbol) {
    const std::int16_t rate = kRates[seen];
    for (std::size_t which = 0; which < 2; ++which) {
      Lanes lanes = half(which);
      lanes += (kTargets[symbol][which] - lanes) >> rate;
      std::memcpy(sums.data() + 8 * which, &lanes, sizeof lanes);
    }
    seen += seen < 1u << kMaxRate;
  }
};

/// The most that so many bits can be.
constexpr std::uint64_t mostIn(int bits) { return (std::uint64_t(1) << bits) - 1; }

constexpr int kMostZeros = 24;  // in front of a quick number

class Encoder {
 public:
  static constexpr bool kEncodes = true;
  int code(Model& model, int symbol) {
    const auto at = std::size_t(symbol);
    spans_.push_back({model.sums[at], std::uint16_t(model.sums[at + 1] - model.sums[at])});
    model.learn(at);
    return symbol;
  }
  std::uint64_t raw(int bits, std::uint64_t value) {
    waiting_ |= value << waitingBits_;
    for (waitingBits_ += bits; waitingBits_ >= 8; waitingBits_ -= 8, waiting_ >>= 8)
      raw_.push_back(std::byte(waiting_));
    return value;
  }
  /// A number as so many of its lowest bits, and how often zeros stand for the rest.
  std::uint32_t quick(int low, int width, std::uint32_t number) {
    const std::uint32_t zeros = std::min<std::uint32_t>(number >> low, kMostZeros);
    raw(int(zeros) + 1, std::uint64_t(1) << zeros);
    zeros < kMostZeros ? raw(low, number & mostIn(low)) : raw(width, number);
    return number;
  }
  bool isRight(bool) const { return true; }
  bool isAhead() const { return true; }

  /// Backwards, so that the decoder goes forwards.
  std::vector<std::byte> finish() const {
    std::vector<std::uint16_t> words;
    std::array<std::uint32_t, 2> states{kLowest, kLowest};
    for (std::size_t i = spans_.size(); i-- > 0;) {
      std::uint32_t& state = states[i % 2];
      const auto [first, size] = spans_[i];
      if (state >= std::uint64_t(size) << (32 - kBits)) {
        words.push_back(std::uint16_t(state));
        state >>= 16;
      }
      state = (state / size << kBits) + state % size + first;
    }
    for (const std::uint32_t state : {states[1], states[0]})
      words.insert(words.end(), {std::uint16_t(state), std::uint16_t(state >> 16)});
    std::reverse(words.begin(), words.end());
    const auto length = std::uint32_t(2 * words.size());
    std::vector<std::byte> all;
    for (const std::span<const std::byte> part :
         {std::as_bytes(std::span(&length, 1)), std::as_bytes(std::span(words)),
          std::span<const std::byte>(raw_)})
      all.insert(all.end(), part.begin(), part.end());
    if (waitingBits_ > 0) all.push_back(std::byte(waiting_));
    return all;
  }

 private:
  struct Span {
    std::uint16_t first, size;
  };
  std::vector<Span> spans_;
  std::vector<std::byte> raw_;
  std::uint64_t waiting_ = 0;  // bits that fill no byte yet
  int waitingBits_ = 0;
};

/// A stream with zeros behind each of its parts, for what is read there until it is noticed.
struct PaddedStream {
  std::vector<std::byte> bytes;
  std::size_t words = 0, raw = 0, rawBytes = 0;  // bytes of words; where raw bits begin
  bool isWhole = false;

  /// `steps`: numbers that are read between two looks.
  PaddedStream(std::span<const std::byte> packed, std::size_t steps) {
    const std::size_t pad = 32 + 16 * steps;
    const std::uint32_t length = packed.size() < 4 ? 0 : load<std::uint32_t>(packed.data());
    isWhole = packed.size() >= 4 && length <= packed.size() - 4 && length % 2 == 0;
    if (isWhole) words = length, rawBytes = packed.size() - 4 - length;
    raw = words + pad;
    bytes.resize(raw + rawBytes + pad);
    if (!isWhole) return;
    std::ranges::copy(packed.subspan(4, words), bytes.begin());
    std::ranges::copy(packed.subspan(4 + words), bytes.begin() + std::ptrdiff_t(raw));
  }
};

class Decoder {
 public:
  static constexpr bool kEncodes = false;
  explicit Decoder(const PaddedStream& stream)
      : word_(stream.bytes.data()),
        lastWord_(word_ + stream.words),
        raw_(word_ + stream.raw),
        lastBit_(8 * stream.rawBytes),
        damaged_(!stream.isWhole) {
    for (std::uint32_t* state : {&state_, &other_}) *state = next() << 16, *state |= next();
  }
  [[gnu::always_inline]] int code(Model& model, int) {
    const auto slot = std::int16_t(state_ & kMost);
    const std::size_t symbol = lastAtOrBefore(model, slot);
    const std::uint16_t* const at = model.sums.data() + symbol;
    const std::uint32_t first = at[0];
    std::uint32_t state = (at[1] - first) * (state_ >> kBits) + (std::uint32_t(slot) - first);
    if (state < kLowest) state = state << 16 | next();
    state_ = other_, other_ = state;
    model.learn(symbol);
    return int(symbol);
  }
  [[gnu::always_inline]] std::uint64_t raw(int bits, std::uint64_t) {
    const std::uint64_t ahead = load<std::uint64_t>(raw_ + bit_ / 8) >> bit_ % 8;
    bit_ += unsigned(bits);
    return ahead & mostIn(bits);
  }
  [[gnu::always_inline]] std::uint32_t quick(int low, int width, std::uint32_t) {
    const std::uint64_t ahead = load<std::uint64_t>(raw_ + bit_ / 8) >> bit_ % 8;
    const int zeros = std::countr_zero(ahead | 1u << kMostZeros);
    bit_ += unsigned(zeros) + 1;
    if (zeros == kMostZeros) [[unlikely]]
      return std::uint32_t(raw(width, 0));
    bit_ += unsigned(low);
    return std::uint32_t(zeros) << low | std::uint32_t(ahead >> 1 >> zeros & mostIn(low));
  }
  /// What a symbol says can be; else nothing that follows counts.
  bool isRight(bool right) {
    damaged_ |= !right;
    return right;
  }
  /// What was read was there.
  bool isAhead() const { return word_ <= lastWord_ && bit_ <= lastBit_; }
  /// Everything was read, and nothing more.
  bool isComplete() const {
    return !damaged_ && word_ == lastWord_ && (bit_ + 7) / 8 * 8 == lastBit_ && state_ == kLowest &&
           other_ == kLowest;
  }

 private:
  [[gnu::always_inline]] static std::size_t lastAtOrBefore(const Model& model, std::int16_t slot) {
    const Sums behind{model.half(0) > slot, model.half(1) > slot};
#ifdef __SSE2__
    const int bits = _mm_movemask_epi8(_mm_packs_epi16(__m128i(behind[0]), __m128i(behind[1])));
    return std::size_t(std::countr_zero(unsigned(bits) | 1u << 16)) - 1;
#else
    using Words = std::uint64_t __attribute__((vector_size(16)));
    const auto words = Words(-behind[0] - behind[1]);
    return 15 - ((words[0] + words[1]) * 0x0001000100010001u >> 48);
#endif
  }
  std::uint32_t next() {
    word_ += 2;
    return load<std::uint16_t>(word_ - 2);
  }
  std::uint32_t state_ = 0;
  const std::byte *word_, *lastWord_, *raw_;
  std::uint64_t bit_ = 0, lastBit_;
  bool damaged_;
  std::uint32_t other_ = 0;  // takes turns with the state
};

/// Bits of a number's amount: 0 for 0, 1 for 1, 2 for 2 and 3, ...
int classOf(std::int64_t value) {
  return int(std::bit_width(2 * std::uint64_t(std::abs(value)) | 1)) - 1;
}

/// Of what is left of, above, and above left of it (Martucci 1990).
template <class T>
[[gnu::always_inline]] inline T edgeOf(T a, T b, T c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), a + b - c));
}

constexpr int kLarge = 14, kSpecial = 15;  // symbols behind the classes 0 .. 13
constexpr int kClasses = 34;

/// Numbers by their distance from a forecast.
struct NumberModel {
  std::vector<Model> own, large = std::vector<Model>(2);

  /// Returns the class; -1 for a number that the caller knows, where `isSpecial`.
  template <class Coder>
  [[gnu::always_inline]] int codeClass(Coder& coder, std::size_t context, bool isSpecial,
                                       int bits) {
    const int symbol =
        coder.code(own.data()[context], isSpecial ? kSpecial : std::min(bits, kLarge));
    if (symbol < kLarge) [[likely]]
      return symbol;
    if (symbol == kSpecial) return -1;
    Coder copy = std::move(coder);
    bits = codeLarge(copy, bits);
    coder = std::move(copy);
    return bits;
  }
  /// What is behind the class: numbers below 0 come first.
  template <class Coder>
  [[gnu::always_inline]] static std::int64_t codeRest(Coder& coder, int bits,
                                                      std::int64_t distance) {
    const std::uint64_t most = mostIn(bits),
                        number =
                            coder.raw(bits, std::uint64_t(distance) + (distance < 0 ? most : 0));
    return std::int64_t(number - (number <= most >> 1 ? most : 0));
  }
  template <class Coder>
  bool code(Coder& coder, std::size_t context, std::int64_t& distance) {
    const int bits = codeClass(coder, context, false, Coder::kEncodes ? classOf(distance) : 0);
    if (bits >= 0) distance = codeRest(coder, bits, distance);
    return bits >= 0;
  }
  template <class Coder>
  [[gnu::noinline]] int codeLarge(Coder& coder, int bits) {
    const int more = coder.code(large[0], std::min(bits - kLarge, 15));
    bits = kLarge + more + (more == 15 ? coder.code(large[1], bits - kLarge - 15) : 0);
    return coder.isRight(bits < kClasses) ? bits : 0;
  }
};

// ---- Counts

constexpr int kFew = 15;  // counts below are symbols of their own

/// Counts of a block, row after row; single ones, and runs where all around is the same.
template <class Coder>
class CountCoder {
 public:
  CountCoder(Coder& coder, int width, std::span<std::int32_t> counts)
      : coder_(coder), width_(std::size_t(width)), counts_(counts) {}

  void code() {
    bool afterRun = false;
    for (std::size_t p = 0; p < counts_.size() && coder_.isAhead();) {
      const std::size_t x = p % width_;
      const auto at = [&](bool there, std::size_t back) { return there ? counts_[p - back] : 0; };
      const Around around{at(x > 0, 1), at(p >= width_, width_),
                          at(x > 0 && p >= width_, width_ + 1),
                          at(x + 1 < width_ && p >= width_, width_ - 1)};
      if (!afterRun && around.isFlat()) {
        const std::optional<std::size_t> run = codeRun(p, width_ - x, around.left);
        if (!run) return;
        p += *run;
        if (x + *run == width_) continue;
        afterRun = true;
        if (*run > 0) continue;
      }
      if (!codeOne(p++, around)) return;
      afterRun = false;
    }
  }

 private:
  struct Around {
    std::int32_t left, up, upLeft, upRight;
    bool isFlat() const { return left == up && left == upLeft && left == upRight; }
  };

  /// Pixels from `p` on, at most `most`, that have the count of those around.
  std::optional<std::size_t> codeRun(std::size_t p, std::size_t most, std::int32_t count) {
    const auto from = counts_.begin() + std::ptrdiff_t(p);
    std::int64_t run = 0;
    if (Coder::kEncodes)
      run = std::find_if(from, from + std::ptrdiff_t(most),
                         [&](std::int32_t other) { return other != count; }) -
            from;
    const auto few = std::size_t(std::min(count, 3));
    const bool special = !runs_.code(coder_, few, run);
    if (!coder_.isRight(!special && run >= 0 && run <= std::int64_t(most))) return std::nullopt;
    std::fill_n(from, run, count);
    return std::size_t(run);
  }

  bool codeOne(std::size_t p, const Around& around) {
    const auto [left, up, upLeft, upRight] = around;
    const auto few = [](int n, int most) { return std::size_t(std::min(n, most)); };
    int symbol = kFew;
    if (std::max(left, up) < 2 * kFew)
      symbol = coder_.code(
          around_[((few(left, 3) * 4 + few(up, 3)) * 4 + few(upLeft, 3)) * 4 + few(upRight, 3)],
          std::min(counts_[p], kFew));
    if (symbol < kFew) {
      counts_[p] = symbol;
      return true;
    }
    const std::int64_t forecast = edgeOf<std::int64_t>(left, up, upLeft);
    std::int64_t more = counts_[p] - forecast;
    const bool bad = !many_.code(coder_, std::size_t(classOf(left - up)), more);
    const std::int64_t count = forecast + more;
    if (!coder_.isRight(!bad && count >= 0 && count <= INT32_MAX)) return false;
    counts_[p] = std::int32_t(count);
    return true;
  }

  Coder& coder_;
  std::size_t width_;
  std::span<std::int32_t> counts_;
  std::vector<Model> around_ = std::vector<Model>(256);
  NumberModel many_{std::vector<Model>(kClasses)}, runs_{std::vector<Model>(4)};
};

// ---- Fragments

/// Bits of floats and halves, as numbers with a sign, as whole numbers in their order, and back.
std::int32_t orderedOf(std::int32_t bits, int width) {
  return bits ^ (bits >> 31 & (width == 16 ? INT16_MAX : INT32_MAX));
}

/// The number that those bits stand for, where it is above 0 and neither tiny nor huge.
template <int kWidth>
[[gnu::always_inline]] inline float realOf(std::int32_t ordered) {
  if (kWidth == 32) return std::bit_cast<float>(std::clamp(ordered, 97 << 23, 157 << 23));
  if (ordered < 1 << 10) [[unlikely]]
    return (float(std::max(ordered, 0)) + 0.5f) * 0x1p-24f;
  return std::bit_cast<float>((ordered << 13) + (112 << 23));
}
/// Those of a number: for halves the nearest finite one.
template <int kWidth>
[[gnu::always_inline]] inline std::int32_t orderedOf(float real) {
  const auto bits = std::bit_cast<std::int32_t>(real);
  if (kWidth == 32) return bits;
  if (bits < 113 << 23) [[unlikely]]
    return std::int32_t(real * 0x1p24f);
  return std::min((bits - (112 << 23) + (1 << 12)) >> 13, 0x7BFF);
}
/// In as many bits as a plane has.
template <int kWidth>
[[gnu::always_inline]] inline std::int32_t wrapped(std::uint32_t value) {
  return kWidth == 16 ? std::int16_t(value) : std::int32_t(value);
}

/// How far a fragment was missed, as contexts see it.
struct Mark {
  std::uint16_t late, beside;
};

/// What a class adds to marks.
template <int kWidth>
const auto kMarks = [] {
  constexpr int kHalf = kWidth == 16 ? 0 : 1;
  std::array<std::array<std::uint16_t, 2>, kClasses> marks{};
  for (int bits = 0; bits < kClasses; ++bits)
    marks[std::size_t(bits)] = {std::uint16_t(10 * std::min(240, bits << 4 >> kHalf)),
                                std::uint16_t(std::min(7, (bits + 1) >> (kHalf + 1)))};
  return marks;
}();

constexpr std::size_t kLates = 16, kBesides = 8;

/// A channel of a block. Place 0 holds a fragment that is not there, of zeros.
struct Plane {
  std::size_t channel = 0;
  const Plane* companion = nullptr;  // coded before, and changes as it does
  const Plane* lead = nullptr;       // whose marks are those of this one
  ChannelType type = ChannelType::Half;
  int by = 0;
  bool isQuick = false;                          // numbers without models
  bool knows = false;                            // there is a value that many have
  int best = 0;                                  // what an encoder found: how to forecast it,
  bool suitsQuick = false, suitsJoined = false;  // and whether quick blocks have it so
  std::vector<std::int32_t> values;
  std::vector<Mark> marks;
  std::vector<float> ratios;  // to the companion
  NumberModel model;

  bool is16() const { return type == ChannelType::Half; }
  bool isId() const { return type == ChannelType::Uint; }
  std::size_t beside(std::uint32_t i) const {
    return companion ? companion->lead->marks.data()[i].beside : 0;
  }
};

/// Models of a plane, the likely class of which follows from how late it was.
std::vector<Model> numberModels(bool is16) {
  std::vector<Model> models;
  for (int late = 0; late < int(kLates); ++late)
    models.resize(models.size() + kBesides, Model(is16 ? late : std::min(14, 2 * late + 1)));
  return models;
}

/// The three fragments that one is forecast from.
struct Neighbors {
  std::uint32_t a = 0, b = 0, c = 0;
};

/// The fragments of the same surface beside one (0: none is known), and how much farther it is one
/// pixel to the right and one down.
struct Links {
  std::uint32_t left = 0, up = 0, right = 0, down = 0, x = 0, y = 0;
};

constexpr std::array<std::uint8_t, 10> kLists{0, 1, 0, 1, 0, 1, 0, 1, 2, 3};  // that they are of
enum Reference { kFresh = 10, kTouching = 11 };  // below: see candidate()

/// Codes the fragments of a block; every list is looked at from front to back.
template <class Coder>
class Block {
 public:
  /// The first of the planes is Z; the second may be ZBack.
  Block(Coder& coder, const BlockCounts& counts, std::vector<Plane>& planes, bool hasZBack)
      : coder_(coder), counts_(counts), planes_(planes), z_(planes[0]) {
    if (hasZBack) zBack_ = &planes[1];
    neighbors_.resize(z_.values.size()), links_.resize(z_.values.size());
    for (Plane& plane : planes_) {
      plane.lead = &plane, plane.isQuick = false;
      plane.model = {numberModels(plane.is16())};
    }
  }

  /// Quick blocks are encoded after others, which choose `references` and forecasts for them.
  bool code(bool isQuick, std::vector<std::uint8_t>& references) {
    z_.isQuick = coder_.raw(1, isQuick) > 0;
    chosen_ = &references;
    if (!(z_.is16() ? codeDepths<16>() : codeDepths<32>())) return false;
    const auto begin = planes_.begin() + (zBack_ ? 2 : 1),
               end = std::find_if(begin, planes_.end(),
                                  [](const Plane&plane) { return plane.isId(); });
    const std::span<Plane> numbers(begin, end);
    if (Coder::kEncodes && !isQuick) chooseForecasts(numbers);
    return codeForecasts(numbers) && codeNumbers(numbers) &&
           std::all_of(end, planes_.end(), [&](Plane& plane) { return codeIds(plane); });
  }

 private:
  static constexpr int kScaled = 2, kJoined = 3;  // how planes are forecast: see forecastOf()

  struct IdModel {
    std::vector<Model> models = std::vector<Model>(4 * kBesides);
    std::vector<std::uint32_t> recent, known;
    std::unordered_map<std::uint32_t, std::uint32_t> places;  // in `known`
  };

  /// Depths, and with them who is whose neighbor.
  template <int kWidth>
  bool codeDepths() {
    // Where lists begin, row after row; around the block are empty ones.
    const auto width = std::size_t(counts_.width), stride = width + 2;
    const auto height = std::size_t(counts_.height);
    std::vector<std::uint32_t> begins(stride * (height + 1) + 1, 1);
    for (std::size_t y = 0; y < height; ++y) {
      std::uint32_t* const row = &begins[stride * (y + 1)];
      row[1] = row[0];
      std::ranges::transform(counts_.running.subspan(y * width, width), row + 2,
                             [first = row[0]](std::int32_t n) { return first + std::uint32_t(n); });
      row[stride] = row[stride - 1];
    }
    back_ = {1, stride, stride + 1, stride - 1};
    Coder coder = std::move(coder_);
    for (std::size_t at = stride + 1; at + 1 < begins.size(); ++at) {
      own_ = &begins[at];
      const std::uint32_t end = own_[1];
      if (own_[0] == end) continue;
      for (std::size_t list = 0; list < 4; ++list) next_[list] = beginOf(list);
      for (std::uint32_t i = own_[0]; i < end; ++i)
        if (!codeDepth<kWidth>(coder, i) || !coder.isAhead()) return false;
    }
    coder_ = std::move(coder);
    return true;
  }

  /// How planes are forecast and coded. One that is joined is as the one before it, and quick.
  bool codeForecasts(std::span<Plane> planes) {
    for (Plane& plane : planes) {
      const Plane& before = (&plane)[-1];
      const bool joins = z_.isQuick && plane.suitsJoined;
      plane.by = int(coder_.raw(2, std::uint64_t(joins ? kJoined : plane.best)));
      if (plane.by == kJoined) {
        if (!coder_.isRight(&plane != planes.data() && before.isQuick && before.type == plane.type))
          return false;
        plane.lead = before.lead, plane.isQuick = true;
      } else {
        plane.isQuick = coder_.raw(1, z_.isQuick && plane.suitsQuick) > 0;
      }
    }
    return true;
  }
  bool codeNumbers(std::span<Plane> planes) {
    while (!planes.empty()) {
      std::size_t count = 1;
      while (count < planes.size() && planes[count].by == kJoined) ++count;
      const std::span<Plane> group = planes.first(count);
      if (!(group[0].is16() ? codeGroup<16>(group) : codeGroup<32>(group))) return false;
      planes = planes.subspan(count);
    }
    return true;
  }
  template <int kWidth>
  bool codeGroup(std::span<Plane> group) {
    return group[0].by == 0   ? codeGroup<kWidth, 0>(group)
           : group[0].by == 1 ? codeGroup<kWidth, 1>(group)
                              : codeGroup<kWidth, kScaled>(group);
  }
  template <int kWidth, int kBy>
  bool codeGroup(std::span<Plane> group) {
    Coder coder = std::move(coder_);
    const auto total = std::uint32_t(neighbors_.size());
    const bool isQuick = group[0].isQuick;
    for (std::uint32_t i = 1; i < total; ++i) {
      isQuick ? codeValues<kWidth, kBy>(coder, group, i)
              : codeValue<kWidth, kBy>(coder, group[0], i);
      if (!coder.isAhead()) return false;
    }
    coder_ = std::move(coder);
    return true;
  }
  /// Quick numbers of planes that are missed alike.
  template <int kWidth, int kBy>
  [[gnu::always_inline]] void codeValues(Coder& coder, std::span<Plane> group, std::uint32_t i) {
    Plane& lead = group[0];
    const unsigned around = aroundOf(lead, i);
    std::uint32_t amounts = 0;
    for (Plane& plane : group) {
      const float base = kBy == kScaled ? baseOf(plane, i) : 1, inverse = 1 / base;
      const std::int32_t value = codeQuick<kWidth>(
          coder, plane, i, around, forecastOf<kWidth>(plane, i, kBy, base), amounts);
      if (kBy == kScaled) plane.ratios.data()[i] = realOf<kWidth>(value) * inverse;
    }
    mark<kWidth>(lead, i, int(std::bit_width(amounts)), around);
  }
  /// Those below 0 are the odd ones; `amounts` gets the bits of all that are missed.
  template <int kWidth>
  [[gnu::always_inline]] std::int32_t codeQuick(Coder& coder, Plane& plane, std::uint32_t i,
                                                unsigned around, std::int32_t forecast,
                                                std::uint32_t& amounts) {
    const int low = int(kWidth == 16 ? around / 32 : (around + 20) / 16);
    const std::int32_t missed = Coder::kEncodes ? missedBy<kWidth>(plane, i, forecast) : 0;
    const std::uint32_t number =
        coder.quick(low, kWidth, std::uint32_t(missed) << 1 ^ std::uint32_t(missed >> 31));
    amounts |= number / 2 + number % 2;
    return plane.values.data()[i] =
               wrapped<kWidth>(std::uint32_t(forecast) + (number >> 1 ^ -(number & 1)));
  }
  template <int kWidth>
  [[gnu::always_inline]] static std::int32_t missedBy(const Plane& plane, std::uint32_t i,
                                                      std::int32_t forecast) {
    return wrapped<kWidth>(std::uint32_t(plane.values.data()[i]) - std::uint32_t(forecast));
  }
  [[gnu::always_inline]] unsigned aroundOf(const Plane& plane, std::uint32_t i) const {
    const Neighbors& n = neighbors_.data()[i];
    return unsigned(plane.marks.data()[n.a].late) + plane.marks.data()[n.b].late;
  }
  [[gnu::always_inline]] std::size_t contextOf(const Plane& plane, std::uint32_t i,
                                               unsigned around) const {
    return (around + 16) / 32 * kBesides + plane.beside(i);
  }
  template <int kWidth>
  [[gnu::always_inline]] void mark(Plane& plane, std::uint32_t i, int bits, unsigned around) const {
    const auto& mark = kMarks<kWidth>[std::size_t(bits)];
    plane.marks.data()[i] = {std::uint16_t((mark[0] + 3 * around) / 16), mark[1]};
  }
  template <int kWidth, int kBy>
  [[gnu::always_inline]] void codeValue(Coder& coder, Plane& plane, std::uint32_t i) {
    constexpr std::int32_t kOpaque = kWidth == 16 ? 0x3C00 : 0x3F800000;
    const float base = kBy == kScaled ? baseOf(plane, i) : 1, inverse = 1 / base;
    const std::int32_t value =
        codeNumber<kWidth>(coder, plane, i, forecastOf<kWidth>(plane, i, kBy, base), kOpaque);
    if (kBy == kScaled) plane.ratios.data()[i] = realOf<kWidth>(value) * inverse;
  }

  /// For each plane the forecast that misses by the fewest bits. What is forecast well is modeled
  /// in quick blocks, too; the rest is quick there, and joined to the plane before where that is
  /// missed alike.
  void chooseForecasts(std::span<Plane> planes) {
    std::vector<std::uint8_t> classes, before;
    Plane* lead = nullptr;
    for (Plane& plane : planes) {
      plane.best = plane.is16() ? bestFor<16>(plane, classes) : bestFor<32>(plane, classes);
      std::size_t bits = 0, apart = 0;
      for (std::size_t i = 0; i < classes.size(); ++i) {
        bits += classes[i];
        if (lead) apart += std::size_t(std::abs(classes[i] - before[i]));
      }
      plane.suitsQuick = 10 * bits > 11 * classes.size();
      plane.suitsJoined = plane.suitsQuick && lead && lead->suitsQuick &&
                          lead->type == plane.type && lead->best == plane.best &&
                          apart < 2 * classes.size();
      if (!plane.suitsJoined) lead = &plane;
      before.swap(classes);
    }
  }
  template <int kWidth>
  int bestFor(Plane& plane, std::vector<std::uint8_t>& classes) {
    std::array<std::vector<std::uint8_t>, kScaled + 1> missed;
    std::array<std::uint64_t, kScaled + 1> cost{};
    for (auto& each : missed) each.resize(neighbors_.size());
    for (std::uint32_t i = 1; i < neighbors_.size(); ++i) {
      const float base = baseOf(plane, i);
      for (std::size_t by = 0; by <= kScaled; ++by)
        cost[by] += missed[by][i] = std::uint8_t(
            classOf(missedBy<kWidth>(plane, i, forecastOf<kWidth>(plane, i, int(by), base))));
      plane.ratios[i] = realOf<kWidth>(plane.values[i]) * (1 / base);
    }
    const auto best = std::min_element(cost.begin(), cost.end()) - cost.begin();
    classes = std::move(missed[std::size_t(best)]);
    return int(best);
  }

  /// From the fragments around, or from their ratios to the companion, which is `base`.
  template <int kWidth>
  [[gnu::always_inline]] std::int32_t forecastOf(const Plane& plane, std::uint32_t i, int by,
                                                 float base) const {
    const auto [a, b, c] = neighbors_.data()[i];
    if (by == kScaled) {
      const float* const r = plane.ratios.data();
      return orderedOf<kWidth>(edgeOf(r[a], r[b], r[c]) * base);
    }
    using Wide = std::conditional_t<kWidth == 16, std::int32_t, std::int64_t>;
    const std::int32_t* const v = plane.values.data();
    return std::int32_t(by == 1 ? Wide(v[a]) + v[b] - v[c] : edgeOf<Wide>(v[a], v[b], v[c]));
  }
  [[gnu::always_inline]] float baseOf(const Plane& plane, std::uint32_t i) const {
    const Plane& companion = *plane.companion;
    const std::int32_t value = companion.values.data()[i];
    return companion.is16() ? realOf<16>(value) : realOf<32>(value);
  }

  /// Returns the value; `known` is one that many have: opaque, or where the volume begins.
  template <int kWidth>
  [[gnu::always_inline]] std::int32_t codeNumber(Coder& coder, Plane& plane, std::uint32_t i,
                                                 std::int32_t forecast, std::int32_t known) {
    const std::int32_t missed = Coder::kEncodes ? missedBy<kWidth>(plane, i, forecast) : 0;
    std::int32_t& value = plane.values.data()[i];
    const unsigned around = aroundOf(plane, i);
    int bits = plane.model.codeClass(
        coder, contextOf(plane, i, around),
        Coder::kEncodes && missed != 0 && plane.knows && value == known, classOf(missed));
    if (bits < 0) [[unlikely]] {
      coder.isRight(plane.knows);
      value = wrapped<kWidth>(std::uint32_t(known));
      bits = classOf(missedBy<kWidth>(plane, i, forecast));
    } else {
      value = wrapped<kWidth>(std::uint32_t(forecast) +
                              std::uint32_t(NumberModel::codeRest(coder, bits, missed)));
    }
    mark<kWidth>(plane, i, bits, around);
    return value;
  }

  /// The depth that a reference to a fragment leads one to expect.
  std::int32_t depthFrom(int reference, std::uint32_t at) const {
    if (reference >= kFresh) return (zBack_ ? *zBack_ : z_).values.data()[at];
    static constexpr std::array<std::uint32_t, 4> kRight{1, 0, 1, UINT32_MAX}, kDown{0, 1, 1, 1};
    const std::size_t list = kLists[std::size_t(reference)];
    return std::int32_t(std::uint32_t(z_.values.data()[at]) + kRight[list] * links_.data()[at].x +
                        kDown[list] * links_.data()[at].y);
  }

  std::uint32_t beginOf(std::size_t list) const { return *(own_ - back_[list]); }
  std::uint32_t endOf(std::size_t list) const { return *(own_ - back_[list] + 1); }

  /// What a reference means, or 0.
  std::uint32_t candidate(int reference, std::uint32_t i) const {
    static constexpr std::array<std::int8_t, 10> kStep{0, 0, 1, 1, -1, -1, 2, 2, 0, 0};
    if (reference >= kFresh) return i - 1;
    const std::size_t list = kLists[std::size_t(reference)];
    const std::uint32_t at = next_[list] + std::uint32_t(kStep[std::size_t(reference)]);
    return at - beginOf(list) < endOf(list) - beginOf(list) ? at : 0;
  }

  int chosen(std::uint32_t i) const {
    if (chosen_->size() < i) chosen_->push_back(std::uint8_t(choose(i)));
    return (*chosen_)[i - 1];
  }
  /// The reference that a fragment is forecast best by.
  int choose(std::uint32_t i) const {
    static constexpr std::array<int, 11> kCost{0, 2, 8, 9, 10, 11, 11, 12, 8, 9, 14};
    if (zBack_ && i > own_[0] && z_.values[i] == zBack_->values[i - 1]) return kTouching;
    int best = kFresh, least = INT32_MAX;
    for (int r = 0; r <= kFresh; ++r) {
      const std::uint32_t at = candidate(r, i);
      if (at == 0 && r != kFresh) continue;
      int cost = 4 * classOf(std::int64_t(z_.values[i]) - depthFrom(r, at)) + kCost[std::size_t(r)];
      for (const Plane& plane : planes_)
        if (&plane != &z_ && !plane.isId()) cost += classOf(aheadOf(plane, i) - aheadOf(plane, at));
      if (cost < least) least = cost, best = r;
    }
    return best;
  }

  /// Values; those behind a volume as its thickness.
  std::int64_t aheadOf(const Plane& plane, std::uint32_t i) const {
    return std::int64_t(plane.values.data()[i]) - (&plane == zBack_ ? z_.values.data()[i] : 0);
  }

  std::size_t referenceContext(std::uint32_t i) const {
    const auto compared = [&](std::size_t list) {
      const auto mine = std::int32_t(own_[1] - i), theirs = std::int32_t(endOf(list) - next_[list]);
      return theirs <= 0 ? 0 : 2 + (mine > theirs) - (mine < theirs);
    };
    const auto isThere = [&](std::size_t list) { return beginOf(list) < endOf(list); };
    return std::size_t((lastReference_ * 16 + compared(0) * 4 + compared(1)) * 4 + isThere(2) +
                       2 * isThere(3));
  }

  template <int kWidth>
  [[gnu::always_inline]] bool codeDepth(Coder& coder, std::uint32_t i) {
    const int reference =
        coder.code(references_.data()[referenceContext(i)], Coder::kEncodes ? chosen(i) : 0);
    lastReference_ = reference;
    const std::uint32_t at = candidate(reference, i);
    const std::int32_t forecast = depthFrom(reference, at);
    Neighbors& n = neighbors_.data()[i];
    n = {i - 1, i - 1, i - 1};
    if (reference == kTouching) {
      if (!coder.isRight(zBack_ && i > own_[0])) return false;
      z_.values.data()[i] = wrapped<kWidth>(std::uint32_t(forecast)), z_.marks.data()[i] = {};
    } else {
      if (!coder.isRight(reference < kTouching && (at > 0 || reference == kFresh))) return false;
      std::array<std::uint32_t, 4> found{};
      if (reference < kFresh) n = meet(i, at, kLists[std::size_t(reference)], found);
      if (!z_.isQuick) {
        codeNumber<kWidth>(coder, z_, i, forecast, 0);
      } else {
        const unsigned around = aroundOf(z_, i);
        std::uint32_t amount = 0;
        codeQuick<kWidth>(coder, z_, i, around, forecast, amount);
        mark<kWidth>(z_, i, int(std::bit_width(amount)), around);
      }
      const auto [left, up, upLeft, upRight] = found;
      const auto from = [&](std::uint32_t there) {
        return std::uint32_t(z_.values.data()[i]) - std::uint32_t(z_.values.data()[there]);
      };
      const std::uint32_t corner = upLeft ? upLeft : upRight;
      Links* const links = links_.data();
      links[i].x = left ? from(left) : links[up ? up : corner].x;
      links[i].y = up ? from(up) : links[left ? left : corner].y;
    }
    if (!zBack_) return true;
    const auto back = std::int32_t(
        z_.values[i] + edgeOf(aheadOf(*zBack_, n.a), aheadOf(*zBack_, n.b), aheadOf(*zBack_, n.c)));
    zBack_->is16() ? codeNumber<16>(coder, *zBack_, i, back, z_.values[i])
                   : codeNumber<32>(coder, *zBack_, i, back, z_.values[i]);
    return true;
  }

  /// Finds the neighbors of a fragment by those of one of them, which is of this list; 0: none.
  [[gnu::always_inline]] Neighbors meet(std::uint32_t i, std::uint32_t first, std::size_t list,
                                        std::array<std::uint32_t, 4>& found) {
    Links* const links = links_.data();
    auto& [left, up, upLeft, upRight] = found;
    switch (list) {
      case 0:
        left = first, upLeft = links[left].up, up = links[upLeft].right;
        break;
      case 1:
        up = first, upLeft = links[up].left;
        break;
      case 2:
        upLeft = first, up = links[upLeft].right;
        break;
      default:
        upRight = first, up = links[upRight].left, upLeft = links[up].left;
    }
    if (!upRight) upRight = links[up].right;
    if (!left) left = links[upLeft].down;
    for (std::size_t l = 0; l < 4; ++l)
      if (found[l]) next_[l] = found[l] + 1;
    if (left) links[left].right = i;
    if (up) links[up].down = i;
    links[i].left = left, links[i].up = up;
    if (left && up) return {left, up, upLeft};  // they met at the one above left
    const std::uint32_t one = left ? left : up ? up : upLeft ? upLeft : upRight;
    const std::uint32_t two = !left && up && upRight ? upRight : one;
    return {one, two, two};
  }

  /// IDs are those of neighbors, seen lately, seen before, or new.
  bool codeIds(Plane& plane) {
    IdModel model;
    for (std::uint32_t i = 1; i < neighbors_.size(); ++i)
      if (!codeId(plane, i, model) || !coder_.isAhead()) return false;
    return true;
  }
  bool codeId(Plane& plane, std::uint32_t i, IdModel& m) {
    constexpr int kNew = 4, kRecent = 5, kKnown = 15;
    const Neighbors& n = neighbors_[i];
    const auto id = [&](std::uint32_t at) { return std::uint32_t(plane.values[at]); };
    const std::array<std::uint32_t, 4> near{id(n.a), id(n.b), id(n.c), id(i - 1)};
    int symbol = kNew;
    std::uint32_t place = 0, value = id(i);
    if constexpr (Coder::kEncodes) {
      const auto at = std::find(near.begin(), near.end(), value);
      const auto lately = std::find(m.recent.begin(), m.recent.end(), value);
      const auto known = m.places.find(value);
      if (at != near.end())
        symbol = int(at - near.begin());
      else if (lately != m.recent.end())
        symbol = kRecent + int(lately - m.recent.begin());
      else if (known != m.places.end())
        symbol = kKnown, place = known->second;
    }
    const std::size_t same = (near[0] == near[1] ? 1 : 0) + (near[1] == near[2] ? 2 : 0);
    symbol = coder_.code(m.models[same * kBesides + plane.beside(i)], symbol);
    if (symbol < kNew) {
      value = near[std::size_t(symbol)];
    } else if (symbol == kNew) {
      value = std::uint32_t(coder_.raw(32, value));
      if (Coder::kEncodes) m.places.emplace(value, std::uint32_t(m.known.size()));
      m.known.push_back(value);
    } else if (symbol == kKnown) {
      place = std::uint32_t(coder_.raw(int(std::bit_width(m.known.size())), place));
      if (!coder_.isRight(place < m.known.size())) return false;
      value = m.known[place];
    } else {
      const auto lately = std::size_t(symbol - kRecent);
      if (!coder_.isRight(lately < m.recent.size())) return false;
      value = m.recent[lately];
      m.recent.erase(m.recent.begin() + std::ptrdiff_t(lately));
    }
    if (symbol >= kNew) m.recent.insert(m.recent.begin(), value);
    if (m.recent.size() > std::size_t(kKnown - kRecent)) m.recent.pop_back();
    plane.values[i] = std::int32_t(value);
    plane.marks[i] = {0, kMarks<16>[std::size_t(symbol)][1]};
    return true;
  }

  Coder& coder_;
  const BlockCounts& counts_;
  std::vector<Plane>& planes_;
  Plane& z_;
  Plane* zBack_ = nullptr;
  std::vector<Neighbors> neighbors_;
  std::vector<Links> links_;
  std::vector<std::uint8_t>* chosen_ = nullptr;  // references
  const std::uint32_t* own_ = nullptr;           // where the list begins that is coded
  // Of the lists left, above, above left and above right: how far before it they are, and where
  // the surface behind is expected.
  std::array<std::size_t, 4> back_{};
  std::array<std::uint32_t, 4> next_{};
  std::vector<Model> references_ = std::vector<Model>(16 * 16 * 4);
  int lastReference_ = 0;
};

/// Channels in the order they are coded in, with room for the values of a block.
void preparePlanes(const std::vector<DeepChannel>& channels, std::size_t fragments,
                   std::vector<Plane>& planes) {
  const auto baseOf = [](const std::string& name) { return name.substr(name.rfind('.') + 1); };
  const auto rankOf = [&](const DeepChannel& channel) {
    const std::string base = baseOf(channel.name);
    if (channel.name == "Z" || channel.name == "ZBack") return channel.name == "Z" ? 0 : 1;
    if (channel.type == ChannelType::Uint) return 6;
    return base == "A" ? 2 : base == "G" ? 3 : base == "R" || base == "B" ? 4 : 5;
  };
  std::vector<std::size_t> order(channels.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::ranges::stable_sort(order, {}, [&](std::size_t c) { return rankOf(channels[c]); });
  planes.resize(channels.size());
  for (std::size_t p = 0; p < planes.size(); ++p) {
    Plane& plane = planes[p];
    const DeepChannel& channel = channels[order[p]];
    const int rank = rankOf(channel);
    const std::string layer =
        channel.name.substr(0, channel.name.size() - baseOf(channel.name).size());
    const auto named = [&](const std::string& name) {
      for (std::size_t other = 0; other < p; ++other)
        if (channels[order[other]].name == name) return &planes[other];
      return static_cast<Plane*>(nullptr);
    };
    plane.companion = nullptr;
    if (rank == 4) plane.companion = named(layer + "G");
    if (rank == 3) plane.companion = named(layer + "A");
    if (rank == 3 && !plane.companion) plane.companion = named("A");
    if (rank > 0 && !plane.companion)  // the one before, but not ZBack
      plane.companion = &planes[p == 2 && rankOf(channels[order[1]]) == 1 ? 0 : p - 1];
    plane.channel = order[p], plane.type = channel.type;
    plane.knows = rank == 1 || rank == 2;
    plane.values.resize(fragments + 1), plane.values[0] = 0;
    plane.marks.resize(fragments + 1), plane.marks[0] = {};
    plane.ratios.resize(fragments + 1), plane.ratios[0] = 1;
  }
}

/// Calls for every plane of every row: its values, count and bytes.
template <class Bytes, class Visit>
void forPlanes(const BlockCounts& counts, Bytes rows, std::vector<Plane>& planes,
               const Visit& visit) {
  std::vector<Plane*> byChannel(planes.size());
  for (Plane& plane : planes) byChannel[plane.channel] = &plane;
  std::size_t place = 1;
  for (int y = 0; y < counts.height; ++y) {
    const auto count =
        std::size_t(counts.running[(std::size_t(y) + 1) * std::size_t(counts.width) - 1]);
    for (Plane* const plane : byChannel) {
      const std::size_t bytes = count * bytesPerValue(plane->type);
      visit(*plane, plane->values.data() + place, count, rows.first(bytes));
      rows = rows.subspan(bytes);
    }
    place += count;
  }
}

bool hasZBack(const std::vector<DeepChannel>& channels) {
  return std::ranges::find(channels, "ZBack", &DeepChannel::name) != channels.end();
}

std::size_t fragmentsOf(const BlockCounts& counts) {
  std::size_t sum = 0;
  for (int y = 1; y <= counts.height; ++y)
    sum += std::size_t(counts.running[std::size_t(y) * std::size_t(counts.width) - 1]);
  return sum;
}

}  // namespace

std::vector<std::byte> packCounts(const BlockCounts& counts) {
  std::vector<std::int32_t> single(counts.running.begin(), counts.running.end());
  for (std::size_t p = single.size(); p-- > 0;)
    if (p % std::size_t(counts.width) > 0) single[p] -= single[p - 1];
  Encoder coder;
  CountCoder(coder, counts.width, std::span(single)).code();
  return coder.finish();
}

bool unpackCounts(std::span<const std::byte> packed, int width, std::span<std::int32_t> running) {
  const PaddedStream stream(packed, 1);
  Decoder coder(stream);
  CountCoder(coder, width, running).code();
  if (!coder.isComplete()) return false;
  for (std::size_t row = 0; row < running.size(); row += std::size_t(width)) {
    std::int64_t sum = 0;
    for (std::int32_t& total : running.subspan(row, std::size_t(width)))
      total = std::int32_t(sum += total);
    if (sum > INT32_MAX) return false;
  }
  return true;
}

std::vector<std::byte> packPlanes(const std::vector<DeepChannel>& channels,
                                  const BlockCounts& counts, std::span<const std::byte> rows) {
  if (rows.empty()) return {};
  thread_local std::vector<Plane> planes;  // room for the next block
  preparePlanes(channels, fragmentsOf(counts), planes);
  forPlanes(
      counts, rows, planes,
      [](const Plane& plane, std::int32_t* to, std::size_t count, std::span<const std::byte> in) {
        for (std::size_t i = 0; i < count; ++i) {
          const std::int32_t bits = plane.is16() ? load<std::int16_t>(in.data() + 2 * i)
                                                 : load<std::int32_t>(in.data() + 4 * i);
          to[i] = plane.isId() ? bits : orderedOf(bits, plane.is16() ? 16 : 32);
        }
      });
  std::vector<std::uint8_t> references;
  std::vector<std::byte> best;
  for (const bool isQuick : {false, true}) {
    if (isQuick && hasZBack(channels)) break;  // volumes would be a quarter larger
    Encoder coder;
    Block(coder, counts, planes, hasZBack(channels)).code(isQuick, references);
    std::vector<std::byte> packed = coder.finish();
    // Two thirds of the time to read are worth a sixth of the bytes.
    if (!isQuick || 6 * packed.size() <= 7 * best.size()) best = std::move(packed);
  }
  return best;
}

bool unpackPlanes(const std::vector<DeepChannel>& channels, const BlockCounts& counts,
                  std::span<const std::byte> packed, std::span<std::byte> rows) {
  if (rows.empty()) return packed.empty();
  thread_local std::vector<Plane> planes;  // room for the next block
  preparePlanes(channels, fragmentsOf(counts), planes);
  const PaddedStream stream(packed, planes.size());
  Decoder coder(stream);
  std::vector<std::uint8_t> references;
  if (!Block(coder, counts, planes, hasZBack(channels)).code(false, references) ||
      !coder.isComplete())
    return false;
  forPlanes(counts, rows, planes,
            [](const Plane& plane, const std::int32_t* from, std::size_t count,
               std::span<std::byte> out) {
              if (plane.is16())
                for (std::size_t i = 0; i < count; ++i)
                  store(out.data() + 2 * i, std::int16_t(orderedOf(from[i], 16)));
              else if (plane.isId())
                std::memcpy(out.data(), from, out.size());
              else
                for (std::size_t i = 0; i < count; ++i)
                  store(out.data() + 4 * i, orderedOf(from[i], 32));
            });
  return true;
}

}  // namespace fathom::deep_pack
