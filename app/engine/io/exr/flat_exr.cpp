// SPDX-License-Identifier: BSD-3-Clause
// OpenEXR's classes for scan lines and tiles; what they throw becomes an Error.
#include "app/engine/io/exr/flat_exr.h"

#include "app/engine/core/bytes.h"
#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"
#include "app/engine/core/progress.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/exr/deep_codec.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/exr/exr_attributes.h"
#include "app/engine/io/exr/exr_source.h"
#include "app/engine/io/flat_formats.h"

#include <half.h>

#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfInputPart.h>
#include <ImfMultiPartInputFile.h>
#include <ImfOutputFile.h>
#include <ImfPartType.h>
#include <ImfStandardAttributes.h>
#include <ImfThreading.h>

namespace fathom {
namespace {

/// No compression of EXR shrinks a picture more than this, beyond what a black one may.
constexpr std::uint64_t kMaxExrRatio = 1 << 16;
constexpr std::uint64_t kAlwaysAllowedBytes = 64u << 20;

/// OpenEXR's classes write into an AtomicFile.
class ExrStream : public Imf::OStream {
 public:
  explicit ExrStream(AtomicFile& file)
      : Imf::OStream(file.target().string().c_str()), file_(file) {}
  void write(const char bytes[], int count) override {
    file_.writeAt(position_, std::as_bytes(std::span(bytes, std::size_t(count))));
    position_ += std::uint64_t(count);
  }
  std::uint64_t tellp() override { return position_; }
  void seekp(std::uint64_t position) override { position_ = position; }

