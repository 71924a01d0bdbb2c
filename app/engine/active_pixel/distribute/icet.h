// SPDX-License-Identifier: BSD-3-Clause
// IceT's own compressor and decompressor, without ranks: what ours is compared with, byte for byte.
// Built without IceT all of it throws Error with icetMissing().
#pragma once

#include "app/engine/active_pixel/image/model.h"

namespace fathom::active_pixel::icet {

/// "IceT 2.2.0".
std::string version();

/// One frame that can be compressed again and again: run() is icetCompressImage and nothing else.
/// The format must be valid. Throws Error.
class Compression {
 public:
  explicit Compression(const Frame& frame);
  ~Compression();
  void run();
  /// Of the last run().
  SparseImage image() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

SparseImage compressFrame(const Frame& frame);

/// What icetDecompressImage makes of a sparse image with a sound header and sound runs; inactive
/// pixels get the background and depth 1.
Frame decompress(std::span<const std::uint32_t> words, Compositing compositing,
                 glm::vec4 background);

/// Whether this IceT lays out images as this program does, so that it accepts images compressed
/// elsewhere: version 2.2, and a fixed image comes out byte for byte.
bool acceptsCompressed();

}  // namespace fathom::active_pixel::icet
