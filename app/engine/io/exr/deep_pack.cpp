// SPDX-License-Identifier: BSD-3-Clause
// One description of the models serves both ways: Coder is an Encoder, which is told each symbol,
// or a Decoder, which tells it. Symbols are coded by rANS (Duda 2013) with the mean of two adaptive
// distributions. What is done for each is inlined by force, which saves a tenth of the time.
#include "app/engine/io/exr/deep_pack.h"

#include "app/engine/core/bytes.h"

#include <unordered_map>

namespace fathom::deep_pack {
namespace {

// ---- Coding symbols

constexpr int kBits = 15;                    // of a probability
constexpr std::uint32_t kLowest = 1u << 16;  // of a state between two symbols
constexpr int kMiddle = 1 << (kBits - 1);    // sums are kept less this, as 16 bits with a sign
constexpr int kMaxRate = 6;                  // distributions end up moving by 1/64

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
          kPlaces[half] - std::int16_t(kMiddle) +
          ((kPlaces[half] > symbol) & std::int16_t((1 << kBits) - 16));
  return targets;
}();

/// By how many halves sums come nearer after so many symbols.
constexpr auto kRates = [] {
  std::array<std::int16_t, (1 << kMaxRate) + 1> rates{};
  for (std::size_t seen = 0; seen < rates.size(); ++seen)
    rates[seen] = std::int16_t(std::bit_width(seen | 4) - 1);
  return rates;
}();

/// How likely each of 16 symbols is, as the sums before them.
struct Model {
  Sums sums{kPlaces[0] * std::int16_t((1 << kBits) / 16) - std::int16_t(kMiddle),
            kPlaces[1] * std::int16_t((1 << kBits) / 16) - std::int16_t(kMiddle)};
  std::uint32_t seen = 2;

  void learn(const Sums& target) {
    const std::int16_t rate = kRates[seen];
    for (std::size_t half = 0; half < 2; ++half) sums[half] += (target[half] - sums[half]) >> rate;
    seen += seen < 1u << kMaxRate;
  }
};

class Encoder {
 public:
  static constexpr bool kEncodes = true;
  int code(Model& a, Model& b, int symbol) {
    const auto sumOf = [&](const Model& model, int k) {
      return load<std::int16_t>(std::as_bytes(std::span(model.sums)).data() + 2 * k);
    };
    const auto first = [&](int k) {
      return k < 16 ? kMiddle + ((sumOf(a, k) + sumOf(b, k)) >> 1) : 1 << kBits;
    };
    spans_.push_back(
        {std::uint16_t(first(symbol)), std::uint16_t(first(symbol + 1) - first(symbol))});
    const Sums& target = kTargets[std::size_t(symbol)];
    a.learn(target), b.learn(target);
    return symbol;
  }
  std::uint64_t raw(int bits, std::uint64_t value) {
    waiting_ |= value << waitingBits_;
    for (waitingBits_ += bits; waitingBits_ >= 8; waitingBits_ -= 8, waiting_ >>= 8)
      raw_.push_back(std::byte(waiting_));
    return value;
  }
  bool isRight(bool) const { return true; }

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

class Decoder {
 public:
  static constexpr bool kEncodes = false;
  explicit Decoder(std::span<const std::byte> packed) {
    const std::uint32_t length = packed.size() < 4 ? 0 : load<std::uint32_t>(packed.data());
    damaged_ = packed.size() < 4 || length > packed.size() - 4;
    if (damaged_) return;
    packed_ = packed.subspan(4, length);
    raw_.assign(packed.begin() + 4 + length, packed.end());
    last_ = raw_.size();
    raw_.resize(last_ + kRoom);
    sums_.back() = kMiddle;
    for (std::uint32_t* state : {&state_, &other_}) *state = next() << 16, *state |= next();
  }
  [[gnu::always_inline]] int code(Model& a, Model& b, int) {
    const auto slot = std::int16_t(int(state_ & ((1u << kBits) - 1)) - kMiddle);
    Lanes behind{};
    for (std::size_t half = 0; half < 2; ++half) {
      const Lanes sums = (a.sums[half] + b.sums[half]) >> 1;
      std::memcpy(sums_.data() + 8 * half, &sums, sizeof sums);
      behind -= sums > slot;
    }
    // The last symbol that begins at the slot or before: all but those that begin behind it.
    using Words = std::uint64_t __attribute__((vector_size(16)));
    const auto words = Words(behind);
    const std::size_t symbol = 15 - ((words[0] + words[1]) * 0x0001000100010001u >> 48);
    const int first = sums_[symbol];
    state_ =
        std::uint32_t(sums_[symbol + 1] - first) * (state_ >> kBits) + std::uint32_t(slot - first);
    if (state_ < kLowest) state_ = state_ << 16 | next();
    const std::uint32_t mine = state_;
    state_ = other_, other_ = mine;
    a.learn(kTargets[symbol]), b.learn(kTargets[symbol]);
    return int(symbol);
  }
  /// Behind the end there are zeros.
  std::uint64_t raw(int bits, std::uint64_t) {
    const auto* at = raw_.data() + std::min(bit_ / 8, last_);
    const std::uint64_t ahead = load<std::uint64_t>(at) >> bit_ % 8;
    bit_ += std::size_t(bits);
    return ahead & ((std::uint64_t(1) << bits) - 1);
  }
  /// What a symbol says can be; else nothing that follows counts.
  bool isRight(bool right) {
    damaged_ |= !right;
    return right;
  }
  /// Everything was read, and nothing more.
  bool isComplete() const {
    return !damaged_ && place_ == packed_.size() && (bit_ + 7) / 8 == last_ && state_ == kLowest &&
           other_ == kLowest;
  }

