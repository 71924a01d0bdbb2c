// SPDX-License-Identifier: BSD-3-Clause
// Deep EXR through OpenEXR's own classes, a pointer per pixel and channel: slow, and independent of
// ours.
#include "tests/io/exr/openexr_witness.h"

#include <ImfChannelList.h>
#include <ImfDeepFrameBuffer.h>
#include <ImfDeepScanLineInputPart.h>
#include <ImfDeepScanLineOutputPart.h>
#include <ImfDeepTiledInputPart.h>
#include <ImfDeepTiledOutputPart.h>
#include <ImfHeader.h>
#include <ImfMultiPartInputFile.h>
#include <ImfMultiPartOutputFile.h>
#include <ImfPartType.h>
#include <ImfStandardAttributes.h>
#include <ImfTileDescription.h>

namespace fathom::test {
namespace {

constexpr int kTile = 16;

Imath::Box2i boxOf(const Rect& rect) {
  return {{rect.x, rect.y}, {rect.right() - 1, rect.bottom() - 1}};
}

Imf::Header headerOf(const WitnessPart& part) {
  Imf::Header header(boxOf(part.image.displayWindow), boxOf(part.image.dataWindow));
  header.setName(part.name.empty() ? "part" : part.name);
  if (!part.view.empty()) header.setView(part.view);
  header.setType(part.tiled ? Imf::DEEPTILE : Imf::DEEPSCANLINE);
  header.compression() = part.rle ? Imf::RLE_COMPRESSION : Imf::ZIPS_COMPRESSION;
  if (part.bottomUp) header.lineOrder() = Imf::DECREASING_Y;
  if (part.tiled)
    header.setTileDescription(
        Imf::TileDescription(kTile, kTile, part.mipmapped ? Imf::MIPMAP_LEVELS : Imf::ONE_LEVEL));
  for (const DeepChannel& channel : part.image.channels)
    header.channels().insert(channel.name, Imf::Channel(Imf::PixelType(int(channel.type))));
  return header;
}

/// Pointers per pixel and counts in the form that the library wants.
struct Pointers {
  std::vector<unsigned> counts;
  std::vector<std::vector<char*>> perChannel;
  Imf::DeepFrameBuffer frame;

  explicit Pointers(DeepImage& image) : counts(image.pixelCount()) {
    const Rect& w = image.dataWindow;
    const auto shift = std::ptrdiff_t(w.y) * w.width + w.x;
    for (std::size_t p = 0; p < counts.size(); ++p)
      counts[p] = unsigned(image.fragmentOffsets[p + 1] - image.fragmentOffsets[p]);
    frame.insertSampleCountSlice(
        Imf::Slice(Imf::UINT, reinterpret_cast<char*>(counts.data() - shift), sizeof(unsigned),
                   sizeof(unsigned) * std::size_t(w.width)));
    perChannel.reserve(image.channels.size());
    for (DeepChannel& channel : image.channels) {
      std::vector<char*>& pointers = perChannel.emplace_back(counts.size());
      const std::size_t bytes = bytesPerValue(channel.type);
      for (std::size_t p = 0; p < counts.size(); ++p)
        pointers[p] =
            reinterpret_cast<char*>(channel.values.data() + image.fragmentOffsets[p] * bytes);
      frame.insert(channel.name,
                   Imf::DeepSlice(Imf::PixelType(int(channel.type)),
                                  reinterpret_cast<char*>(pointers.data() - shift), sizeof(char*),
                                  sizeof(char*) * std::size_t(w.width), bytes));
    }
  }
};

/// Puts the values in list order, so that pixels own contiguous ranges.
DeepImage inListOrder(const DeepImage& image) {
  FATHOM_CHECK(image.format == FragmentFormat::Indexed);
  DeepImage ordered = image;
  for (std::size_t c = 0; c < image.channels.size(); ++c) {
    const std::size_t bytes = bytesPerValue(image.channels[c].type);
    for (std::size_t i = 0; i < image.fragmentCount(); ++i)
      std::copy_n(image.channels[c].values.begin() + std::ptrdiff_t(image.words[4 * i] * bytes),
                  bytes, ordered.channels[c].values.begin() + std::ptrdiff_t(i * bytes));
  }
  return ordered;
}

void writePart(Imf::MultiPartOutputFile& out, int index, const WitnessPart& part) {
  DeepImage image = inListOrder(part.image);
  Pointers pointers(image);
  if (!part.tiled) {
    Imf::DeepScanLineOutputPart scanlines(out, index);
    scanlines.setFrameBuffer(pointers.frame);
    scanlines.writePixels(image.dataWindow.height);
    return;
  }
  Imf::DeepTiledOutputPart tiles(out, index);
  tiles.setFrameBuffer(pointers.frame);
  for (int level = 0; level < tiles.numLevels(); ++level)
    tiles.writeTiles(0, tiles.numXTiles(level) - 1, 0, tiles.numYTiles(level) - 1, level);
}

std::uint32_t depthBits(const DeepChannel& channel, std::size_t i) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, channel.values.data() + i * bytesPerValue(channel.type),
              bytesPerValue(channel.type));
  if (channel.type == ChannelType::Float) return bits;
  half value;
  value.setBits(std::uint16_t(bits));
  return std::bit_cast<std::uint32_t>(float(value));
}

