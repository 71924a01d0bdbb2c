// SPDX-License-Identifier: BSD-3-Clause
// Planes go to the OpenEXR library as they are; zip compression.
#include "app/engine/io/exr/flat_channels.h"

#include "app/engine/core/error.h"
#include "app/engine/io/exr/exr_attributes.h"
#include "app/engine/io/exr/exr_stream.h"

#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfOutputFile.h>

#include <optional>

namespace fathom {
namespace {

Imath::Box2i inclusiveBox(const Rect& r) {
  return {{r.x, r.y}, {r.right() - 1, r.bottom() - 1}};
}

Imf::Header channelHeader(const DeepImage& like, std::span<const DeepChannel> channels) {
  const Rect display = like.displayWindow.empty() ? like.dataWindow : like.displayWindow;
  Imf::Header header(inclusiveBox(display), inclusiveBox(like.dataWindow), like.pixelAspect,
                     Imath::V2f(0, 0), 1.0f, Imf::INCREASING_Y, Imf::ZIP_COMPRESSION);
  for (const DeepChannel& channel : channels)
    header.channels().insert(channel.name, Imf::Channel(Imf::PixelType(int(channel.type))));
  if (like.attributes) insertAttributes(*like.attributes, header);
  return header;
}

}  // namespace

struct FlatChannelWriter::State {
  AtomicFile file;
  ExrStream stream{file};
  Rect window;
  int nextRow;
  std::optional<Imf::OutputFile> out;

  State(const std::filesystem::path& path, const DeepImage& like,
        std::span<const DeepChannel> channels)
      : file(path), window(like.dataWindow), nextRow(window.y) {
    out.emplace(stream, channelHeader(like, channels));
  }
};

FlatChannelWriter::FlatChannelWriter(const std::filesystem::path& file, const DeepImage& like,
                                     std::span<const DeepChannel> channels) {
  writingExr(file, [&] { state_ = std::make_unique<State>(file, like, channels); });
}
FlatChannelWriter::~FlatChannelWriter() = default;

void FlatChannelWriter::writeRows(std::span<const DeepChannel> rows, int height) {
  const Rect place{state_->window.x, state_->nextRow, state_->window.width, height};
  Imf::FrameBuffer frame;
  for (const DeepChannel& channel : rows) {
    const std::size_t bytes = bytesPerValue(channel.type);
    FATHOM_CHECK_OP(channel.values.size(), ==, bytes * std::size_t(place.area()));
    frame.insert(channel.name,
                 Imf::Slice::Make(Imf::PixelType(int(channel.type)), channel.values.data(),
                                  inclusiveBox(place), bytes, bytes * std::size_t(place.width)));
  }
  writingExr(state_->file.target(), [&] {
    state_->out->setFrameBuffer(frame);
    state_->out->writePixels(height);
  });
  state_->nextRow = place.bottom();
}

void FlatChannelWriter::finish() {
  FATHOM_CHECK_OP(state_->nextRow, ==, state_->window.bottom());
  writingExr(state_->file.target(), [&] { state_->out.reset(); });
  state_->file.commit();
}

}  // namespace fathom
