// SPDX-License-Identifier: BSD-3-Clause
// Names, ranges and help of each knob, once for all faces of the program.
#include "tests/techniques/tiny/settings.h"

namespace fathom::tiny {

void describe(Settings& s, FieldVisitor& field) {
  field(s.left, range("left", 0.0f, 1.0f, "Gray of the first column, linear."));
  field(s.right, range("right", 0.0f, 1.0f, "Gray of the last column, linear."));
  field(s.steps, range("steps", 0, 64, "Number of equal bands; 0: a smooth ramp."));
}

}  // namespace fathom::tiny
