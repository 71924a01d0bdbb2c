// SPDX-License-Identifier: BSD-3-Clause
// One invocation per pixel of a point or of a volume's segment: its color, opaque.
flat in vec4 pointColor;
layout(location = 0) out vec4 result;

void main() { result = vec4(pointColor.rgb, 1.0); }
