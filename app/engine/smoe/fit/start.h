// SPDX-License-Identifier: BSD-3-Clause
// Where a fit begins: a kd-tree cuts the picture where colors are not linear in the coordinates,
// and each leaf becomes a component. Images: the leaves as they are. Light fields: those of the
// middle view, each moving with the disparity that matches it best in its neighbors. Video: those
// of one frame per few, each standing still. Deterministic, and exactly as many components as asked
// for.
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/smoe/fit/training.h"
#include "app/engine/smoe/model/component_lists.h"
#include "app/engine/smoe/model/model.h"

#include <vector>

namespace fathom::smoe {

/// What keeps covariances away from zero, everywhere in a fit: the variance of a unit pixel (px^2),
/// of the leading coordinates (steps^2), and of encoded colors.
inline constexpr double kPixelVariance = 1.0 / 12;
inline constexpr double kLeadVariance = 0.02;
inline constexpr double kColorVariance = 1e-3;

/// The leaves of the tree, `count` of them, in the order of the cuts. They cover the picture
/// without overlap unless `count` exceeds the pixels: then single pixels occur again.
std::vector<PixelBox> cutPicture(const Image& picture, int count);

/// Mean and covariance of the pixels of a box, regularized; two-dimensional.
Gaussian leafGaussian(const Image& picture, const PixelBox& box);

/// Exactly `count` components.
std::vector<Gaussian> startMixture(const TrainingSet& training, int count);

}  // namespace fathom::smoe