 private:
  std::uint32_t next() {
    if (place_ + 2 > packed_.size()) {
      damaged_ = true;
      return 0;
    }
    place_ += 2;
    return load<std::uint16_t>(packed_.data() + place_ - 2);
  }
  static constexpr std::size_t kRoom = sizeof(std::uint64_t);
  std::span<const std::byte> packed_;
  std::vector<std::byte> raw_ = std::vector<std::byte>(kRoom);
  std::uint32_t state_ = 0;
  std::size_t place_ = 0, bit_ = 0, last_ = 0;  // words read, raw bits read, raw bytes there are
  std::uint32_t other_ = 0;                     // takes turns with the state
  alignas(16) std::array<std::int16_t, 17> sums_{};  // of the symbols, and of all
  bool damaged_ = false;
};

/// Bits of a number's amount: 0 for 0, 1 for 1, 2 for 2 and 3, ...
int classOf(std::int64_t value) {
  return int(std::bit_width(2 * std::uint64_t(std::abs(value)) | 1)) - 1;
}

/// Of what is left of, above, and above left of it (Martucci 1990).
template <class T>
T edgeOf(T a, T b, T c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), a + b - c));
}

constexpr int kLarge = 14, kSpecial = 15;  // symbols behind the classes 0 .. 13
constexpr int kClasses = 34;

/// Numbers by their distance from a forecast.
struct NumberModel {
  std::vector<Model> fine, coarse, large;
  NumberModel(int fineCount, int coarseCount)
      : fine(std::size_t(fineCount)), coarse(std::size_t(coarseCount)), large(2) {}

