// SPDX-License-Identifier: BSD-3-Clause
// Converts between the channel planes of a deep EXR row and the words of DeepImage. A sanitizer
// runs in between: NaN and infinities must not reach sorting and compositing.
#pragma once

#include "app/engine/core/deep_image.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fathom::deep_planes {

/// What a channel of the file means to a fragment.
enum class Role { Red, Green, Blue, Alpha, Depth, BackDepth, OtherColor, OtherAlpha, Data };

struct Plane {
  Role role = Role::Data;
  ChannelType type = ChannelType::Half;
  std::size_t channel = 0;  // index into DeepImage::channels
};

Role roleOf(const DeepChannel& channel);
/// One plane per channel, in the same order.
std::vector<Plane> planesOf(const std::vector<DeepChannel>& channels);
/// Bytes of one fragment over all planes.
std::size_t fragmentBytes(const std::vector<Plane>& planes);
/// Half when R, G, B, A (half) and Z, ZBack (half or float) are all there is, else Indexed.
FragmentFormat formatFor(const std::vector<DeepChannel>& channels);

/// Repairs bad values in place: NaN depth to +inf (NaN ZBack to Z); unless `keepColor`, NaN and
/// infinite color and NaN alpha to 0, alpha into 0..1. `row` holds the planes one after another,
/// `count` values each.
void sanitize(const std::vector<Plane>& planes, std::span<std::byte> row, std::size_t count,
              bool keepColor, DeepRepairs& repairs);

/// Packs a row's planes into `words` (4 per fragment). Half: the color, with alpha 1 where there
/// is color but no A. Indexed: `firstIndex`, firstIndex + 1, ... Without ZBack its word is Z's.
void packWords(const std::vector<Plane>& planes, std::span<const std::byte> row, std::size_t count,
               FragmentFormat format, std::size_t firstIndex, std::uint32_t* words);

/// The inverse, for a row of fragments of any format: fills `row`, plane after plane.
void unpackWords(const std::vector<Plane>& planes, const DeepImage& image,
                 const std::uint32_t* words, std::size_t count, std::span<std::byte> row);

/// Sorts one list by (Z, ZBack), keeping the order of equal ones. True when it was not sorted.
bool sortList(std::span<std::uint32_t> words);

}  // namespace fathom::deep_planes
