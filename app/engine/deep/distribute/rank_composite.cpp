// SPDX-License-Identifier: BSD-3-Clause
// The main thread captures and merges and agrees with the others on what comes next; a carrier
// encodes, exchanges and decodes; on rank 0 a third thread writes.
#include "app/engine/deep/distribute/rank_composite.h"

#include "app/engine/core/bytes.h"
#include "app/engine/core/deep_image.h"
#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/deep/bands/band_merger.h"
#include "app/engine/deep/lists/fragment_lists.h"
#include "app/engine/io/deflate.h"

namespace fathom::deep {

/// A region on its way: who merges which rows, and what has arrived here.
struct RankComposite::Region {
  Rect area;              // of the picture
  std::vector<int> rows;  // where each rank's begin, counted from the region's top; and its end
  Rect mine;              // this rank's part, in image coordinates
  std::vector<InputRows> packed;                // this rank's share, until it leaves
  std::uint64_t fragments = 0;                  // of all ranks ...
  std::uint64_t ownFragments = 0;               // ... and those to be merged here
  std::vector<std::vector<DeepImage>> arrived;  // by input
  std::shared_future<void> here;
};

/// Deep or flat: how rows are merged, how they go to rank 0 as bytes, and who takes them there.
struct RankComposite::Output {
  using Parts = std::vector<std::vector<std::byte>>;
  /// Bytes of what comes of the images goes to the parts.
  std::function<RowMerge::Facts(std::vector<DeepImage>&& images, const Rect& mine, Parts&)> merge;
  /// On rank 0: everything of one region, ordered by rank. Where ranks keep their own: that.
  std::function<void(const Rect& area, std::vector<ranks::Message>&&)> take;
};

namespace {

/// What leaves is held as an image and as a stream; and a number of each fragment while it becomes
/// that.
std::uint64_t bytesToSend(const DeepImage& rows) {
  std::uint64_t bytes = 8 * rows.fragmentOffsets.size() + 4 * rows.words.size();
  for (const DeepChannel& channel : rows.channels) bytes += channel.values.size();
  return 4 * bytes;
}

constexpr double kHostBytes = 96;  // per fragment that is merged: stream, lists, merged lists
/// The most that a stream takes per fragment: planes (channels of an Indexed image counted amply),
/// a count and a run.
constexpr std::uint64_t kStreamBytes = 1024;

Rect rectIn(std::span<const std::byte> bytes) {
  if (bytes.size() < sizeof(Rect))
    fail("deep composite: expected rows, found {} bytes", bytes.size());
  return fathom::load<Rect>(bytes.data());
}

DeepImage emptyImage(const DeepImage& header, const Rect& window) {
  DeepImage image = emptyLike(header, window);
  image.fragmentOffsets.assign(image.pixelCount() + 1, 0);
  return image;
}

}  // namespace

std::shared_future<void> SerialWorker::submit(std::function<void()> work) {
  last_ = std::async(how_, [this, before = last_, work = std::move(work)]() mutable {
            if (before.valid()) before.wait();
            before = {};
            try {
              std::exchange(work, nullptr)();
            } catch (...) {
              note(std::current_exception());
            }
          }).share();
  if (how_ == std::launch::deferred) last_.wait();
  return last_;
}

void SerialWorker::note(std::exception_ptr failure) {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::move(failure);
}

bool SerialWorker::failed() const {
  const std::lock_guard lock(mutex_);
  return failure_ != nullptr;
}

void SerialWorker::rethrow() const {
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

std::vector<int> dealRows(std::span<const std::uint64_t> fragments, int width, int ranks) {
  const double kPixel = 0.25;  // one without fragments costs something too
  std::vector<double> work{0};
  for (const std::uint64_t count : fragments)
    work.push_back(work.back() + double(count) + kPixel * width);
  std::vector<int> rows;
  for (int rank = 0; rank < ranks; ++rank) {
    const double goal = work.back() * rank / ranks;
    rows.push_back(int(std::lower_bound(work.begin(), work.end(), goal) - work.begin()));
  }
  rows.push_back(int(fragments.size()));
  return rows;
}

RankComposite::RankComposite(ranks::Team& team, const RankPicture& picture, RankShare& share,
                             RowMerge& merge, const RankOptions& options)
    : team_(team), picture_(picture), share_(share), merge_(merge), options_(options) {}

RankComposite::~RankComposite() = default;

// ---- Agreement

/// True when some rank wants the region in more pieces than one: they are in `parts`, the same on
/// all ranks.
bool RankComposite::cutTogether(const Rect& area, std::uint64_t pieces, const std::string& why,
                                std::vector<Rect>& parts) {
  team_.largest(std::span(&pieces, 1));
  if (pieces <= 1) return false;
  team_.collective([&] { parts = cut(area, gpu::DoesNotFit(why, double(pieces), 1)); });
  return true;
}

/// This rank's share of a region, and who merges which of its rows; none when it has to be cut.
std::shared_ptr<RankComposite::Region> RankComposite::pack(const Rect& area,
                                                           std::vector<Rect>& parts) {
  auto region = std::make_shared<Region>();
  region->area = area;
  std::uint64_t pieces = 1;
  std::string why = "region: some rank cannot hold it";
  team_.collective([&] {
    carrier_.rethrow();
    writer_.rethrow();
    try {
      region->packed = share_.pack(area);
    } catch (const gpu::DoesNotFit& reason) {
      pieces = std::uint64_t(reason.pieces());
      why = reason.what();
    }
  });
  if (cutTogether(area, pieces, why, parts)) {
    share_.forget();
    return nullptr;
  }
  // So much of two regions at a time.
  std::uint64_t bytes = 0;
  for (const InputRows& input : region->packed) bytes += bytesToSend(input.rows);
  bytes = std::max(bytes, std::uint64_t(double(dealRows(*region)) * kHostBytes));
  const std::string memory = fmt::format(
      "deep composite: expected to hold a region in {} of memory per rank (--rank-memory), found "
      "too many fragments in it",
      gpu::bytesText(std::int64_t(options_.memoryBytes)));
  if (cutTogether(area, 1 + bytes / std::max<std::uint64_t>(1, options_.memoryBytes), memory,
                  parts)) {
    share_.forget();
    return nullptr;
  }
  return region;
}

/// The rows that a rank merges, in image coordinates.
Rect RankComposite::rowsOf(const Region& region, int rank) const {
  const int first = region.rows[std::size_t(rank)], end = region.rows[std::size_t(rank) + 1];
  return picture_.windowOf({region.area.x, region.area.y + first, region.area.width, end - first});
}

/// Rows of a region so that each rank merges about as many fragments. Parts of rows are dealt out
/// evenly, so that those beside each other meet. Returns the fragments of the rank that has most.
std::uint64_t RankComposite::dealRows(Region& region) const {
  const Rect& area = region.area;
  std::vector<std::uint64_t> rows(std::size_t(area.height));
  for (const InputRows& input : region.packed) {
    const Rect& window = input.rows.dataWindow;
    const auto width = std::size_t(window.width);
    std::uint64_t* const first = &rows[std::size_t(window.y - picture_.windowOf(area).y)];
    for (std::size_t y = 0; y < std::size_t(window.height); ++y)
      first[y] +=
          input.rows.fragmentOffsets[(y + 1) * width] - input.rows.fragmentOffsets[y * width];
  }
  team_.sum(rows);
  const bool even = area.width < picture_.size().x;
  region.rows = fathom::deep::dealRows(even ? std::vector<std::uint64_t>(rows.size()) : rows,
                                       area.width, team_.ranks());
  std::uint64_t most = 0;
  for (int rank = 0; rank < team_.ranks(); ++rank) {
    const auto first = rows.begin() + region.rows[std::size_t(rank)],
               end = rows.begin() + region.rows[std::size_t(rank) + 1];
    const std::uint64_t count = std::accumulate(first, end, std::uint64_t(0));
    if (rank == team_.rank()) region.ownFragments = count;
    region.fragments += count;
    most = std::max(most, count);
  }
  region.mine = rowsOf(region, team_.rank());
  return most;
}

// ---- A region

void RankComposite::travel(Region& region) {
  const int ranks = team_.ranks();
  PhaseWatch watch;
  const std::vector<InputRows> packed = std::move(region.packed);
  std::vector<ranks::Message> messages(carrier_.failed() ? 0 : packed.size() * std::size_t(ranks));
  parallelFor(messages.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const InputRows& input = packed[i / std::size_t(ranks)];
      const int to = int(i % std::size_t(ranks));
      const StreamTag tag{input.input, to == team_.rank() ? 0 : options_.level};
      messages[i] = {team_.rank(), to, encodeRows(input.rows, rowsOf(region, to), tag)};
    }
  });
  std::erase_if(messages, [](const ranks::Message& message) { return message.bytes.empty(); });
  figures_.encode += watch.ms();
  watch = {};
  // Streams are no longer than what they hold: fragments, and at most a run and a count for each.
  const std::uint64_t maxBytes = region.fragments * kStreamBytes +
                                 std::uint64_t(ranks) * std::uint64_t(ranks) * picture_.inputs *
                                     std::uint64_t(256 + 4 * region.area.height);
  const std::uint64_t sentBefore = exchange_.figures().bytesSent;
  const std::vector<ranks::Message> arrived = exchange_.run(std::move(messages), maxBytes);
  figures_.sentBytes += double(exchange_.figures().bytesSent - sentBefore);
  figures_.exchange += watch.ms();
  watch = {};
  receive(region, arrived);
  figures_.decode += watch.ms();
}

