// SPDX-License-Identifier: BSD-3-Clause
// Packets of tev's protocol as a renderer writes them: a field after the other.
#pragma once

namespace fathom::test {

class PacketBytes {
 public:
  explicit PacketBytes(int type) { *this << std::int32_t(0) << std::uint8_t(type); }
  template <class Number>
  PacketBytes& operator<<(Number number) {
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof number);
    return *this;
  }
  PacketBytes& operator<<(const char* text) {
    bytes_.append(text).push_back('\0');
    return *this;
  }
  /// With its length, or another one.
  std::string bytes(std::optional<std::uint32_t> length = {}) const {
    std::string packet = bytes_;
    const std::uint32_t own = length.value_or(std::uint32_t(packet.size()));
    std::memcpy(packet.data(), &own, sizeof own);
    return packet;
  }

 private:
  std::string bytes_;
};

inline std::string createPacket(const char* name, int width, int height,
                                const std::vector<const char*>& channels = {"R", "G", "B"},
                                bool focus = true) {
  PacketBytes packet(4);
  packet << std::uint8_t(focus) << name << width << height << int(channels.size());
  for (const char* channel : channels) packet << channel;
  return packet.bytes();
}

/// One channel has this value in all of the area, as pbrt sends it.
inline std::string updatePacket(const char* name, const char* channel, int x, int y, int width,
                                int height, float value) {
  PacketBytes packet(3);
  packet << std::uint8_t(0) << name << channel << x << y << width << height;
  for (int i = 0; i < width * height; ++i) packet << value;
  return packet.bytes();
}

/// Red, green and blue side by side, as Mitsuba sends them.
inline std::string updatePacket(const char* name, int x, int y, int width, int height,
                                std::array<float, 3> color) {
  PacketBytes packet(6);
  packet << std::uint8_t(0) << name << 3 << "R"
         << "G"
         << "B" << x << y << width << height;
  for (const std::int64_t offset : {0, 1, 2}) packet << offset;
  for (int c = 0; c < 3; ++c) packet << std::int64_t(3);
  for (int i = 0; i < width * height; ++i)
    for (const float value : color) packet << value;
  return packet.bytes();
}

inline std::string closePacket(const char* name) { return (PacketBytes(2) << name).bytes(); }

}  // namespace fathom::test
