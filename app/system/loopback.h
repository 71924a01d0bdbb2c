// SPDX-License-Identifier: BSD-3-Clause
// A port of this machine where other programs on it connect and send; nobody from outside can.
#pragma once

namespace fathom::system {

class LoopbackListener {
 public:
  /// isOpen() tells whether the port was free.
  explicit LoopbackListener(int port);
  ~LoopbackListener();
  LoopbackListener(const LoopbackListener&) = delete;
  LoopbackListener& operator=(const LoopbackListener&) = delete;
  bool isOpen() const { return socket_ >= 0; }

  /// What a connection has sent since the last call, if anything. False closes it.
  using Receive = std::function<bool(int connection, std::span<const std::byte> bytes, bool ended)>;
  /// Waits until one of them has sent something, then calls for each. A few are served at a time.
  void poll(std::chrono::milliseconds maxWait, const Receive& receive);
  /// From any thread: poll() returns at once from now on.
  void stop();

 private:
  int socket_ = -1;
  std::vector<int> connections_;
};

}  // namespace fathom::system