  /// `isSpecial`: not by a distance, but as the caller knows. Returns the class, or -1 if it is.
  template <class Coder>
  [[gnu::always_inline]] int code(Coder& coder, int fineAt, int coarseAt, bool isSpecial,
                                  std::int64_t& distance) {
    int own = classOf(distance);
    const int symbol = coder.code(fine[std::size_t(fineAt)], coarse[std::size_t(coarseAt)],
                                  isSpecial ? kSpecial : std::min(own, kLarge));
    if (symbol == kSpecial) return -1;
    if (symbol < kLarge) {
      own = symbol;
    } else {
      const int more = coder.code(large[0], large[0], std::min(own - kLarge, 15));
      own = kLarge + more + (more == 15 ? coder.code(large[1], large[1], own - kLarge - 15) : 0);
      if (!coder.isRight(own < kClasses)) own = 0;
    }
    // The sign, and what is behind the first bit.
    const auto amount = std::uint64_t(std::abs(distance));
    const std::uint64_t first = (std::uint64_t(1) << own) >> 1;
    const std::uint64_t rest = coder.raw(own, (amount & (first - 1)) << 1 | (distance < 0));
    const auto made = std::int64_t(first | rest >> 1), sign = -std::int64_t(rest & 1);
    distance = (made ^ sign) - sign;
    return own;
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
    for (std::size_t p = 0; p < counts_.size();) {
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
    const int few = std::min(count, 3);
    const bool special = runs_.code(coder_, few, few, false, run) < 0;
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
          near_[few(left, 15) * 16 + few(up, 15)],
          around_[((few(left, 3) * 4 + few(up, 3)) * 4 + few(upLeft, 3)) * 4 + few(upRight, 3)],
          std::min(counts_[p], kFew));
    if (symbol < kFew) {
      counts_[p] = symbol;
      return true;
    }
    const std::int64_t forecast = edgeOf<std::int64_t>(left, up, upLeft);
    std::int64_t more = counts_[p] - forecast;
    const bool bad =
        many_.code(coder_, classOf(left - up), std::min(3, classOf(upLeft - up)), false, more) < 0;
    const std::int64_t count = forecast + more;
    if (!coder_.isRight(!bad && count >= 0 && count <= INT32_MAX)) return false;
    counts_[p] = std::int32_t(count);
    return true;
  }

  Coder& coder_;
  std::size_t width_;
  std::span<std::int32_t> counts_;
  std::vector<Model> near_ = std::vector<Model>(256), around_ = near_;
  NumberModel many_{kClasses, 4}, runs_{4, 4};
};

// ---- Fragments

/// Bits of floats and halves, as numbers with a sign, as whole numbers in their order, and back.
std::int32_t orderedOf(std::int32_t bits, int width) {
  return bits ^ (bits >> 31 & (width == 16 ? INT16_MAX : INT32_MAX));
}

/// The number that those bits stand for; 0 for infinities and NaN.
template <int kWidth>
double realOf(std::int32_t ordered) {
  const std::int32_t amount = ordered ^ ordered >> 31;
  if (amount >= (kWidth == 16 ? 0x7C00 : 0x7F800000)) return 0;
  const double real = kWidth == 32 ? double(std::bit_cast<float>(amount))
                      : amount < 1 << 10
                          ? amount * 0x1p-24
                          : std::bit_cast<double>((std::uint64_t(amount) + (1008 << 10)) << 42);
  return ordered < 0 ? -real : real;
}
/// The nearest finite one, halves away from 0.
template <int kWidth>
std::int32_t nearestTo(double real) {
  constexpr int kMantissa = kWidth == 16 ? 10 : 23, kBias = kWidth == 16 ? 15 : 127;
  const double amount = std::min(std::abs(real), kWidth == 16 ? 65504.0 : double(FLT_MAX));
  const auto bits = std::bit_cast<std::int64_t>(amount) - (std::int64_t(1023 - kBias) << 52);
  const std::int64_t n = amount < (kWidth == 16 ? 0x1p-14 : 0x1p-126)
                             ? std::int64_t(amount * (kWidth == 16 ? 0x1p24 : 0x1p149) + 0.5)
                             : ((bits >> (51 - kMantissa)) + 1) >> 1;
  return std::int32_t(real < 0 ? ~n : n);
}

/// A channel of a block. Place 0 holds a fragment that is not there, of zeros.
struct Values {
  std::vector<std::int32_t> values;
  std::vector<std::int16_t> classes;  // of what the forecast missed
  int bits = 16;
  bool isId = false, isAlpha = false;
};

/// The three fragments that one is forecast from, and how many of them are its neighbors.
struct Neighbors {
  std::uint32_t a = 0, b = 0, c = 0, count = 0;
};

