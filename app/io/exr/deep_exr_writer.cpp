// SPDX-License-Identifier: BSD-3-Clause
// Writing deep EXR: chunks (rows or tiles) are gathered and packed on all cores and handed to the
// file in order. The OpenEXR library writes header, chunk leaders and offset table.
#include "app/core/error.h"
#include "app/core/jobs.h"
#include "app/io/atomic_file.h"
#include "app/io/exr/deep_codec.h"
#include "app/io/exr/deep_exr.h"
#include "app/io/exr/deep_planes.h"

#include <openexr.h>

#include <algorithm>
#include <map>
#include <mutex>

namespace fathom {
namespace {

using deep_codec::Method;
using deep_codec::Packer;

Method methodOf(DeepCompression compression) {
  switch (compression) {
    case DeepCompression::None:
      return Method::None;
    case DeepCompression::Rle:
      return Method::Rle;
    case DeepCompression::Zips:
      return Method::Zip;
  }
  return Method::None;
}

exr_compression_t exrCompression(DeepCompression compression) {
  switch (compression) {
    case DeepCompression::None:
      return EXR_COMPRESSION_NONE;
    case DeepCompression::Rle:
      return EXR_COMPRESSION_RLE;
    case DeepCompression::Zips:
      return EXR_COMPRESSION_ZIPS;
  }
  return EXR_COMPRESSION_NONE;
}

exr_attr_box2i_t exrBox(const Rect& rect) {
  return {{rect.x, rect.y}, {rect.right() - 1, rect.bottom() - 1}};
}

/// The channels that the file gets, in alphabetical order, without values.
std::vector<DeepChannel> fileChannels(const DeepImage& like) {
  std::vector<DeepChannel> channels;
  for (const DeepChannel& channel : like.channels)
    channels.push_back({channel.name, channel.type, {}});
  if (like.format == FragmentFormat::Rgba8)
    channels = {{"A", ChannelType::Half, {}},
                {"B", ChannelType::Half, {}},
                {"G", ChannelType::Half, {}},
                {"R", ChannelType::Half, {}},
                {"Z", ChannelType::Float, {}}};
  FATHOM_CHECK(
      std::is_sorted(channels.begin(), channels.end(),
                     [](const DeepChannel& a, const DeepChannel& b) { return a.name < b.name; }));
  return channels;
}

/// One packed chunk, waiting for its turn.
struct PackedChunk {
  std::vector<std::byte> table, data;
  std::uint64_t unpackedBytes = 0;
};

}  // namespace

struct DeepExrWriter::State {
  AtomicFile file;
  DeepWriteOptions options;
  Rect window;
  std::vector<DeepChannel> channels;
  std::vector<deep_planes::Plane> planes;
  std::size_t bytesPerFragment = 0;
  exr_context_t context = nullptr;
  std::string complaint;  // what the library or the disk said
  int nextRow = 0;        // image coordinates

