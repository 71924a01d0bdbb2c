// SPDX-License-Identifier: BSD-3-Clause
// Writes 1, to see which program ran.
layout(local_size_x = 1) in;
layout(std430, binding = 0) writeonly buffer Out { uint word; };

void main() { word = 1; }
