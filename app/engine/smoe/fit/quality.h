// SPDX-License-Identifier: BSD-3-Clause
// How good a model is: in decibels, of one picture, of a fit, and of views that were not fitted
// (held out of the training set, or between those of the grid); and how faithful a decoded picture
// is to the float64 reference, in bits.
#pragma once

#include "app/engine/smoe/decode/decoder.h"
#include "app/engine/smoe/fit/training.h"
#include "app/engine/smoe/model/model.h"
#include "app/engine/smoe/model/reference.h"

namespace fathom::smoe {

double decibels(double meanSquaredError);

/// dB over three channels, both clamped to 0..1.
double psnr(const Image& a, const Image& b);

struct JudgedView {
  ViewCoordinates at{0};
  Image picture;  // what it should be, encoded in the model's color space
};

struct Judgment {
  std::vector<double> views;  // dB, one per view
  double psnr = 0;            // dB of the mean squared error over all of them: below the mean of dB
  double psnr8 = 0;           // the same with decoded values rounded to 8 bits, as in a PNG
};

/// What a model is worth beside what it was fitted to.
struct ModelQuality {
  Judgment fitted;
  double alphaPsnr = 0;           // dB; 0: opaque
  std::optional<double> heldOut;  // dB
};
ModelQuality qualityOf(gpu::Context& gpu, const Model& model, const TrainingSet& training);

/// Those pictures: the ones that were fitted, or the ones that were held out.
std::vector<JudgedView> viewsOf(const TrainingSet& training, const std::vector<std::size_t>& which);

/// Decodes each view (lists bounded for 10 bits) and compares in the model's color space: three
/// channels, both clamped to 0..1, not rounded. The decoder has the model; it waits for the device.
Judgment judged(Decoder& decoder, std::span<const JudgedView> views);

constexpr std::array<int, 5> kFidelityBits{8, 10, 12, 14, 16};

struct Fidelity {
  std::size_t pixels = 0;
  double mse = 0, maxError = 0;             // over the three channels, clamped to 0..1
  std::array<std::size_t, 5> paperFails{};  // pixels, per kFidelityBits
  std::array<std::size_t, 5> strictFails{};
};

/// Both in the model's color space, not clamped: vec4 and dvec3 [pixels].
Fidelity fidelityOf(std::span<const glm::vec4> decoded, std::span<const glm::dvec3> exact);

/// Squares of 8 x 8 pixels, spread evenly over a picture, to check instead of all of it.
struct Sampled {
  std::vector<reference::Grid> grids;  // where the reference is taken
  std::vector<glm::vec4> decoded;      // the picture's values there, grid by grid
};
/// `decoded`: vec4[height][width] of the grid.
Sampled sampleSquares(std::span<const glm::vec4> decoded, const reference::Grid& grid, int squares);
/// Takes the reference over all components there; seconds, on any thread.
Fidelity fidelityOf(const Sampled& sampled, std::span<const Record> records);

}  // namespace fathom::smoe
