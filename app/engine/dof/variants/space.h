// SPDX-License-Identifier: BSD-3-Clause
// The implementation space of accumulation: nine dimensions and three constraints, 320 variants
// (Lier, Franke, Stamminger, Selgrad 2016; the paper names the features of its best variant and the
// count, the table is a reconstruction), and 240 more for the coverage operator, which is ours.
#pragma once

#include "app/engine/core/variants.h"

namespace fathom::dof {

// Dimensions, in the order of the table.
enum Dimension { kChunk, kResidual, kNode, kCurrent, kEarly, kFetch, kAlpha, kOrder, kDist };
// Choices that code asks about.
enum ChunkChoice { kBlockChunk, kWarpChunk };
enum NodeChoice { kNodeA, kNodeB };
enum EarlyChoice { kNoEarlyOut, kBlockEarlyOut, kEachEarlyOut };
enum FetchChoice { kDirectFetch, kCachedFetch };
enum AlphaChoice { kComputedAlpha, kLoadedAlpha };
enum OrderChoice { kFrontToBack, kBackToFront, kCoverage };
enum DistChoice { kFloatDist, kIntDist };

inline constexpr VariantSpace kSpace{
    {{"chunk",
      "Who loads nodes together.",
      {{"block", "", "a work group loads 256 nodes into shared memory, with barriers"},
       {"warp", "", "a subgroup loads a node per lane, without barriers"}}},
     {"residual",
      "What happens to the last, partial chunk.",
      {{"check", "", "each chunk computes how many nodes it has"},
       {"peel", "", "full chunks with a constant bound, then one tail"}}},
     {"node",
      "What a node holds in its 16 bytes.",
      {{"a", "", "rgb16 c32 xy16, and alpha"}, {"b", "", "rgb16 c16 xy16 z32: its own sort key"}}},
     {"current",
      "How the current node is read.",
      {{"copy", "", "the entry goes to registers first"},
       {"inplace", "", "each field is read where it lies"}}},
     {"early",
      "When a pixel that is opaque stops.",
      {{"none", "", "never: the whole list is read"},
       {"block", "none", "a vote once per chunk"},
       {"each", "block", "also after each accumulated node"}}},
     {"fetch",
      "How nodes come from memory.",
      {{"direct", "", "plain loads from the storage buffer"},
       {"l1", "", "texel fetches: the cached read-only path"}}},
     {"alpha",
      "Where a splat's alpha comes from.",
      {{"compute", "", "1 / (pi r^2), from the radius"}, {"load", "", "stored in the node"}}},
     {"order",
      "Which end of the list comes first, and the operator.",
      {{"ftb", "", "over, front to back"},
       {"btf", "", "over, back to front"},
       {"cov", "ftb", "coverage, front to back: weights add up to 1", true}}},
     {"dist",
      "In which numbers distances are measured.",
      {{"float", "", "half positions, float distance"},
       {"int", "", "16-bit positions, integer distance"}}}},
    {{"C1", "back to front, nothing saturates: early must be none",
      [](const Variant& v) { return v[kOrder] != kBackToFront || v[kEarly] == kNoEarlyOut; }},
     {"C2", "the 128 bits of node b are full: alpha must be compute",
      [](const Variant& v) { return v[kNode] != kNodeB || v[kAlpha] == kComputedAlpha; }},
     {"C3", "node b holds halves: dist must be float",
      [](const Variant& v) { return v[kNode] != kNodeB || v[kDist] == kFloatDist; }}}};

static_assert(kSpace.dimensionCount() == 9);
static_assert(kSpace.count() == 320);
static_assert(kSpace.countAll() == 320 + 240);

/// The variant until a device is tuned; also with coverage for its order.
inline constexpr std::string_view kDefaultVariant =
    "block.peel.a.copy.block.direct.compute.ftb.float";

/// DOF_NODE_* of shared.h: how emit writes nodes for a variant.
constexpr int nodeKind(const Variant& v) {
  return v[kNode] == kNodeB ? 2 : v[kDist] == kIntDist ? 1 : 0;
}

}  // namespace fathom::dof