void fillWords(DeepImage& image) {
  const DeepChannel *z = nullptr, *zBack = nullptr;
  for (const DeepChannel& channel : image.channels) {
    if (channel.name == "Z") z = &channel;
    if (channel.name == "ZBack") zBack = &channel;
  }
  FATHOM_CHECK(z != nullptr);
  image.hasZBack = zBack != nullptr;
  for (std::size_t i = 0; i < image.fragmentCount(); ++i) {
    image.words[4 * i] = std::uint32_t(i);
    image.words[4 * i + 2] = depthBits(*z, i);
    image.words[4 * i + 3] = depthBits(zBack ? *zBack : *z, i);
  }
}

}  // namespace

void writeWithOpenExr(const std::filesystem::path& file, const std::vector<WitnessPart>& parts) {
  std::vector<Imf::Header> headers;
  for (const WitnessPart& part : parts) headers.push_back(headerOf(part));
  Imf::MultiPartOutputFile out(file.string().c_str(), headers.data(), int(headers.size()));
  for (int i = 0; i < int(parts.size()); ++i) writePart(out, i, parts[std::size_t(i)]);
}

DeepImage readWithOpenExr(const std::filesystem::path& file) {
  Imf::MultiPartInputFile in(file.string().c_str());
  const Imf::Header& header = in.header(0);
  DeepImage image;
  image.format = FragmentFormat::Indexed;
  const auto rectOf = [](const Imath::Box2i& box) {
    return Rect{box.min.x, box.min.y, box.max.x - box.min.x + 1, box.max.y - box.min.y + 1};
  };
  image.dataWindow = rectOf(header.dataWindow());
  image.displayWindow = rectOf(header.displayWindow());
  image.pixelAspect = header.pixelAspectRatio();
  for (auto c = header.channels().begin(); c != header.channels().end(); ++c)
    image.channels.push_back({c.name(), ChannelType(int(c.channel().type)), {}});
  image.fragmentOffsets.assign(image.pixelCount() + 1, 0);

  const auto allocate = [&](const std::vector<unsigned>& counts) {
    for (std::size_t p = 0; p < counts.size(); ++p)
      image.fragmentOffsets[p + 1] = image.fragmentOffsets[p] + counts[p];
    for (DeepChannel& channel : image.channels)
      channel.values.resize(image.fragmentCount() * bytesPerValue(channel.type));
    image.words.assign(image.fragmentCount() * 4, 0);
  };
  Pointers counting(image);
  if (header.type() == Imf::DEEPTILE) {
    Imf::DeepTiledInputPart tiles(in, 0);
    const int lastX = tiles.numXTiles() - 1, lastY = tiles.numYTiles() - 1;
    tiles.setFrameBuffer(counting.frame);
    tiles.readPixelSampleCounts(0, lastX, 0, lastY);
    allocate(counting.counts);
    Pointers pointers(image);
    tiles.setFrameBuffer(pointers.frame);
    tiles.readPixelSampleCounts(0, lastX, 0, lastY);
    tiles.readTiles(0, lastX, 0, lastY);
  } else {
    Imf::DeepScanLineInputPart scanlines(in, 0);
    const int first = image.dataWindow.y, last = image.dataWindow.bottom() - 1;
    scanlines.setFrameBuffer(counting.frame);
    scanlines.readPixelSampleCounts(first, last);
    allocate(counting.counts);
    Pointers pointers(image);
    scanlines.setFrameBuffer(pointers.frame);
    scanlines.readPixelSampleCounts(first, last);
    scanlines.readPixels(first, last);
  }
  fillWords(image);
  return image;
}

}  // namespace fathom::test