 private:
  AtomicFile& file_;
  std::uint64_t position_ = 0;
};

constexpr const char* kDamaged = "{}: expected an intact EXR, found a damaged one ({})";
constexpr const char* kNotWritten = "{}: expected to write an EXR, found: {}";

/// Runs what calls OpenEXR's classes; `problem` tells of what they throw.
template <class Work>
auto callingExr(const fs::path& file, const char* problem, const Work& work) {
  try {
    return work();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    if (problem == kDamaged) nameNewCompression(file);
    fail(fmt::runtime(problem), file.string(), error.what());
  }
}
void useAllCores() {
  static std::once_flag once;
  std::call_once(once, [] { Imf::setGlobalThreadCount(int(threadCount())); });
}

Rect rectOf(const Imath::Box2i& box) {
  const std::int64_t width = std::int64_t(box.max.x) - box.min.x + 1;
  const std::int64_t height = std::int64_t(box.max.y) - box.min.y + 1;
  if (width <= 0 || height <= 0 || width > INT32_MAX || height > INT32_MAX) return {};
  return {box.min.x, box.min.y, int(width), int(height)};
}

Imath::Box2i imathBox(const Rect& rect) {
  return {{rect.x, rect.y}, {rect.right() - 1, rect.bottom() - 1}};
}

/// OpenEXR makes room for an attribute before it reads it: sizes are checked first.
Imf::MultiPartInputFile opened(const fs::path& file) {
  readAttributes(file);
  useAllCores();
  return Imf::MultiPartInputFile(file.string().c_str(), int(threadCount()), false);
}

bool isFlat(const Imf::Header& header) {
  return !header.hasType() ||
         (header.type() != Imf::DEEPSCANLINE && header.type() != Imf::DEEPTILE);
}

bool hasColorChannel(const Imf::Header& header) {
  const Imf::ChannelList& channels = header.channels();
  return channels.findChannel("R") || channels.findChannel("G") || channels.findChannel("B") ||
         channels.findChannel("Y");
}

std::string channelNames(const Imf::Header& header) {
  std::string names;
  for (auto c = header.channels().begin(); c != header.channels().end(); ++c)
    names += (names.empty() ? "" : ", ") + std::string(c.name());
  return names;
}

bool isNamed(const Imf::Header& header, int index, const std::string& wish) {
  return wish == std::to_string(index) || (header.hasName() && header.name() == wish) ||
         (header.hasView() && header.view() == wish);
}

/// The part to read; -1 when the file has only deep parts and none was asked for.
int chooseFlatPart(const fs::path& file, const Imf::MultiPartInputFile& in,
                   const std::string& wish) {
  int firstFlat = -1;
  for (int i = 0; i < in.parts(); ++i) {
    const Imf::Header& header = in.header(i);
    if (wish.empty() ? isFlat(header) && hasColorChannel(header) : isNamed(header, i, wish))
      return i;
    if (firstFlat < 0 && isFlat(header)) firstFlat = i;
  }
  if (!wish.empty())
    fail("{}: expected a part \"{}\", found {} parts without it", file.string(), wish, in.parts());
  return firstFlat;
}

void checkSize(const fs::path& file, const Rect& window) {
  checkPixels(file.string(), window.width, window.height);
  const std::uint64_t need = std::uint64_t(window.area()) * sizeof(glm::vec4);
  const std::uint64_t fileBytes = fs::file_size(file);
  if (window.empty() || need > fileBytes * kMaxExrRatio + kAlwaysAllowedBytes)
    fail("{}: expected a data window that fits a file of {} bytes, found {}x{}", file.string(),
         fileBytes, window.width, window.height);
}

void checkHeader(const fs::path& file, const Imf::Header& header, const Rect& window) {
  if (!isFlat(header)) fail("{}: expected a flat EXR, found a deep one", file.string());
  if (!hasColorChannel(header))
    fail("{}: expected channels R, G, B or Y, found {}", file.string(), channelNames(header));
  for (auto c = header.channels().begin(); c != header.channels().end(); ++c)
    if (c.channel().xSampling != 1 || c.channel().ySampling != 1)
      fail("{}: expected channels of full resolution, found \"{}\" at every {}th pixel",
           file.string(), c.name(), std::max(c.channel().xSampling, c.channel().ySampling));
  checkSize(file, window);
}

/// Points a channel of the file at one component of the pixels; rows and columns count from the
/// data window's corner.
Imf::Slice sliceAt(float* first, const Rect& window, std::size_t floatsPerPixel, double fill,
                   Imf::PixelType type = Imf::FLOAT) {
  const std::size_t step = floatsPerPixel * sizeof(float);
  return Imf::Slice::Make(type, first, imathBox(window), step, step * std::size_t(window.width), 1,
                          1, fill);
}

Picture readPart(const fs::path& file, Imf::MultiPartInputFile& in, int index) {
  const Imf::Header& header = in.header(index);
  Picture picture;
  picture.dataWindow = rectOf(header.dataWindow());
  picture.displayWindow = rectOf(header.displayWindow());
  picture.pixelAspect = header.pixelAspectRatio();
  checkHeader(file, header, picture.dataWindow);

  const Imf::ChannelList& channels = header.channels();
  const bool gray =
      !channels.findChannel("R") && !channels.findChannel("G") && !channels.findChannel("B");
  picture.hasAlpha = channels.findChannel("A") != nullptr;
  picture.image = Image(picture.dataWindow.width, picture.dataWindow.height);
  float* pixels = &picture.image.pixels[0].x;
  Imf::FrameBuffer frame;
  const auto add = [&](const char* name, int component, double fill) {
    frame.insert(name, sliceAt(pixels + component, picture.dataWindow, 4, fill));
  };
  if (gray) {
    add("Y", 0, 0);
  } else {
    add("R", 0, 0);
    add("G", 1, 0);
    add("B", 2, 0);
  }
  add("A", 3, 1);
  if (channels.findChannel("Z")) {
    picture.depth.resize(std::size_t(picture.dataWindow.area()));
    frame.insert("Z", sliceAt(picture.depth.data(), picture.dataWindow, 1, 0));
  }
  Imf::InputPart part(in, index);
  part.setFrameBuffer(frame);
  part.readPixels(header.dataWindow().min.y, header.dataWindow().max.y);
  if (gray)
    for (glm::vec4& pixel : picture.image.pixels) pixel = {pixel.x, pixel.x, pixel.x, pixel.w};
  return picture;
}

/// A part of these channels; zip compression.
Imf::Header headerFor(const DeepImage& like, std::span<const DeepChannel> channels) {
  const Rect display = like.displayWindow.empty() ? like.dataWindow : like.displayWindow;
  Imf::Header header(imathBox(display), imathBox(like.dataWindow), like.pixelAspect,
                     Imath::V2f(0, 0), 1.0f, Imf::INCREASING_Y, Imf::ZIP_COMPRESSION);
  for (const DeepChannel& channel : channels)
    header.channels().insert(channel.name, Imf::Channel(Imf::PixelType(int(channel.type))));
  if (like.attributes) insertAttributes(*like.attributes, header);
  return header;
}

}  // namespace

std::optional<Picture> loadFlatExr(const fs::path& file, const std::string& part) {
  if (!looksLikeExr(file)) return std::nullopt;
  return callingExr(file, kDamaged, [&]() -> std::optional<Picture> {
    Imf::MultiPartInputFile in = opened(file);
    const int index = chooseFlatPart(file, in, part);
    if (index < 0) return std::nullopt;
    return readPart(file, in, index);
  });
}

std::vector<DeepChannel> loadExrChannels(const fs::path& file, int part,
                                         std::span<const std::string> channels) {
  return callingExr(file, kDamaged, [&] {
    Imf::MultiPartInputFile in = opened(file);
    const Imf::Header& header = in.header(part);
    const Rect window = rectOf(header.dataWindow());
    checkSize(file, window);
    std::vector<DeepChannel> read;
    Imf::FrameBuffer frame;
    for (const std::string& name : channels) {
      const Imf::Channel* channel = header.channels().findChannel(name);
      if (!isFlat(header) || !channel)
        fail("{}: expected a channel \"{}\", found {}", file.string(), name, channelNames(header));
      const auto type = ChannelType(channel->type);
      const std::size_t bytes = bytesPerValue(type);
      read.push_back({name, type, std::vector<std::byte>(bytes * std::size_t(window.area()))});
      frame.insert(
          name, Imf::Slice::Make(channel->type, read.back().values.data(), imathBox(window), bytes,
                                 bytes * std::size_t(window.width)));
    }
    Imf::InputPart input(in, part);
    input.setFrameBuffer(frame);
    input.readPixels(header.dataWindow().min.y, header.dataWindow().max.y);
    return read;
  });
}

std::vector<float> loadExrChannel(const fs::path& file, int part, const std::string& channel,
                                  bool idBits) {
  const DeepChannel read = loadExrChannels(file, part, std::span(&channel, 1)).front();
  std::vector<float> values(read.values.size() / bytesPerValue(read.type));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = idBits && read.type == ChannelType::Uint ? load<float>(&read.values[4 * i])
                                                         : float(channelValue(read, i));
  return values;
}

struct FlatChannelWriter::State {
  AtomicFile file;
  ExrStream stream{file};
  Rect window;
  int nextRow;  // image coordinates
  std::optional<Imf::OutputFile> out;
  deep_planes::NotFiniteHalves notFinite;

