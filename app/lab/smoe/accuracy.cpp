// SPDX-License-Identifier: BSD-3-Clause
// Error measures over colors, and reading back what the decoder computed.
#include "app/lab/smoe/accuracy.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace fathom::smoe {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kSpot = 16;  // px
constexpr int kSpots = 3;  // along each axis

/// The largest of 8, 10, ... 16 bits for which the test holds; 0: not even 8.
template <class Test>
int maxBits(const Test& holds) {
  int largest = 0;
  for (int bits = 8; bits <= 16; bits += 2)
    if (holds(bits)) largest = bits;
  return largest;
}

}  // namespace

int Accuracy::paperBits() const {
  return maxBits([&](int bits) { return maxPixelMse < std::exp2(-bits); });
}

int Accuracy::strictBits() const {
  return maxBits([&](int bits) { return maxClamped < std::exp2(-(bits + 1)); });
}

std::string shortNumber(double value) { return fmt::format("{:.1e}", value); }

std::string Accuracy::text() const {
  return fmt::format("MSE {} max {} paper {}-bit strict {}-bit", shortNumber(luminanceMse),
                     shortNumber(max), paperBits(), strictBits());
}

Accuracy accuracyOf(std::span<const glm::dvec3> found, std::span<const glm::dvec3> truth) {
  FATHOM_CHECK_OP(found.size(), ==, truth.size());
  Accuracy a;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const glm::dvec3 d = found[i] - truth[i];
    const glm::dvec3 clamped = glm::clamp(found[i], 0.0, 1.0) - glm::clamp(truth[i], 0.0, 1.0);
    const double luminance = glm::dot(d, glm::dvec3(0.2126, 0.7152, 0.0722));
    a.luminanceMse += luminance * luminance / double(found.size());
    a.maxPixelMse = std::max(a.maxPixelMse, glm::dot(d, d) / 3);
    for (int k = 0; k < 3; ++k) {
      a.max = std::isnan(d[k]) ? kInfinity : std::max(a.max, std::abs(d[k]));
      a.maxClamped = std::isnan(d[k]) ? kInfinity : std::max(a.maxClamped, std::abs(clamped[k]));
    }
  }
  return a;
}

void buildAll(Decoder& decoder, const ViewWindow& window, const DecodeOptions& options) {
  while (!decoder.build(window, options, kInfinity)) {
  }
}

void decodeAll(Decoder& decoder, const ViewWindow& window, const DecodeOptions& options,
               const gpu::Texture& result) {
  buildAll(decoder, window, options);
  while (!decoder.shade(result, kInfinity)) {
  }
}

std::vector<glm::dvec3> rawColors(Decoder& decoder, const ViewWindow& window) {
  std::vector<glm::dvec3> colors;
  for (const glm::vec4& color : decoder.downloadRaw(window)) colors.emplace_back(color);
  return colors;
}

reference::Grid gridOf(const ViewWindow& window) {
  return {window.size, window.corner, window.step};
}

std::vector<std::vector<std::uint32_t>> downloadLists(Decoder& decoder, const ViewWindow& window,
                                                      int tilePixels) {
  std::vector<std::vector<std::uint32_t>> lists;
  const glm::ivec2 tiles = (window.size + tilePixels - 1) / tilePixels;
  for (int y = 0; y < tiles.y; ++y)
    for (int x = 0; x < tiles.x; ++x) {
      std::vector<std::uint32_t>& list = lists.emplace_back();
      for (const Decoder::Entry& entry : decoder.downloadList({x, y}))
        list.push_back(entry.component);
    }
  return lists;
}

CheckResult spotCheck(Decoder& decoder, std::span<const Record> records, const ViewWindow& window,
                      double bound) {
  const std::vector<glm::dvec3> colors = rawColors(decoder, window);
  double worst = 0;
  for (int j = 0; j < kSpots; ++j)
    for (int i = 0; i < kSpots; ++i) {
      const glm::ivec2 size = glm::min(glm::ivec2(kSpot), window.size);
      const glm::ivec2 low = (window.size - size) * glm::ivec2(i, j) / (kSpots - 1);
      const auto truth = reference::decode(
          records, {size, window.corner + glm::dvec2(low) * window.step, window.step});
      std::vector<glm::dvec3> found;
      for (int y = low.y; y < low.y + size.y; ++y)
        for (int x = low.x; x < low.x + size.x; ++x)
          found.push_back(colors[std::size_t(y) * std::size_t(window.size.x) + std::size_t(x)]);
      worst = std::max(worst, accuracyOf(found, truth).maxClamped);
    }
  return {worst <= bound, fmt::format("max {} of 9 tiles", shortNumber(worst)),
          fmt::format("differs by {}, more than {}", worst, bound)};
}

}  // namespace fathom::smoe
