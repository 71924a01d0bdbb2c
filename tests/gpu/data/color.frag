// SPDX-License-Identifier: BSD-3-Clause
// One color for all.
layout(location = 0) out vec4 color;
layout(std140, binding = 0) uniform Params { vec4 fill; };

void main() { color = fill; }
