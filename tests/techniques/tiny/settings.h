// SPDX-License-Identifier: BSD-3-Clause
// Knobs of the tiny technique: a ramp between two grays.
#pragma once

#include "app/engine/core/fields.h"

namespace fathom::tiny {

struct Settings {
  float left = 0, right = 1;  // linear, at the outer columns
  int steps = 0;              // 0: smooth
};
void describe(Settings& settings, FieldVisitor& field);

}  // namespace fathom::tiny
