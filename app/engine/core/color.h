// SPDX-License-Identifier: BSD-3-Clause
// Between linear light and the sRGB encoding of 8-bit files (IEC 61966-2-1).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace fathom {

/// Linear to encoded, both 0..1; outside values are clipped, NaN becomes 0.
inline float srgbFromLinear(float linear) {
  if (!(linear > 0.0f)) return 0.0f;
  if (linear >= 1.0f) return 1.0f;
  return linear <= 0.0031308f ? 12.92f * linear : 1.055f * std::pow(linear, 1.0f / 2.4f) - 0.055f;
}

inline float linearFromSrgb(float encoded) {
  return encoded <= 0.04045f ? encoded / 12.92f : std::pow((encoded + 0.055f) / 1.055f, 2.4f);
}

/// 0..1 as a byte, rounded to nearest.
inline std::uint8_t byteOf(float value) {
  return std::uint8_t(std::clamp(value, 0.0f, 1.0f) * 255.0f + 0.5f);
}

}  // namespace fathom
