// SPDX-License-Identifier: BSD-3-Clause
// All of these walk the runs of valid images, from the first pixel to the last.
#include "app/engine/active_pixel/image/runs.h"

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

// ---- For shaders: one walk joins runs that were split and sets the bits of active pixels

namespace {

/// The bits of `count` pixels from `first` on, in rows of their own words.
void setBits(std::vector<std::uint32_t>& masks, std::size_t width, std::size_t first,
             std::size_t count) {
  while (count > 0) {
    const std::size_t row = first / width, x = first % width;
    const std::size_t bits = std::min({count, width - x, 32 - x % 32});
    masks[row * ((width + 31) / 32) + x / 32] |= (~0u >> (32 - bits)) << x % 32;
    first += bits;
    count -= bits;
  }
}

/// Active pixels before each mask word; then, on top of all of them, runs that start before it.
std::vector<std::uint32_t> sumsOf(const std::vector<std::uint32_t>& masks, std::size_t width) {
  const std::size_t count = masks.size(), wordsPerRow = (width + 31) / 32;
  std::vector<std::uint32_t> sums(2 * count + 1);
  std::uint32_t active = 0, runs = 0, before = 0;  // before: whether the pixel before is active
  for (std::size_t w = 0; w < count; ++w) {
    sums[w] = active, sums[count + w] = runs;
    active += std::uint32_t(std::popcount(masks[w]));
    runs += std::uint32_t(std::popcount(masks[w] & ~(masks[w] << 1 | before)));
    const bool endsRow = (w + 1) % wordsPerRow == 0;
    before = masks[w] >> (endsRow ? (width - 1) % 32 : 31) & 1;
  }
  sums[2 * count] = runs;
  for (std::size_t w = count; w <= 2 * count; ++w) sums[w] += active;
  return sums;
}

}  // namespace

IndexedWords indexRuns(SparseWords image) {
  const std::size_t width = image[3], each = payloadWords(image);
  IndexedWords result;
  result.masks.resize((width + 31) / 32 * image[4]);
  std::vector<std::uint32_t>& joined = result.words;
  joined.reserve(image.size());
  joined.assign(image.begin(), image.begin() + kHeaderWords);
  std::size_t end = 0, pair = 0;  // of the last active run
  forEachRun(image, [&](const Run& run) {
    if (run.first > end || pair == 0) {
      pair = joined.size();
      joined.insert(joined.end(), {std::uint32_t(run.first - end), 0});
    }
    joined[pair + 1] += std::uint32_t(run.length);
    joined.insert(joined.end(), run.payload, run.payload + run.length * each);
    setBits(result.masks, width, run.first, run.length);
    end = run.first + run.length;
  });
  const std::size_t rest = pixelCount(image) - end;
  if (rest > 0) joined.insert(joined.end(), {std::uint32_t(rest), 0});
  result.prefix = sumsOf(result.masks, width);
  joined[5] = joined[3] * joined[4];
  joined[6] = std::uint32_t(joined.size() * 4);
  return result;
}

}  // namespace fathom::active_pixel