void RankComposite::receive(Region& region, const std::vector<ranks::Message>& messages) {
  const StreamLimits limits{region.mine, picture_.header, std::uint32_t(picture_.inputs),
                            region.ownFragments};
  std::vector<DecodedRows> decoded(messages.size());
  parallelFor(messages.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) decoded[i] = decodeRows(messages[i].bytes, limits);
  });
  region.arrived.resize(picture_.inputs);
  for (DecodedRows& rows : decoded) region.arrived[rows.input].push_back(std::move(rows.image));
}

void RankComposite::send(const std::shared_ptr<Region>& region) {
  region->here = carrier_.submit([this, region] { travel(*region); });
}

/// Merges what has arrived, and lets the result travel to rank 0.
void RankComposite::finish(const std::shared_ptr<Region>& region, Output& output) {
  region->here.wait();
  std::vector<std::vector<std::byte>> merged;
  try {
    const PhaseWatch watch;
    if (!carrier_.failed() && !region->mine.empty()) {
      std::vector<DeepImage> images;
      for (std::vector<DeepImage>& parts : region->arrived) {
        if (parts.empty()) parts.push_back(emptyImage(picture_.header, region->mine));
        images.push_back(together(std::move(parts), region->mine));
      }
      region->arrived = {};
      const RowMerge::Facts facts = output.merge(std::move(images), region->mine, merged);
      figures_.mergedFragments += double(facts.fragments);
      figures_.mergedError = std::max(figures_.mergedError, facts.thinned.error);
      figures_.mergedFlatError = std::max(figures_.mergedFlatError, facts.thinned.flatError);
    }
    figures_.merge += watch.ms();
  } catch (...) {
    carrier_.note(std::current_exception());
  }
  auto held = std::make_shared<std::vector<std::vector<std::byte>>>(std::move(merged));
  carrier_.submit([this, region, held, &output] {
    std::vector<ranks::Message> messages;
    for (std::vector<std::byte>& bytes : *held)
      if (!carrier_.failed()) messages.push_back({team_.rank(), 0, std::move(bytes)});
    if (options_.gathers) {
      const PhaseWatch watch;
      const std::uint64_t sentBefore = exchange_.figures().bytesSent;
      messages = exchange_.run(std::move(messages), UINT64_MAX);
      figures_.exchange += watch.ms();
      figures_.gatheredBytes += double(exchange_.figures().bytesSent - sentBefore);
      if (team_.rank() != 0) return;
    }
    if (carrier_.failed() || writer_.failed()) return;
    auto all = std::make_shared<std::vector<ranks::Message>>(std::move(messages));
    writer_.drain();  // one region at most waits to be written
    writer_.submit([this, region, all, &output] {
      const PhaseWatch writing;
      output.take(region->area, std::move(*all));
      figures_.write += writing.ms();
    });
  });
}

