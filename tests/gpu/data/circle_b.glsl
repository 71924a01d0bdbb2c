// SPDX-License-Identifier: BSD-3-Clause
// Includes a, which includes this.
#include "tests/gpu/data/circle_a.glsl"
const int b = 2;
