// SPDX-License-Identifier: BSD-3-Clause
// A splat in the list of one tile, 16 bytes; emit writes it, accumulate reads it.
//
//   word  DOF_NODE_A_*                          DOF_NODE_B
//   x     half R | half G                       half R | half G
//   y     half B | half alpha                   half B | half r2
//   z     float r2                              float z: the node is its own sort key
//   w     A_FLOAT half x | half y               half x | half y
//         A_INT   int16 x | int16 y
//
// The low half comes first. x, y count from the tile's first pixel, -64 .. 79, which both formats
// hold exactly; halves of whole pictures would be off from 2048 on. r2 is the squared radius in
// pixels, rounded through half before binning: every node and every test sees the same value. alpha
// is the splat's weight for variants that load it, with the opacity of its fragment; for those that
// compute it, it is that opacity alone, and node b knows opaque fragments only.
#include "shaders/common/half.glsl"

const float kDofInversePi = 0.31830988618;

/// r2 as all passes use it.
float dofRoundRadius2(float r2) { return unpackHalf2x16(packHalves(vec2(r2, 0.0))).x; }

/// The weight of a splat on each pixel of its disc. A disc of one pixel is opaque (the paper's
/// listing, without the clamp, exceeds 1 below r = 0.564).
float dofAlpha(float r2) { return r2 < 1.0 ? 1.0 : kDofInversePi / r2; }

/// `kind` is one of DOF_NODE_*; `offset` is the splat's pixel minus the tile's first; `color` is
/// finite and at most 65504.
uvec4 dofEncodeNode(uint kind, vec3 color, float alpha, float r2, float z, ivec2 offset) {
  uint position = packHalves(vec2(offset));
  if (kind == DOF_NODE_A_INT) position = (uint(offset.x) & 0xffffu) | (uint(offset.y) << 16);
  uint rg = packHalves(color.rg);
  if (kind == DOF_NODE_B) return uvec4(rg, packHalves(vec2(color.b, r2)), floatBitsToUint(z), position);
  return uvec4(rg, packHalves(vec2(color.b, alpha)), floatBitsToUint(r2), position);
}
