// SPDX-License-Identifier: BSD-3-Clause
// Packets in which renderers send images to a viewer: tev's protocol. Each is a 32-bit length that
// counts itself, a byte for the kind, and fields without gaps; numbers are little-endian, texts end
// with a zero.
#pragma once

#include "app/engine/core/bytes.h"
#include "app/engine/core/image.h"

namespace fathom {

struct ImagePacket {
  enum class Kind { Close, Create, Update, Other } kind = Kind::Other;
  bool focus = false;  // the image is to be shown
  std::string name;    // of the image
  Rect area;           // Create: its size; Update: what the values cover
  struct Channel {
    std::string name;
    std::int64_t offset = 0, stride = 1;  // of its values, in floats
  };
  std::vector<Channel> channels;
  std::span<const std::byte> values;  // of an update, within the packet

  /// The value of a channel at pixel i of the area, row by row.
  float value(const Channel& channel, std::int64_t i) const {
    return load<float>(&values[std::size_t(channel.offset + i * channel.stride) * 4]);
  }
};

/// Reads a whole packet, whose bytes the result refers to. Throws Error.
ImagePacket readImagePacket(std::span<const std::byte> packet);

/// Puts packets together again from the pieces in which they arrive.
class ImagePackets {
 public:
  using Clock = std::chrono::steady_clock;
  /// Passes on each packet that is complete now. Throws Error, also when the rest of one does not
  /// come, and what `whole` throws.
  void take(std::span<const std::byte> bytes, Clock::time_point now,
            const std::function<void(const ImagePacket&)>& whole);

 private:
  std::vector<std::byte> bytes_;
  Clock::time_point begun_{};  // when the first of them came
};

}  // namespace fathom
