// SPDX-License-Identifier: BSD-3-Clause
// Squared errors of decoded views against what they should be.
#include "app/engine/smoe/fit/quality.h"

#include "app/engine/core/compare.h"
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
  if (training.dims == 2) quality.msSsim = msSsim(quality.fitted.last, training.pictures[0]);
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
    const ViewWindow window{.size = {view.picture.width, view.picture.height}, .at = view.at};
    decoder.build(window, DecodeOptions{}, std::numeric_limits<double>::infinity());
    judgment.last = Image(window.size.x, window.size.y);
    judgment.last.pixels = decoder.downloadRaw(window);
    const glm::dvec2 error = meanSquaredErrors(judgment.last.pixels, view.picture);
    sum += error;
    judgment.views.push_back(decibels(error.x));
  }
  judgment.psnr = decibels(sum.x / double(views.size()));
  judgment.psnr8 = decibels(sum.y / double(views.size()));
  return judgment;
}

}  // namespace fathom::smoe
