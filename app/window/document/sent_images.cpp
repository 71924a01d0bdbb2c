// SPDX-License-Identifier: BSD-3-Clause
// Pixels go straight into the image on the receiving thread, so nothing piles up before a slow
// window.
#include "app/window/document/sent_images.h"

#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"
#include "app/engine/io/flat_formats.h"
#include "app/system/machine.h"
#include "app/window/document/flat_picture.h"

namespace fathom::viewer {

constexpr const char* kPrefix = "sent:";
constexpr std::size_t kMaxImages = 64, kMaxEvents = 64;
constexpr std::chrono::milliseconds kBetweenLooks{1000};  // for packets that do not go on

SentImage::SentImage(const ImagePacket& create) : rows_{create.area.height, 0} {
  picture_.image = Image(create.area.width, create.area.height, {0, 0, 0, 1});
  picture_.dataWindow = picture_.displayWindow = create.area;
  ExrPartInfo part;
  for (const auto& channel : create.channels) part.channels.push_back({channel.name, {}});
  shown_ = shownAs(layersOf(part).at(0));
  picture_.hasAlpha = shown_[0].second[0] == 3;
}

void SentImage::update(const ImagePacket& tile) {
  const Rect &area = tile.area, &own = picture_.dataWindow;
  if (area.width > own.width - area.x || area.height > own.height - area.y)
    fail("{}: expected pixels of {}x{}, found {}x{} at {}, {}", tile.name, own.width, own.height,
         area.width, area.height, area.x, area.y);
  for (int y = area.y; y < area.bottom(); ++y) {
    const std::lock_guard lock(mutex_);  // for a row: the window waits for no large packet
    rows_ = {std::min(rows_.first, y), std::max(rows_.end, y + 1)};
    for (const ImagePacket::Channel& channel : tile.channels)
      for (const auto& [name, targets] : shown_)
        for (int x = 0; name == channel.name && x < area.width; ++x)
          for (const int target : targets)
            picture_.image.at(area.x + x, y)[target] =
                tile.value(channel, std::int64_t(y - area.y) * area.width + x);
  }
  changed_ = true;
}

Picture SentImage::whole() const {
  const std::lock_guard lock(mutex_);
  return picture_;
}

SentImage::Rows SentImage::take(Image& image, bool all) {
  changed_ = false;  // first: what comes meanwhile is changed again
  const std::lock_guard lock(mutex_);
  const Rows rows = std::exchange(rows_, {image.height, 0});
  if (all) image = picture_.image;
  for (int y = rows.first; !all && y < rows.end; ++y)
    std::copy_n(&picture_.image.at(0, y), image.width, &image.at(0, y));
  return rows;
}

namespace sent_images {
namespace {

std::mutex mutex;
std::vector<std::pair<std::string, std::shared_ptr<SentImage>>> images;  // by input, oldest first
std::vector<Event> events;

/// Throws Error before anything is allocated. Renderers that begin anew under other names close
/// nothing: the oldest images make room.
void makeRoomFor(const ImagePacket& packet) {
  checkPixels(packet.name, packet.area.width, packet.area.height);
  // Its pixels are here, in the engine, in the texture, and there again while it changes.
  const auto memory = std::int64_t(system::memoryLimitBytes() / (4 * sizeof(glm::vec4)));
  const std::int64_t most = std::min(memory, kMaxPictureArea);
  std::int64_t pixels = packet.area.area();
  if (pixels > most) fail("{}: expected at most {} pixels, found {}", packet.name, most, pixels);
  const std::lock_guard lock(mutex);
  for (const auto& [input, image] : images) pixels += image->pixels();
  while (pixels > most || images.size() >= kMaxImages) {
    pixels -= images.front().second->pixels();
    events.push_back({Event::Kind::Closed, images.front().first});
    images.erase(images.begin());
  }
}

void tell(Event event) {
  const std::lock_guard lock(mutex);
  if (events.size() < kMaxEvents) events.push_back(std::move(event));
}

}  // namespace

void take(const ImagePacket& packet) {
  using Kind = ImagePacket::Kind;
  const std::string input = kPrefix + packet.name;
  if (packet.kind == Kind::Update) {
    const auto image = find(input);
    if (!image) fail("{}: expected an image that was created, found none", packet.name);
    return image->update(packet);
  }
  if (packet.kind == Kind::Other) return;
  const bool creates = packet.kind == Kind::Create;
  {
    const std::lock_guard lock(mutex);
    std::erase_if(images, [&](const auto& each) { return each.first == input; });
  }
  if (creates) {  // perhaps anew
    makeRoomFor(packet);
    auto created = std::make_shared<SentImage>(packet);
    const std::lock_guard lock(mutex);
    images.emplace_back(input, std::move(created));
  }
  tell({creates ? Event::Kind::Created : Event::Kind::Closed, input, packet.focus});
}

std::vector<Event> takeEvents() {
  const std::lock_guard lock(mutex);
  return std::exchange(events, {});
}

bool isSent(const std::vector<std::string>& inputs) {
  return inputs.size() == 1 && inputs[0].starts_with(kPrefix);
}

std::shared_ptr<SentImage> find(const std::string& input) {
  const std::lock_guard lock(mutex);
  for (const auto& [name, image] : images)
    if (name == input) return image;
  return nullptr;
}

}  // namespace sent_images

ImageReceiver::ImageReceiver(int port, std::function<void()> wake)
    : address_(fmt::format("127.0.0.1:{}", port)), wake_(std::move(wake)), listener_(port) {
  if (!listener_.isOpen()) fail("{}: expected a free port, found one in use", address_);
  thread_ = std::jthread([this](const std::stop_token& stop) {
    while (!stop.stop_requested())
      listener_.poll(kBetweenLooks, [this](int connection, auto bytes, bool ended) {
        return receive(connection, bytes, ended);
      });
  });
}

ImageReceiver::~ImageReceiver() {
  thread_.request_stop();
  listener_.stop();
}

bool ImageReceiver::receive(int connection, std::span<const std::byte> bytes, bool ended) {
  bool goesOn = !ended;
  try {
    connections_[connection].take(bytes, ImagePackets::Clock::now(), sent_images::take);
  } catch (const std::exception&) {
    sent_images::tell(
        {sent_images::Event::Kind::Error,
         fmt::format("{}: {}; connection closed", address_, messageOf(std::current_exception()))});
    goesOn = false;
  }
  if (!goesOn) connections_.erase(connection);
  if (!bytes.empty() || !goesOn) wake_();
  return goesOn;
}

}  // namespace fathom::viewer
