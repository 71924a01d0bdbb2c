// SPDX-License-Identifier: BSD-3-Clause
// One invocation per fragment of a point's impostor: the sphere's color and depth.
#include "shaders/active_pixel/encode_color.glsl"
#include "shaders/scene/points.glsl"

layout(location = 0) out vec4 result;
layout(depth_less) out float gl_FragDepth;

void main() {
  PointFragment f = pointFragment();
  if (!f.hit) discard;
  gl_FragDepth = f.depth;
  result = encodeColor(pointColor(f), 1.0);
}
