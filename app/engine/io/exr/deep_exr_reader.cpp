// SPDX-License-Identifier: BSD-3-Clause
// Reading deep EXR in three steps over the chunks of the rows asked for: count tables (checked),
// one allocation (checked against the budget), then payload, each on all cores.
#include "app/engine/core/deep_image.h"
#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"
#include "app/engine/core/progress.h"
#include "app/engine/core/text.h"
#include "app/engine/io/exr/deep_codec.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/exr/exr_source.h"
#include "app/engine/io/flat_formats.h"
#include "app/system/machine.h"

namespace fathom {
namespace {

using deep_codec::Method;

constexpr std::size_t kScanlineLeaderBytes = 28, kTileLeaderBytes = 40, kOffsetBytes = 8;

std::string inGiB(std::uint64_t bytes) {
  return fmt::format("{:.2f} GiB", double(bytes) / double(1u << 30));
}

std::optional<Method> methodNamed(const std::string& name) {
  if (name == "none") return Method::None;
  if (name == "rle") return Method::Rle;
  if (name == "zips" || name == "zip") return Method::Zip;
  if (name == "zstd") return Method::Zstd;
  if (name == "fdp") return Method::Packed;
  return std::nullopt;
}

/// Chooses by number, then by name, then by view; by default the first deep part.
std::size_t choosePart(const ExrSource& source, const std::string& wish) {
  const std::vector<ExrPartInfo>& parts = source.parts();
  if (const auto number = numberIn<std::size_t>(wish)) {
    if (*number >= parts.size())
      source.damaged(fmt::format("a part number below {}", parts.size()), wish);
    return *number;
  }
  std::string names;
  for (const ExrPartInfo& part : parts) {
    if (wish.empty() ? part.deep : part.name == wish || part.view == wish)
      return std::size_t(part.index);
    names += (names.empty() ? "" : ", ") + (part.name.empty() ? "one without a name" : part.name);
  }
  if (!wish.empty()) source.damaged(fmt::format("a part named \"{}\"", wish), names);
  return 0;
}

/// The channel that is the depth: "Z", else the only one of a layer ("beauty.Z", but not of a
/// position); empty: none.
std::string depthIn(const ExrPartInfo& part) {
  std::string found;
  for (const ExrPartInfo::Channel& channel : part.channels)
    if (const std::string& name = channel.name; name == "Z")
      return name;
    else if (name.ends_with(".Z") && !part.has(name.substr(0, name.size() - 1) + "X"))
      found = found.empty() ? name : "?";
  return found == "?" ? "" : found;
}

/// By name, as files have them: "beauty.Z" has become "Z".
void sortChannels(DeepImage& image) {
  std::ranges::stable_sort(image.channels, {}, &DeepChannel::name);
}

/// True once per file: readers of one come and go.
bool isNews(const fs::path& file) {
  static std::mutex mutex;
  static std::set<fs::path> said;
  const std::lock_guard lock(mutex);
  return said.insert(file).second;
}

/// The pixels that count tables of so many bytes can have. Packed ones hold runs: a row of empty
/// pixels is as many bits as its width has.
std::uint64_t mostPixels(Method method, std::uint64_t tableBytes) {
  return method == Method::Packed
             ? tableBytes << 16
             : deep_codec::largestUnpacked(method, tableBytes) / sizeof(std::int32_t);
}

/// A block of pixels that the file stores together.
struct Chunk {
  Rect rect;  // image coordinates
  exr_chunk_info_t info{};
  std::uint64_t skipped = 0;               // fragments of its rows above the band
  std::vector<std::int32_t> running = {};  // its counts, where they tell how to unpack it
};

}  // namespace

std::uint64_t deepMemoryBudget() { return system::memoryBytes() / 4 * 3; }

struct DeepExrReader::State {
  ExrSource source;
  DeepReadOptions options;
  ExrPartInfo part;
  Method method = Method::None;
  std::vector<DeepChannel> channels;  // without values
  std::vector<deep_planes::Plane> planes;
  std::size_t bytesPerFragment = 0;
  FragmentFormat format = FragmentFormat::Half;
  int rowsPerChunk = 1;
  std::vector<std::uint64_t> rowCounts;
  std::optional<DeepTotals> totals;

