// SPDX-License-Identifier: BSD-3-Clause
// Images that renderers send piece by piece over tev's protocol, and the thread that receives them.
// An image is an input like a file: "sent:NAME".
#pragma once

#include "app/engine/io/image_packets.h"
#include "app/system/loopback.h"

namespace fathom::viewer {

inline constexpr int kSentImagesPort = 14158;  // tev's own

/// One image: written by one thread, shown by another.
class SentImage {
 public:
  /// What it is created with; the channels of its first layer are shown.
  explicit SentImage(const ImagePacket& create);
  std::int64_t pixels() const { return picture_.dataWindow.area(); }
  /// Takes in a tile. Throws Error when it reaches over the edge.
  void update(const ImagePacket& tile);
  /// There are rows that have not been taken.
  bool changed() const { return changed_; }
  Picture whole() const;
  /// Copies the rows that have changed, or all, into an image of its size.
  struct Rows {
    int first, end;
  };
  Rows take(Image& image, bool all);

 private:
  mutable std::mutex mutex_;
  Picture picture_;
  Rows rows_;  // that have changed
  std::vector<std::pair<std::string, std::vector<int>>> shown_;
  std::atomic<bool> changed_ = false;
};

/// All images of the process by name, as technique entries have no state of their own. For any
/// thread.
namespace sent_images {

/// What the window is to do. Error: `input` is a message.
struct Event {
  enum class Kind { Created, Closed, Error } kind;
  std::string input;
  bool focus = false;
};
/// Does what a packet says. Throws Error.
void take(const ImagePacket& packet);
std::vector<Event> takeEvents();
bool isSent(const std::vector<std::string>& inputs);
/// The image of an input; null when it has been closed.
std::shared_ptr<SentImage> find(const std::string& input);

}  // namespace sent_images

/// Listens on a thread of its own.
class ImageReceiver {
 public:
  /// `wake` is called on that thread when something has come. Throws Error when the port is taken.
  ImageReceiver(int port, std::function<void()> wake);
  ~ImageReceiver();

 private:
  bool receive(int connection, std::span<const std::byte> bytes, bool ended);

  const std::string address_;
  const std::function<void()> wake_;
  system::LoopbackListener listener_;
  std::map<int, ImagePackets> connections_;
  std::jthread thread_;  // last: uses the others
};

}  // namespace fathom::viewer
