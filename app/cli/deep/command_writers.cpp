// SPDX-License-Identifier: BSD-3-Clause
// Writers of the deep commands, and their flags.
#include "app/cli/deep/command_writers.h"

#include "app/engine/core/error.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/deep/bands/band_merger.h"

#include <algorithm>
#include <filesystem>

namespace fathom::deep {

DeepWriteOptions writeOptions(CommandContext& context) {
  DeepWriteOptions options;
  const std::string& name = context.text("compression");
  if (name == "none")
    options.compression = DeepCompression::None;
  else if (name == "rle")
    options.compression = DeepCompression::Rle;
  else if (name == "zips")
    options.compression = DeepCompression::Zips;
  else if (!name.empty())
    throw UsageError(fmt::format("--compression: expected none, rle or zips, found \"{}\"", name));
  options.tiled = context.on("tiled");
  return options;
}

void BandWriter::write(DeepImage&& rows) {
  const Stopwatch watch;
  fragments_ += rows.fragmentCount();
  waiting_ = waiting_.dataWindow.empty() ? std::move(rows)
                                         : joinRegions(std::move(waiting_), std::move(rows));
  if (waiting_.dataWindow.bottom() == bottom_ ||
      waiting_.dataWindow.height % writer_.rowStep() == 0) {
    writer_.writeRows(waiting_, part_);
    waiting_ = {};
  }
  ms_ += watch.ms();
}

void BandWriter::finish() {
  const Stopwatch watch;
  writer_.finish();
  ms_ += watch.ms();
}

PictureWriter::PictureWriter(std::string file, const DeepImage& header, bool asFloat,
                             PngAlpha alpha)
    : file_(std::move(file)),
      data_(header.dataWindow),
      frame_(header.displayWindow),
      alpha_(alpha) {
  if (frame_.empty()) frame_ = data_;
  if (std::filesystem::path(file_).extension() == ".png") {
    bytes_.resize(std::size_t(frame_.area()) * std::size_t(components()));
    return;
  }
  FlatExrOptions options;
  options.dataWindow = header.dataWindow;
  options.displayWindow = header.displayWindow;
  options.pixelAspect = header.pixelAspect;
  options.asFloat = asFloat;
  options.attributes = header.attributes;
  exr_.emplace(file_, data_.width, data_.height, false, options);
}

void PictureWriter::write(const Image& rows) {
  const Stopwatch watch;
  if (exr_)
    exr_->writeRows(rows);
  else
    place(pngBytes(rows, alpha_), {data_.x, data_.y + row_, rows.width, rows.height});
  row_ += rows.height;
  ms_ += watch.ms();
}

void PictureWriter::finish() {
  const Stopwatch watch;
  if (exr_)
    exr_->finish();
  else
    writePngBytes(file_, frame_.width, frame_.height, components(), bytes_);
  ms_ += watch.ms();
}

void PictureWriter::place(const std::vector<std::uint8_t>& bytes, const Rect& rows) {
  const Rect both = intersect(rows, frame_);
  const int n = components();
  if (both.empty()) return;
  for (int y = both.y; y < both.bottom(); ++y) {
    const auto from = (std::ptrdiff_t(y - rows.y) * rows.width + (both.x - rows.x)) * n;
    const auto to = (std::ptrdiff_t(y - frame_.y) * frame_.width + (both.x - frame_.x)) * n;
    std::copy_n(bytes.begin() + from, both.width * n, bytes_.begin() + to);
  }
}

}  // namespace fathom::deep
