// SPDX-License-Identifier: BSD-3-Clause
// Images that renderers send: which channels are shown, what changed since the last look, and what
// is not taken in.
#include "app/window/document/sent_images.h"

#include "tests/support/image_packets.h"

namespace fathom::viewer {
namespace {

using test::createPacket, test::updatePacket;

class SentImages : public testing::Test {
 protected:
  ~SentImages() override {
    for (const std::string& name : names) take(test::closePacket(name.c_str()));
    sent_images::takeEvents();
  }
  void create(const std::string& name, int width, int height,
              const std::vector<const char*>& channels = {"R", "G", "B"}) {
    names.push_back(name);
    take(createPacket(name.c_str(), width, height, channels));
  }
  static void take(const std::string& packet) {
    sent_images::take(readImagePacket(std::as_bytes(std::span(packet))));
  }
  static std::string refused(const std::string& packet) {
    return messageOf([&] { take(packet); });
  }
  std::vector<std::string> names;
};

TEST_F(SentImages, TilesChangeTheirRows) {
  create("a", 4, 5);
  const auto sent = sent_images::find("sent:a");
  ASSERT_TRUE(sent);
  EXPECT_FALSE(sent->changed());
  EXPECT_FALSE(sent->whole().hasAlpha);
  Image copy(4, 5, {9, 9, 9, 1});
  take(updatePacket("a", 1, 2, 3, 2, {1, 2, 3}));
  EXPECT_TRUE(sent->changed());
  const SentImage::Rows rows = sent->take(copy, false);
  EXPECT_EQ(rows.first, 2);
  EXPECT_EQ(rows.end, 4);
  EXPECT_EQ(copy.at(3, 3), glm::vec4(1, 2, 3, 1));
  EXPECT_EQ(copy.at(0, 3), glm::vec4(0, 0, 0, 1));
  EXPECT_EQ(copy.at(3, 4), glm::vec4(9, 9, 9, 1));
  EXPECT_FALSE(sent->changed());
  sent->take(copy, true);
  EXPECT_EQ(copy.at(3, 4), glm::vec4(0, 0, 0, 1));
}

TEST_F(SentImages, ShowTheirFirstLayer) {
  create("rgb", 1, 1, {"albedo.R", "B", "G", "R", "A"});
  for (const auto& [channel, value] :
       {std::pair("albedo.R", 9.f), {"R", 1.f}, {"G", 2.f}, {"B", 3.f}, {"A", 0.5f}})
    take(updatePacket("rgb", channel, 0, 0, 1, 1, value));
  const Picture picture = sent_images::find("sent:rgb")->whole();
  EXPECT_TRUE(picture.hasAlpha);
  EXPECT_EQ(picture.image.at(0, 0), glm::vec4(1, 2, 3, 0.5f));
  create("gray", 1, 1, {"depth.Z"});
  take(updatePacket("gray", "depth.Z", 0, 0, 1, 1, 7));
  EXPECT_EQ(sent_images::find("sent:gray")->whole().image.at(0, 0), glm::vec4(7, 7, 7, 1));
}

TEST_F(SentImages, WhatDoesNotFitIsRefused) {
  EXPECT_EQ(refused(updatePacket("a", "R", 0, 0, 1, 1, 1)),
            "a: expected an image that was created, found none");
  create("a", 4, 4);
  EXPECT_EQ(refused(updatePacket("a", "R", 3, 0, 2, 1, 1)),
            "a: expected pixels of 4x4, found 2x1 at 3, 0");
  EXPECT_EQ(refused(updatePacket("a", "R", 0x7fffffff, 0, 2, 1, 1)),
            "a: expected pixels of 4x4, found 2x1 at 2147483647, 0");
}

TEST_F(SentImages, TheOldestMakesRoom) {
  for (int i = 0; i < 64; ++i) create(std::to_string(i), 1, 1);
  create("0", 4, 4);  // anew: there is room
  sent_images::takeEvents();
  create("last", 1, 1);
  EXPECT_FALSE(sent_images::find("sent:1"));
  EXPECT_TRUE(sent_images::find("sent:0") && sent_images::find("sent:2"));
  const auto events = sent_images::takeEvents();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind, sent_images::Event::Kind::Closed);
  EXPECT_EQ(events[0].input, "sent:1");
}

TEST_F(SentImages, AreToldOfOnce) {
  create("a", 4, 4);
  take(updatePacket("a", "R", 0, 0, 1, 1, 1));
  take(test::closePacket("a"));
  using Event = sent_images::Event;
  const std::vector<Event> events = sent_images::takeEvents();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_TRUE(events[0].focus);
  EXPECT_EQ(events[0].input, "sent:a");
  EXPECT_EQ(events[1].kind, Event::Kind::Closed);
  EXPECT_EQ(events[1].input, "sent:a");
  EXPECT_TRUE(sent_images::takeEvents().empty());
  EXPECT_FALSE(sent_images::find("sent:a"));
}

}  // namespace
}  // namespace fathom::viewer
