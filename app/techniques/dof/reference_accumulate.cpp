// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/dof/reference_accumulate.h"

#include "app/core/error.h"
#include "shaders/dof/shared.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include <glm/common.hpp>
#include <glm/packing.hpp>

namespace fathom::dof::oracle {
namespace {

/// Odd, so that different indices stay different: breaks ties in no direction.
constexpr std::uint32_t kScramble = 0x9E3779B1u;

/// Indices of splats, front to back.
std::vector<std::uint32_t> sortedByDepth(const std::vector<Splat>& splats) {
  std::vector<std::uint32_t> order(splats.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (splats[a].z != splats[b].z) return splats[a].z < splats[b].z;
    return a * kScramble < b * kScramble;
  });
  return order;
}

bool touches(const Splat& splat, glm::ivec2 tile, glm::ivec2 size) {
  const glm::ivec2 low = tile * DOF_TILE;
  const glm::ivec2 high = glm::min(low + DOF_TILE, size) - 1;
  const glm::ivec2 way = glm::clamp(splat.pixel, low, high) - splat.pixel;
  return float(way.x * way.x + way.y * way.y) <= splat.r2;
}

/// One pixel's sum, front to back.
struct Sum {
  glm::dvec4 sum{0};
  double through = 1;

  void add(glm::dvec3 color, double alpha, bool coverage) {
    const double weight = coverage ? std::min(alpha, through) : through * alpha;
    sum += weight * glm::dvec4(color, 1.0);
    through -= weight;
  }
  glm::dvec4 result() const {
    return sum.a > 0 ? glm::dvec4(glm::dvec3(sum) / sum.a, sum.a) : glm::dvec4(0);
  }
};

std::int32_t signedHalfWord(std::uint32_t word) { return std::int16_t(std::uint16_t(word)); }

}  // namespace

double alphaOf(double r2) { return r2 < 1 ? 1.0 : 1 / (3.14159265358979323846 * r2); }

float roundRadius2(float r2) { return glm::unpackHalf2x16(glm::packHalf2x16({r2, 0})).x; }

NodeValues decodeNode(const glm::uvec4& node, int kind) {
  const glm::vec2 rg = glm::unpackHalf2x16(node.x), rest = glm::unpackHalf2x16(node.y);
  NodeValues values;
  values.color = {rg.x, rg.y, rest.x};
  values.r2 = kind == DOF_NODE_B ? rest.y : std::bit_cast<float>(node.z);
  values.alpha = kind == DOF_NODE_B ? alphaOf(values.r2) : double(rest.y);
  if (kind == DOF_NODE_A_INT)
    values.offset = {signedHalfWord(node.w), signedHalfWord(node.w >> 16)};
  else
    values.offset = glm::ivec2(glm::unpackHalf2x16(node.w));
  return values;
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
  return {rg, glm::packHalf2x16({splat.color.b, float(alphaOf(splat.r2))}),
          std::bit_cast<std::uint32_t>(splat.r2), position};
}

TileLists buildLists(const std::vector<Splat>& splats, glm::ivec2 size, int kind) {
  TileLists lists{size, kind, {0}, {}};
  const std::vector<std::uint32_t> order = sortedByDepth(splats);
  for (int y = 0; y < lists.tiles().y; ++y)
    for (int x = 0; x < lists.tiles().x; ++x) {
      for (const std::uint32_t i : order)
        if (touches(splats[i], {x, y}, size))
          lists.nodes.push_back(encodeNode(splats[i], {x, y}, kind));
      lists.tileBegin.push_back(std::uint32_t(lists.nodes.size()));
    }
  return lists;
}

std::vector<glm::dvec4> accumulate(const TileLists& lists, AlphaChoice alpha, bool coverage) {
  std::vector<glm::dvec4> picture(std::size_t(lists.size.x) * std::size_t(lists.size.y));
  std::vector<NodeValues> nodes;
  for (std::size_t tile = 0; tile + 1 < lists.tileBegin.size(); ++tile) {
    nodes.clear();
    for (std::uint32_t i = lists.tileBegin[tile]; i < lists.tileBegin[tile + 1]; ++i)
      nodes.push_back(decodeNode(lists.nodes[i], lists.kind));
    if (alpha == kComputedAlpha)
      for (NodeValues& node : nodes) node.alpha = alphaOf(node.r2);
    const glm::ivec2 first =
        glm::ivec2(int(tile) % lists.tiles().x, int(tile) / lists.tiles().x) * DOF_TILE;
    const glm::ivec2 end = glm::min(lists.size - first, glm::ivec2(DOF_TILE));
    for (int y = 0; y < end.y; ++y)
      for (int x = 0; x < end.x; ++x) {
        Sum sum;
        for (const NodeValues& node : nodes) {
          const glm::ivec2 way = node.offset - glm::ivec2(x, y);
          if (way.x * way.x + way.y * way.y <= node.r2) sum.add(node.color, node.alpha, coverage);
        }
        picture[std::size_t(first.y + y) * std::size_t(lists.size.x) + std::size_t(first.x + x)] =
            sum.result();
      }
  }
  return picture;
}

std::vector<glm::dvec4> scatter(const std::vector<Splat>& splats, glm::ivec2 size, bool coverage) {
  std::vector<Sum> sums(std::size_t(size.x) * std::size_t(size.y));
  for (const std::uint32_t i : sortedByDepth(splats)) {
    const Splat& s = splats[i];
    for (int y = 0; y < size.y; ++y)
      for (int x = 0; x < size.x; ++x) {
        const glm::ivec2 way = s.pixel - glm::ivec2(x, y);
        if (way.x * way.x + way.y * way.y <= double(s.r2))
          sums[std::size_t(y) * std::size_t(size.x) + std::size_t(x)].add(s.color, alphaOf(s.r2),
                                                                          coverage);
      }
  }
  std::vector<glm::dvec4> picture;
  for (const Sum& sum : sums) picture.push_back(sum.result());
  return picture;
}

std::vector<double> largestColors(const TileLists& lists) {
  std::vector<double> largest;
  for (std::size_t tile = 0; tile + 1 < lists.tileBegin.size(); ++tile) {
    double most = 0;
    for (std::uint32_t i = lists.tileBegin[tile]; i < lists.tileBegin[tile + 1]; ++i) {
      const glm::dvec3 color = decodeNode(lists.nodes[i], lists.kind).color;
      most = std::max({most, color.r, color.g, color.b});
    }
    largest.push_back(most);
  }
  return largest;
}

}  // namespace fathom::dof::oracle