  State(const std::filesystem::path& target, const DeepImage& like,
        const DeepWriteOptions& writeOptions);
  ~State() { exr_finish(&context); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void check(exr_result_t result);
  void writeHeader(const DeepImage& like);
  PackedChunk pack(const DeepImage& band, const Rect& rect, Packer& packer) const;
  void store(const Rect& rect, const PackedChunk& chunk);
  void writeRows(const DeepImage& band);
};

DeepExrWriter::State::State(const std::filesystem::path& target, const DeepImage& like,
                            const DeepWriteOptions& writeOptions)
    : file(target), options(writeOptions), window(like.dataWindow) {
  // EXR has no empty windows: an empty image becomes one pixel without fragments.
  if (window.empty()) window = {like.displayWindow.x, like.displayWindow.y, 1, 1};
  channels = fileChannels(like);
  planes = deep_planes::planesOf(channels);
  bytesPerFragment = deep_planes::fragmentBytes(planes);
  nextRow = window.y;

  exr_context_initializer_t setup = EXR_DEFAULT_CONTEXT_INITIALIZER;
  setup.user_data = this;
  setup.error_handler_fn = [](exr_const_context_t from, exr_result_t, const char* message) {
    void* self = nullptr;
    if (from && exr_get_user_data(from, &self) == EXR_ERR_SUCCESS && self && message)
      static_cast<State*>(self)->complaint = message;
  };
  setup.write_fn = [](exr_const_context_t, void* self, const void* bytes, std::uint64_t count,
                      std::uint64_t offset, exr_stream_error_func_ptr_t) -> std::int64_t {
    State& state = *static_cast<State*>(self);
    try {
      state.file.writeAt(offset, {static_cast<const std::byte*>(bytes), count});
      return std::int64_t(count);
    } catch (const Error& error) {
      state.complaint = error.what();
      return -1;
    }
  };
  check(exr_start_write(&context, target.c_str(), EXR_WRITE_FILE_DIRECTLY, &setup));
  try {
    writeHeader(like);
  } catch (...) {
    exr_finish(&context);
    throw;
  }
}

void DeepExrWriter::State::check(exr_result_t result) {
  if (result == EXR_ERR_SUCCESS) return;
  const std::string name = file.target().string();
  if (complaint.starts_with(name + ":")) throw Error(complaint);  // the disk's own words
  fail("{}: expected to write a deep EXR, found: {}", name,
       complaint.empty() ? exr_get_default_error_message(result) : complaint);
}

void DeepExrWriter::State::writeHeader(const DeepImage& like) {
  int part = 0;
  check(exr_add_part(context, nullptr,
                     options.tiled ? EXR_STORAGE_DEEP_TILED : EXR_STORAGE_DEEP_SCANLINE, &part));
  const exr_attr_box2i_t data = exrBox(window);
  const exr_attr_box2i_t display = exrBox(like.displayWindow.empty() ? window : like.displayWindow);
  const exr_attr_v2f_t center{0, 0};
  check(exr_initialize_required_attr(context, part, &display, &data, like.pixelAspect, &center,
                                     1.0f, EXR_LINEORDER_INCREASING_Y,
                                     exrCompression(options.compression)));
  for (const DeepChannel& channel : channels)
    check(exr_add_channel(context, part, channel.name.c_str(), exr_pixel_type_t(int(channel.type)),
                          EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1));
  if (options.tiled)
    check(exr_set_tile_descriptor(context, part, std::uint32_t(options.tileSize),
                                  std::uint32_t(options.tileSize), EXR_TILE_ONE_LEVEL,
                                  EXR_TILE_ROUND_DOWN));
  const unsigned char state = !like.sorted ? 0 : like.tidy ? 3 : 1;  // MESSY, TIDY or SORTED
  check(exr_attr_set_user(context, part, "deepImageState", "deepImageState", 1, &state));
  check(exr_write_header(context));
}

/// Gathers the planes and running totals of one rectangle and packs both.
PackedChunk DeepExrWriter::State::pack(const DeepImage& band, const Rect& rect,
                                       Packer& packer) const {
  thread_local std::vector<std::byte> raw;
  thread_local std::vector<std::int32_t> running;
  running.resize(std::size_t(rect.area()));
  std::size_t fragments = 0;
  const auto offsetsOf = [&](int y) {
    return band.fragmentOffsets.data() + band.pixelIndex(rect.x, y);
  };
  for (int y = rect.y; y < rect.bottom(); ++y)
    fragments += offsetsOf(y)[rect.width] - offsetsOf(y)[0];
  if (fragments * bytesPerFragment > std::size_t(INT32_MAX))
    fail("{}: expected at most {} bytes in row {}, found {}", file.target().string(), INT32_MAX,
         rect.y, fragments * bytesPerFragment);

  raw.resize(fragments * bytesPerFragment);
  std::span<std::byte> rest(raw);
  std::int32_t* total = running.data();
  for (int y = rect.y; y < rect.bottom(); ++y) {
    const std::size_t* offsets = offsetsOf(y);
    for (int x = 0; x < rect.width; ++x) *total++ = std::int32_t(offsets[x + 1] - offsets[0]);
    const std::size_t count = offsets[rect.width] - offsets[0];
    const std::span<std::byte> row = rest.first(count * bytesPerFragment);
    deep_planes::unpackWords(
        planes, band, band.words.data() + offsets[0] * std::size_t(band.stride()), count, row);
    rest = rest.subspan(row.size());
  }
  PackedChunk chunk;
  chunk.unpackedBytes = raw.size();
  const std::size_t wholeTable =
      (options.tiled ? std::size_t(options.tileSize) * std::size_t(options.tileSize)
                     : running.size()) *
      sizeof(std::int32_t);
  chunk.table = packer.pack(std::as_bytes(std::span(running)), wholeTable);
  chunk.data = packer.pack(raw);
  return chunk;
}

void DeepExrWriter::State::store(const Rect& rect, const PackedChunk& chunk) {
  const void* data = chunk.data.empty() ? nullptr : chunk.data.data();
  check(options.tiled ? exr_write_deep_tile_chunk(
                            context, 0, (rect.x - window.x) / options.tileSize,
                            (rect.y - window.y) / options.tileSize, 0, 0, data, chunk.data.size(),
                            chunk.unpackedBytes, chunk.table.data(), chunk.table.size())
                      : exr_write_deep_scanline_chunk(context, 0, rect.y, data, chunk.data.size(),
                                                      chunk.unpackedBytes, chunk.table.data(),
                                                      chunk.table.size()));
}

void DeepExrWriter::State::writeRows(const DeepImage& band) {
  const Rect rows = band.dataWindow;
  FATHOM_CHECK_OP(rows.x, ==, window.x);
  FATHOM_CHECK_OP(rows.width, ==, window.width);
  FATHOM_CHECK_OP(rows.y, ==, nextRow);
  const int width = options.tiled ? options.tileSize : window.width;
  const int height = options.tiled ? options.tileSize : 1;
  FATHOM_CHECK(rows.height % height == 0 || rows.bottom() == window.bottom());
  std::vector<Rect> rects;
  for (int y = rows.y; y < rows.bottom(); y += std::min(height, rows.bottom() - y))
    for (int x = rows.x; x < rows.right(); x += std::min(width, rows.right() - x))
      rects.push_back(intersect(rows, {x, y, std::min(width, rows.right() - x), height}));

  // Workers take chunks in order; whoever finishes the next one due writes it and all that wait.
  std::mutex mutex;
  std::map<std::size_t, PackedChunk> waiting;
  std::size_t due = 0;
  parallelFor(rects.size(), evenGrain(rects.size(), deep_codec::kMaxChunksPerJob),
              [&](std::size_t first, std::size_t last) {
                Packer packer(methodOf(options.compression), options.level);
                for (std::size_t i = first; i < last; ++i) {
                  if (options.progress)
                    options.progress->advance(double(rects[i].area()) / double(window.width));
                  else if (Progress::interrupted())
                    throw Cancelled();
                  PackedChunk chunk = pack(band, rects[i], packer);
                  const std::lock_guard lock(mutex);
                  waiting.emplace(i, std::move(chunk));
                  for (auto next = waiting.begin(); next != waiting.end() && next->first == due;
                       ++due) {
                    store(rects[due], next->second);
                    next = waiting.erase(next);
                  }
                }
              });
  nextRow = rows.bottom();
}

DeepExrWriter::DeepExrWriter(const std::filesystem::path& file, const DeepImage& like,
                             const DeepWriteOptions& options)
    : state_(std::make_unique<State>(file, like, options)) {}
DeepExrWriter::~DeepExrWriter() = default;
DeepExrWriter::DeepExrWriter(DeepExrWriter&&) noexcept = default;

int DeepExrWriter::rowStep() const { return state_->options.tiled ? state_->options.tileSize : 1; }

void DeepExrWriter::writeRows(const DeepImage& band) { state_->writeRows(band); }

void DeepExrWriter::finish() {
  FATHOM_CHECK_OP(state_->nextRow, ==, state_->window.bottom());
  state_->check(exr_finish(&state_->context));
  state_->file.commit();
}

void writeDeepExr(const std::filesystem::path& file, const DeepImage& image,
                  const DeepWriteOptions& options) {
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
