// SPDX-License-Identifier: BSD-3-Clause
// OpenEXRCore reports failures through a callback on the thread that called; the first message is
// kept and becomes the Error.
#include "app/engine/io/exr/exr_source.h"

#include "app/engine/core/error.h"
#include "app/engine/core/text.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/exr/deep_codec.h"
#include "app/engine/io/exr/exr_attributes.h"
#include "app/engine/io/flat_formats.h"

namespace fathom {
namespace {

constexpr unsigned kDeepFlag = 0x8;  // of the version's second byte

/// What the library said last on this thread: it hands messages to a callback, not to the caller.
std::string& lastMessage() {
  thread_local std::string message;
  return message;
}

void keepMessage(exr_const_context_t, exr_result_t, const char* message) {
  // The first complaint is the cause; later ones only say that its caller failed too.
  if (lastMessage().empty() && message) lastMessage() = message;
}

const char* nameOf(exr_storage_t storage) {
  constexpr const char* names[] = {"scanlineimage", "tiledimage", "deepscanline", "deeptile"};
  return unsigned(storage) < std::size(names) ? names[storage] : "unknown";
}

const char* nameOf(exr_compression_t compression) {
  constexpr const char* names[] = {"none",  "rle", "zips", "zip",  "piz",
                                   "pxr24", "b44", "b44a", "dwaa", "dwab"};
  return unsigned(compression) < std::size(names) ? names[compression] : "unknown";
}

const char* stateName(unsigned char state) {
  constexpr const char* names[] = {"messy", "sorted", "non-overlapping", "tidy"};
  return state < std::size(names) ? names[state] : "";
}

/// The width or height of an inclusive EXR range; -1 when it does not fit an int.
int extent(std::int32_t low, std::int32_t high) {
  const std::int64_t size = std::int64_t(high) - low + 1;
  return size > 0 && size <= INT32_MAX ? int(size) : -1;
}

constexpr std::size_t kStartBytes = 8;  // magic, and version with flags

bool startsAsExr(const std::string& start) {
  return start.size() == kStartBytes &&
         (start.starts_with(kExrMagic) || start.starts_with(kPackedMagic));
}

}  // namespace

bool ExrPartInfo::has(std::string_view channel) const {
  return std::ranges::any_of(channels, [&](const Channel& c) { return c.name == channel; });
}

std::string ExrPartInfo::channelNames() const {
  return printable(joined(channels, ", ", &Channel::name));
}

std::pair<std::string, std::string> splitPart(const std::string& input, char separator) {
  std::error_code ignored;
  const std::size_t mark = input.rfind(separator);
  const bool ofFrames = input.find('.', mark) == mark + 1;  // shot.####.exr
  if (mark == std::string::npos || mark == 0 || ofFrames || fs::exists(input, ignored))
    return {input, ""};
  return {input.substr(0, mark), input.substr(mark + 1)};
}

bool isInput(const std::string& file, const std::vector<std::string>& inputs) {
  std::error_code ignored;
  return std::ranges::any_of(inputs, [&](const std::string& input) {
    return fs::equivalent(splitPart(input).first, file, ignored);
  });
}

bool looksLikeExr(const fs::path& file) { return startsAsExr(startOf(file, kStartBytes)); }

bool looksLikeDeepExr(const fs::path& file) {
  const std::string start = startOf(file, kStartBytes);
  return startsAsExr(start) && (start[5] & kDeepFlag) != 0;
}

/// A file that the library would refuse, as if it were one that it reads.
struct ExrSource::Disguise {
  mutable std::mutex mutex;
  mutable std::ifstream in;
  std::map<std::uint64_t, char> bytes = {};             // by place: what the library sees there
  std::vector<std::vector<std::uint64_t>> places = {};  // of a packed file: of chunks, by part

