// SPDX-License-Identifier: BSD-3-Clause
// Writing deep EXR: headers with every attribute of the image, in its bytes; chunks (rows or tiles)
// gathered and packed on all cores and stored in order; at last the table of their places. Headers
// are put together here because the OpenEXR library passes on no attribute of a type it knows
// without understanding it; it is the judge in the tests.
#include "app/engine/core/bytes.h"
#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/exr/deep_codec.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/exr/exr_attributes.h"

namespace fathom {
namespace {

using deep_codec::Method;
using deep_planes::NotFiniteHalves, deep_planes::Role;

constexpr std::uint32_t kExrVersion = 2;
constexpr std::uint32_t kFlagLongNames = 0x400, kFlagDeep = 0x800, kFlagParts = 0x1000;
constexpr std::size_t kShortNameBytes = 31;

DeepCompression compressionFor(const DeepImage& like, const DeepWriteOptions& options) {
  if (options.compression) return *options.compression;
  const std::optional<unsigned> own = byteNamed(like.attributes.get(), "compression");
  for (const auto& [name, compression] : kDeepCompressions)
    if (own == unsigned(compression)) return compression;
  return DeepCompression::Zips;
}

/// The channels that the file gets, in alphabetical order, without values.
std::vector<DeepChannel> fileChannels(const DeepImage& like) {
  std::vector<DeepChannel> channels;
  for (const DeepChannel& channel : like.channels)
    channels.push_back({channel.name, channel.type, {}});
  if (like.format == FragmentFormat::Rgba8) channels = halfRgbaAndZ();
  FATHOM_CHECK(std::ranges::is_sorted(
      channels, [](const DeepChannel& a, const DeepChannel& b) { return a.name < b.name; }));
  return channels;
}

std::vector<std::byte> boxBytes(const Rect& r) {
  return ByteWriter().put(r.x, r.y, r.right() - 1, r.bottom() - 1).bytes();
}

std::vector<std::byte> channelBytes(const std::vector<DeepChannel>& channels) {
  ByteWriter list;
  for (const DeepChannel& channel : channels)  // not perceptually linear, every pixel
    list.text(channel.name).put(std::int32_t(channel.type), std::int32_t(0), 1, 1);
  return list.put(std::uint8_t(0)).bytes();
}

/// One packed chunk, waiting for its turn.
struct PackedChunk {
  std::vector<std::byte> table, data;
  std::uint64_t unpackedBytes = 0;
};

/// One part of the file: how its rows are cut and stored, and where its chunks have got to.
struct DeepPart {
  DeepPart(const DeepImage& like, const DeepWriteOptions& options, bool packed);

  Rect chunkAt(std::size_t index) const;
  std::size_t chunkCount() const { return std::size_t(columns) * std::size_t(rows); }
  std::map<std::string, Attribute> header(const DeepImage& like, bool ofSeveral) const;
  /// In an EXR file.
  std::size_t exrChunks() const {
    return std::size_t((window.width - 1) / tile.x + 1) *
           std::size_t((window.height - 1) / tile.y + 1);
  }

