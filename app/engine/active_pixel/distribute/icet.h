// SPDX-License-Identifier: BSD-3-Clause
// IceT's own compressor and decompressor, without ranks: what ours is compared with, byte for byte.
// Built without IceT all of it but compression() throws Error with icetMissing().
#pragma once

#include "app/engine/active_pixel/image/model.h"

namespace fathom::active_pixel::icet {

/// "IceT 2.2.0".
std::string version();

/// Compresses this frame each time it is called: icetCompressImage and nothing else, or the
/// reference without IceT. The format must be valid; the frame must outlive it. Throws Error.
std::function<void()> compression(const Frame& frame);

SparseImage compressFrame(const Frame& frame);

/// What icetDecompressImage makes of a sparse image with a sound header and sound runs; inactive
/// pixels get the background and depth 1.
Frame decompress(std::span<const std::uint32_t> words, Compositing compositing,
                 glm::vec4 background);

/// Whether this IceT lays out images as this program does, so that it accepts images compressed
/// elsewhere: version 2.2, and a fixed image comes out byte for byte.
bool acceptsCompressed();

}  // namespace fathom::active_pixel::icet
