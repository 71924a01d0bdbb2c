// SPDX-License-Identifier: BSD-3-Clause
// The random generator of flam3, so that our double-precision chaos game can take the very draws
// that flam3-render takes: ISAAC (Bob Jenkins, public domain) with 16 words of state, in 64-bit
// words whose seeding is not cut to 32 bits, as it is in flam3 on 64-bit machines.
#pragma once

#include "app/engine/flame/render/reference.h"

namespace fathom::test {

class Isaac {
 public:
  using Words = std::array<std::uint64_t, 16>;
  explicit Isaac(const Words& seed) : results_(seed) { seedState(); }
  /// The bytes of the text, 8 to a word, padded with zeros.
  static Isaac fromText(std::string_view text) {
    Words seed{};
    for (std::size_t i = 0; i < text.size() && i < 128; ++i)
      seed[i / 8] |= std::uint64_t(static_cast<unsigned char>(text[i])) << (i % 8 * 8);
    return Isaac(seed);
  }
  /// A generator seeded by this one's next 16 outputs.
  Isaac spawn() {
    Words seed;
    for (std::uint64_t& word : seed) word = next();
    return Isaac(seed);
  }
  /// 32 bits; a block's outputs from the last to the first.
  std::uint32_t next() {
    if (left_ == 0) {
      generate();
      left_ = results_.size();
    }
    return std::uint32_t(results_[--left_]);
  }

 private:
  using Mix = std::array<std::uint64_t, 8>;
  static void stir(Mix& m) {
    constexpr int shifts[8] = {11, -2, 8, -16, 10, -4, 8, -9};  // < 0: to the right
    for (std::size_t i = 0; i < 8; ++i) {
      const std::uint64_t next = m[(i + 1) % 8];
      m[i] ^= shifts[i] > 0 ? next << shifts[i] : next >> -shifts[i];
      m[(i + 3) % 8] += m[i];
      m[(i + 1) % 8] += m[(i + 2) % 8];
    }
  }
  void fold(Mix& mix, const Words& from) {
    for (std::size_t i = 0; i < state_.size(); i += 8) {
      for (std::size_t k = 0; k < 8; ++k) mix[k] += from[i + k];
      stir(mix);
      for (std::size_t k = 0; k < 8; ++k) state_[i + k] = mix[k];
    }
  }
  void seedState() {
    Mix mix;
    mix.fill(0x9e3779b9);
    for (int i = 0; i < 4; ++i) stir(mix);
    fold(mix, results_);
    fold(mix, state_);
    generate();
    left_ = results_.size();
  }
  void generate() {
    constexpr std::uint64_t mask = 0xffffffff;
    b_ = (b_ + ++c_) & mask;
    for (std::size_t i = 0; i < state_.size(); ++i) {
      const std::uint64_t x = state_[i];
      const std::uint64_t mixed[4] = {a_ << 13, a_ >> 6, a_ << 2, a_ >> 16};
      a_ = ((a_ ^ mixed[i % 4]) + state_[(i + 8) % 16]) & mask;
      const std::uint64_t y = (state_[(x >> 2) % 16] + a_ + b_) & mask;
      state_[i] = y;
      b_ = (state_[(y >> 6) % 16] + x) & mask;
      results_[i] = b_;
    }
  }

  Words state_{}, results_;
  std::uint64_t a_ = 0, b_ = 0, c_ = 0;
  std::size_t left_ = 0;
};

/// Draws as flam3 makes them of words; both ends of an interval are possible.
class IsaacDraws : public flame::reference::GameDraws {
 public:
  explicit IsaacDraws(const Isaac& isaac) : isaac_(isaac) {}
  double unit() override { return (word() & 0xfffffff) / double(0xfffffff); }
  double signedUnit() override {
    return (double(word() & 0xfffffff) - 0x7ffffff) / double(0x7ffffff);
  }
  int bit() override { return int(word() & 1); }
  std::uint32_t word() override { return isaac_.next(); }

 private:
  Isaac isaac_;
};

}  // namespace fathom::test