  Rect window;
  std::vector<DeepChannel> channels;
  std::vector<deep_planes::Plane> planes;
  std::size_t bytesPerFragment = 0;
  DeepCompression compression;
  int level;
  bool tiled, packed, asStored, bottomUp = false;
  glm::ivec2 tile;  // or a row, of an EXR file
  int chunkWidth, chunkHeight, columns, rows;
  int nextRow = 0;                    // image coordinates
  std::uint64_t tableAt = 0;          // of the places, in the file
  std::vector<std::uint64_t> places;  // of chunks; 0: not written yet
};

/// Of the header that the image came from; nothing where it has no tiles.
std::optional<glm::ivec2> tileOf(const DeepImage& like) {
  const Attribute* a = like.attributes ? findAttribute(*like.attributes, "tiles") : nullptr;
  if (!a || a->value.size() != 9) return std::nullopt;
  const glm::ivec2 size(load<std::int32_t>(a->value.data()),
                        load<std::int32_t>(a->value.data() + 4));
  return size.x > 0 && size.y > 0 ? std::optional(size) : std::nullopt;
}

DeepPart::DeepPart(const DeepImage& like, const DeepWriteOptions& options, bool isPacked)
    : window(like.dataWindow),
      compression(compressionFor(like, options)),
      level(options.level),
      tiled(options.asStored ? tileOf(like).has_value() : options.tiled),
      packed(isPacked),
      asStored(options.asStored) {
  // EXR has no empty windows: an empty image becomes one pixel without fragments.
  if (window.empty()) window = {like.displayWindow.x, like.displayWindow.y, 1, 1};
  channels = fileChannels(like);
  planes = deep_planes::planesOf(channels);
  bytesPerFragment = deep_planes::fragmentBytes(planes);
  bottomUp = !tiled && byteNamed(like.attributes.get(), "lineOrder") == 1u;
  tile = !tiled             ? glm::ivec2(window.width, 1)
         : options.asStored ? *tileOf(like)
                            : glm::ivec2(options.tileSize);
  chunkWidth = packed ? window.width : tile.x;
  chunkHeight = packed ? deep_pack::kBlockRows : tile.y;
  columns = (window.width - 1) / chunkWidth + 1;
  rows = (window.height - 1) / chunkHeight + 1;
  nextRow = window.y;
  places.resize(chunkCount());
}

Rect DeepPart::chunkAt(std::size_t index) const {
  const int column = int(index % std::size_t(columns)), row = int(index / std::size_t(columns));
  return intersect(window, {window.x + column * chunkWidth, window.y + row * chunkHeight,
                            chunkWidth, chunkHeight});
}

/// By name, as OpenEXR orders them: those of the image, and those that say how it is stored.
std::map<std::string, Attribute> DeepPart::header(const DeepImage& like, bool ofSeveral) const {
  std::map<std::string, Attribute> all;
  const auto set = [&](const std::string& name, const std::string& type,
                       std::vector<std::byte> value) {
    all[name] = {name, type, std::move(value)};
  };
  set("screenWindowCenter", "v2f", ByteWriter().put(0.0f, 0.0f).bytes());
  set("screenWindowWidth", "float", ByteWriter().put(1.0f).bytes());
  if (like.attributes)
    for (const Attribute& attribute : *like.attributes)
      if (asStored || !describesStorage(attribute.name)) all[attribute.name] = attribute;
  const std::uint8_t state = !like.sorted ? 0 : like.tidy ? 3 : 1;  // MESSY, TIDY or SORTED
  set("chunkCount", "int", ByteWriter().put(std::int32_t(exrChunks())).bytes());
  set("compression", "compression", ByteWriter().put(std::uint8_t(compression)).bytes());
  if (asStored) return all;
  set("channels", "chlist", channelBytes(channels));
  set("dataWindow", "box2i", boxBytes(window));
  set("deepImageState", "deepImageState", ByteWriter().put(state).bytes());
  set("displayWindow", "box2i", boxBytes(like.displayWindow.empty() ? window : like.displayWindow));
  set("lineOrder", "lineOrder", ByteWriter().put(std::uint8_t(bottomUp)).bytes());
  set("pixelAspectRatio", "float", ByteWriter().put(like.pixelAspect).bytes());
  const std::string type = tiled ? "deeptile" : "deepscanline";
  all["type"] = attributeOf("type", type);
  set("version", "int", ByteWriter().put(std::int32_t(1)).bytes());
  if (tiled)  // one level
    set("tiles", "tiledesc", ByteWriter().put(tile.x, tile.y, std::uint8_t(0)).bytes());
  if (ofSeveral && !all.contains("name")) all["name"] = attributeOf("name", std::string("deep"));
  return all;
}

/// Gathers the planes and running totals of one rectangle and packs both.
PackedChunk packChunk(const fs::path& file, const DeepPart& part, const DeepImage& band,
                      const Rect& rect, NotFiniteHalves& notFinite) {
  thread_local std::vector<std::byte> raw;
  thread_local std::vector<std::int32_t> running;
  running.resize(std::size_t(rect.area()));
  std::size_t fragments = 0;
  const auto offsetsOf = [&](int y) {
    return band.fragmentOffsets.data() + band.pixelIndex(rect.x, y);
  };
  for (int y = rect.y; y < rect.bottom(); ++y)
    fragments += offsetsOf(y)[rect.width] - offsetsOf(y)[0];
  if (fragments * part.bytesPerFragment > std::size_t(INT32_MAX))
    fail("{}: expected at most {} bytes in row {}, found {}", file.string(), INT32_MAX, rect.y,
         fragments * part.bytesPerFragment);

  raw.resize(fragments * part.bytesPerFragment);
  std::span<std::byte> rest(raw);
  std::int32_t* total = running.data();
  for (int y = rect.y; y < rect.bottom(); ++y) {
    const std::size_t* offsets = offsetsOf(y);
    for (int x = 0; x < rect.width; ++x) *total++ = std::int32_t(offsets[x + 1] - offsets[0]);
    const std::size_t count = offsets[rect.width] - offsets[0];
    const std::span<std::byte> row = rest.first(count * part.bytesPerFragment);
    deep_planes::unpackWords(
        part.planes, band, band.words.data() + offsets[0] * std::size_t(band.stride()), count, row);
    for (const deep_planes::Plane& plane : part.planes) {
      const std::span<std::byte> values = rest.first(count * bytesPerValue(plane.type));
      if (plane.type == ChannelType::Half && plane.role != Role::Depth &&
          plane.role != Role::BackDepth)
        notFinite.count(part.channels[plane.channel].name, values);
      rest = rest.subspan(values.size());
    }
  }
  PackedChunk chunk;
  chunk.unpackedBytes = raw.size();
  if (part.packed) {
    const deep_pack::BlockCounts counts{rect.width, rect.height, running};
    chunk.table = deep_pack::packCounts(counts);
    chunk.data = deep_pack::packPlanes(part.channels, counts, raw);
    return chunk;
  }
  const std::size_t wholeTable =
      std::size_t(part.chunkWidth) * std::size_t(part.chunkHeight) * sizeof(std::int32_t);
  const Method method = Method(part.compression);
  chunk.table = deep_codec::pack(method, part.level, std::as_bytes(std::span(running)), wholeTable,
                                 std::array{deep_codec::Run{sizeof(std::int32_t), running.size()}});
  chunk.data = deep_codec::pack(method, part.level, raw, 0,
                                deep_planes::runsOf(part.planes, running, rect.width));
  return chunk;
}

/// Chunks before the row of a part's window.
std::size_t chunksAbove(const DeepPart& part, int y) {
  return std::size_t((y - part.window.y + part.chunkHeight - 1) / part.chunkHeight) *
         std::size_t(part.columns);
}

/// Whole chunks of full width.
bool fitsChunks(const DeepPart& part, const Rect& rows) {
  return rows.x == part.window.x && rows.width == part.window.width && rows.height > 0 &&
         (rows.y - part.window.y) % part.chunkHeight == 0 &&
         (rows.height % part.chunkHeight == 0 || rows.bottom() == part.window.bottom());
}

}  // namespace

struct DeepExrWriter::State {
  AtomicFile file;
  DeepWriteOptions options;
  std::vector<DeepPart> parts;
  std::uint64_t end = 0;  // of what was written
  NotFiniteHalves notFinite;

