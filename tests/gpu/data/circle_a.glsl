// SPDX-License-Identifier: BSD-3-Clause
// Includes b, which includes this.
#include "tests/gpu/data/circle_b.glsl"
const int a = 1;