/// The fragments of the same surface beside one (0: none is known), and how much farther it is one
/// pixel to the right and one down.
struct Links {
  std::uint32_t left = 0, up = 0, right = 0, down = 0, x = 0, y = 0;
};

/// A list of a block: places of its fragments.
struct List {
  std::uint32_t begin = 0, end = 0, next = 0;  // next: where the surface behind is expected
  bool empty() const { return begin == end; }
};

constexpr std::array<std::size_t, 10> kLists{0, 1, 0, 1, 0, 1, 0, 1, 2, 3};  // that they are of
enum Reference { kFresh = 10, kTouching = 11 };  // below: see candidate()

/// Codes the fragments of a block; every list is looked at from front to back.
template <class Coder>
class Block {
 public:
  Block(Coder& coder, const BlockCounts& counts, std::vector<Values>& planes, std::size_t z,
        std::optional<std::size_t> zBack, std::size_t fragments)
      : coder_(coder), counts_(counts), planes_(planes), z_(planes[z]) {
    if (zBack) zBack_ = &planes[*zBack];
    neighbors_.resize(fragments + 1), links_.resize(fragments + 1), ratios_.resize(fragments + 1);
  }

  /// Depths, and with them who is whose neighbor.
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
    for (std::size_t at = stride + 1; at + 1 < begins.size(); ++at) {
      const auto listAt = [&](std::size_t back) {
        return List{begins[at - back], begins[at - back + 1], begins[at - back]};
      };
      const List own = listAt(0);
      if (own.empty()) continue;
      lists_ = {listAt(1), listAt(stride), listAt(stride + 1), listAt(stride - 1)};
      for (std::uint32_t i = own.begin; i < own.end; ++i)
        if (!codeDepth(i, own)) return false;
    }
    return true;
  }

  /// A channel that is no depth; `companion` was coded before, and changes as it does.
  bool code(Values& plane, const Values& companion) {
    if (plane.isId) return codeIds(plane, companion);
    return plane.bits == 16 ? codeNumbers<16>(plane, companion) : codeNumbers<32>(plane, companion);
  }

 private:
  static constexpr int kScaled = 2;

  struct IdModel {
    std::vector<Model> same = std::vector<Model>(16), beside = same;
    std::vector<std::uint32_t> recent, known;
    std::unordered_map<std::uint32_t, std::uint32_t> places;  // in `known`
  };
  /// A value that many have: opaque, or where the volume begins.
  struct Known {
    bool is = false;
    std::int32_t value = 0;
  };

  template <int kWidth>
  bool codeNumbers(Values& plane, const Values& companion) {
    const auto by =
        int(coder_.raw(2, Coder::kEncodes ? std::uint64_t(bestFor<kWidth>(plane, companion)) : 0));
    if (!coder_.isRight(by <= kScaled)) return false;
    NumberModel model{16 * 8, 8 * 8};
    const Known opaque{plane.isAlpha, kWidth == 16 ? 0x3C00 : 0x3F800000};
    const auto end = std::uint32_t(neighbors_.size());
    for (std::uint32_t i = 1; i < end; ++i) {
      const double base = by == kScaled ? realAt(companion, i) : 0;
      codeNumber<kWidth>(plane, i, besideOf(companion, i), model,
                         forecastOf<kWidth>(plane, i, by, base), opaque);
      if (by == kScaled) setRatio(plane, i, base);
    }
    return true;
  }

  /// The forecast that misses by the fewest bits.
  template <int kWidth>
  int bestFor(const Values& plane, const Values& companion) {
    std::array<std::uint64_t, kScaled + 1> cost{};
    for (int by = 0; by <= kScaled; ++by)
      for (std::uint32_t i = 1; i < neighbors_.size(); ++i) {
        const double base = realAt(companion, i);
        cost[std::size_t(by)] +=
            std::uint64_t(classOf(plane.values[i] - forecastOf<kWidth>(plane, i, by, base)));
        if (by == kScaled) setRatio(plane, i, base);
      }
    return int(std::min_element(cost.begin(), cost.end()) - cost.begin());
  }

  /// The depth that a reference to a fragment leads one to expect.
  std::int64_t depthFrom(int reference, std::uint32_t at) const {
    if (reference == kFresh) return (zBack_ ? *zBack_ : z_).values[at];
    static constexpr std::array<std::uint32_t, 4> kRight{1, 0, 1, UINT32_MAX}, kDown{0, 1, 1, 1};
    const std::size_t list = kLists[std::size_t(reference)];
    return std::int32_t(std::uint32_t(z_.values[at]) + kRight[list] * links_[at].x +
                        kDown[list] * links_[at].y);
  }

  /// What a reference means, or 0.
  std::uint32_t candidate(int reference, std::uint32_t i) const {
    static constexpr std::array<int, 10> kStep{0, 0, 1, 1, -1, -1, 2, 2, 0, 0};
    if (reference == kFresh) return i - 1;
    if (reference > kFresh) return 0;
    const List& list = lists_[kLists[std::size_t(reference)]];
    const std::int64_t at = std::int64_t(list.next) + kStep[std::size_t(reference)];
    return at >= list.begin && at < list.end ? std::uint32_t(at) : 0;
  }

  /// The reference that a fragment is forecast best by.
  int choose(std::uint32_t i, const List& own) const {
    static constexpr std::array<int, 11> kCost{0, 2, 8, 9, 10, 11, 11, 12, 8, 9, 14};
    if (zBack_ && i > own.begin && z_.values[i] == zBack_->values[i - 1]) return kTouching;
    int best = kFresh, least = INT32_MAX;
    for (int r = 0; r <= kFresh; ++r) {
      const std::uint32_t at = candidate(r, i);
      if (at == 0 && r != kFresh) continue;
      int cost = 4 * classOf(z_.values[i] - depthFrom(r, at)) + kCost[std::size_t(r)];
      for (const Values& plane : planes_)
        if (&plane != &z_ && !plane.isId) cost += classOf(aheadOf(plane, i) - aheadOf(plane, at));
      if (cost < least) least = cost, best = r;
    }
    return best;
  }

  /// Values; those behind a volume as its thickness.
  std::int64_t aheadOf(const Values& plane, std::uint32_t i) const {
    return std::int64_t(plane.values[i]) - (&plane == zBack_ ? z_.values[i] : 0);
  }

  int referenceContext(std::uint32_t i, const List& own) const {
    const auto compared = [&](const List& list) {
      const auto mine = std::int32_t(own.end - i), theirs = std::int32_t(list.end - list.next);
      return theirs <= 0 ? 0 : 2 + (mine > theirs) - (mine < theirs);
    };
    return compared(lists_[0]) * 4 + compared(lists_[1]);
  }

  [[gnu::always_inline]] bool codeDepth(std::uint32_t i, const List& own) {
    const int context = referenceContext(i, own);
    const int around = (lists_[2].empty() ? 0 : 1) + (lists_[3].empty() ? 0 : 2);
    const int reference =
        coder_.code(references_[std::size_t(context)],
                    referencesLate_[std::size_t((lastReference_ * 16 + context) * 4 + around)],
                    Coder::kEncodes ? choose(i, own) : 0);
    lastReference_ = reference;
    if (reference == kTouching) {
      if (!coder_.isRight(zBack_ && i > own.begin)) return false;
      z_.values[i] = zBack_->values[i - 1];
      meet(i, 0, 0);
    } else {
      const std::uint32_t at = candidate(reference, i);
      if (!coder_.isRight(reference <= kFresh && (at > 0 || reference == kFresh))) return false;
      const auto [left, up, upLeft, upRight] =
          reference == kFresh ? meet(i, 0, 0) : meet(i, at, kLists[std::size_t(reference)]);
      codeNumber(z_, i, 0, zModel_, depthFrom(reference, at), {});
      const auto from = [&](std::uint32_t there) {
        return std::uint32_t(z_.values[i]) - std::uint32_t(z_.values[there]);
      };
      const std::uint32_t corner = upLeft ? upLeft : upRight;
      links_[i].x = left ? from(left) : links_[up ? up : corner].x;
      links_[i].y = up ? from(up) : links_[left ? left : corner].y;
    }
    if (!zBack_) return true;
    const auto [a, b, c, count] = neighbors_[i];
    const auto thick = [&](std::uint32_t at) { return aheadOf(*zBack_, at); };
    const std::int64_t back = z_.values[i] + between(thick(a), thick(b), thick(c), count);
    codeNumber(*zBack_, i, besideOf(z_, i), zBackModel_, back, {true, z_.values[i]});
    return true;
  }

  /// Finds the neighbors of a fragment by those of one of them, which is of this list; 0: none.
  [[gnu::always_inline]] std::array<std::uint32_t, 4> meet(std::uint32_t i, std::uint32_t first,
                                                           std::size_t list) {
    std::array<std::uint32_t, 4> found{};
    Neighbors& n = neighbors_[i];
    n = {i - 1, i - 1, i - 1, 0};
    if (!first) return found;
    found[list] = first;
    auto& [left, up, upLeft, upRight] = found;
    const auto take = [](std::uint32_t& place, std::uint32_t at) { place = place ? place : at; };
    take(upLeft, links_[left].up);
    take(up, links_[upRight].left);
    take(upLeft, links_[up].left);
    take(up, links_[upLeft].right);
    take(upRight, links_[up].right);
    take(left, links_[upLeft].down);
    for (std::size_t l = 0; l < 4; ++l)
      if (found[l]) lists_[l].next = found[l] + 1;
    if (left) links_[left].right = i;
    if (up) links_[up].down = i;
    links_[i].left = left, links_[i].up = up;
    const std::uint32_t one = left ? left : up ? up : upLeft ? upLeft : upRight;
    n = {one, !left && up && upRight ? upRight : one, one, 1};
    if (left && up) n = {left, up, upLeft, 3};  // they met at the one above left
    return found;
  }

  /// From the fragments around, or from their ratios to the companion, which is `base`.
  template <int kWidth>
  [[gnu::always_inline]] std::int64_t forecastOf(const Values& plane, std::uint32_t i, int by,
                                                 double base) const {
    const Neighbors& n = neighbors_[i];
    if (by == kScaled)
      return nearestTo<kWidth>(between(ratios_[n.a], ratios_[n.b], ratios_[n.c], n.count) * base);
    const std::int32_t* v = plane.values.data();
    const std::int64_t a = v[n.a], b = v[n.b], c = v[n.c];
    return by == 1 && n.count == 3 ? a + b - c : between(a, b, c, n.count);
  }
  template <class Number>
  static Number between(Number a, Number b, Number c, std::uint32_t count) {
    return count == 3 ? edgeOf(a, b, c) : a;
  }
  [[gnu::always_inline]] static double realAt(const Values& plane, std::uint32_t i) {
    return plane.bits == 16 ? realOf<16>(plane.values[i]) : realOf<32>(plane.values[i]);
  }
  [[gnu::always_inline]] void setRatio(const Values& plane, std::uint32_t i, double base) {
    ratios_[i] = base != 0 ? realAt(plane, i) / base : 0;
  }
  static int besideOf(const Values& companion, std::uint32_t i) {
    return std::min(7, (companion.classes[i] + 1) >> (companion.bits == 16 ? 1 : 2));
  }

  void codeNumber(Values& plane, std::uint32_t i, int beside, NumberModel& model,
                  std::int64_t forecast, Known known) {
    plane.bits == 16 ? codeNumber<16>(plane, i, beside, model, forecast, known)
                     : codeNumber<32>(plane, i, beside, model, forecast, known);
  }
  template <int kWidth>
  [[gnu::always_inline]] void codeNumber(Values& plane, std::uint32_t i, int beside,
                                         NumberModel& model, std::int64_t forecast, Known known) {
    const Neighbors& n = neighbors_[i];
    std::int32_t* const v = plane.values.data();
    // How far apart the neighbors are, how far they were missed, and the companion now.
    constexpr int kHalf = kWidth == 16 ? 0 : 1;
    const int spread = std::min(15, 2 + (classOf(std::int64_t(v[n.a]) - v[n.b]) >> kHalf));
    const int late = std::min(7, std::max(plane.classes[n.a], plane.classes[n.b]) >> (kHalf + 1));
    std::int64_t missed = v[i] - forecast;
    int own =
        model.code(coder_, (n.count < 2 ? int(n.count) : spread) * 8 + late, beside * 8 + late,
                   Coder::kEncodes && missed != 0 && known.is && v[i] == known.value, missed);
    if (own < 0) {
      coder_.isRight(known.is);
      missed = known.value - forecast;
      own = classOf(missed);
    }
    const std::int64_t value = forecast + missed;
    v[i] = kWidth == 16 ? std::int16_t(value) : std::int32_t(value);
    coder_.isRight(v[i] == value);
    plane.classes[i] = std::int16_t(own);
  }

  /// IDs are those of neighbors, seen lately, seen before, or new.
  bool codeIds(Values& plane, const Values& companion) {
    IdModel model;
    for (std::uint32_t i = 1; i < neighbors_.size(); ++i)
      if (!codeId(plane, companion, i, model)) return false;
    return true;
  }
  bool codeId(Values& plane, const Values& companion, std::uint32_t i, IdModel& m) {
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
    const int same = int(n.count) * 4 + (near[0] == near[1] ? 1 : 0) + (near[1] == near[2] ? 2 : 0);
    const int beside = std::min(15, (companion.classes[i] + 1) / 2);
    symbol = coder_.code(m.same[std::size_t(same)], m.beside[std::size_t(beside)], symbol);
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
    plane.classes[i] = std::int16_t(symbol);
    return true;
  }

  Coder& coder_;
  const BlockCounts& counts_;
  const std::vector<Values>& planes_;
  Values& z_;
  Values* zBack_ = nullptr;
  std::vector<Neighbors> neighbors_;
  std::vector<Links> links_;
  std::vector<double> ratios_;  // of values to those of the companion
  std::array<List, 4> lists_;   // left, above, above left, above right
  std::vector<Model> references_ = std::vector<Model>(16),
                     referencesLate_ = std::vector<Model>(16 * 16 * 4);
  int lastReference_ = 0;
  NumberModel zModel_{16 * 8, 8 * 8}, zBackModel_ = zModel_;
};

