// SPDX-License-Identifier: BSD-3-Clause
// An adaptive binary range coder and whole numbers as sequences of its decisions: what the packed
// encoding of models is made of (G. N. N. Martin, "Range encoding", 1979; carries as in Schindler's
// byte-wise form). A decoder that is handed damaged bytes gives wrong numbers, never more work.
#pragma once

namespace fathom::smoe {

/// The probability of a zero, learned at two rates: the mean of a quick and a slow estimate, both
/// of which are running means at first.
class BitModel {
 public:
  /// In 1/32768, 64 .. 32704.
  std::uint32_t zero() const;
  void learn(bool bit);
  /// What this bit would take, in bits.
  double cost(bool bit) const;

 private:
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
  explicit RangeDecoder(std::span<const std::byte> bytes);
  bool code(BitModel& model, bool = false);
  std::uint32_t raw(std::uint32_t bits, int count);
  bool overran() const { return at_ > bytes_.size() + 4; }

 private:
  bool narrow(std::uint32_t below);
  std::uint32_t next();

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
