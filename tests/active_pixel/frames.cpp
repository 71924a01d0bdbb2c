// SPDX-License-Identifier: BSD-3-Clause
#include "tests/active_pixel/frames.h"

#include "app/engine/core/random.h"

namespace fathom::test {

using active_pixel::Color;
using active_pixel::Compositing;
using active_pixel::Depth;
using active_pixel::Format;
using active_pixel::Frame;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

void setActive(Frame& frame, std::size_t pixel, glm::vec4 color, float depth) {
  const bool blends = frame.format.compositing == Compositing::Blend;
  if (blends) color.a = std::max(color.a, 0.25f);
  if (frame.format.color != Color::None) frame.setColor(pixel, color);
  if (!blends) frame.depth[pixel] = depth;
}

void setInactive(Frame& frame, std::size_t pixel, glm::vec4 color, float depth) {
  const bool blends = frame.format.compositing == Compositing::Blend;
  if (blends) color.a = std::signbit(depth) ? -0.0f : 0.0f;
  if (frame.format.color != Color::None) frame.setColor(pixel, color);
  if (!blends) frame.depth[pixel] = depth;
}

float activeDepth(Random& random) {
  constexpr float kOdd[] = {-0.0f, 0.0f, 1e-40f, -1e-40f, -3.5f, -kInfinity, 0x1.fffffep-1f};
  return random.below(64) == 0 ? kOdd[random.below(7)] : random.uniform();
}
float inactiveDepth(Random& random) {
  constexpr float kOdd[] = {1.0f, 0x1.000002p+0f, 7.0f, kInfinity, kNaN, -kNaN};
  return random.below(64) == 0 ? kOdd[random.below(6)] : 1.0f;
}
float activeAlpha(Random& random) {
  constexpr float kOdd[] = {1e-40f, -1e-40f, -0.5f, kInfinity, kNaN, 2.0f};
  return random.below(64) == 0 ? kOdd[random.below(6)] : random.uniform(0.01f, 1.0f);
}

struct Blob {
  float x, y, radius;
};

std::vector<Blob> blobsOf(Random& random, int width, int height, double coverage) {
  std::vector<Blob> blobs;
  const double area = double(width) * height;
  for (double covered = 0; covered < coverage * area && blobs.size() < 1000;) {
    const float radius = random.uniform(0.02f, 0.25f) * float(std::max(width, height)) + 0.6f;
    blobs.push_back({random.uniform() * float(width), random.uniform() * float(height), radius});
    covered += 2.5 * double(radius) * double(radius);
  }
  return blobs;
}

bool inside(const std::vector<Blob>& blobs, int x, int y) {
  for (const Blob& blob : blobs) {
    const float dx = float(x) - blob.x, dy = float(y) - blob.y;
    if (dx * dx + dy * dy < blob.radius * blob.radius) return true;
  }
  return false;
}

}  // namespace

const std::vector<Format>& allFormats() {
  static const std::vector<Format> formats{{Color::Rgba8, Depth::Float32, Compositing::ZBuffer},
                                           {Color::Rgba32f, Depth::Float32, Compositing::ZBuffer},
                                           {Color::Rgb32f, Depth::Float32, Compositing::ZBuffer},
                                           {Color::None, Depth::Float32, Compositing::ZBuffer},
                                           {Color::Rgba8, Depth::None, Compositing::Blend},
                                           {Color::Rgba32f, Depth::None, Compositing::Blend}};
  return formats;
}

std::string formatName(const Format& format) {
  constexpr const char* kNames[] = {"NoColor", "Rgba8", "Rgb32f", "Rgba32f"};
  return std::string(kNames[int(format.color)]) +
         (format.compositing == Compositing::Blend ? "Blend" : "Depth");
}

Frame drawn(const std::vector<std::string>& rows, const Format& format) {
  const int height = int(rows.size()), width = rows.empty() ? 0 : int(rows.front().size());
  Frame frame(format, width, height);
  std::size_t pixel = 0;
  for (const std::string& row : rows) {
    FATHOM_CHECK_OP(int(row.size()), ==, width);
    for (const char c : row) {
      const float step = float(pixel % 251);
      const glm::vec4 color(step / 255, (step + 1) / 255, (step + 2) / 255, (step + 3) / 255);
      if (c == '#')
        setActive(frame, pixel, color, (step + 1) / 256);
      else
        setInactive(frame, pixel, color, 1.0f);
      ++pixel;
    }
  }
  return frame;
}

Frame randomFrame(std::uint64_t seed, int width, int height, const Format& format, double coverage,
                  Pattern pattern) {
  Random random(seed);
  Frame frame(format, width, height);
  const std::vector<Blob> blobs =
      pattern == Pattern::Blobs ? blobsOf(random, width, height, coverage) : std::vector<Blob>{};
  const int stripe = 1 + int(random.below(7));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const std::size_t pixel = std::size_t(y) * std::size_t(width) + std::size_t(x);
      const bool on = pattern == Pattern::Blobs   ? inside(blobs, x, y)
                      : pattern == Pattern::Noise ? double(random.uniform()) < coverage
                                                  : (x / stripe + y) % 2 == 0;
      glm::vec4 color(random.uniform(), random.uniform(), random.uniform(), random.uniform());
      if (on) {
        if (format == allFormats().back()) color.a = activeAlpha(random);
        setActive(frame, pixel, color, activeDepth(random));
        if (format == allFormats().back()) frame.setColor(pixel, color);
      } else {
        setInactive(frame, pixel, color, inactiveDepth(random));
      }
    }
  return frame;
}

}  // namespace fathom::test