  /// For OpenEXR. Returns how many bytes there were.
  static std::int64_t read(exr_const_context_t, void* self, void* to, std::uint64_t size,
                           std::uint64_t from, exr_stream_error_func_ptr_t) {
    const auto& file = *static_cast<const Disguise*>(self);
    const std::lock_guard lock(file.mutex);
    file.in.clear();
    file.in.seekg(std::streamoff(from));
    file.in.read(static_cast<char*>(to), std::streamsize(size));
    const auto count = std::uint64_t(file.in.gcount());
    for (auto at = file.bytes.lower_bound(from); at != file.bytes.end() && at->first - from < count;
         ++at)
      static_cast<char*>(to)[at->first - from] = at->second;
    return std::int64_t(count);
  }
};

ExrSource::ExrSource(const fs::path& file) : file_(file) {
  openFile(file);  // what cannot be read is refused
  const std::string start = startOf(file, kStartBytes);
  if (!startsAsExr(start)) damaged("an EXR file", otherFormat(file));
  std::error_code error;
  fileBytes_ = fs::file_size(file, error);
  isPacked_ = start.starts_with(kPackedMagic);
  std::uint64_t end = 0;
  std::vector<Attributes> headers;
  std::exception_ptr unreadable;  // the library says first what is wrong
  try {
    headers = readAttributes(file, &end);
  } catch (const Error&) {
    unreadable = std::current_exception();
  }

  exr_context_initializer_t setup = EXR_DEFAULT_CONTEXT_INITIALIZER;
  setup.error_handler_fn = keepMessage;
  setup.flags = EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION;
  disguise(end, (start[5] & kDeepFlag) != 0);
  if (disguise_) setup.user_data = disguise_.get(), setup.read_fn = Disguise::read;
  lastMessage().clear();
  const exr_result_t opened = exr_start_read(&context_, file.string().c_str(), &setup);
  if (opened != EXR_ERR_SUCCESS) nameNewCompression(file);
  check(opened, "an intact EXR header");
  try {
    int count = 0;
    check(exr_get_count(context_, &count), "a count of parts");
    for (int part = 0; part < count; ++part) parts_.push_back(describe(part));
    if (unreadable) std::rethrow_exception(unreadable);
    for (std::size_t part = 0; part < parts_.size() && part < headers.size(); ++part) {
      if (byteNamed(&headers[part], "compression") == unsigned(DeepCompression::Zstd))
        parts_[part].compression = "zstd";
      parts_[part].attributes = std::make_shared<const Attributes>(std::move(headers[part]));
    }
    if (isPacked_) openPacked(end);
  } catch (...) {
    exr_finish(&context_);
    throw;
  }
}

/// Packed files get EXR's magic number; zstd of deep parts, a row at a time, the number of zips.
void ExrSource::disguise(std::uint64_t headerEnd, bool isDeep) {
  using namespace std::string_view_literals;
  constexpr auto kZstd = "compression\0compression\0\1\0\0\0\x0c"sv;
  auto file = std::make_unique<Disguise>();
  file->in = openFile(file_);
  if (isPacked_)
    for (std::size_t at = 0; at < kExrMagic.size(); ++at) file->bytes[at] = kExrMagic[at];
  std::string header(isDeep ? headerEnd : 0, '\0');
  file->in.read(header.data(), std::streamsize(header.size()));
  for (std::size_t at = 0; (at = header.find(kZstd, at)) != header.npos;)
    file->bytes[(at += kZstd.size()) - 1] = char(DeepCompression::Zips);
  if (!file->bytes.empty()) disguise_ = std::move(file);
}

/// Reads where the chunks of all parts are, which the library does not know, from `at`.
void ExrSource::openPacked(std::uint64_t at) {
  for (ExrPartInfo& part : parts_) {
    if (!part.deep) damaged("deep parts in a packed file", part.type);
    part.tiled = false, part.compression = "fdp";
    const std::uint64_t bytes = std::uint64_t(chunkCount(part.index)) * sizeof(std::uint64_t);
    if (bytes > fileBytes_ || at > fileBytes_ - bytes)
      damaged(fmt::format("a file with the places of {} blocks", chunkCount(part.index)),
              fmt::format("{} bytes", fileBytes_));
    std::vector<std::uint64_t>& places = disguise_->places.emplace_back(chunkCount(part.index));
    readPacked(at, std::as_writable_bytes(std::span(places)));
    at += bytes;
  }
}

void ExrSource::readPacked(std::uint64_t from, std::span<std::byte> to) const {
  if (to.size() > fileBytes_ || from > fileBytes_ - to.size() ||
      Disguise::read(nullptr, disguise_.get(), to.data(), to.size(), from, nullptr) !=
          std::int64_t(to.size()))
    damaged(fmt::format("{} bytes at {}", to.size(), from), fmt::format("{} in all", fileBytes_));
}

/// The part where there are several, the first row, and three sizes: as in front of a deep chunk of
/// an EXR file.
exr_chunk_info_t ExrSource::packedChunk(int part, int y) const {
  const Rect& window = parts_[std::size_t(part)].dataWindow;
  exr_chunk_info_t chunk{};
  chunk.idx = (y - window.y) / deep_pack::kBlockRows;
  chunk.start_y = window.y + chunk.idx * deep_pack::kBlockRows;
  std::uint64_t at = disguise_->places[std::size_t(part)][std::size_t(chunk.idx)];
  const std::size_t numbers = parts_.size() > 1 ? 2 : 1;
  std::array<std::int32_t, 2> named{};
  std::array<std::uint64_t, 3> sizes{};
  const auto leader = std::as_writable_bytes(std::span(named).first(numbers));
  readPacked(at, leader);
  readPacked(at += leader.size(), std::as_writable_bytes(std::span(sizes)));
  at += sizeof sizes;
  if (named[numbers - 1] != chunk.start_y || (numbers > 1 && named[0] != part) ||
      sizes[0] > fileBytes_ - at || sizes[1] > fileBytes_ - at - sizes[0])
    damaged(fmt::format("a block of row {}", chunk.start_y), "a damaged one");
  chunk.sample_count_data_offset = at, chunk.sample_count_table_size = sizes[0];
  chunk.data_offset = at + sizes[0], chunk.packed_size = sizes[1], chunk.unpacked_size = sizes[2];
  return chunk;
}

void nameNewCompression(const fs::path& file) {
  constexpr const char* kNames[] = {"htj2k256", "htj2k32", "zstd"};
  constexpr unsigned kFirst = 10;
  std::vector<Attributes> headers;
  try {
    headers = readAttributes(file);
  } catch (const Error&) {
    return;  // damaged after all
  }
  for (const Attributes& header : headers)
    if (const unsigned number = byteNamed(&header, "compression").value_or(0) - kFirst;
        number < std::size(kNames))
      fail("{}: expected a compression that OpenEXR 3.1 reads, found {} (number {})", file.string(),
           kNames[number], number + kFirst);
}

ExrSource::~ExrSource() { exr_finish(&context_); }

void ExrSource::damaged(const std::string& expected, const std::string& found) const {
  fail("{}: expected {}, found {}", file_.string(), expected, found);
}

void ExrSource::check(exr_result_t result, const std::string& expected) const {
  if (result == EXR_ERR_SUCCESS) return;
  std::string found = lastMessage().empty() ? exr_get_default_error_message(result) : lastMessage();
  lastMessage().clear();
  damaged(expected, "a damaged one (" + printable(std::move(found)) + ")");
}

ExrPartInfo ExrSource::describe(int part) const {
  ExrPartInfo info;
  info.index = part;
  const char* text = nullptr;
  if (exr_get_name(context_, part, &text) == EXR_ERR_SUCCESS && text) info.name = text;
  std::int32_t length = 0;
  text = nullptr;
  if (exr_attr_get_string(context_, part, "view", &length, &text) == EXR_ERR_SUCCESS && text)
    info.view = text;
  exr_storage_t storage{};
  check(exr_get_storage(context_, part, &storage), "a part type");
  info.type = nameOf(storage);
  info.deep = storage == EXR_STORAGE_DEEP_SCANLINE || storage == EXR_STORAGE_DEEP_TILED;
  info.tiled = storage == EXR_STORAGE_TILED || storage == EXR_STORAGE_DEEP_TILED;
  exr_compression_t compression{};
  check(exr_get_compression(context_, part, &compression), "a compression");
  info.compression = nameOf(compression);
  describeWindows(info);
  describeChannels(info);
  if (info.tiled) describeTiles(info);
  const exr_attribute_t* state = nullptr;
  if (exr_get_attribute_by_name(context_, part, "deepImageState", &state) == EXR_ERR_SUCCESS &&
      state && state->type == EXR_ATTR_OPAQUE && state->opaque->size == 1 &&
      state->opaque->packed_data)
    info.state = stateName(*static_cast<const unsigned char*>(state->opaque->packed_data));
  lastMessage().clear();  // a missing attribute is no error
  return info;
}

void ExrSource::describeWindows(ExrPartInfo& info) const {
  exr_attr_box2i_t data{}, display{};
  check(exr_get_data_window(context_, info.index, &data), "a data window");
  check(exr_get_display_window(context_, info.index, &display), "a display window");
  info.dataWindow = {data.min.x, data.min.y, extent(data.min.x, data.max.x),
                     extent(data.min.y, data.max.y)};
  info.displayWindow = {display.min.x, display.min.y, extent(display.min.x, display.max.x),
                        extent(display.min.y, display.max.y)};
  if (info.dataWindow.empty())
    damaged("a data window of at least one pixel",
            fmt::format("({}, {}) - ({}, {})", data.min.x, data.min.y, data.max.x, data.max.y));
  if (info.displayWindow.empty()) info.displayWindow = info.dataWindow;
  check(exr_get_pixel_aspect_ratio(context_, info.index, &info.pixelAspect),
        "a pixel aspect ratio");
}

void ExrSource::describeChannels(ExrPartInfo& info) const {
  const exr_attr_chlist_t* channels = nullptr;
  check(exr_get_channels(context_, info.index, &channels), "a list of channels");
  for (int c = 0; channels && c < channels->num_channels; ++c) {
    const exr_attr_chlist_entry_t& entry = channels->entries[c];
    if (unsigned(entry.pixel_type) > unsigned(EXR_PIXEL_FLOAT))
      damaged(fmt::format("channel \"{}\" of type uint, half or float", entry.name.str),
              fmt::format("type {}", int(entry.pixel_type)));
    info.channels.push_back({entry.name.str, ChannelType(int(entry.pixel_type))});
  }
}

void ExrSource::describeTiles(ExrPartInfo& info) const {
  std::uint32_t width = 0, height = 0;
  exr_tile_level_mode_t levels{};
  exr_tile_round_mode_t rounding{};
  check(exr_get_tile_descriptor(context_, info.index, &width, &height, &levels, &rounding),
        "a tile description");
  if (width == 0 || height == 0 || width > INT32_MAX || height > INT32_MAX)
    damaged("tiles of at least one pixel", fmt::format("{}x{}", width, height));
  info.tileWidth = int(width);
  info.tileHeight = int(height);
  int levelsX = 1, levelsY = 1;
  check(exr_get_tile_levels(context_, info.index, &levelsX, &levelsY), "a count of levels");
  info.levelCount = std::max(levelsX, levelsY);
}

int ExrSource::rowsPerChunk(int part) const {
  if (isPacked_) return deep_pack::kBlockRows;
  std::int32_t rows = 1;
  check(exr_get_scanlines_per_chunk(context_, part, &rows), "rows per chunk");
  return std::max(1, int(rows));
}

int ExrSource::chunkCount(int part) const {
  if (isPacked_)
    return (parts_[std::size_t(part)].dataWindow.height - 1) / deep_pack::kBlockRows + 1;
  std::int32_t count = 0;
  check(exr_get_chunk_count(context_, part, &count), "a count of chunks");
  return count;
}

exr_chunk_info_t ExrSource::scanlineChunk(int part, int y) const {
  if (isPacked_) return packedChunk(part, y);
  exr_chunk_info_t chunk{};
  const exr_result_t result = exr_read_scanline_chunk_info(context_, part, y, &chunk);
  if (result != EXR_ERR_SUCCESS) check(result, fmt::format("an intact row {}", y));
  return chunk;
}

exr_chunk_info_t ExrSource::tileChunk(int part, int tileX, int tileY) const {
  exr_chunk_info_t chunk{};
  const exr_result_t result = exr_read_tile_chunk_info(context_, part, tileX, tileY, 0, 0, &chunk);
  if (result != EXR_ERR_SUCCESS) check(result, fmt::format("an intact tile {},{}", tileX, tileY));
  return chunk;
}

void ExrSource::readDeepChunk(int part, const exr_chunk_info_t& chunk, std::span<std::byte> table,
                              std::span<std::byte> data) const {
  if (!table.empty()) FATHOM_CHECK_OP(table.size(), ==, chunk.sample_count_table_size);
  if (!data.empty()) FATHOM_CHECK_OP(data.size(), ==, chunk.packed_size);
  if (isPacked_) {
    readPacked(chunk.sample_count_data_offset, table);
    return readPacked(chunk.data_offset, data);
  }
  const exr_result_t result =
      exr_read_deep_chunk(context_, part, &chunk, data.empty() ? nullptr : data.data(),
                          table.empty() ? nullptr : table.data());
  if (result != EXR_ERR_SUCCESS) check(result, fmt::format("an intact chunk {}", chunk.idx));
}

}  // namespace fathom
