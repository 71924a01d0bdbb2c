// SPDX-License-Identifier: BSD-3-Clause
// One invocation per fragment of a share's triangles: shaded or in one flat color, premultiplied.
// Fragments are taken by their alpha: for the z-buffer those above one half, as opaque; for blending
// the opaque ones first, then the translucent ones.
#include "shaders/active_pixel/encode_color.glsl"
#include "shaders/scene/shade.glsl"

layout(location = 0) out vec4 result;

void main() {
  vec4 texel = texture(sceneColorTexture, sceneUv);  // where all invocations of a quad do
  float alpha = sceneAlpha(texel);
  if (alpha < drawParams.alpha.x || alpha >= drawParams.alpha.y) discard;
  vec3 color = drawParams.flatColor.w == 1.0 ? vec3(0.0) : shadeFragment(texel).color.rgb;
  result = encodeColor(color, drawParams.alpha.z > 0.0 ? 1.0 : alpha);
}
