// SPDX-License-Identifier: BSD-3-Clause
// Splats, their weight, and tile lists as values on the CPU: what the reference takes, what tests
// and the inspector read back. Nodes are decoded from the bits that the GPU holds, since GLSL
// leaves the rounding of packHalf2x16 open.
#pragma once

#include "app/engine/core/image.h"

namespace fathom::dof {

struct Splat {
  glm::ivec2 pixel{0};  // negative in the margin
  float z = 0;          // scene units; infinite for the background
  float r2 = 0;         // squared reach, px: of the paper's discs their radius, through half
  float opacity = 1;
  glm::vec3 color{0};  // linear, premultiplied by alpha, not by opacity
  float alpha = 1;
  float r = 0;          // signed radius, px
  bool hidden = false;  // by an opaque splat of its pixel, from the middle of the lens
};

struct SplatList {
  glm::ivec2 size{0};         // of the picture
  std::vector<Splat> splats;  // by tile, by pixel, by depth
  bool weighted = false;      // opacities make up for light that was cut already
};

/// A value as half precision holds it: how all passes use squared radii and colors.
float throughHalf(float value);

/// Weight of an opaque splat in each pixel of its disc: its light spread over the disc's area,
/// 1 / (pi r2); all of it for a disc of one pixel (r2 < 1).
double discAlpha(double r2);

/// One entry of a tile's list, decoded.
struct Entry {
  glm::ivec2 pixel{0};
  float z = 0, r2 = 0;  // squared reach
  float alpha = 0;      // weight in each pixel inside the disc
  float radius = 0;
  glm::vec3 color{0};
  bool hidden = false;  // as a splat's
};

/// What the 16 bytes of an entry say (shaders/dof/node.glsl).
struct Node {
  glm::dvec3 color{0};
  double alpha = 0;  // as stored; discAlpha() in layout b, which stores none
  double r2 = 0;
  glm::ivec2 offset{0};  // of the splat's pixel from that of its list's tile
};
/// `kind` is a DOF_NODE_*.
Node decodeNode(const glm::uvec4& words, int kind);
glm::uvec4 encodeNode(const Splat& splat, glm::ivec2 tile, int kind);

/// Lists as the GPU holds them, tiles row by row.
struct NodeLists {
  glm::ivec2 size{0};                    // px
  int kind = 0;                          // DOF_NODE_*
  std::vector<std::uint32_t> tileBegin;  // [tileCount + 1]
  std::vector<glm::uvec4> nodes;         // [tileBegin[tileCount]]
  glm::ivec2 tiles() const { return {(size.x + 15) / 16, (size.y + 15) / 16}; }
};

}  // namespace fathom::dof