/// The channels in the order they are coded in, and beside which one each is.
struct PlaneOrder {
  std::size_t z = 0;
  std::optional<std::size_t> zBack;
  std::vector<std::pair<std::size_t, std::size_t>> others;  // plane, companion
};

PlaneOrder orderOf(const std::vector<DeepChannel>& channels) {
  PlaneOrder order;
  const auto named = [&](const std::string& name) -> std::optional<std::size_t> {
    for (std::size_t c = 0; c < channels.size(); ++c)
      if (channels[c].name == name) return c;
    return std::nullopt;
  };
  order.z = named("Z").value();
  order.zBack = named("ZBack");
  const auto rankOf = [](const std::string& base) {
    return base == "A" ? 0 : base == "G" ? 1 : base == "R" || base == "B" ? 2 : 3;
  };
  const auto split = [](const std::string& name) {
    const std::size_t dot = name.rfind('.') + 1;
    return std::pair(name.substr(0, dot), name.substr(dot));
  };
  std::vector<std::size_t> rest;
  for (std::size_t c = 0; c < channels.size(); ++c)
    if (c != order.z && c != order.zBack) rest.push_back(c);
  std::stable_sort(rest.begin(), rest.end(), [&](std::size_t a, std::size_t b) {
    return rankOf(split(channels[a].name).second) < rankOf(split(channels[b].name).second);
  });
  std::size_t last = order.z;
  for (const std::size_t c : rest) {
    const auto [layer, base] = split(channels[c].name);
    std::optional<std::size_t> companion;
    if (base == "R" || base == "B") companion = named(layer + "G");
    if (base == "G") companion = named(layer + "A");
    if (base == "G" && !companion) companion = named("A");
    order.others.emplace_back(c, companion.value_or(last));
    last = c;
  }
  return order;
}

