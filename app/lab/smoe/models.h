// SPDX-License-Identifier: BSD-3-Clause
// The models that the benchmarks decode, of the sizes of the paper's: fitted on the spot to
// pictures that are made by code, because models are not stored with the program.
#pragma once

#include "app/engine/smoe/fit/fitter.h"
#include "app/engine/smoe/model/reference.h"
#include "app/lab/workload.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fathom::smoe {

/// A picture with what pictures have: smooth light, hard edges, and `grain` (0..1) of fine texture.
TrainingSet benchPicture(glm::ivec2 size, float grain, std::uint32_t seed);
/// Views of discs before a textured wall, with parallax and occlusion.
TrainingSet benchViews(glm::ivec2 size, glm::ivec2 views, std::uint32_t seed);

/// Stands for one of the paper's data sets.
struct BenchData {
  std::string name;        // "Lena-like"
  int border;              // px, of the paper's window rule for it
  std::size_t blockCount;  // components that its block of 128 x 128 takes from a whole model
  std::string paperName;   // "Lena"
};
inline constexpr double kPaperBlock = 128;  // px

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

}  // namespace fathom::smoe
