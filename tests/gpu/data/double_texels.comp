// SPDX-License-Identifier: BSD-3-Clause
// One invocation per pixel: writes twice the color that the sampler gives.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 3) uniform sampler2D picture;
layout(rgba32f, binding = 2) uniform restrict writeonly image2D doubled;

void main() {
  const ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(p, imageSize(doubled)))) return;
  imageStore(doubled, p, 2 * texelFetch(picture, p, 0));
}
