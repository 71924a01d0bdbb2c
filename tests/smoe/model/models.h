// SPDX-License-Identifier: BSD-3-Clause
// Models for tests: by hand, one component at a time, and random ones of any kind, the same for the
// same seed everywhere.
#pragma once

#include "app/engine/smoe/model/model.h"
#include "app/engine/smoe/model/reference.h"

#include <cstdint>
#include <span>
#include <vector>

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

/// Largest difference of any color.
double largestDifference(std::span<const glm::dvec3> a, std::span<const glm::dvec3> b);

/// How far colors are from 1/2 at most: the `reach` that certificates ask for, at least 0.6.
double reachOf(std::span<const glm::dvec3> colors);

}  // namespace fathom::smoe