  State(const fs::path& target, std::span<const DeepImage> images,
        const DeepWriteOptions& writeOptions);

  void append(std::span<const std::byte> bytes) {
    file.writeAt(end, bytes);
    end += bytes.size();
  }
  void writeHeaders(std::span<const DeepImage> images);
  void writeTables(AtomicFile& out) const;
  void store(int part, std::size_t index, std::span<const std::byte> table,
             std::span<const std::byte> data, std::uint64_t unpackedBytes);
  void finishBottomUp();
};

DeepExrWriter::State::State(const fs::path& target, std::span<const DeepImage> images,
                            const DeepWriteOptions& writeOptions)
    : file(target), options(writeOptions) {
  FATHOM_CHECK(!images.empty());
  for (const DeepImage& image : images) parts.emplace_back(image, options, isPackedName(target));
  writeHeaders(images);
}

void DeepExrWriter::State::writeHeaders(std::span<const DeepImage> images) {
  const bool several = parts.size() > 1;
  ByteWriter headers;
  std::size_t longest = 0;
  std::set<std::string> names;
  const auto first = parts[0].header(images[0], several);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    auto header = parts[i].header(images[i], several);
    // OpenEXR wants these to be the same in all parts of a file.
    for (const char* shared : {"displayWindow", "pixelAspectRatio", "timeCode", "chromaticities"}) {
      header.erase(shared);
      if (first.contains(shared)) header.emplace(shared, first.at(shared));
    }
    for (const auto& [name, attribute] : header) {
      longest = std::max({longest, name.size(), attribute.type.size()});
      headers.text(name).text(attribute.type);
      headers.put(std::int32_t(attribute.value.size())).append(attribute.value);
    }
    for (const DeepChannel& channel : parts[i].channels)
      longest = std::max(longest, channel.name.size());
    headers.put(std::uint8_t(0));
    if (several)
      FATHOM_CHECK(names.insert(textNamed({header.at("name")}, "name").value_or("")).second);
  }
  if (several) headers.put(std::uint8_t(0));
  append(ByteWriter()
             .append(std::as_bytes(std::span(parts[0].packed ? kPackedMagic : kExrMagic)))
             .put(kExrVersion | kFlagDeep | (several ? kFlagParts : 0) |
                  (longest > kShortNameBytes ? kFlagLongNames : 0))
             .append(headers.bytes())
             .bytes());
  for (DeepPart& part : parts) {
    part.tableAt = end;
    append(std::as_bytes(std::span(part.places)));  // filled in at the end
  }
}

