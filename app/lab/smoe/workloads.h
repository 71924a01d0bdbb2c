// SPDX-License-Identifier: BSD-3-Clause
// What the benchmarks share: the models that they decode, of the sizes of the paper's, fitted on
// the spot to pictures that are made by code, because models are not stored with the program; and
// how far a decoded picture is from the right one, in the paper's measures and in ours.
#pragma once

#include "app/engine/smoe/decode/decoder.h"
#include "app/engine/smoe/fit/fitter.h"
#include "app/engine/smoe/model/reference.h"
#include "app/lab/workload.h"

namespace fathom::smoe {

/// A picture with what pictures have: smooth light, hard edges, and `grain` (0..1) of fine texture.
TrainingSet benchPicture(glm::ivec2 size, float grain, std::uint32_t seed);

/// Which picture it is, how many components it has and how far it is fitted follow the run's scale.
Model fitPicture(BenchRun& run, const TrainingSet& training, int components, int steps);
Model lenaLike(BenchRun& run);     // K = 2095 on 512 x 512
Model carLike(BenchRun& run);      // K = 21,802 on 512 x 512
Model bikesLike(BenchRun& run);    // K = 8960, a light field
Model friendsLike(BenchRun& run);  // K = 10,080, a light field

/// The part of a model made of these components.
Model restricted(const Model& model, const std::vector<std::uint32_t>& components);
/// The `count` components whose centers, in the view at a = 0, are nearest to a place; ascending.
std::vector<std::uint32_t> nearestTo(const Model& model, glm::dvec2 place, std::size_t count);
/// All of a model as a mixture, with priors relative to the median, so that float32 can hold them.
std::vector<Gaussian> mixtureOf(const Model& model);

/// Errors of colors as the model has them, those of the strict test clamped to 0..1 before.
struct Accuracy {
  double luminanceMse = 0;
  double max = 0;
  double maxClamped = 0;
  double maxPixelMse = 0;  // mean over the three colors

  /// The paper's test: b bits of 8, 10, ... 16 if every pixel's MSE is below 2^-b. That allows an
  /// error of 2^(-b/2): one of 1/16 counts as 8 bits.
  int paperBits() const;
  /// Ours: b bits if no color errs by half a step, 2^-(b+1).
  int strictBits() const;
  std::string text() const;
};
Accuracy accuracyOf(std::span<const glm::dvec3> found, std::span<const glm::dvec3> truth);

/// "3.1e-06"
std::string shortNumber(double value);

/// All of a picture: lists, then colors.
void decodeAll(Decoder& decoder, const ViewWindow& window, const DecodeOptions& options,
               const gpu::Texture& result);
void buildAll(Decoder& decoder, const ViewWindow& window, const DecodeOptions& options);
/// What decoding gives before it is clamped, of the lists of the last build.
std::vector<glm::dvec3> rawColors(Decoder& decoder, const ViewWindow& window);
reference::Grid gridOf(const ViewWindow& window);
std::vector<std::vector<std::uint32_t>> downloadLists(Decoder& decoder, const ViewWindow& window,
                                                      int tilePixels);

/// Compares some tiles, evenly distributed, with the reference over all components: for pictures
/// that would take the reference hours.
CheckResult spotCheck(Decoder& decoder, std::span<const Record> records, const ViewWindow& window,
                      double bound);

}  // namespace fathom::smoe
