// SPDX-License-Identifier: BSD-3-Clause
// A renderer sends an image to the window, as pbrt and Mitsuba do.
#include "tests/support/image_packets.h"
#include "tests/window/screen.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace fathom::viewer {
namespace {

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(std::uint16_t(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

int freePort() {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  EXPECT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), size), 0);
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(socket);
  return ntohs(address.sin_port);
}

class Renderer {
 public:
  explicit Renderer(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    const sockaddr_in address = loopback(port);
    connected_ = Screen::eventually([&] {
      return ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    });
  }
  ~Renderer() { ::close(socket_); }
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;
  bool send(const std::string& bytes) const {
    return connected_ &&
           ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == ssize_t(bytes.size());
  }
  /// Waits until the other side ends the connection.
  bool isClosed() const {
    char byte = 0;
    return ::recv(socket_, &byte, 1, 0) <= 0;
  }

 private:
  int socket_;
  bool connected_ = false;
};

class ReceivingTest : public ScreenTest {
 protected:
  bool shows(const std::string& title) {
    return Screen::eventually([&] { return screen.titles() == std::vector{title}; });
  }
  int port = freePort();
};

TEST_F(ReceivingTest, ARendererCreatesUpdatesAndClosesAnImage) {
  screen.startFathom({"--listen", std::to_string(port)});
  const Renderer renderer(port);
  ASSERT_TRUE(renderer.send(test::createPacket("/out/a.exr", 64, 48)));
  ASSERT_TRUE(shows("a.exr - Fathom"));
  EXPECT_TRUE(becomes(middle(), kBlack));
  ASSERT_TRUE(renderer.send(test::updatePacket("/out/a.exr", 16, 16, 32, 16, {0.5f, 0, 0})));
  EXPECT_TRUE(becomes(middle(), kRed));
  for (const auto& [channel, value] : {std::pair("R", 0.f), {"G", 0.5f}})
    ASSERT_TRUE(renderer.send(test::updatePacket("/out/a.exr", channel, 0, 0, 64, 48, value)));
  EXPECT_TRUE(becomes(middle(), kGreen));
  ASSERT_TRUE(renderer.send(test::closePacket("/out/a.exr")));
  EXPECT_TRUE(screen.comes("start"));
  EXPECT_FALSE(screen.has("message:error")) << screen.errors();
}

TEST_F(ReceivingTest, ABadPacketEndsOnlyItsConnection) {
  screen.startFathom({"--listen", std::to_string(port)});
  const Renderer bad(port), good(port);
  ASSERT_TRUE(bad.send("GET / HTTP/1.1\r\n\r\n"));
  EXPECT_TRUE(bad.isClosed());
  EXPECT_TRUE(screen.comes("message:error"));
  ASSERT_TRUE(
      good.send(test::createPacket("b", 8, 8) + test::updatePacket("b", 0, 0, 8, 8, {0, 0, 0.5f})));
  EXPECT_TRUE(becomes(middle(), kBlue));
}

TEST_F(ReceivingTest, WhatIsOpenStaysUnlessTheImageWantsTheFocus) {
  const std::string flame = folder.write("a.flame", kFlame);
  screen.startFathom({flame, "--listen", std::to_string(port)});
  const Renderer renderer(port);
  ASSERT_TRUE(renderer.send(test::createPacket("b", 8, 8, {"R"}, false)));
  EXPECT_TRUE(screen.comes("message:note"));
  EXPECT_TRUE(shows("a.flame - Fathom"));
  screen.key("ctrl+Tab");
  EXPECT_TRUE(shows("sent:b - Fathom"));
  ASSERT_TRUE(renderer.send(test::closePacket("b")));
  EXPECT_TRUE(screen.comes("start"));
}

TEST_F(ReceivingTest, APortThatIsTakenIsSaidOnStandardErrorToo) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in address = loopback(port);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::listen(socket, 1), 0);
  screen.startFathom({"--listen", std::to_string(port)});
  EXPECT_TRUE(screen.comes("message:note"));
  EXPECT_THAT(screen.errors(), HasSubstr(std::to_string(port)));
  ::close(socket);
}

TEST_F(ReceivingTest, NobodyListensUnlessAsked) {
  screen.startFathom({});
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in address = loopback(14158);
  EXPECT_NE(::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ::close(socket);
}

}  // namespace
}  // namespace fathom::viewer