void DeepExrWriter::State::writeTables(AtomicFile& out) const {
  for (const DeepPart& part : parts)
    out.writeAt(part.tableAt, std::as_bytes(std::span(part.places)));
}

void DeepExrWriter::State::store(int number, std::size_t index, std::span<const std::byte> table,
                                 std::span<const std::byte> data, std::uint64_t unpackedBytes) {
  DeepPart& part = parts[std::size_t(number)];
  const Rect rect = part.chunkAt(index);
  ByteWriter leader;
  if (parts.size() > 1) leader.put(std::int32_t(number));
  if (part.tiled && !part.packed)
    leader.put(std::int32_t(index % std::size_t(part.columns)),
               std::int32_t(index / std::size_t(part.columns)), 0, 0);
  else
    leader.put(rect.y);
  leader.put(std::uint64_t(table.size()), std::uint64_t(data.size()), unpackedBytes);
  part.places[index] = end;
  append(leader.bytes());
  append(table);
  append(data);
}

void DeepExrWriter::writeRows(const DeepImage& band, int number) {
  DeepPart& part = state_->parts[std::size_t(number)];
  const Rect rows = band.dataWindow;
  FATHOM_CHECK_OP(rows.x, ==, part.window.x);
  FATHOM_CHECK_OP(rows.width, ==, part.window.width);
  FATHOM_CHECK_OP(rows.y, ==, part.nextRow);
  FATHOM_CHECK(rows.height % part.chunkHeight == 0 || rows.bottom() == part.window.bottom());
  const std::size_t before = chunksAbove(part, rows.y),
                    count = chunksAbove(part, rows.bottom()) - before;

  // Workers take chunks in order; whoever finishes the next one due writes it and all that wait.
  std::mutex mutex;
  std::map<std::size_t, PackedChunk> waiting;
  std::size_t due = before;
  parallelForEach(count, evenGrain(count, deep_codec::kMaxChunksPerJob), [&](std::size_t i) {
    const Rect rect = part.chunkAt(before + i);
    if (state_->options.progress)
      state_->options.progress->advance(double(rect.area()) / double(part.window.width));
    else if (Progress::interrupted())
      throw Cancelled();
    PackedChunk chunk = packChunk(state_->file.target(), part, band, rect, state_->notFinite);
    const std::lock_guard lock(mutex);
    waiting.emplace(before + i, std::move(chunk));
    for (auto next = waiting.begin(); next != waiting.end() && next->first == due; ++due) {
      state_->store(number, due, next->second.table, next->second.data, next->second.unpackedBytes);
      next = waiting.erase(next);
    }
  });
  part.nextRow = rows.bottom();
}

/// int32 first row and end, then of each chunk three lengths (table, data, data unpacked) and
/// bytes.
void DeepExrWriter::storeRows(std::span<const std::byte> packed, int number) {
  DeepPart& part = state_->parts[std::size_t(number)];
  const auto take = [&](std::uint64_t bytes) {
    if (bytes > packed.size())
      fail("{}: expected packed rows, found their end too soon", state_->file.target().string());
    const std::span<const std::byte> front = packed.first(bytes);
    packed = packed.subspan(bytes);
    return front;
  };
  const std::int32_t first = load<std::int32_t>(take(4).data()),
                     last = load<std::int32_t>(take(4).data());
  if (first != part.nextRow || last <= first || last > part.window.bottom() ||
      !fitsChunks(part, {part.window.x, first, part.window.width, last - first}))
    fail("{}: expected packed rows from {} on, found rows {} to {}", state_->file.target().string(),
         part.nextRow, first, last);
  for (std::size_t i = chunksAbove(part, first); i < chunksAbove(part, last); ++i) {
    const auto tableBytes = load<std::uint64_t>(take(8).data()),
               dataBytes = load<std::uint64_t>(take(8).data());
    const auto unpackedBytes = load<std::uint64_t>(take(8).data());
    const auto table = take(tableBytes), data = take(dataBytes);
    state_->store(number, i, table, data, unpackedBytes);
  }
  if (!packed.empty())
    fail("{}: expected the end of packed rows, found more", state_->file.target().string());
  part.nextRow = last;
}

