// SPDX-License-Identifier: BSD-3-Clause
// The implementation space of deep merging: layout, method, block size and order of slots, 36
// variants (Archer, Leach, van Schyndel 2018; the paper's eight techniques at its block size and
// slots are eight of them), and 28 beyond the paper: layouts that interleave the remainder or align
// blocks. The table of settings greys out what its constraint forbids.
#pragma once

#include "app/engine/core/variants.h"
#include "app/engine/deep/settings/settings.h"
#include "app/engine/tuning.h"

namespace fathom::deep {

enum Dimension { kLayout, kMethod, kBlockSize, kSlots };

inline constexpr VariantSpace kVariants{
    {{"layout",
      "How fragments lie in memory.",
      {{"ll", "", "linked list per pixel: one pass to capture, scattered reads"},
       {"la", "", "linearized array: each pixel's list in one piece"},
       {"ia", "", "interleaved array: 32 neighboring lists share cache lines"},
       {"bia", "", "blocked interleaved array: interleaved in blocks of the block size"},
       {"ria", "", "rank-interleaved array: all blocks, not only those that 32 lists share", true},
       {"abia", "", "aligned bia: blocks begin at multiples of their size", true}}},
     {"method",
      "How two lists are merged.",
      {{"stepwise", "", "reads a fragment when it is compared"},
       {"rbm", "", "register block merge: reads blocks into registers, merges there"}}},
     {"block-size",
      "Fragments per block of bia, abia, ria and rbm.",
      {{"4", "", "four fragments"},
       {"8", "", "eight"},
       {"16", "", "sixteen"},
       {"1", "", "ria without blocks", true}}},
     {"slots",
      "The order of pixels in memory.",
      {{"raster", "", "row by row"},
       {"tile2x8", "", "tiles 2 wide and 8 high, as GPUs rasterize"}}}},
    {{"D1", "only bia, abia, ria and rbm work in blocks",
      [](const Variant& v) {
        return v[kBlockSize] == 0 || v[kLayout] >= int(Layout::BlockInterleaved) ||
               v[kMethod] == int(Method::RegisterBlock);
      }},
     {"D2", "only ria goes without blocks", [](const Variant& v) {
        return v[kBlockSize] != int(BlockSize::One) || v[kLayout] == int(Layout::RankInterleaved);
      }}}};

static_assert(kVariants.dimensionCount() == 4);
static_assert(kVariants.count() == 36 && kVariants.countAll() == 64);

/// The variant of these settings, with a method that is not Auto.
inline Variant variantOf(const Settings& settings, Method method) {
  return {std::uint8_t(settings.layout), std::uint8_t(method), std::uint8_t(settings.blockSize),
          std::uint8_t(settings.slots)};
}

/// What `fathom tune deep` measures: its one class of work, and the folder whose changes make its
/// results stale.
inline constexpr const char *kTunedWork = "merge", *kTunedShaders = "shaders/deep";

/// The settings with a layout: where it is auto, layout, method, block size and slots are the tuned
/// ones for this device and size of picture; without such, BIA. `choice` keeps the note about it.
Settings resolveAuto(const Settings& settings, const gpu::Context& gpu, glm::ivec2 size,
                     TunedChoice& choice);

}  // namespace fathom::deep
