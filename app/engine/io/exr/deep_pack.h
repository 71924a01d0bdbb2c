// SPDX-License-Identifier: BSD-3-Clause
// Blocks of rows of a deep image, packed without loss by adaptive models of what is around: the
// payload of .fdp files (docs/reference/fdp.md, which has every rule of what is done here). Bytes
// in, bytes out; no files, no images.
#pragma once

#include "app/engine/io/exr/deep_codec.h"

namespace fathom::deep_pack {

/// Rows that are packed together.
constexpr int kBlockRows = 16;
/// Fragments per pixel of a block, as running totals of each row.
struct BlockCounts {
  int width = 0, height = 0;
  std::span<const std::int32_t> running;  // int32[height][width]
};

std::vector<std::byte> packCounts(const BlockCounts& counts);
/// int32[height][width] running totals. False when the bytes are damaged.
bool unpackCounts(std::span<const std::byte> packed, int width, std::span<std::int32_t> running);

/// The planes of a block: of each row, plane after plane. `channels` name them; one is "Z".
std::vector<std::byte> packPlanes(const std::vector<DeepChannel>& channels,
                                  const BlockCounts& counts, std::span<const std::byte> rows);
/// Fills all of `rows`. False when the bytes are damaged.
bool unpackPlanes(const std::vector<DeepChannel>& channels, const BlockCounts& counts,
                  std::span<const std::byte> packed, std::span<std::byte> rows);

}  // namespace fathom::deep_pack
