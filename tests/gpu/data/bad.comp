// SPDX-License-Identifier: BSD-3-Clause
// Wrong on line 6, after an include.
#include "tests/gpu/data/good.glsl"
layout(local_size_x = 1) in;
void main() {
  nonsense = good();
}
