// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/synthetic_deep.h"

#include <half.h>

namespace fathom::test {
namespace {

constexpr float kAlpha = 0.3f;
constexpr float kNear = 72.0f, kFar = 992.0f;

/// Small and the same everywhere, unlike the standard distributions.
class Random {
 public:
  explicit Random(std::uint32_t seed) : state_(seed * 2654435769u + 1u) {}
  float operator()(float low, float high) {
    state_ ^= state_ << 13, state_ ^= state_ >> 17, state_ ^= state_ << 5;
    return low + (high - low) * float(state_ >> 8) * 0x1p-24f;
  }

 private:
  std::uint32_t state_;
};

struct Sphere {
  float x, y, radius, z, r, g, b;
};

std::vector<Sphere> spheres(const SphereField& field) {
  Random random(field.seed);
  const float largest = float(std::max(2, std::min(field.width, field.height) / 8));
  const double fragmentsPerHit = field.withZBack ? 1 : 2;
  double wanted = field.meanFragments * field.width * field.height / fragmentsPerHit;
  std::vector<Sphere> all;
  while (wanted > 0) {
    const Sphere s{random(0, float(field.width)),
                   random(0, float(field.height)),
                   random(largest / 4, largest),
                   random(kNear + largest, kFar - largest),
                   random(0, 1),
                   random(0, 1),
                   random(0, 1)};
    wanted -= 3.14159265 * double(s.radius) * double(s.radius);
    all.push_back(s);
  }
  return all;
}

/// Calls visit(pixel, halfDepth) for the pixels of the picture that the sphere covers.
template <class Visit>
void cover(const Sphere& s, const SphereField& field, const Visit& visit) {
  const int top = std::max(0, int(std::floor(s.y - s.radius)));
  const int bottom = std::min(field.height - 1, int(std::ceil(s.y + s.radius)));
  const int left = std::max(0, int(std::floor(s.x - s.radius)));
  const int right = std::min(field.width - 1, int(std::ceil(s.x + s.radius)));
  for (int y = top; y <= bottom; ++y)
    for (int x = left; x <= right; ++x) {
      const float dx = float(x) + 0.5f - s.x, dy = float(y) + 0.5f - s.y;
      const float inside = s.radius * s.radius - dx * dx - dy * dy;
      if (inside > 0)
        visit(std::size_t(y) * std::size_t(field.width) + std::size_t(x), std::sqrt(inside));
    }
}

void writeFragment(std::uint32_t* words, const Sphere& s, float shade, float z, float zBack) {
  const auto bits = [&](float value) { return std::uint32_t(half(value).bits()); };
  const float k = kAlpha * shade;
  words[0] = bits(s.r * k) | bits(s.g * k) << 16;
  words[1] = bits(s.b * k) | bits(kAlpha) << 16;
  words[2] = std::bit_cast<std::uint32_t>(z);
  words[3] = std::bit_cast<std::uint32_t>(zBack);
}

}  // namespace

DeepImage sphereField(const SphereField& field) {
  DeepImage image;
  image.dataWindow = image.displayWindow = {0, 0, field.width, field.height};
  image.hasZBack = field.withZBack;
  for (const char* name : {"A", "B", "G", "R"})
    image.channels.push_back({name, ChannelType::Half, {}});
  image.channels.push_back({"Z", ChannelType::Float, {}});
  if (field.withZBack) image.channels.push_back({"ZBack", ChannelType::Float, {}});

  const std::vector<Sphere> all = spheres(field);
  const std::size_t perHit = field.withZBack ? 1 : 2;
  image.fragmentOffsets.assign(image.pixelCount() + 1, 0);
  for (const Sphere& s : all)
    cover(s, field, [&](std::size_t p, float) { image.fragmentOffsets[p + 1] += perHit; });
  for (std::size_t p = 0; p < image.pixelCount(); ++p)
    image.fragmentOffsets[p + 1] += image.fragmentOffsets[p];

  image.words.resize(image.fragmentCount() * 4);
  std::vector<std::size_t> next(image.fragmentOffsets.begin(), image.fragmentOffsets.end() - 1);
  for (const Sphere& s : all)
    cover(s, field, [&](std::size_t p, float depth) {
      const float shade = 0.2f + 0.8f * depth / s.radius;
      std::uint32_t* words = image.words.data() + next[p] * 4;
      next[p] += perHit;
      if (field.withZBack) {
        writeFragment(words, s, shade, s.z - depth, s.z + depth);
      } else {
        writeFragment(words, s, shade, s.z - depth, s.z - depth);
        writeFragment(words + 4, s, 0.2f, s.z + depth, s.z + depth);
      }
    });
  sortLists(image);
  return image;
}

}  // namespace fathom::test
