// SPDX-License-Identifier: BSD-3-Clause
// The mixture that EM begins with, in all dimensions of the training set. Images: the leaves of
// the kd-tree. Light fields: those of the middle view, each moving with the disparity that matches
// it best in its neighbors. Video: those of one frame per few, each standing still.
#pragma once

#include "app/techniques/smoe/fit_start.h"
#include "app/techniques/smoe/training.h"

#include <vector>

namespace fathom::smoe {

/// Exactly `count` components.
std::vector<Gaussian> startMixture(const TrainingSet& training, int count);

}  // namespace fathom::smoe
