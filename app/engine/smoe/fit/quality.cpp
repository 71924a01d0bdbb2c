// SPDX-License-Identifier: BSD-3-Clause
// Squared errors of decoded views against what they should be.
#include "app/engine/smoe/fit/quality.h"

#include "app/engine/core/error.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fathom::smoe {
namespace {

double meanSquaredError(std::span<const glm::vec4> found, const Image& expected) {
  FATHOM_CHECK_OP(found.size(), ==, expected.pixels.size());
  double sum = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    for (int c = 0; c < 3; ++c) {
      const double error = std::clamp(double(found[i][c]), 0.0, 1.0) -
                           std::clamp(double(expected.pixels[i][c]), 0.0, 1.0);
      sum += error * error;
    }
  return sum / (3 * double(found.size()));
}

}  // namespace

double decibels(double meanSquaredError) {
  return -10 * std::log10(std::max(meanSquaredError, 1e-12));
}

double psnr(const Image& a, const Image& b) {
  FATHOM_CHECK(a.width == b.width && a.height == b.height && !a.pixels.empty());
  double error = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      const double x = std::clamp(double(a.pixels[i][k]), 0.0, 1.0);
      const double y = std::clamp(double(b.pixels[i][k]), 0.0, 1.0);
      error += (x - y) * (x - y);
    }
  return decibels(error / (3 * double(a.pixels.size())));
}

std::vector<JudgedView> heldOutViews(const TrainingSet& training) {
  std::vector<JudgedView> views;
  for (const std::size_t i : training.heldOut)
    views.push_back({training.coordinatesOf(i), training.pictures[i]});
  return views;
}

Judgment judged(Decoder& decoder, std::span<const JudgedView> views) {
  FATHOM_CHECK(!views.empty());
  Judgment judgment;
  double sum = 0;
  for (const JudgedView& view : views) {
    ViewWindow window;
    window.size = {view.picture.width, view.picture.height};
    window.at = view.at;
    decoder.build(window, DecodeOptions{}, std::numeric_limits<double>::infinity());
    const double error = meanSquaredError(decoder.downloadRaw(window), view.picture);
    sum += error;
    judgment.views.push_back(decibels(error));
  }
  judgment.psnr = decibels(sum / double(views.size()));
  return judgment;
}

}  // namespace fathom::smoe
