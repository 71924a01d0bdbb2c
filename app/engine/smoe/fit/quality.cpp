// SPDX-License-Identifier: BSD-3-Clause
// Squared errors of decoded views against what they should be, and tests of bits.
#include "app/engine/smoe/fit/quality.h"

#include "app/engine/core/error.h"

namespace fathom::smoe {
namespace {

/// As they are, and with what was found rounded to 8 bits.
glm::dvec2 meanSquaredErrors(std::span<const glm::vec4> found, const Image& expected) {
  FATHOM_CHECK_OP(found.size(), ==, expected.pixels.size());
  glm::dvec2 sum(0);
  for (std::size_t i = 0; i < found.size(); ++i)
    for (int c = 0; c < 3; ++c) {
      const double value = std::clamp(double(found[i][c]), 0.0, 1.0);
      const glm::dvec2 error = glm::dvec2(value, std::round(255 * value) / 255) -
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
  return decibels(meanSquaredErrors(a.pixels, b).x);
}

std::vector<JudgedView> viewsOf(const TrainingSet& training,
                                const std::vector<std::size_t>& which) {
  std::vector<JudgedView> views;
  for (const std::size_t i : which)
    views.push_back({training.coordinatesOf(i), training.pictures[i]});
  return views;
}

ModelQuality qualityOf(gpu::Context& gpu, const Model& model, const TrainingSet& training) {
  Decoder decoder(gpu);
  decoder.setModel(model);
  ModelQuality quality;
  quality.fitted = judged(decoder, viewsOf(training, training.fitted()));
  if (!training.heldOut.empty())
    quality.heldOut = judged(decoder, viewsOf(training, training.heldOut)).psnr;
  if (model.alpha && training.alpha)
    quality.alphaPsnr = qualityOf(gpu, *model.alpha, *training.alpha).fitted.psnr;
  return quality;
}

Judgment judged(Decoder& decoder, std::span<const JudgedView> views) {
  FATHOM_CHECK(!views.empty());
  Judgment judgment;
  glm::dvec2 sum(0);
  for (const JudgedView& view : views) {
    ViewWindow window;
    window.size = {view.picture.width, view.picture.height};
    window.at = view.at;
    decoder.build(window, DecodeOptions{}, std::numeric_limits<double>::infinity());
    const glm::dvec2 error = meanSquaredErrors(decoder.downloadRaw(window), view.picture);
    sum += error;
    judgment.views.push_back(decibels(error.x));
  }
  judgment.psnr = decibels(sum.x / double(views.size()));
  judgment.psnr8 = decibels(sum.y / double(views.size()));
  return judgment;
}

// In bits
// -------------------------------------------------------------------------------------------------

namespace {
constexpr int kSide = 8;
}

Fidelity fidelityOf(std::span<const glm::vec4> decoded, std::span<const glm::dvec3> exact) {
  FATHOM_CHECK_OP(decoded.size(), ==, exact.size());
  Fidelity result;
  result.pixels = exact.size();
  for (std::size_t i = 0; i < exact.size(); ++i) {
    double squares = 0, largest = 0;
    for (int c = 0; c < 3; ++c) {
      const double error =
          std::clamp(double(decoded[i][c]), 0.0, 1.0) - std::clamp(exact[i][c], 0.0, 1.0);
      squares += error * error / 3;
      // A NaN fails every test.
      largest = error == error ? std::max(largest, std::abs(error)) : INFINITY;
    }
    result.mse += squares / double(exact.size());
    result.maxError = std::max(result.maxError, largest);
    for (std::size_t b = 0; b < kFidelityBits.size(); ++b) {
      result.paperFails[b] += !(squares < std::ldexp(1.0, -kFidelityBits[b]));
      result.strictFails[b] += !(largest < std::ldexp(1.0, -kFidelityBits[b] - 1));
    }
  }
  return result;
}

Sampled sampleSquares(std::span<const glm::vec4> decoded, const reference::Grid& grid,
                      int squares) {
  FATHOM_CHECK_OP(decoded.size(), ==, std::size_t(grid.size.x) * std::size_t(grid.size.y));
  const glm::ivec2 across = (grid.size + kSide - 1) / kSide;
  const int all = across.x * across.y, count = std::min(squares, all);
  Sampled sampled;
  for (int k = 0; k < count; ++k) {
    const int index = int((std::int64_t(k) * 2 + 1) * all / (std::int64_t(count) * 2));
    const glm::ivec2 low = glm::ivec2(index % across.x, index / across.x) * kSide;
    const glm::ivec2 size = glm::min(grid.size - low, glm::ivec2(kSide));
    sampled.grids.push_back({size, grid.corner + glm::dvec2(low) * grid.step, grid.step});
    for (int y = 0; y < size.y; ++y)
      for (int x = 0; x < size.x; ++x)
        sampled.decoded.push_back(
            decoded[std::size_t(low.y + y) * std::size_t(grid.size.x) + std::size_t(low.x + x)]);
  }
  return sampled;
}

Fidelity fidelityOf(const Sampled& sampled, std::span<const Record> records) {
  std::vector<glm::dvec3> exact;
  exact.reserve(sampled.decoded.size());
  for (const reference::Grid& grid : sampled.grids)
    for (const glm::dvec3& color : reference::decode(records, grid)) exact.push_back(color);
  return fidelityOf(sampled.decoded, exact);
}

}  // namespace fathom::smoe