std::vector<Values> emptyValues(const std::vector<DeepChannel>& channels, std::size_t fragments) {
  std::vector<Values> planes;
  for (const DeepChannel& channel : channels) {
    Values& plane = planes.emplace_back();
    plane.values.resize(fragments + 1), plane.classes.resize(fragments + 1);
    plane.bits = channel.type == ChannelType::Half ? 16 : 32;
    plane.isId = channel.type == ChannelType::Uint;
    plane.isAlpha = !plane.isId && (channel.name == "A" || channel.name.ends_with(".A"));
  }
  return planes;
}

/// Calls for every plane of every row: its values, place in them, count and bytes.
template <class Bytes, class Visit>
void forPlanes(const std::vector<DeepChannel>& channels, const BlockCounts& counts, Bytes rows,
               std::vector<Values>& planes, const Visit& visit) {
  std::size_t place = 1;
  for (int y = 0; y < counts.height; ++y) {
    const auto count =
        std::size_t(counts.running[(std::size_t(y) + 1) * std::size_t(counts.width) - 1]);
    for (std::size_t c = 0; c < channels.size(); ++c) {
      const std::size_t bytes = count * bytesPerValue(channels[c].type);
      visit(planes[c], place, count, rows.first(bytes));
      rows = rows.subspan(bytes);
    }
    place += count;
  }
}

