// SPDX-License-Identifier: BSD-3-Clause
// Whatever a packet claims is held against its own length before it is used.
#include "app/engine/io/image_packets.h"

#include "app/engine/core/error.h"

namespace fathom {
namespace {

constexpr std::size_t kMaxPacketBytes = std::size_t(1) << 29;  // an image of 8K is 506 MiB
constexpr std::size_t kMaxPacketNameBytes = 4096, kMaxChannels = 4096;
constexpr std::chrono::seconds kPatience{30};  // for the rest of a packet

/// The numbers of the protocol; others open files or draw over images, which is not done here.
enum Type { kClose = 2, kUpdate = 3, kCreate = 4, kUpdateMany = 5, kUpdateStrided = 6 };

struct Fields {
  std::span<const std::byte> left;

  std::span<const std::byte> take(std::size_t count) {
    if (count > left.size())
      fail("expected {} more bytes in the packet, found {}", count, left.size());
    const auto taken = left.first(count);
    left = left.subspan(count);
    return taken;
  }
  template <class Number>
  Number number() {
    return load<Number>(take(sizeof(Number)).data());
  }
  std::string text() {
    const auto end = std::find(left.begin(), left.end(), std::byte(0));
    const auto bytes = take(std::size_t(end - left.begin()) + 1);
    const auto control = [](std::byte b) { return b < std::byte(' ') || b == std::byte(0x7f); };
    if (bytes.size() > kMaxPacketNameBytes || std::any_of(bytes.begin(), bytes.end() - 1, control))
      fail("expected a name of less than {} printable characters, found {} bytes",
           kMaxPacketNameBytes, bytes.size() - 1);
    return reinterpret_cast<const char*>(bytes.data());
  }
};

void readChannels(ImagePacket& packet, Fields& fields, int count) {
  if (count < 1 || std::size_t(count) > kMaxChannels)
    fail("expected 1 to {} channels, found {}", kMaxChannels, count);
  for (int i = 0; i < count; ++i) packet.channels.push_back({fields.text()});
}

void readValues(ImagePacket& packet, Fields& fields, bool strided) {
  const std::int64_t pixels = packet.area.area();
  for (std::size_t i = 0; i < packet.channels.size(); ++i)
    packet.channels[i].offset = strided ? fields.number<std::int64_t>() : std::int64_t(i) * pixels;
  for (ImagePacket::Channel& channel : packet.channels)
    if (strided) channel.stride = fields.number<std::int64_t>();
  packet.values = fields.left;
  const auto held = std::int64_t(packet.values.size() / sizeof(float));
  for (const auto& [name, offset, stride] : packet.channels)
    if (offset < 0 || offset >= held || stride < 0 ||
        (pixels > 1 && stride > (held - 1 - offset) / (pixels - 1)))
      fail("expected {} values of channel {}, found {} in the packet", pixels, name, held);
}

}  // namespace

ImagePacket readImagePacket(std::span<const std::byte> bytes) {
  using Kind = ImagePacket::Kind;
  Fields fields{bytes};
  fields.number<std::int32_t>();
  const int type = fields.number<std::uint8_t>();
  ImagePacket packet;
  if (type < kClose || type > kUpdateStrided) return packet;
  packet.kind = type == kClose ? Kind::Close : type == kCreate ? Kind::Create : Kind::Update;
  if (type != kClose) packet.focus = fields.number<std::uint8_t>() == 1;
  packet.name = fields.text();
  if (type == kClose) return packet;
  Rect& area = packet.area;
  if (packet.kind == Kind::Update) {
    readChannels(packet, fields, type == kUpdate ? 1 : fields.number<std::int32_t>());
    area.x = fields.number<std::int32_t>(), area.y = fields.number<std::int32_t>();
  }
  area.width = fields.number<std::int32_t>(), area.height = fields.number<std::int32_t>();
  if (area.empty() || area.area() > kMaxPictureArea || area.x < 0 || area.y < 0)
    fail("expected 1 to {} pixels, found {}x{} at {}, {}", kMaxPictureArea, area.width, area.height,
         area.x, area.y);
  if (type == kCreate)
    readChannels(packet, fields, fields.number<std::int32_t>());
  else
    readValues(packet, fields, type == kUpdateStrided);
  return packet;
}

void ImagePackets::take(std::span<const std::byte> bytes, Clock::time_point now,
                        const std::function<void(const ImagePacket&)>& whole) {
  if (bytes_.empty()) begun_ = now;
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  std::span<const std::byte> left(bytes_);
  for (std::uint32_t length = 0; left.size() >= sizeof length; left = left.subspan(length)) {
    length = load<std::uint32_t>(left.data());
    if (length <= sizeof length || length > kMaxPacketBytes)
      fail("expected a packet of 5 to {} bytes, found {}", kMaxPacketBytes, length);
    if (left.size() < length) break;
    whole(readImagePacket(left.first(length)));
    begun_ = now;
  }
  bytes_.erase(bytes_.begin(), bytes_.end() - std::ptrdiff_t(left.size()));
  if (!bytes_.empty() && now - begun_ > kPatience)
    fail("expected the rest of a packet within {} s, found none", kPatience.count());
}

}  // namespace fathom
