// SPDX-License-Identifier: BSD-3-Clause
// The three tolerances of the program, chosen by meaning:
//   Exact     integers and order: lists, runs, counts. Nothing may differ.
//   Rounding  the same sums in another order: the bound follows from the number of terms.
//   Noise     random draws with a fixed seed: the mean lies within some standard errors.
#pragma once

#include "app/engine/core/image.h"

namespace fathom::test {

/// The first place where two sequences of equal meaning differ, as a readable assertion.
template <class A, class B>
::testing::AssertionResult exact(const A& found, const B& expected) {
  if (std::size(found) != std::size(expected))
    return ::testing::AssertionFailure()
           << "expected " << std::size(expected) << " items, found " << std::size(found);
  for (std::size_t i = 0; i < std::size(found); ++i)
    if (!(found[i] == expected[i]))
      return ::testing::AssertionFailure()
             << "item " << i << ": expected " << ::testing::PrintToString(expected[i]) << ", found "
             << ::testing::PrintToString(found[i]);
  return ::testing::AssertionSuccess();
}

/// The bound on the difference of two float sums of `terms` terms whose absolute values add up to
/// `magnitude`: each addition rounds by half a unit in the last place, in both orders.
inline float roundingBound(std::size_t terms, float magnitude) {
  return float(terms) * std::numeric_limits<float>::epsilon() * magnitude;
}

/// Every channel of every pixel within `bound`. NaN equals only NaN.
inline ::testing::AssertionResult rounding(const Image& found, const Image& expected, float bound) {
  if (found.width != expected.width || found.height != expected.height)
    return ::testing::AssertionFailure()
           << "expected " << expected.width << " x " << expected.height << " pixels, found "
           << found.width << " x " << found.height;
  for (int y = 0; y < found.height; ++y)
    for (int x = 0; x < found.width; ++x)
      for (int c = 0; c < 4; ++c) {
        const float a = found.at(x, y)[c], b = expected.at(x, y)[c];
        if (!(std::abs(a - b) <= bound) && a != b && !(std::isnan(a) && std::isnan(b)))
          return ::testing::AssertionFailure()
                 << "pixel " << x << ", " << y << " channel " << c << ": expected " << b
                 << " within " << bound << ", found " << a;
      }
  return ::testing::AssertionSuccess();
}

/// The mean of `count` draws lies within `sigmas` standard errors of the expected mean.
inline ::testing::AssertionResult noise(double mean, double variance, std::size_t count,
                                        double expectedMean, double sigmas = 4) {
  const double bound = sigmas * std::sqrt(variance / double(std::max<std::size_t>(count, 1)));
  if (std::abs(mean - expectedMean) <= bound) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "mean of " << count << " draws: expected " << expectedMean
                                       << " within " << bound << ", found " << mean;
}

}  // namespace fathom::test
