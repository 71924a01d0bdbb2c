// SPDX-License-Identifier: BSD-3-Clause
// The program's own random numbers: PCG32 (O'Neill 2014, XSH-RR), the same on every machine. The
// distributions of <random> differ between libraries and are not used.
#pragma once

namespace fathom {

class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0) : increment_((stream << 1) | 1) {
    next();
    state_ += seed;
    next();
  }

  std::uint32_t next() {
    const std::uint64_t old = state_;
    state_ = old * 6364136223846793005ull + increment_;
    const auto mixed = std::uint32_t(((old >> 18) ^ old) >> 27);
    const auto turn = std::uint32_t(old >> 59);
    return (mixed >> turn) | (mixed << ((32 - turn) & 31));
  }
  /// [0, 1), all 24 bits of a float's mantissa.
  float uniform() { return float(next() >> 8) * 0x1p-24f; }
  float uniform(float low, float high) { return low + (high - low) * uniform(); }
  /// 0 .. count-1; the bias is below count / 2^32.
  std::uint32_t below(std::uint32_t count) {
    return std::uint32_t((std::uint64_t(next()) * count) >> 32);
  }
  /// A unit vector, all directions alike.
  glm::vec3 direction() {
    const float z = uniform(-1, 1), angle = uniform(0, 6.2831853f);
    const float r = std::sqrt(std::fmax(0.0f, 1 - z * z));
    return {r * std::cos(angle), r * std::sin(angle), z};
  }

 private:
  std::uint64_t state_ = 0, increment_;
};

}  // namespace fathom
