// SPDX-License-Identifier: BSD-3-Clause
// All of these walk the runs of valid images, from the first pixel to the last.
#include "app/engine/active_pixel/image/overlay.h"

#include <algorithm>
#include <bit>

namespace fathom::active_pixel {
namespace {

struct Run {
  std::uint64_t number, first, length;
  const std::uint32_t* payload;
};

/// Words of a payload, from the header's formats.
std::size_t payloadWords(SparseWords image) {
  std::size_t bytes = image[2] == icetDepthFormat(Depth::Float32) ? 4 : 0;
  for (const Color color : {Color::Rgba8, Color::Rgb32f, Color::Rgba32f})
    if (image[1] == icetColorFormat(color)) bytes += std::size_t(Format{color}.colorBytes());
  return bytes / 4;
}

std::size_t pixelCount(SparseWords image) { return std::size_t(image[3]) * image[4]; }

/// Visits the runs that have active pixels.
template <class Visit>
void forEachRun(SparseWords image, Visit&& visit) {
  const std::size_t each = payloadWords(image), end = image[6] / 4;
  std::uint64_t pixel = 0, number = 0;
  for (std::size_t at = kHeaderWords; at + 1 < end;) {
    const std::uint64_t skipped = image[at], active = image[at + 1];
    pixel += skipped;
    if (active > 0) visit(Run{number++, pixel, active, &image[at + 2]});
    pixel += active;
    at += 2 + std::size_t(active) * each;
  }
}

float depthOf(const std::uint32_t* payload, std::size_t each) {
  return std::bit_cast<float>(payload[each - 1]);
}

}  // namespace

RunLengths runLengths(SparseWords image) {
  RunLengths lengths{};
  forEachRun(image, [&](const Run& run) {
    const int k = std::bit_width(run.length) - 1;
    ++lengths[std::size_t(std::min(k, kLengthClasses - 1))];
  });
  return lengths;
}

std::vector<std::uint32_t> activeCounts(std::span<const SparseWords> images) {
  std::vector<std::uint32_t> counts(images.empty() ? 0 : pixelCount(images[0]));
  for (const SparseWords& image : images)
    forEachRun(image, [&](const Run& run) {
      for (std::uint64_t i = run.first; i < run.first + run.length; ++i) ++counts[i];
    });
  return counts;
}

std::vector<std::uint32_t> frontRuns(std::span<const SparseWords> images, Compositing compositing,
                                     std::span<const int> order) {
  const std::size_t pixels = images.empty() ? 0 : pixelCount(images[0]);
  std::vector<std::uint32_t> front(pixels);
  std::vector<float> nearest(compositing == Compositing::ZBuffer ? pixels : 0, 1.0f);
  for (std::size_t k = 0; k < images.size(); ++k) {
    const bool blended = compositing == Compositing::Blend;
    const SparseWords& image = images[blended ? std::size_t(order[k]) : k];
    const std::size_t each = payloadWords(image);
    forEachRun(image, [&](const Run& run) {
      for (std::uint64_t i = 0; i < run.length; ++i) {
        const std::uint64_t pixel = run.first + i;
        if (blended && front[pixel] > 0) continue;
        if (!blended) {
          const float depth = depthOf(run.payload + i * each, each);
          if (!(depth <= nearest[pixel])) continue;
          nearest[pixel] = depth;
        }
        front[pixel] = std::uint32_t(run.number) + 1;
      }
    });
  }
  return front;
}

FoundPixel findPixel(SparseWords image, std::uint64_t pixel) {
  FoundPixel found{nullptr, 0, 0, 0};
  const std::size_t each = payloadWords(image);
  forEachRun(image, [&](const Run& run) {
    if (pixel >= run.first && pixel < run.first + run.length)
      found = {run.payload + (pixel - run.first) * each, run.number, run.first, run.length};
  });
  return found;
}

}  // namespace fathom::active_pixel
