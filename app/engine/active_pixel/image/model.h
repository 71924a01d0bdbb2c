// SPDX-License-Identifier: BSD-3-Clause
// Rendered frames and their sparse form. A pixel is active where something was drawn; the sparse
// form is IceT's own: a header of 7 words, then runs, each a pair (inactive, active) followed by
// the payloads of the active pixels, color before depth. Row 0 is the bottom row; runs continue
// across rows.
//
//   word  0 magic 0x004D6000  1 color format  2 depth format  3 width  4 height
//         5 pixels the buffer was made for    6 bytes in all, header included    7.. runs
#pragma once

#include "app/engine/core/image.h"

namespace fathom::active_pixel {

enum class Color { None, Rgba8, Rgb32f, Rgba32f };
enum class Depth { None, Float32 };
/// Which pixel wins, and with it what is active: depth < 1 (the nearest wins), or alpha other than
/// zero (blended front to back, premultiplied; no depth).
enum class Compositing { ZBuffer, Blend };

struct Format {
  Color color = Color::Rgba8;
  Depth depth = Depth::Float32;
  Compositing compositing = Compositing::ZBuffer;
  bool operator==(const Format&) const = default;
  int colorBytes() const;    // 0, 4, 12, 16
  int payloadBytes() const;  // of an active pixel
  /// False for what IceT has no rule for: z-buffer without depth, blending with depth or without
  /// alpha.
  bool valid() const;
};

constexpr std::uint32_t kSparseMagic = 0x004D6000;
constexpr std::size_t kHeaderBytes = 28;
constexpr std::size_t kHeaderWords = kHeaderBytes / 4;

/// IceT's numbers for words 1 and 2 of the header.
std::uint32_t icetColorFormat(Color color);
std::uint32_t icetDepthFormat(Depth depth);
/// A color's name in messages: "RGBA bytes".
const char* name(Color color);

/// An uncompressed frame: colorBytes() per pixel as the format says, and depth 0 near .. 1 far.
struct Frame {
  Format format;
  int width = 0, height = 0;
  std::vector<std::byte> color;  // byte[height][width][colorBytes]
  std::vector<float> depth;      // float[height][width], or empty

  Frame() = default;
  /// Every pixel has the color and depth 1: nothing is active, if blended colors have no alpha.
  Frame(const Format& format, int width, int height, glm::vec4 color = glm::vec4(0));
  std::size_t pixelCount() const { return std::size_t(width) * std::size_t(height); }
  std::byte* colorAt(std::size_t pixel) { return color.data() + pixel * bytesPerColor(); }
  const std::byte* colorAt(std::size_t pixel) const {
    return color.data() + pixel * bytesPerColor();
  }
  /// The color as floats and back; bytes stand for 0..1 and are rounded. No color reads as 0.
  glm::vec4 colorOf(std::size_t pixel) const;
  void setColor(std::size_t pixel, glm::vec4 value);

 private:
  std::size_t bytesPerColor() const { return std::size_t(format.colorBytes()); }
};

struct SparseImage {
  std::vector<std::uint32_t> words;  // header and runs
  std::size_t bytes() const { return words.size() * 4; }
  bool operator==(const SparseImage&) const = default;
};

/// Totals of a sparse image, counted from its runs.
struct SparseFacts {
  Format format;
  int width = 0, height = 0;
  std::uint64_t active = 0, runs = 0;  // active pixels, runs with active pixels
  std::uint64_t bytes = 0;
  double ratio = 0;  // bytes over those of the uncompressed frame
};

/// The largest size of a sparse image of these dimensions, in bytes: 28 + 8 + N P + max(0, 8 - P)
/// ceil(N / 2). Throws Error when that exceeds 2^31 - 1, the limit of IceT's counters.
std::uint64_t bufferBytes(const Format& format, int width, int height);

/// The 7 words of the header of an image of `bytes` bytes.
std::array<std::uint32_t, kHeaderWords> header(const Format& format, int width, int height,
                                               std::uint64_t bytes);

/// Part of a frame in pixels from the lower left corner.
using Region = Rect;

/// Where a rendered region lies in the tile that is compressed (Lipinski et al. 2021, eq. 2): tile
/// pixel (x, y) inside `target` shows texel (x, y) - target + source; outside it is inactive, and
/// so is what shows no texel. Both have the same extent; empty ones show nothing at all.
struct Placement {
  Region source, target;
};

/// The same, clipped to the tile and to the frame.
Placement clipped(const Placement& placement, int tileWidth, int tileHeight, int frameWidth,
                  int frameHeight);

}  // namespace fathom::active_pixel
