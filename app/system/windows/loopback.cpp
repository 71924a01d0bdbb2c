// SPDX-License-Identifier: BSD-3-Clause
// Winsock. Its sockets are small handles, which an int holds.
#include "app/system/loopback.h"

#include <winsock2.h>

namespace fathom::system {

constexpr std::size_t kMaxConnections = 8, kBytesAtOnce = std::size_t(1) << 18;

LoopbackListener::LoopbackListener(int port) {
  WSADATA data{};
  if (::WSAStartup(MAKEWORD(2, 2), &data) != 0) return;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(std::uint16_t(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const BOOL alone = TRUE;  // a second program may not take the port as well
  const SOCKET made = ::socket(AF_INET, SOCK_STREAM, 0);
  ::setsockopt(made, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, reinterpret_cast<const char*>(&alone),
               sizeof alone);
  socket_ = int(made);
  if (::bind(made, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(made, int(kMaxConnections)) != 0)
    ::closesocket(SOCKET(std::exchange(socket_, -1)));
}

LoopbackListener::~LoopbackListener() {
  for (const int connection : connections_) ::closesocket(SOCKET(connection));
  ::closesocket(SOCKET(socket_));
  ::WSACleanup();
}

void LoopbackListener::poll(std::chrono::milliseconds maxWait, const Receive& receive) {
  std::vector<WSAPOLLFD> waiting;
  for (const int connection : connections_) waiting.push_back({SOCKET(connection), POLLIN, 0});
  // Nobody is accepted while too many are connected.
  const bool accepts = connections_.size() < kMaxConnections;
  if (accepts) waiting.push_back({SOCKET(socket_), POLLIN, 0});
  ::WSAPoll(waiting.data(), ULONG(waiting.size()), int(maxWait.count()));
  std::vector<std::byte> bytes(kBytesAtOnce);
  std::size_t at = 0;
  std::erase_if(connections_, [&](int connection) {
    int count = -1;
    const bool ready = waiting[at++].revents != 0;
    if (ready)
      count =
          ::recv(SOCKET(connection), reinterpret_cast<char*>(bytes.data()), int(bytes.size()), 0);
    const bool ended = ready && count <= 0;
    const auto received = std::span(bytes).first(std::size_t(std::max(count, 0)));
    const bool closes = !receive(connection, received, ended) || ended;
    return closes && ::closesocket(SOCKET(connection)) == 0;
  });
  if (!accepts || !(waiting.back().revents & POLLIN)) return;
  const SOCKET connection = ::accept(SOCKET(socket_), nullptr, nullptr);
  if (connection != INVALID_SOCKET) connections_.push_back(int(connection));
}

/// Wakes nobody here: poll() returns when its time is over.
void LoopbackListener::stop() { ::shutdown(SOCKET(socket_), SD_BOTH); }

}  // namespace fathom::system
