// SPDX-License-Identifier: BSD-3-Clause
// What other programs than flam3 do to a picture after the tone map: factors to the channels,
// saturation, curves. In the order of JWildfire and Apophysis.
#pragma once

#include "app/engine/flame/genome/model.h"
#include "shaders/flame/tone/tone_shared.h"

#include <optional>

namespace fathom::flame {

/// A curve at x in 0..1: the Bezier curve by its parameter, or the natural cubic spline through
/// points (straight lines beyond the first and last).
double evaluate(const ToneCurve& curve, double x);

/// None: the genome asks for nothing of it.
std::optional<shared::ToneFinish> toneFinishOf(const Genome& genome);

/// The reference: 0..255 per channel, before and after.
glm::dvec3 finished(const shared::ToneFinish& finish, glm::dvec3 color);

}  // namespace fathom::flame
