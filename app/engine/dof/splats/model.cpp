// SPDX-License-Identifier: BSD-3-Clause
// The three layouts of a node, bit by bit: rgb16 a16 c32 xy16 with positions as halves or integers,
// and rgb16 c16 z32 xy16.
#include "app/engine/dof/splats/model.h"

#include "shaders/dof/shared.h"

namespace fathom::dof {

float throughHalf(float value) { return glm::unpackHalf2x16(glm::packHalf2x16({value, 0})).x; }

double discAlpha(double r2) { return r2 < 1 ? 1.0 : 1 / (std::numbers::pi * r2); }

Node decodeNode(const glm::uvec4& words, int kind) {
  const glm::vec2 rg = glm::unpackHalf2x16(words.x), rest = glm::unpackHalf2x16(words.y);
  Node node;
  node.color = {rg.x, rg.y, rest.x};
  node.r2 = kind == DOF_NODE_B ? rest.y : std::bit_cast<float>(words.z);
  node.alpha = kind == DOF_NODE_B ? discAlpha(std::abs(node.r2)) : double(rest.y);
  if (kind == DOF_NODE_A_INT)
    node.offset = {std::int16_t(words.w), std::int16_t(words.w >> 16)};
  else
    node.offset = glm::ivec2(glm::unpackHalf2x16(words.w));
  return node;
}

glm::uvec4 encodeNode(const Splat& splat, glm::ivec2 tile, int kind) {
  const glm::ivec2 offset = splat.pixel - tile * DOF_TILE;
  std::uint32_t position = glm::packHalf2x16(glm::vec2(offset));
  if (kind == DOF_NODE_A_INT)
    position = (std::uint32_t(offset.x) & 0xFFFFu) | (std::uint32_t(offset.y) << 16);
  const std::uint32_t rg = glm::packHalf2x16({splat.color.r, splat.color.g});
  if (kind == DOF_NODE_B)
    return {rg, glm::packHalf2x16({splat.color.b, splat.r2}), std::bit_cast<std::uint32_t>(splat.z),
            position};
  const auto alpha = float(splat.opacity * discAlpha(std::abs(splat.r2)));
  return {rg, glm::packHalf2x16({splat.color.b, alpha}), std::bit_cast<std::uint32_t>(splat.r2),
          position};
}

}  // namespace fathom::dof
