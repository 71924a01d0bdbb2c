// SPDX-License-Identifier: BSD-3-Clause
// Pictures to fit in tests: small, made by code, the same everywhere.
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/smoe/fit/training.h"

#include <memory>

namespace fathom::smoe {

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
