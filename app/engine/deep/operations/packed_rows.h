// SPDX-License-Identifier: BSD-3-Clause
// Rows of lists packed for another process or a file, without gaps, and as a compressed stream
// whose fragments are predicted by their neighbors.
#pragma once

#include "app/engine/core/deep_image.h"

namespace fathom::deep {

/// R, G, B, A as they are stored (bytes, or the bits of halves), the bits of Z, and those of ZBack
/// less those of Z.
using FragmentNumbers = std::array<std::uint32_t, 6>;

/// How much is known of a fragment, and with it how well it was forecast: nothing but the fragment
/// before it, a neighbor, or a neighbor and how that one changed.
enum class Forecast : std::uint8_t { Fresh, Neighbor, Trend };
constexpr std::size_t kForecasts = 3;

/// What a fragment will be, from those before it in raster order: most go on from a fragment of the
/// pixel to the left, since the same surface covers both, and change from there as that one changed
/// from its own neighbor. A fragment becomes a reference to its neighbor and what the forecast
/// missed by, in whole numbers, so that it comes out bit for bit.
class FragmentPrediction {
 public:
  /// `colorBits`: of each of R, G, B and A: 8 or 16.
  explicit FragmentPrediction(int colorBits) : colorBits_(colorBits) {}

  /// The fragments that follow are those of the next pixel; `inRow`: the one before it is its left
  /// neighbor.
  void beginPixel(bool inRow);

  struct Coded {
    std::uint8_t reference = 0;  // 0: none
    Forecast forecast = Forecast::Fresh;
    FragmentNumbers missed{};  // small of both signs are small; colors within their bits
  };
  /// `search`: look for the neighbor; else every fragment is fresh.
  Coded encode(const FragmentNumbers& fragment, bool search);

  /// The way back. Throws Error for a reference to what is not there.
  Forecast forecastOf(std::uint8_t reference) const;
  FragmentNumbers decode(std::uint8_t reference, const FragmentNumbers& missed);

 private:
  struct Known {
    FragmentNumbers at{}, step{};
    bool hasStep = false;
  };
  struct Choice {
    std::size_t place = 0;  // in left_
    int cost = 0;           // about the bits that it leaves, and those of its reference
  };
  FragmentNumbers missedBy(const FragmentNumbers& fragment, const Known& neighbor) const;
  bool find(const FragmentNumbers& fragment, Choice& best) const;
  std::ptrdiff_t placeOf(std::uint8_t reference) const;
  void note(const FragmentNumbers& fragment, std::ptrdiff_t neighbor);

  int colorBits_;
  std::vector<Known> left_, list_;  // the pixel before and this one
  std::vector<char> taken_;         // of left_
  std::size_t expected_ = 0;        // place in left_ behind the last neighbor
  std::uint32_t zBefore_ = 0;
};

/// A region of a deep image as the pixels and fragments that are there: runs of pixels, a count for
/// each, and the fragments one after the other (shaders/deep/lists/pack_*.comp); and rows of it as
/// a stream for another rank. The idea of active pixels (Lipinski et al. 2021) carried over to
/// lists. Fragments come out bit for bit as they went in.
///
/// A stream is little-endian: a header (StreamHeader in the source), then blocks, each with its
/// length in front (7 bits per byte, low ones first), deflated where that is shorter: a table (runs
/// per row, first and end column of each run, fragments of each pixel, each value in four planes of
/// bytes), a reference per fragment, and what forecasts missed by, in planes of bytes, apart for
/// each kind of forecast (FragmentPrediction).
struct PackedRows {
  /// What comes before a row, and behind the last one: fragments, pixels and runs. As
  /// DEEP_BIND_PACK_ROWS.
  struct Row {
    std::uint32_t fragment = 0, pixel = 0, run = 0, unused = 0;
  };
  Rect region;
  FragmentFormat format = FragmentFormat::Half;
  bool hasZBack = false;
  std::vector<Row> rows;              // region.height + 1
  std::vector<std::uint32_t> runs;    // first and end column of each, from the region's left
  std::vector<std::uint32_t> counts;  // of each pixel that has fragments
  std::vector<std::uint32_t> words;   // of all fragments; what is in the index words does not count
  std::size_t valueBytes = 0;         // of one fragment of an Indexed image
  std::vector<std::byte> values;      // the channels of each, one after the other

  std::uint64_t fragmentCount() const { return rows.empty() ? 0 : rows.back().fragment; }
  std::uint64_t bytes() const {
    return values.size() + 4 * (words.size() + runs.size() + counts.size()) +
           sizeof(Row) * rows.size();
  }
};

/// Packs a region (image coordinates, within 2^32 fragments) on the host: the reference of the
/// GPU's passes, and what serves images that are there already. `firstIndex`: what the index words
/// of an Indexed image start at.
PackedRows packRows(const DeepImage& image, const Rect& region, std::uint32_t firstIndex = 0);

/// What a stream is about, besides rows.
struct StreamTag {
  std::uint32_t input = 0;  // number of the input that the fragments belong to
  int level = 1;            // of deflate; 0: as they are, nothing forecast
};
/// Rows first <= y < last of the region, counted from its top. Nothing where they are empty.
std::vector<std::byte> encodeRows(const PackedRows& packed, int first, int last,
                                  const StreamTag& tag);

/// What a stream may say; anything else is damage or another run's.
struct StreamLimits {
  Rect region;  // it has to cover these rows
  FragmentFormat format = FragmentFormat::Half;
  bool hasZBack = false;
  std::vector<DeepChannel> channels;
  std::uint32_t inputs = 0;
  std::uint64_t maxFragments = 0;
};
struct DecodedRows {
  std::uint32_t input = 0;
  DeepImage image;  // its data window is the region, displayWindow empty
};
/// Checks every number before memory is taken for it. Throws Error.
DecodedRows decodeRows(std::span<const std::byte> stream, const StreamLimits& limits);

}  // namespace fathom::deep
