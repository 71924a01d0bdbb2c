// SPDX-License-Identifier: BSD-3-Clause
// An adaptive binary range coder and whole numbers as sequences of its decisions: what the packed
// encoding of models is made of (G. N. N. Martin, "Range encoding", 1979; carries as in Schindler's
// byte-wise form). A decoder that is handed damaged bytes gives wrong numbers, never more work.
#pragma once

namespace fathom::smoe {

constexpr std::uint32_t kTop = 1u << 24;  // ranges below are widened by a byte

/// The probability of a zero, learned at two rates: the mean of a quick and a slow estimate, both
/// of which are running means at first.
class BitModel {
 public:
  static constexpr int kProbabilityBits = 15;
  /// In 1/32768, 64 .. 32704.
  std::uint32_t zero() const {
    return std::clamp((std::uint32_t(quick_) + slow_) >> 2, kMinOdds,
                      (1u << kProbabilityBits) - kMinOdds);
  }
  void learn(bool bit) {
    quick_ = toward(bit, quick_, kQuick), slow_ = toward(bit, slow_, kSlow);
    if (seen_ < 1 << kSlow) ++seen_;
  }
  /// What this bit would take, in bits.
  double cost(bool bit) const;

 private:
  static constexpr int kQuick = 4, kSlow = 7;         // shifts of the two rates
  static constexpr std::uint32_t kMinOdds = 1u << 6;  // keeps the coder's parts from vanishing

  // 2^24 over a number, rounded up: a product of 16 bits by it has the whole part of the quotient.
  static constexpr std::array<std::uint32_t, (1 << kSlow)> kReciprocals = [] {
    std::array<std::uint32_t, (1 << kSlow)> reciprocals{};
    for (std::uint32_t n = 1; n < 1 << kSlow; ++n) reciprocals[n] = (1u << 24) / n + 1;
    return reciprocals;
  }();

  /// A step toward 0 of a one, toward 65535 of a zero.
  std::uint16_t toward(bool bit, std::uint32_t from, int shift) const {
    const std::uint32_t share = seen_ + 2u;  // the mean of what was seen, and of half at the start
    const std::uint32_t change = bit ? from : 65535 - from;
    std::uint32_t step = (change + (bit ? (1u << shift) - 1 : 0)) >> shift;
    if (share < 1u << shift)
      step = std::uint32_t(std::uint64_t(change) * kReciprocals[share] >> 24);
    return std::uint16_t(bit ? from - step : from + step);
  }

  std::uint16_t quick_ = 1 << 15, slow_ = 1 << 15;  // in 1/65536
  std::uint16_t seen_ = 0;                          // bits, until the slow rate is reached
};

/// Encoder and decoder have the same calls, which return what was coded, so that one function both
/// writes and reads; a decoder does not look at what it is given.
class RangeEncoder {
 public:
  bool code(BitModel& model, bool bit);
  /// `count` bits of even odds, highest first; count <= 32.
  std::uint32_t raw(std::uint32_t bits, int count);
  /// Everything; nothing may be put afterwards.
  std::vector<std::byte> finish();

 private:
  void narrow(std::uint32_t below, bool upper);
  void shiftOut();

  std::uint64_t low_ = 0;
  std::uint32_t range_ = 0xFFFFFFFF;
  std::uint64_t pending_ = 1;  // bytes that a carry may still change: the held one and 0xFF
  std::uint8_t held_ = 0;
  bool first_ = true;  // the first byte is always zero and is left out
  std::vector<std::byte> bytes_;
};

class RangeDecoder {
 public:
  /// Behind the end there are zeros.
  explicit RangeDecoder(std::span<const std::byte> bytes) : bytes_(bytes) {
    for (int i = 0; i < 4; ++i) code_ = code_ << 8 | next();
  }
  bool code(BitModel& model, bool = false) {
    const bool bit = narrow((range_ >> BitModel::kProbabilityBits) * model.zero());
    model.learn(bit);
    return bit;
  }
  std::uint32_t raw(std::uint32_t, int count) {
    std::uint32_t found = 0;
    while (count-- > 0) found = found << 1 | (narrow(range_ >> 1) ? 1u : 0u);
    return found;
  }
  bool overran() const { return at_ > bytes_.size() + 4; }

 private:
  bool narrow(std::uint32_t below) {
    const bool upper = code_ >= below;
    code_ -= upper ? below : 0, range_ = upper ? range_ - below : below;
    for (; range_ < kTop; range_ <<= 8) code_ = code_ << 8 | next();
    return upper;
  }
  std::uint32_t next() {
    const std::size_t at = at_++;
    return at < bytes_.size() ? std::to_integer<std::uint32_t>(bytes_[at]) : 0;
  }

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  std::uint32_t range_ = 0xFFFFFFFF, code_ = 0;
};

/// Whole numbers of up to 62 bits that are mostly near zero: whether zero, the sign, the number of
/// digits in unary, the digit below the leading one; further digits have even odds. Contexts, 0 ..
/// kContexts - 1, keep statistics apart.
class IntegerModel {
 public:
  static constexpr int kContexts = 6, kMaxDigits = 62;
  static constexpr std::int64_t kLargest = (std::int64_t(1) << kMaxDigits) - 1;
  /// |value| <= kLargest.
  template <class Coder>
  std::int64_t code(Coder& coder, int context, std::int64_t value = 0);
  /// What an encoder would take, in bits.
  double cost(int context, std::int64_t value) const;

 private:
  struct Statistics {
    BitModel zero, sign, digits[kMaxDigits], second[kMaxDigits];
  };
  Statistics statistics_[kContexts];
};

}  // namespace fathom::smoe
