// SPDX-License-Identifier: BSD-3-Clause
// Packets of renderers: what each kind says, in whatever pieces it comes, and what is refused.
#include "app/engine/io/image_packets.h"

#include "tests/support/image_packets.h"

namespace fathom {
namespace {

using test::createPacket, test::PacketBytes, test::updatePacket;
using Kind = ImagePacket::Kind;
using Clock = ImagePackets::Clock;

/// Takes a stream in pieces of so many bytes and passes on the packets while they last.
void take(const std::string& stream, std::size_t pieces,
          const std::function<void(const ImagePacket&)>& whole) {
  ImagePackets packets;
  for (std::size_t at = 0; at < stream.size(); at += pieces)
    packets.take(std::as_bytes(std::span(stream)).subspan(at, std::min(pieces, stream.size() - at)),
                 Clock::time_point(), whole);
  packets.take({}, Clock::time_point::max(), whole);  // nothing is left
}

std::string refused(const std::string& packet) {
  return messageOf([&] { take(packet, packet.size(), [](const ImagePacket&) {}); });
}

TEST(ImagePackets, ArriveInAnyPieces) {
  const std::string stream = createPacket("a", 4, 2) + updatePacket("a", "G", 1, 0, 2, 2, 0.5f) +
                             updatePacket("a", 3, 1, 1, 1, {1, 2, 3}) + test::closePacket("a");
  for (const std::size_t pieces : {std::size_t(1), std::size_t(7), stream.size()}) {
    std::vector<Kind> kinds;
    std::vector<float> values;
    take(stream, pieces, [&](const ImagePacket& packet) {
      EXPECT_EQ(packet.name, "a");
      kinds.push_back(packet.kind);
      if (packet.kind == Kind::Create) {
        EXPECT_TRUE(packet.focus);
        EXPECT_EQ(packet.area, (Rect{0, 0, 4, 2}));
        EXPECT_EQ(packet.channels.size(), 3u);
      }
      for (const ImagePacket::Channel& channel : packet.channels)
        if (packet.kind == Kind::Update)
          values.push_back(packet.value(channel, packet.area.area() - 1));
    });
    EXPECT_EQ(kinds, (std::vector{Kind::Create, Kind::Update, Kind::Update, Kind::Close}));
    EXPECT_EQ(values, (std::vector<float>{0.5f, 1, 2, 3}));
  }
}

TEST(ImagePackets, HaveOnePlanePerChannelInTheSecondVersion) {
  PacketBytes packet(5);
  packet << std::uint8_t(0) << "a" << 2 << "R"
         << "Z" << 0 << 0 << 2 << 1;
  for (const float value : {1.f, 2.f, 3.f, 4.f}) packet << value;
  take(packet.bytes(), 100, [](const ImagePacket& update) {
    EXPECT_EQ(update.value(update.channels[0], 1), 2);
    EXPECT_EQ(update.value(update.channels[1], 0), 3);
  });
}

TEST(ImagePackets, OfFilesAndDrawingsAreLeftOut) {
  const std::string stream = (PacketBytes(7) << std::uint8_t(1) << "/a.exr"
                                             << "R")
                                 .bytes() +
                             (PacketBytes(0) << std::uint8_t(1) << "/b.exr").bytes() +
                             (PacketBytes(1) << std::uint8_t(0) << "/a.exr").bytes() +
                             (PacketBytes(8) << std::uint8_t(0) << "a").bytes() +
                             PacketBytes(200).bytes();
  int others = 0;
  take(stream, 5, [&](const ImagePacket& packet) { others += packet.kind == Kind::Other; });
  EXPECT_EQ(others, 5);
}

TEST(ImagePackets, ThatClaimMoreThanTheyHoldAreRefused) {
  EXPECT_EQ(refused(std::string(5, '\xff')),
            "expected a packet of 5 to 536870912 bytes, found 4294967295");
  EXPECT_EQ(refused("POST / HTTP/1.1\r\n"),
            "expected a packet of 5 to 536870912 bytes, found 1414745936");
  EXPECT_EQ(refused(std::string(4, '\0')), "expected a packet of 5 to 536870912 bytes, found 0");
  EXPECT_EQ(refused((PacketBytes(2) << std::uint8_t('a')).bytes()),
            "expected 2 more bytes in the packet, found 1");
  EXPECT_EQ(refused(test::closePacket("\x1b[2J")),
            "expected a name of less than 4096 printable characters, found 4 bytes");
  EXPECT_EQ(refused(createPacket("a", 1 << 20, 1 << 20)),
            "expected 1 to 268435456 pixels, found 1048576x1048576 at 0, 0");
  EXPECT_EQ(refused(createPacket("a", -4, -4)),
            "expected 1 to 268435456 pixels, found -4x-4 at 0, 0");
  EXPECT_EQ(refused(createPacket("a", 4, 4, {})), "expected 1 to 4096 channels, found 0");
  EXPECT_EQ(refused((PacketBytes(4) << std::uint8_t(1) << "a" << 4 << 4 << (1 << 30)).bytes()),
            "expected 1 to 4096 channels, found 1073741824");
  EXPECT_EQ(refused((PacketBytes(3) << std::uint8_t(0) << "a"
                                    << "R" << 0 << 0 << 2 << 1 << 1.0f)
                        .bytes()),
            "expected 2 values of channel R, found 1 in the packet");
}

TEST(ImagePackets, WhoseStridesLeaveThePacketAreRefused) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const std::pair<std::int64_t, std::int64_t> wrong[] = {{-1, 1}, {1, 1},    {0, 2},
                                                         {0, -1}, {most, 1}, {0, most}};
  for (const auto& [offset, stride] : wrong) {
    PacketBytes packet(6);
    packet << std::uint8_t(0) << "a" << 1 << "R" << 0 << 0 << 2 << 1 << offset << stride;
    EXPECT_EQ(refused((packet << 1.0f << 2.0f).bytes()),
              "expected 2 values of channel R, found 2 in the packet")
        << offset << ' ' << stride;
  }
}

TEST(ImagePackets, WhoseRestDoesNotComeAreRefused) {
  const std::string packet = createPacket("a", 4, 4);
  const auto bytes = std::as_bytes(std::span(packet));
  const auto at = [](int seconds) { return Clock::time_point(std::chrono::seconds(seconds)); };
  const auto whole = [](const ImagePacket&) {};
  ImagePackets packets;
  packets.take(bytes.first(9), at(0), whole);
  packets.take(bytes.subspan(9, 1), at(29), whole);
  ImagePackets goesOn = packets;
  EXPECT_EQ(messageOf([&] { packets.take({}, at(31), whole); }),
            "expected the rest of a packet within 30 s, found none");
  goesOn.take(bytes.subspan(10), at(31), whole);
  goesOn.take({}, at(3600), whole);
}

}  // namespace
}  // namespace fathom