void DeepExrWriter::finish() {
  for (const DeepPart& part : state_->parts)
    FATHOM_CHECK_OP(part.nextRow, ==, part.window.bottom());
  const bool bottomUp = std::ranges::any_of(
      state_->parts, [](const DeepPart& part) { return part.bottomUp && !part.packed; });
  state_->notFinite.warn(state_->file.target());
  if (bottomUp && state_->file.place() != state_->file.target()) return state_->finishBottomUp();
  state_->writeTables(state_->file);
  state_->file.commit();
}

/// Chunks in the order that the header names: a second file, because what lies behind a row is
/// known only once it is packed.
void DeepExrWriter::State::finishBottomUp() {
  AtomicFile ordered(file.target());
  std::ifstream in(file.place(), std::ios::binary);
  std::vector<std::byte> bytes;
  std::uint64_t to = 0;
  const auto copy = [&](std::uint64_t from, std::uint64_t size) {
    bytes.resize(size);
    in.seekg(std::streamoff(from));
    in.read(reinterpret_cast<char*>(bytes.data()), std::streamsize(size));
    if (!in) fail("{}: expected to read what was written, found an end", file.target().string());
    ordered.writeAt(to, bytes);
    to += size;
  };
  std::vector<std::uint64_t> ends{end};
  for (const DeepPart& part : parts)
    ends.insert(ends.end(), part.places.begin(), part.places.end());
  std::ranges::sort(ends);
  copy(0, ends.front());
  for (DeepPart& part : parts)
    for (std::size_t i = 0; i < part.places.size(); ++i) {
      std::uint64_t& place = part.places[part.bottomUp ? part.places.size() - 1 - i : i];
      const std::uint64_t from = std::exchange(place, to);
      copy(from, *std::upper_bound(ends.begin(), ends.end(), from) - from);
    }
  writeTables(ordered);
  ordered.commit();
}

DeepExrWriter::DeepExrWriter(const fs::path& file, std::span<const DeepImage> parts,
                             const DeepWriteOptions& options)
    : state_(std::make_unique<State>(file, parts, options)) {}
DeepExrWriter::~DeepExrWriter() = default;
DeepExrWriter::DeepExrWriter(DeepExrWriter&&) noexcept = default;

int DeepExrWriter::rowStep() const { return state_->parts[0].chunkHeight; }

struct DeepExrPacker::State {
  fs::path file;
  DeepPart part;
};

DeepExrPacker::DeepExrPacker(const fs::path& file, const DeepImage& like,
                             const DeepWriteOptions& options)
    : state_(std::make_unique<State>(State{file, DeepPart(like, options, isPackedName(file))})) {}
DeepExrPacker::~DeepExrPacker() = default;
DeepExrPacker::DeepExrPacker(DeepExrPacker&&) noexcept = default;

bool DeepExrPacker::fits(const Rect& rows) const { return fitsChunks(state_->part, rows); }

std::vector<std::byte> DeepExrPacker::pack(const DeepImage& band) const {
  const DeepPart& part = state_->part;
  const Rect& rows = band.dataWindow;
  FATHOM_CHECK(fits(rows));
  const std::size_t before = chunksAbove(part, rows.y),
                    count = chunksAbove(part, rows.bottom()) - before;
  std::vector<PackedChunk> chunks(count);
  NotFiniteHalves unsaid;
  parallelForEach(count, evenGrain(count, deep_codec::kMaxChunksPerJob), [&](std::size_t i) {
    chunks[i] = packChunk(state_->file, part, band, part.chunkAt(before + i), unsaid);
  });
  ByteWriter all;
  all.put(std::int32_t(rows.y), std::int32_t(rows.bottom()));
  for (PackedChunk& chunk : chunks) {
    all.put(std::uint64_t(chunk.table.size()), std::uint64_t(chunk.data.size()),
            chunk.unpackedBytes);
    all.append(chunk.table).append(chunk.data);
    chunk = {};
  }
  return std::move(all).bytes();
}

DeepCompression deepCompressionNamed(const std::string& name, const std::string& what) {
  for (const auto& [each, compression] : kDeepCompressions)
    if (name == each) return compression;
  failUsage("{}: expected none, rle, zips or zstd, found \"{}\"", what, name);
}

void writeDeepExr(const fs::path& file, const DeepImage& image, const DeepWriteOptions& options) {
  DeepExrWriter writer(file, image, options);
  if (options.progress)
    options.progress->begin("write " + file.filename().string(), image.dataWindow.height);
  if (image.dataWindow.empty()) {
    DeepImage pixel = image;
    pixel.dataWindow = {image.displayWindow.x, image.displayWindow.y, 1, 1};
    pixel.fragmentOffsets = {0, 0};
    writer.writeRows(pixel);
  } else {
    writer.writeRows(image);
  }
  writer.finish();
}

}  // namespace fathom
