// SPDX-License-Identifier: BSD-3-Clause
// A template with a feature that stands there twice.
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Out { uint value; };
void main() {
  value = 0u;
#include "@add"
#include "@add"
}
