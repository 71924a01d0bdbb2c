// SPDX-License-Identifier: BSD-3-Clause
// Pulls positions from a buffer; instance-free and attribute-free, as all drawing here.
layout(std430, binding = 0) restrict readonly buffer Positions { vec4 positions[]; };

void main() { gl_Position = positions[gl_VertexID]; }