void RankComposite::run(Progress& progress, Output& output) {
  const struct Drained {  // what is under way refers to the output
    RankComposite& of;
    ~Drained() { of.carrier_.drain(), of.writer_.drain(); }
  } drained{*this};
  const Stopwatch watch;
  const glm::ivec2 size = picture_.size();
  progress.begin("compositing", size.y);
  std::deque<Rect> areas;
  const int blocks = (size.y + 7) / 8, bands = std::clamp(options_.bands, 1, std::max(1, blocks));
  for (int i = 0; i < bands; ++i) {
    const int first = blocks * i / bands * 8, end = std::min(size.y, blocks * (i + 1) / bands * 8);
    areas.push_back({0, first, size.x, end - first});
  }
  std::shared_ptr<Region> before;
  while (!areas.empty()) {
    const Rect area = areas.front();
    areas.pop_front();
    std::vector<Rect> parts;
    std::shared_ptr<Region> region = pack(area, parts);
    if (!region) {
      areas.insert(areas.begin(), parts.begin(), parts.end());
      continue;
    }
    send(region);
    if (before) finish(before, output);
    before = std::move(region);
    ++figures_.regions;
    progress.advance(double(area.area()) / size.x);
  }
  if (before) finish(before, output);
  carrier_.drain();
  writer_.drain();
  team_.collective([&] {
    carrier_.rethrow();
    writer_.rethrow();
  });
  const ranks::ExchangeFigures sent = exchange_.figures();
  figures_.wall = watch.ms();
  figures_.messages = double(sent.messages);
  static_cast<RankShare::Figures&>(figures_) = share_.figures();
}

