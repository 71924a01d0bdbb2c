// SPDX-License-Identifier: BSD-3-Clause
// A listening socket and its connections, waited for together. A socket that is shut down wakes
// whoever waits for it.
#include "app/system/loopback.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace fathom::system {

constexpr std::size_t kMaxConnections = 8, kBytesAtOnce = std::size_t(1) << 18;

LoopbackListener::LoopbackListener(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(std::uint16_t(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int reuse = 1;  // also while connections of the last run linger
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof reuse);
  if (::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(socket_, int(kMaxConnections)) != 0)
    ::close(std::exchange(socket_, -1));
}

LoopbackListener::~LoopbackListener() {
  for (const int connection : connections_) ::close(connection);
  ::close(socket_);
}

void LoopbackListener::poll(std::chrono::milliseconds maxWait, const Receive& receive) {
  // Nobody is accepted while too many are connected.
  std::vector<pollfd> waiting{{connections_.size() < kMaxConnections ? socket_ : -1, POLLIN, 0}};
  for (const int connection : connections_) waiting.push_back({connection, POLLIN, 0});
  ::poll(waiting.data(), nfds_t(waiting.size()), int(maxWait.count()));
  std::vector<std::byte> bytes(kBytesAtOnce);
  std::erase_if(connections_, [&](int connection) {
    const ssize_t count = ::recv(connection, bytes.data(), bytes.size(), MSG_DONTWAIT);
    const bool ended = count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN);
    const auto received = std::span(bytes).first(std::size_t(std::max<ssize_t>(count, 0)));
    const bool closes = !receive(connection, received, ended) || ended;
    return closes && ::close(connection) == 0;
  });
  const int connection =
      waiting[0].revents == 0 ? -1 : ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
  if (connection >= 0) connections_.push_back(connection);
}

void LoopbackListener::stop() { ::shutdown(socket_, SHUT_RDWR); }

}  // namespace fathom::system
