// SPDX-License-Identifier: BSD-3-Clause
// The right answer of accumulation, in double precision: lists by brute force, and the picture that
// given lists mean, decoded from the bits that the GPU holds (GLSL leaves the rounding of
// packHalf2x16 open). A second one needs no lists: it scatters sorted splats, which checks lists
// too.
#pragma once

#include "app/techniques/dof/space.h"

#include <cstdint>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

namespace fathom::dof::oracle {

struct Splat {
  glm::ivec2 pixel{0};
  glm::vec3 color{0};  // linear, finite, at most 65504
  float r2 = 0;        // squared radius in pixels, as half holds it
  float z = 1;         // > 0
};

/// Lists as the GPU holds them (shaders/dof/shared.h, node.glsl), tiles row by row.
struct TileLists {
  glm::ivec2 size{0};                    // pixels
  int kind = 0;                          // DOF_NODE_*
  std::vector<std::uint32_t> tileBegin;  // [tileCount + 1]
  std::vector<glm::uvec4> nodes;         // [tileBegin[tileCount]]
  glm::ivec2 tiles() const { return {(size.x + 15) / 16, (size.y + 15) / 16}; }
};

/// What one node says; x, y in pixels of the picture's tile.
struct NodeValues {
  glm::dvec3 color{0};
  double alpha = 0;  // as stored; layout b: computed
  double r2 = 0;
  glm::ivec2 offset{0};
};
NodeValues decodeNode(const glm::uvec4& node, int kind);
glm::uvec4 encodeNode(const Splat& splat, glm::ivec2 tile, int kind);

/// 1 / (pi r2), and 1 for r2 < 1: a disc of one pixel is opaque.
double alphaOf(double r2);
/// r2 rounded through half, as all passes use it.
float roundRadius2(float r2);

/// Every splat goes into the list of every tile with a pixel in its disc; lists are sorted by z,
/// then by a scrambled index, so that a surface's splats come in no direction.
TileLists buildLists(const std::vector<Splat>& splats, glm::ivec2 size, int kind);

/// rgb: weighted mean of the colors; a: sum of the weights. Both orders of "over" are one operator.
std::vector<glm::dvec4> accumulate(const TileLists& lists, AlphaChoice alpha, bool coverage);
/// The same without lists, nodes and their rounding.
std::vector<glm::dvec4> scatter(const std::vector<Splat>& splats, glm::ivec2 size, bool coverage);

/// For each tile, the largest color value in its list: what early-out may miss is below
/// eps / (1 - eps) of it.
std::vector<double> largestColors(const TileLists& lists);

}  // namespace fathom::dof::oracle
