// SPDX-License-Identifier: BSD-3-Clause
// The checksum that our own file formats carry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace fathom {

/// CRC-32 of IEEE 802.3, as in PNG and zip files.
std::uint32_t crc32(std::span<const std::byte> bytes);

}  // namespace fathom
