// SPDX-License-Identifier: BSD-3-Clause
// A picture with alpha is fitted as two: its alpha as a gray picture first, then its premultiplied
// colors, each by components of its own, so that what is hidden costs nothing.
#pragma once

#include "app/engine/smoe/fit/fitter.h"
#include "app/engine/smoe/fit/training.h"

namespace fathom::smoe {

/// How many of the components alpha takes: as large a share as it is of what no plane through 4 x 4
/// pixels describes, at least 1 and at most half. 0 for an opaque picture.
int alphaComponents(const TrainingSet& training, int components);

/// The request of a whole fit, divided between both; its time like its components.
struct DividedRequest {
  FitRequest alpha, colors;
};
DividedRequest divided(const TrainingSet& training, const FitRequest& whole);

/// What a fit to the alpha has come to, as it belongs to the colors' model.
std::shared_ptr<const Model> alphaModel(const Fitter& fitter);

}  // namespace fathom::smoe