template <class Coder>
bool codePlanes(Coder& coder, const std::vector<DeepChannel>& channels, const BlockCounts& counts,
                std::vector<Values>& planes) {
  const PlaneOrder order = orderOf(channels);
  Block<Coder> block(coder, counts, planes, order.z, order.zBack,
                     planes[order.z].values.size() - 1);
  if (!block.codeDepths()) return false;
  return std::all_of(order.others.begin(), order.others.end(), [&](const auto& other) {
    return block.code(planes[other.first], planes[other.second]);
  });
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
  Decoder coder(packed);
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
  std::vector<Values> planes = emptyValues(channels, fragmentsOf(counts));
  forPlanes(channels, counts, rows, planes,
            [](Values& plane, std::size_t place, std::size_t count, std::span<const std::byte> in) {
              for (std::size_t i = 0; i < count; ++i) {
                const std::int32_t bits = plane.bits == 16 ? load<std::int16_t>(in.data() + 2 * i)
                                                           : load<std::int32_t>(in.data() + 4 * i);
                plane.values[place + i] = plane.isId ? bits : orderedOf(bits, plane.bits);
              }
            });
  Encoder coder;
  codePlanes(coder, channels, counts, planes);
  return coder.finish();
}

bool unpackPlanes(const std::vector<DeepChannel>& channels, const BlockCounts& counts,
                  std::span<const std::byte> packed, std::span<std::byte> rows) {
  if (rows.empty()) return packed.empty();
  std::vector<Values> planes = emptyValues(channels, fragmentsOf(counts));
  Decoder coder(packed);
  if (!codePlanes(coder, channels, counts, planes) || !coder.isComplete()) return false;
  forPlanes(channels, counts, rows, planes,
            [](Values& plane, std::size_t place, std::size_t count, std::span<std::byte> out) {
              const std::int32_t* const from = plane.values.data() + place;
              if (plane.bits == 16)
                for (std::size_t i = 0; i < count; ++i)
                  store(out.data() + 2 * i, std::int16_t(orderedOf(from[i], 16)));
              else if (plane.isId)
                std::memcpy(out.data(), from, out.size());
              else
                for (std::size_t i = 0; i < count; ++i)
                  store(out.data() + 4 * i, orderedOf(from[i], 32));
            });
  return true;
}

}  // namespace fathom::deep_pack
