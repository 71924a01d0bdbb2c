// SPDX-License-Identifier: BSD-3-Clause
// Deflate in memory, for bytes that travel between processes, and the checksum that our own file
// formats carry. EXR's own form of deflate is in exr/deep_codec.h.
#pragma once

namespace fathom {

/// Appends the compressed bytes, or the bytes as they are when that is not shorter; returns how
/// many. `level`: 1 (fast) .. 12 (small), 0: as they are.
std::size_t deflateTo(std::vector<std::byte>& out, std::span<const std::byte> bytes, int level);

/// The other way, into exactly `bytes`; bytes of the same length are taken as they are. False when
/// damaged.
bool inflateInto(std::span<std::byte> bytes, std::span<const std::byte> packed);

/// The same as zlib streams, always compressed: 0 when there is too little room.
std::size_t deflateZlibInto(std::span<std::byte> room, std::span<const std::byte> bytes, int level);
bool inflateZlibInto(std::span<std::byte> bytes, std::span<const std::byte> packed);

/// What a zlib stream holds; nothing when it is damaged.
std::string inflatedZlib(std::string_view packed);

/// The bytes up to the first letter that is none of base64 (RFC 4648).
std::string decodedBase64(std::string_view text);

/// CRC-32 of IEEE 802.3, as in PNG and zip files.
std::uint32_t crc32(std::span<const std::byte> bytes);

/// Of a file's length and bytes; beyond 64 MiB, of 64 pieces of 1 MiB all over it. 0: it cannot be
/// read.
std::uint32_t checksumOfFile(const fs::path& file);

}  // namespace fathom
