// SPDX-License-Identifier: BSD-3-Clause
// Two invocations per line of the frame around the points: place and color from the buffer.
#include "shaders/deep/view/depth_view_shared.h"

layout(std430, binding = DEEP_BIND_FRAME) restrict readonly buffer Frame { vec4 corners[]; };
layout(std140, binding = DEEP_BIND_POINT_PARAMS) uniform Params { DeepPointParams params; };

flat out vec4 pointColor;

void main() {
  vec4 clip = params.toClip * corners[2 * gl_VertexID];
  gl_Position = vec4(clip.x, -clip.y, clip.zw);
  pointColor = corners[2 * gl_VertexID + 1];
}
