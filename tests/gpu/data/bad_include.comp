// SPDX-License-Identifier: BSD-3-Clause
// Correct by itself.
layout(local_size_x = 1) in;
#include "tests/gpu/data/good.glsl"
#include "tests/gpu/data/bad.glsl"
void main() { bad(); }