  State(const fs::path& file, const DeepReadOptions& readOptions);
  void checkPart() const;
  void checkWindowAgainstFile() const;

  std::vector<Chunk> chunksOf(int first, int last) const;
  void find(Chunk& chunk) const;
  std::string rowOf(const Rect& rect, int y) const;
  std::uint64_t wholePixels(const Rect& rect) const;
  void readCounts(Chunk& chunk, const Rect& rows, std::vector<std::uint32_t>& counts) const;
  std::vector<std::uint32_t> readCounts(std::vector<Chunk>& chunks, const Rect& rows) const;
  void checkBudget(std::uint64_t fragments, std::uint64_t pixels) const;
  std::uint64_t memoryFor(std::uint64_t fragments, std::uint64_t pixels) const;
  void readFragments(const Chunk& chunk, DeepImage& image, DeepRepairs& repairs) const;
  DeepImage readRows(int first, int last);
  std::vector<std::uint64_t> countRows(const Rect& within, DeepTotals& sums) const;
  void countAll();
  DeepImage emptyImage() const;
  Progress* progress() const { return options.progress; }
  void throwIfCancelled() const {
    if (progress() ? progress()->cancelled() : Progress::interrupted()) throw Cancelled();
  }
};

DeepExrReader::State::State(const fs::path& file, const DeepReadOptions& readOptions)
    : source(file), options(readOptions) {
  part = source.parts()[choosePart(source, options.part)];
  checkPart();
  method = *methodNamed(part.compression);
  rowsPerChunk = part.tiled ? part.tileHeight : source.rowsPerChunk(part.index);
  const std::string depth = depthIn(part);
  for (const ExrPartInfo::Channel& channel : part.channels)
    channels.push_back({channel.name == depth ? "Z" : channel.name, channel.type, {}});
  planes = deep_planes::planesOf(channels);
  bytesPerFragment = deep_planes::fragmentBytes(planes);
  format = deep_planes::formatFor(channels);
  checkWindowAgainstFile();
  if (options.memoryBudget == 0) options.memoryBudget = deepMemoryBudget();
  const bool isNew = isNews(file);
  if (depth != "Z" && isNew)
    log::warn("{}: no \"Z\" channel, \"{}\" is taken for it", file.string(), depth);
  for (const ExrPartInfo::Channel& channel : part.channels)
    if (isNew && lowered(channel.name) == "zback" && channel.name != "ZBack")
      log::warn(
          "{0}: \"{1}\" is no \"ZBack\": fragments are points (deep run --do \"rename "
          "{1}=ZBack\" makes them volumes)",
          file.string(), channel.name);
  if (!part.has("A") && !part.has("AR") && isNew)
    log::warn("{}: no \"A\" channel (found {}); every fragment counts as {}", file.string(),
              part.channelNames(), hasColor(channels) ? "opaque" : "transparent");
}

void DeepExrReader::State::checkPart() const {
  if (!part.deep)
    source.damaged("a deep EXR", fmt::format("a flat ({}) EXR", part.tiled ? "tiled" : "scanline"));
  if (!methodNamed(part.compression))
    source.damaged("deep compression none, rle, zips or zip", part.compression);
  if (depthIn(part).empty() || (options.asStored && !part.has("Z")))
    fail("{}: deep part has no \"Z\" channel (found {})", source.file().string(),
         part.channelNames());
  for (const ExrPartInfo::Channel& channel : part.channels)
    if ((channel.name == "Z" || channel.name == "ZBack") && channel.type == ChannelType::Uint)
      source.damaged(fmt::format("channel \"{}\" of type half or float", channel.name), "uint");
}

/// A window may claim any size; the file must be long enough for its chunks and count tables.
void DeepExrReader::State::checkWindowAgainstFile() const {
  const Rect& w = part.dataWindow;
  checkPixels(source.file().string(), w.width, w.height);
  const auto count = [](std::int64_t extent, std::int64_t step) {
    return std::uint64_t((extent + step - 1) / step);
  };
  const std::uint64_t chunks =
      part.tiled ? count(w.width, part.tileWidth) * count(w.height, part.tileHeight)
                 : count(w.height, rowsPerChunk);
  const std::string what = fmt::format("a file that can hold {}x{} pixels", w.width, w.height);
  const std::uint64_t leader = part.tiled ? kTileLeaderBytes : kScanlineLeaderBytes;
  if (chunks > source.fileBytes() / (leader + kOffsetBytes))
    source.damaged(what, fmt::format("{} bytes", source.fileBytes()));
  if (std::uint64_t(w.area()) > mostPixels(method, source.fileBytes()))
    source.damaged(what, fmt::format("{} bytes", source.fileBytes()));
  if (std::uint64_t(source.chunkCount(part.index)) < chunks)
    source.damaged(fmt::format("{} chunks", chunks),
                   fmt::format("{}", source.chunkCount(part.index)));
}

std::vector<Chunk> DeepExrReader::State::chunksOf(int first, int last) const {
  const Rect& w = part.dataWindow;
  const int width = part.tiled ? part.tileWidth : w.width;
  std::vector<Chunk> chunks;
  if (first == last) return chunks;
  for (int row = (first - w.y) / rowsPerChunk; w.y + row * rowsPerChunk < last; ++row)
    for (int x = 0; x < w.width; x += std::min(width, w.width - x))
      chunks.push_back({intersect(w, {w.x + x, w.y + row * rowsPerChunk,
                                      std::min(width, w.width - x), rowsPerChunk}),
                        {},
                        0});
  return chunks;
}

std::string DeepExrReader::State::rowOf(const Rect& rect, int y) const {
  return part.tiled ? fmt::format("tile at {},{} row {}", rect.x, rect.y, y)
                    : fmt::format("row {}", y);
}

/// Tiles at the edge are stored as if they were whole.
std::uint64_t DeepExrReader::State::wholePixels(const Rect& rect) const {
  return std::uint64_t(part.tiled ? part.tileWidth : rect.width) * std::uint64_t(rowsPerChunk);
}

/// Where one chunk is. Its sizes are in proportion, so that room for what it unpacks to may be
/// made.
void DeepExrReader::State::find(Chunk& chunk) const {
  const Rect& rect = chunk.rect;
  chunk.info = part.tiled
                   ? source.tileChunk(part.index, (rect.x - part.dataWindow.x) / part.tileWidth,
                                      (rect.y - part.dataWindow.y) / part.tileHeight)
                   : source.scanlineChunk(part.index, rect.y);
  const std::uint64_t tableBytes = wholePixels(rect) * sizeof(std::int32_t),
                      stored = chunk.info.sample_count_table_size;
  constexpr std::uint64_t kPackedRoom = 64;  // may be longer than what it stands for, not much
  if (stored > (method == Method::Packed ? 2 * tableBytes + kPackedRoom : tableBytes) ||
      std::uint64_t(rect.area()) > mostPixels(method, stored))
    source.damaged(
        fmt::format("{}: a count table of {} bytes, packed", rowOf(rect, rect.y), tableBytes),
        std::to_string(stored));
  const std::uint64_t most = deep_codec::largestUnpacked(method, chunk.info.packed_size);
  if (chunk.info.unpacked_size > most)
    source.damaged(fmt::format("{}: at most {} bytes from {} packed ones", rowOf(rect, rect.y),
                               most, chunk.info.packed_size),
                   std::to_string(chunk.info.unpacked_size));
}

/// Reads the table of running totals of a chunk; `counts` covers `rows`, other rows are only
/// checked.
void DeepExrReader::State::readCounts(Chunk& chunk, const Rect& rows,
                                      std::vector<std::uint32_t>& counts) const {
  const Rect& rect = chunk.rect;
  const auto where = [&](int y) { return rowOf(rect, y); };
  thread_local std::vector<std::byte> packed;
  thread_local std::vector<std::int32_t> running;
  packed.resize(chunk.info.sample_count_table_size);
  running.resize(std::size_t(rect.area()));
  source.readDeepChunk(part.index, chunk.info, packed, {});
  if (method == Method::Packed
          ? !deep_pack::unpackCounts(packed, rect.width, running)
          : !deep_codec::unpack(method, packed, std::as_writable_bytes(std::span(running)),
                                wholePixels(rect) * sizeof(std::int32_t),
                                std::array{deep_codec::Run{sizeof(std::int32_t), running.size()}}))
    source.damaged(fmt::format("{}: a count table of {} pixels", where(rect.y), rect.area()),
                   "a damaged one");

  std::uint64_t total = 0;
  for (int y = rect.y; y < rect.bottom(); ++y) {
    const std::int32_t* line = running.data() + std::size_t(y - rect.y) * std::size_t(rect.width);
    const bool wanted = y >= rows.y && y < rows.bottom();
    std::uint32_t* out = wanted
                             ? counts.data() + std::size_t(y - rows.y) * std::size_t(rows.width) +
                                   std::size_t(rect.x - rows.x)
                             : nullptr;
    std::int32_t before = 0;
    for (int x = 0; x < rect.width; ++x) {
      if (line[x] < before)
        source.damaged(fmt::format("{}: ascending sample counts", where(y)),
                       fmt::format("{} after {}", line[x], before));
      if (out) out[x] = std::uint32_t(line[x] - before);
      before = line[x];
    }
    total += std::uint64_t(before);
    if (y < rows.y) chunk.skipped = total;
  }
  if (method == Method::Packed || method == Method::Zstd) chunk.running = running;
  if (total * bytesPerFragment != chunk.info.unpacked_size)
    source.damaged(
        fmt::format("{}: {} bytes for {} samples", where(rect.y), total * bytesPerFragment, total),
        std::to_string(chunk.info.unpacked_size));
}

std::vector<std::uint32_t> DeepExrReader::State::readCounts(std::vector<Chunk>& chunks,
                                                            const Rect& rows) const {
  const std::size_t grain = evenGrain(chunks.size(), deep_codec::kMaxChunksPerJob);
  parallelForEach(chunks.size(), grain, [&](std::size_t i) { find(chunks[i]); });
  std::vector<std::uint32_t> counts(std::size_t(rows.area()));
  parallelForEach(chunks.size(), grain, [&](std::size_t i) {
    throwIfCancelled();
    readCounts(chunks[i], rows, counts);
  });
  return counts;
}

std::uint64_t DeepExrReader::State::memoryFor(std::uint64_t fragments, std::uint64_t pixels) const {
  const std::uint64_t perFragment =
      std::uint64_t(wordsPerFragment(format)) * sizeof(std::uint32_t) +
      (format == FragmentFormat::Indexed ? bytesPerFragment : 0);
  return fragments * perFragment + (pixels + 1) * (sizeof(std::size_t) + sizeof(std::uint32_t));
}

void DeepExrReader::State::checkBudget(std::uint64_t fragments, std::uint64_t pixels) const {
  const std::uint64_t need = memoryFor(fragments, pixels);
  if (need > options.memoryBudget)
    source.damaged(fmt::format("a deep image of at most {}", inGiB(options.memoryBudget)),
                   fmt::format("{} samples that need {}", fragments, inGiB(need)));
  if (format == FragmentFormat::Indexed && fragments > UINT32_MAX)
    source.damaged(fmt::format("at most {} samples with extra channels", UINT32_MAX),
                   std::to_string(fragments));
}

/// Unpacks one chunk and puts its rows where fragmentOffsets says.
void DeepExrReader::State::readFragments(const Chunk& chunk, DeepImage& image,
                                         DeepRepairs& repairs) const {
  if (chunk.info.unpacked_size == 0) return;
  thread_local std::vector<std::byte> packed, raw;
  packed.resize(chunk.info.packed_size);
  raw.resize(chunk.info.unpacked_size);
  source.readDeepChunk(part.index, chunk.info, {}, packed);
  if (method == Method::Packed
          ? !deep_pack::unpackPlanes(channels, {chunk.rect.width, chunk.rect.height, chunk.running},
                                     packed, raw)
          : !deep_codec::unpack(method, packed, raw, 0,
                                deep_planes::runsOf(planes, chunk.running, chunk.rect.width)))
    source.damaged(fmt::format("row {}: {} bytes of samples", chunk.rect.y, raw.size()),
                   fmt::format("{} damaged bytes", packed.size()));

  std::span<std::byte> rest = std::span(raw).subspan(chunk.skipped * bytesPerFragment);
  const Rect rect = intersect(chunk.rect, image.dataWindow);
  for (int y = rect.y; y < rect.bottom(); ++y) {
    const std::size_t* offsets = image.fragmentOffsets.data() + image.pixelIndex(rect.x, y);
    const std::size_t count = offsets[rect.width] - offsets[0];
    const std::span<std::byte> row = rest.first(count * bytesPerFragment);
    if (!options.asStored)
      deep_planes::sanitize(planes, row, count, options.keepBadValues, repairs);
    deep_planes::placeRow(planes, row, rect.x, y, rect.width, !options.asStored, image, repairs);
    rest = rest.subspan(row.size());
  }
}

DeepImage DeepExrReader::State::emptyImage() const {
  DeepImage image;
  image.dataWindow = part.dataWindow;
  image.displayWindow = part.displayWindow;
  image.pixelAspect = part.pixelAspect;
  image.format = format;
  image.hasZBack = part.has("ZBack");
  image.tidy = part.state == "tidy";
  image.channels = channels;
  image.attributes = part.attributes;
  return image;
}

DeepImage DeepExrReader::State::readRows(int first, int last) {
  const Rect& window = part.dataWindow;
  FATHOM_CHECK(first >= window.y && first <= last && last <= window.bottom());
  DeepImage image = emptyImage();
  image.dataWindow = {window.x, first, window.width, last - first};
  checkBudget(0, image.pixelCount());
  // What claims much with few bytes has to show it first, some rows at a time.
  constexpr std::uint64_t kMuch = 1 << 10;
  if (memoryFor(0, image.pixelCount()) / kMuch > source.fileBytes()) countAll();
  std::vector<Chunk> chunks = chunksOf(first, last);
  {
    const std::vector<std::uint32_t> counts = readCounts(chunks, image.dataWindow);
    image.fragmentOffsets.resize(image.pixelCount() + 1);
    std::size_t sum = 0;
    for (std::size_t p = 0; p < counts.size(); ++p) image.fragmentOffsets[p + 1] = sum += counts[p];
  }
  checkBudget(image.fragmentCount(), image.pixelCount());
  image.words.resize(image.fragmentCount() * kWideWords);
  if (format == FragmentFormat::Indexed)
    for (DeepChannel& channel : image.channels)
      channel.values.resize(image.fragmentCount() * bytesPerValue(channel.type));

  std::mutex repairsMutex;
  parallelFor(chunks.size(), evenGrain(chunks.size(), deep_codec::kMaxChunksPerJob),
              [&](std::size_t from, std::size_t to) {
                DeepRepairs repairs;
                double pixels = 0;
                for (std::size_t i = from; i < to; ++i) {
                  throwIfCancelled();
                  readFragments(chunks[i], image, repairs);
                  pixels += double(intersect(chunks[i].rect, image.dataWindow).area());
                }
                if (progress()) progress()->advance(pixels / window.width);
                const std::lock_guard lock(repairsMutex);
                image.repairs.add(repairs);
              });
  // Where lists were sorted, the values follow, so that index words count 0, 1, 2, ...
  if (format == FragmentFormat::Indexed && image.repairs.unsortedPixels > 0)
    gather(std::span(&image, 1), image);
  sortChannels(image);
  return image;
}

/// Count tables, a few hundred rows at a time; keeps sums only.
std::vector<std::uint64_t> DeepExrReader::State::countRows(const Rect& within,
                                                           DeepTotals& sums) const {
  const Rect& window = part.dataWindow;
  const std::int64_t pixelsAtOnce = std::int64_t(1) << 24;
  const int step = int(std::clamp<std::int64_t>(pixelsAtOnce / window.width / rowsPerChunk, 1,
                                                (window.height - 1) / rowsPerChunk + 1)) *
                   rowsPerChunk;
  std::vector<std::uint64_t> rows;
  for (int y = within.y; y < within.bottom(); y += std::min(step, within.bottom() - y)) {
    const Rect band{window.x, y, window.width, std::min(step, within.bottom() - y)};
    std::vector<Chunk> chunks = chunksOf(band.y, band.bottom());
    const std::vector<std::uint32_t> counts = readCounts(chunks, band);
    for (std::size_t p = 0; p < counts.size(); p += std::size_t(window.width)) {
      const auto row = std::span(counts).subspan(p + std::size_t(within.x - window.x),
                                                 std::size_t(within.width));
      rows.push_back(std::accumulate(row.begin(), row.end(), std::uint64_t(0)));
      sums.emptyPixels += std::size_t(std::ranges::count(row, 0u));
      for (const std::uint32_t count : row) sums.maxPerPixel = std::max(sums.maxPerPixel, count);
    }
  }
  for (const std::uint64_t count : rows) sums.fragmentCount += count;
  return rows;
}

void DeepExrReader::State::countAll() {
  if (totals) return;
  const Rect& window = part.dataWindow;
  DeepTotals sums;
  rowCounts = countRows(window, sums);
  sums.memoryBytes = memoryFor(sums.fragmentCount, std::uint64_t(window.area()));
  totals = sums;
}

DeepExrReader::DeepExrReader(const fs::path& file, const DeepReadOptions& options)
    : state_(std::make_unique<State>(file, options)) {}
DeepExrReader::~DeepExrReader() = default;
DeepExrReader::DeepExrReader(DeepExrReader&&) noexcept = default;

const ExrPartInfo& DeepExrReader::part() const { return state_->part; }
int DeepExrReader::rowStep() const { return state_->rowsPerChunk; }
DeepImage DeepExrReader::emptyImage() const {
  DeepImage image = state_->emptyImage();
  sortChannels(image);
  return image;
}
const std::vector<std::uint64_t>& DeepExrReader::rowCounts() {
  state_->countAll();
  return state_->rowCounts;
}
std::vector<std::uint64_t> DeepExrReader::rowCounts(const Rect& within) {
  DeepTotals none;
  return state_->countRows(within, none);
}
const DeepTotals& DeepExrReader::totals() {
  state_->countAll();
  return *state_->totals;
}
DeepImage DeepExrReader::readRows(int first, int last) { return state_->readRows(first, last); }

DeepImage readDeepExr(const fs::path& file, const DeepReadOptions& options) {
  DeepExrReader reader(file, options);
  if (options.progress)
    options.progress->begin("read " + file.filename().string(), reader.part().dataWindow.height);
  return reader.readAll();
}

std::vector<ExrPartInfo> exrParts(const fs::path& file) { return ExrSource(file).parts(); }

ExrFileInfo describeExr(const fs::path& file, Progress* progress) {
  ExrFileInfo info;
  {
    const ExrSource source(file);
    info = {file, source.fileBytes(), source.parts(), {}};
  }
  for (const ExrPartInfo& part : info.parts) {
    std::optional<DeepTotals>& totals = info.totals.emplace_back();
    if (!part.deep || !part.has("Z") || !methodNamed(part.compression)) continue;
    const DeepReadOptions options{.part = std::to_string(part.index), .progress = progress};
    totals = DeepExrReader(file, options).totals();
  }
  return info;
}

}  // namespace fathom