// ---- Deep and flat

namespace {

/// A message about rows begins with where they are.
std::vector<std::byte> headOf(const Rect& rows) {
  std::vector<std::byte> bytes(sizeof rows);
  std::memcpy(bytes.data(), &rows, sizeof rows);
  return bytes;
}

}  // namespace

void RankComposite::merge(Progress& progress, DeepImage merged,
                          const std::function<void(DeepImage&&)>& consume, const RowFile* file) {
  Output deep;
  deep.merge = [&](std::vector<DeepImage>&& images, const Rect& mine, Output::Parts& parts) {
    return merge_.merge(std::move(images), mine, [&](DeepImage&& band) {
      std::vector<std::byte> bytes = headOf(band.dataWindow);
      const std::vector<std::byte> rows =
          file && file->fits(band.dataWindow)
              ? file->pack(band)
              : encodeRows(band, band.dataWindow, {0, resultLevel()});
      bytes.insert(bytes.end(), rows.begin(), rows.end());
      parts.push_back(std::move(bytes));
    });
  };
  std::optional<DeepImage> strip;  // parts of rows, until they reach the right edge
  deep.take = [&](const Rect&, std::vector<ranks::Message>&& messages) {
    for (ranks::Message& message : messages) {
      const Rect rows = rectIn(message.bytes);
      const auto stream = std::span<const std::byte>(message.bytes).subspan(sizeof(Rect));
      if (file && file->fits(rows)) {
        file->store(stream);
        message.bytes = {};
        continue;
      }
      DeepImage image = stream.empty() ? emptyImage(merged, rows)
                                       : decodeRows(stream, {rows, merged, 1, UINT32_MAX}).image;
      message.bytes = {};
      if (!options_.gathers || rows.width == picture_.size().x) {
        consume(std::move(image));
        continue;
      }
      strip = strip ? joinRegions(std::move(*strip), std::move(image)) : std::move(image);
    }
    if (!strip || strip->dataWindow.width < picture_.size().x) return;
    consume(std::move(*strip));
    strip.reset();
  };
  run(progress, deep);
}

void RankComposite::flatten(Progress& progress,
                            const std::function<void(const Rect&, Image&&)>& consume) {
  Output flat;
  flat.merge = [&](std::vector<DeepImage>&& images, const Rect& mine, Output::Parts& parts) {
    int y = mine.y;
    return merge_.flatten(std::move(images), mine, [&](Image&& rows) {
      parts.push_back(headOf({mine.x, y, rows.width, rows.height}));
      deflateTo(parts.back(), std::as_bytes(std::span(rows.pixels)), resultLevel());
      y += rows.height;
    });
  };
  std::optional<Image> strip;
  flat.take = [&](const Rect& area, std::vector<ranks::Message>&& messages) {
    const Rect whole = picture_.windowOf({0, area.y, picture_.size().x, area.height});
    if (!strip) strip.emplace(whole.width, whole.height);
    for (const ranks::Message& message : messages) {
      const Rect place = rectIn(message.bytes);
      const bool inside = intersect(place, whole) == place;
      Image rows(inside ? place.width : 0, inside ? place.height : 0);
      if (!inside || !inflateInto(std::as_writable_bytes(std::span(rows.pixels)),
                                  std::span(message.bytes).subspan(sizeof place)))
        fail("deep composite: expected rows of the region, found others from rank {}",
             message.from);
      if (!options_.gathers) {
        consume(place, std::move(rows));
        continue;
      }
      for (int y = 0; y < place.height; ++y)
        std::copy_n(&rows.at(0, y), place.width,
                    &strip->at(place.x - whole.x, place.y - whole.y + y));
    }
    if (!options_.gathers || area.right() < whole.width) return;
    consume(whole, std::move(*strip));
    strip.reset();
  };
  run(progress, flat);
}

}  // namespace fathom::deep
