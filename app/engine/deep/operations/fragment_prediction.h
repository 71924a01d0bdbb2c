// SPDX-License-Identifier: BSD-3-Clause
// What a fragment will be, from those before it in raster order: most go on from a fragment of the
// pixel to the left, since the same surface covers both, and change from there as that one changed
// from its own neighbor. A fragment becomes a reference to its neighbor and what the forecast
// missed by, in whole numbers, so that it comes out bit for bit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fathom::deep {

/// R, G, B, A as they are stored (bytes, or the bits of halves), the bits of Z, and those of ZBack
/// less those of Z.
using FragmentNumbers = std::array<std::uint32_t, 6>;

/// How much is known of a fragment, and with it how well it was forecast: nothing but the fragment
/// before it, a neighbor, or a neighbor and how that one changed.
enum class Forecast : std::uint8_t { Fresh, Neighbor, Trend };
constexpr std::size_t kForecasts = 3;

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

}  // namespace fathom::deep
