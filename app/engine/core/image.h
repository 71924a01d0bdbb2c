// SPDX-License-Identifier: BSD-3-Clause
// A flat picture on the CPU and what a file tells of it, rectangles of pixels, and the sRGB
// encoding of 8-bit files (IEC 61966-2-1).
#pragma once

namespace fathom {

/// A half-open rectangle of pixels, y growing downward as in EXR windows.
struct Rect {
  int x = 0, y = 0;
  int width = 0, height = 0;

  std::int64_t area() const { return empty() ? 0 : std::int64_t(width) * height; }
  bool empty() const { return width <= 0 || height <= 0; }
  int right() const { return x + width; }    // one past the last column
  int bottom() const { return y + height; }  // one past the last row
  bool contains(int px, int py) const {
    return px >= x && py >= y && px < right() && py < bottom();
  }
  bool operator==(const Rect&) const = default;
};

/// The smallest rectangle that holds both; an empty one adds nothing.
inline Rect unite(const Rect& a, const Rect& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  const int x = std::min(a.x, b.x), y = std::min(a.y, b.y);
  return {x, y, std::max(a.right(), b.right()) - x, std::max(a.bottom(), b.bottom()) - y};
}

inline Rect intersect(const Rect& a, const Rect& b) {
  const int x = std::max(a.x, b.x), y = std::max(a.y, b.y);
  return {x, y, std::max(0, std::min(a.right(), b.right()) - x),
          std::max(0, std::min(a.bottom(), b.bottom()) - y)};
}

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

/// Linear and premultiplied, the top row first.
struct Image {
  int width = 0, height = 0;
  std::vector<glm::vec4> pixels;  // vec4[height][width]

  Image() = default;
  Image(int w, int h, glm::vec4 fill = glm::vec4(0))
      : width(w), height(h), pixels(std::size_t(w) * std::size_t(h), fill) {}

  glm::vec4& at(int x, int y) {
    return pixels[std::size_t(y) * std::size_t(width) + std::size_t(x)];
  }
  const glm::vec4& at(int x, int y) const {
    return pixels[std::size_t(y) * std::size_t(width) + std::size_t(x)];
  }
};

/// How the values of a file relate to light. Image is always linear; compare wants the file's own.
enum class Encoding { Linear, Srgb };

/// Pixels of a PNG or PPM: 16384 x 16384. A larger claim is refused before anything is allocated.
inline constexpr std::int64_t kMaxPictureArea = std::int64_t(1) << 28;
constexpr int kMaxPictureSide = 65536;  // pixels

struct Picture {
  Image image;               // linear, premultiplied; covers the data window
  std::vector<float> depth;  // float[height][width] where the file has a Z channel, else empty
  Rect dataWindow;           // where image lies; (0, 0, width, height) for formats without windows
  Rect displayWindow;
  float pixelAspect = 1.0f;
  bool hasAlpha = false;
  Encoding encoding = Encoding::Linear;
};

}  // namespace fathom
