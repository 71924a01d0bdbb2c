// SPDX-License-Identifier: BSD-3-Clause
// Carries, learning and the decisions that make up a number.
#include "app/engine/smoe/model/range_coder.h"

#include "app/engine/core/error.h"

namespace fathom::smoe {

constexpr int kRawBits = 16;  // digits of even odds at a time

double BitModel::cost(bool bit) const {
  constexpr std::uint32_t kOne = 1u << kProbabilityBits;
  return std::log2(double(kOne) / (bit ? kOne - zero() : zero()));
}

// ---- Encoder

bool RangeEncoder::code(BitModel& model, bool bit) {
  narrow((range_ >> BitModel::kProbabilityBits) * model.zero(), bit);
  model.learn(bit);
  return bit;
}

std::uint32_t RangeEncoder::raw(std::uint32_t bits, int count) {
  while (count-- > 0) narrow(range_ >> 1, (bits >> count & 1) != 0);
  return bits;
}

void RangeEncoder::narrow(std::uint32_t below, bool upper) {
  if (upper)
    low_ += below, range_ -= below;
  else
    range_ = below;
  for (; range_ < kTop; range_ <<= 8) shiftOut();
}

/// The top byte of the low end leaves once no carry can reach it any more.
void RangeEncoder::shiftOut() {
  if (low_ < 0xFF000000u || low_ > 0xFFFFFFFFu) {
    const auto carry = std::uint8_t(low_ >> 32);
    if (!first_) bytes_.push_back(std::byte(std::uint8_t(held_ + carry)));
    first_ = false;
    for (; pending_ > 1; --pending_) bytes_.push_back(std::byte(std::uint8_t(0xFF + carry)));
    held_ = std::uint8_t(low_ >> 24);
  } else {
    ++pending_;
  }
  low_ = (low_ & 0x00FFFFFFu) << 8;
}

std::vector<std::byte> RangeEncoder::finish() {
  for (int i = 0; i < 5; ++i) shiftOut();
  // The decoder reads zeros behind the end, as many as it looks ahead.
  for (int i = 0; i < 4 && !bytes_.empty() && bytes_.back() == std::byte(0); ++i) bytes_.pop_back();
  return std::move(bytes_);
}

// ---- Numbers

template <class Coder>
std::int64_t IntegerModel::code(Coder& coder, int context, std::int64_t value) {
  Statistics& s = statistics_[context];
  if (!coder.code(s.zero, value != 0)) return 0;
  const bool negative = coder.code(s.sign, value < 0);
  const auto known = std::uint64_t(value < 0 ? -value : value);
  FATHOM_CHECK(known <= std::uint64_t(kLargest));
  int below = 0;  // digits below the leading one
  while (below + 1 < kMaxDigits && coder.code(s.digits[below], known >> below > 1)) ++below;
  std::uint64_t size = 1;
  if (below > 0) size = 2 + coder.code(s.second[below], (known >> (below - 1) & 1) != 0);
  for (int rest = below - 1; rest > 0;) {
    const int part = std::min(rest, kRawBits);
    rest -= part;
    size = size << part | coder.raw(std::uint32_t(known >> rest & ((1u << part) - 1)), part);
  }
  return negative ? -std::int64_t(size) : std::int64_t(size);
}

template std::int64_t IntegerModel::code(RangeEncoder&, int, std::int64_t);
template std::int64_t IntegerModel::code(RangeDecoder&, int, std::int64_t);

double IntegerModel::cost(int context, std::int64_t value) const {
  const Statistics& s = statistics_[context];
  if (value == 0) return s.zero.cost(false);
  const auto size = std::uint64_t(value < 0 ? -value : value);
  const int below = int(std::bit_width(size)) - 1;
  double bits = s.zero.cost(true) + s.sign.cost(value < 0);
  for (int i = 0; i < below; ++i) bits += s.digits[i].cost(true);
  if (below + 1 < kMaxDigits) bits += s.digits[below].cost(false);
  return below == 0 ? bits
                    : bits + s.second[below].cost((size >> (below - 1) & 1) != 0) + below - 1;
}

}  // namespace fathom::smoe