  State(const fs::path& path, const DeepImage& like, std::span<const DeepChannel> channels)
      : file(path), window(like.dataWindow), nextRow(window.y) {
    out.emplace(stream, headerFor(like, channels));
  }
};

FlatChannelWriter::FlatChannelWriter(const fs::path& file, const DeepImage& like,
                                     std::span<const DeepChannel> channels) {
  useAllCores();
  callingExr(file, kNotWritten, [&] { state_ = std::make_unique<State>(file, like, channels); });
}
FlatChannelWriter::~FlatChannelWriter() = default;

void FlatChannelWriter::writeRows(std::span<const DeepChannel> rows, int height) {
  const Rect place{state_->window.x, state_->nextRow, state_->window.width, height};
  Imf::FrameBuffer frame;
  for (const DeepChannel& channel : rows) {
    const std::size_t bytes = bytesPerValue(channel.type);
    FATHOM_CHECK_OP(channel.values.size(), ==, bytes * std::size_t(place.area()));
    if (channel.type == ChannelType::Half) state_->notFinite.count(channel.name, channel.values);
    frame.insert(channel.name,
                 Imf::Slice::Make(Imf::PixelType(int(channel.type)), channel.values.data(),
                                  imathBox(place), bytes, bytes * std::size_t(place.width)));
  }
  callingExr(state_->file.target(), kNotWritten, [&] {
    state_->out->setFrameBuffer(frame);
    state_->out->writePixels(height);
  });
  state_->nextRow = place.bottom();
}

void FlatChannelWriter::finish() {
  FATHOM_CHECK_OP(state_->nextRow, ==, state_->window.bottom());
  callingExr(state_->file.target(), kNotWritten, [&] { state_->out.reset(); });
  state_->file.commit();
  state_->notFinite.warn(state_->file.target());
}

// ---- Colors, as such channels

FlatExrWriter::FlatExrWriter(const fs::path& file, int width, int height, bool withDepth,
                             const FlatExrOptions& options) {
  DeepImage like;
  like.dataWindow = options.dataWindow.empty() ? Rect{0, 0, width, height} : options.dataWindow;
  FATHOM_CHECK_OP(like.dataWindow.width, ==, width);
  FATHOM_CHECK_OP(like.dataWindow.height, ==, height);
  like.displayWindow = options.displayWindow, like.pixelAspect = options.pixelAspect;
  like.attributes = options.attributes;
  for (const char* name : {"R", "G", "B", "A"})
    if (*name != 'A' || options.withAlpha)
      channels_.push_back({name, options.asFloat ? ChannelType::Float : ChannelType::Half, {}});
  if (withDepth) channels_.push_back({"Z", ChannelType::Float, {}});
  out_.emplace(file, like, channels_);
}

void FlatExrWriter::writeRows(const Image& rows, std::span<const float> depth) {
  const std::size_t count = rows.pixels.size();
  FATHOM_CHECK_OP(depth.size(), ==, channels_.back().name == "Z" ? count : 0u);
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    DeepChannel& channel = channels_[c];
    channel.values.resize(count * bytesPerValue(channel.type));
    const bool isDepth = channel.name == "Z";
    const float* const from = isDepth ? depth.data() : &rows.pixels.data()->x + c;
    const std::size_t step = isDepth ? 1 : 4;
    std::byte* const to = channel.values.data();
    if (channel.type == ChannelType::Float) {
      for (std::size_t i = 0; i < count; ++i) store(to + 4 * i, from[step * i]);
      continue;
    }
    for (std::size_t i = 0; i < count; ++i) store(to + 2 * i, half(from[step * i]).bits());
  }
  out_->writeRows(channels_, rows.height);
}

void FlatExrWriter::finish() { out_->finish(); }

void writeFlatExr(const fs::path& path, const Image& image, const FlatExrOptions& options) {
  FlatExrWriter writer(path, image.width, image.height, !options.depth.empty(), options);
  writer.writeRows(image, options.depth);
  writer.finish();
}

}  // namespace fathom
