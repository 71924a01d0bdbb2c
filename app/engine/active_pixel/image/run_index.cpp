// SPDX-License-Identifier: BSD-3-Clause
// One walk over the runs joins those that were split and sets the bits of active pixels.
#include "app/engine/active_pixel/image/run_index.h"

#include <algorithm>
#include <bit>

namespace fathom::active_pixel {
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

IndexedWords indexRuns(std::span<const std::uint32_t> words, const Format& format) {
  const std::size_t width = words[3], height = words[4];
  const auto payloadWords = std::size_t(format.payloadBytes()) / 4;
  IndexedWords result;
  result.masks.resize((width + 31) / 32 * height);
  std::vector<std::uint32_t>& joined = result.words;
  joined.reserve(words.size());
  joined.assign(words.begin(), words.begin() + kHeaderWords);
  std::size_t pixel = 0, pair = 0;
  std::uint32_t inactive = 0;  // pixels since the last active one
  for (std::size_t at = kHeaderWords; at < words.size();) {
    const std::uint32_t skipped = words[at], active = words[at + 1];
    at += 2;
    pixel += skipped;
    inactive += skipped;
    if (active == 0) continue;
    if (inactive > 0 || pair == 0) {
      pair = joined.size();
      joined.insert(joined.end(), {inactive, 0});
      inactive = 0;
    }
    joined[pair + 1] += active;
    const auto payload = words.subspan(at, active * payloadWords);
    joined.insert(joined.end(), payload.begin(), payload.end());
    setBits(result.masks, width, pixel, active);
    pixel += active;
    at += payload.size();
  }
  if (inactive > 0) joined.insert(joined.end(), {inactive, 0});
  result.prefix = sumsOf(result.masks, width);
  joined[5] = joined[3] * joined[4];
  joined[6] = std::uint32_t(joined.size() * 4);
  return result;
}

}  // namespace fathom::active_pixel
