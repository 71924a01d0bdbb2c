// SPDX-License-Identifier: BSD-3-Clause
// Models, their files and pictures for tests: models by hand, one component at a time, and random
// ones of any kind, the same for the same seed everywhere; files as parts that can be damaged;
// pictures and training sets that fits take seconds for.
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/smoe/fit/training.h"
#include "app/engine/smoe/model/file.h"
#include "app/engine/smoe/model/model.h"
#include "app/engine/smoe/model/reference.h"

namespace fathom::smoe {

/// A round component of one color: sigma in px.
Record disc(glm::dvec2 center, double sigma, glm::dvec3 color);

/// An image, video (10 frames) or light field (9 x 9 views, origin in the middle) of these records.
Model modelOf(std::span<const Record> records, glm::ivec2 size, int dims = 2);

/// Components of about the size at which `count` of them cover the picture, up to four times as
/// long as wide, colors 0..1 with slopes; leading coordinates spread over the views or frames.
/// Centers reach a little out of the picture.
std::vector<Gaussian> randomMixture(std::uint64_t seed, int dims, int count, glm::ivec2 size);
/// The same, whitened and rounded.
Model randomModel(std::uint64_t seed, int dims, int count, glm::ivec2 size);

/// The ratio to the strongest component, as ln, below which one may be dropped for so many bits.
namespace reference {
inline double thresholdFor(int bits) { return (bits + 1) * std::numbers::ln2 + 2; }

/// Bounded lists: a component is kept in a tile if it passes on any cell of 4 x 4 pixels, that is
/// if its largest log weight there comes within tau of the largest one that some component is
/// certain to have.
struct BoundedLists {
  std::vector<std::vector<std::uint32_t>> lists;  // per tile, ascending
  /// Per entry: where in the tile it passed, one bit per square of max(4, tilePixels / 4) pixels,
  /// row by row: 2 x 2 bits in tiles of 8, 4 x 4 in tiles of 16 and 32.
  std::vector<std::vector<std::uint16_t>> masks;
  /// Per tile: E_B, the largest over its cells, when the whole list is summed in every pixel, and
  /// when entries are skipped where their bit is clear.
  std::vector<double> certificate, maskedCertificate;
  double meanLength = 0;  // kpb
};
/// tau as ln of the ratio below which a component may be dropped, (bits + 1) ln 2 + 2. The
/// certificates hold where no color of the picture from the kept ones is further than `reach` from
/// 1/2; 0.6 is what pictures keep to, and colors beyond it ask for more.
BoundedLists boundedLists(std::span<const Record> records, const Grid& grid, int tilePixels,
                          double tau, double reach = 0.6);

/// Straight from the mixture, without whitening or slicing: eq. 9 with inverses, in p dimensions.
std::vector<glm::dvec3> decodeMixture(std::span<const Gaussian> mixture, int dims, const Grid& grid,
                                      ViewCoordinates a);
}  // namespace reference

/// Largest difference of any color.
double largestDifference(std::span<const glm::dvec3> a, std::span<const glm::dvec3> b);

/// How far colors are from 1/2 at most: the `reach` that certificates ask for, at least 0.6.
double reachOf(std::span<const glm::dvec3> colors);

/// A file as header text and payload. bytes() writes the length, the zeros and the payload's CRC
/// anew, so that only what a test changes is wrong.
struct FileParts {
  std::string json;
  std::string payload;

  static FileParts of(const std::string& file);
  std::string bytes() const;

  /// Replaces the one place where `from` stands in the header.
  FileParts& edit(const std::string& from, const std::string& to);
  /// Array `array` of the payload, `count` numbers of 4 bytes long, at one component.
  FileParts& setFloat(std::size_t array, std::size_t count, std::size_t component, float value);
};

/// What quantizing and reading back leaves of the model.
Model quantized(const Model& model, const Quantization& bits);
/// A file of float32 records, or of quantized ones with so many bits.
std::string fileOf(const Model& model, int bits = 0);

/// Which entries of the covariance: as in the header.
std::string mixtureFile(std::span<const Gaussian> mixture, int dims, glm::ivec2 size,
                        const std::string& covariance, const std::string& encoding);

/// Shaded discs of different sizes before a sloping ground, with edges and fine stripes. Discs
/// move by `shift` px times their own depth, -1 .. 1.
Image discs(glm::ivec2 size, glm::dvec2 shift = glm::dvec2(0));
Image flat(glm::ivec2 size, glm::vec3 color);
Image ramp(glm::ivec2 size);
Image noise(glm::ivec2 size, std::uint64_t seed);

/// For a fit of one picture.
std::shared_ptr<TrainingSet> trainingOf(const Image& picture);
/// A grid of views of discs(): shift is a, in px per step.
std::shared_ptr<TrainingSet> trainingOfViews(glm::ivec2 grid, glm::ivec2 size);

}  // namespace fathom::smoe
