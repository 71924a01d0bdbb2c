// SPDX-License-Identifier: BSD-3-Clause
// fathom deep capture | merge | flatten: scene or files into one deep EXR or a flat picture, band
// by band.
#include "app/core/error.h"
#include "app/core/stopwatch.h"
#include "app/io/exr/deep_exr.h"
#include "app/io/image_file.h"
#include "app/io/png.h"
#include "app/techniques/deep/command_inputs.h"

#include <algorithm>
#include <filesystem>
#include <optional>

namespace fathom::deep {

namespace {

DeepWriteOptions writeOptions(CommandContext& context) {
  DeepWriteOptions options;
  const std::string& name = context.text("compression");
  if (name == "none")
    options.compression = DeepCompression::None;
  else if (name == "rle")
    options.compression = DeepCompression::Rle;
  else if (name != "zips")
    throw UsageError(fmt::format("--compression: expected none, rle or zips, found \"{}\"", name));
  options.tiled = context.on("tiled");
  return options;
}

/// Time of each stage; stages of different bands run beside each other, so that their sum may
/// exceed the wall time.
void reportStages(CommandContext& context, BandMerger& merger, double totalMs, double writeMs) {
  const BandMerger::Facts& facts = merger.facts();
  context.record.addPhase("gpu",
                          totalMs - facts.waitedMs - merger.uploadMs() - merger.downloadMs());
  context.record.addPhase("upload", merger.uploadMs());
  context.record.addPhase("download", merger.downloadMs());
  if (merger.readMs() > 0) context.record.addPhase("read", merger.readMs());
  context.record.addPhase("write", writeMs);
  context.record.set("bands", facts.bands);
  context.record.set("most_fragments_in_a_band", facts.maxFragments);
}

/// Hands bands to the writer; keeps rows that do not fill a row of tiles yet.
class BandWriter {
 public:
  BandWriter(const std::string& file, const DeepImage& like, const DeepWriteOptions& options)
      : writer_(file, like, options), bottom_(like.dataWindow.bottom()) {}

  int rowStep() const { return writer_.rowStep(); }
  std::uint64_t fragments() const { return fragments_; }
  double ms() const { return ms_; }

  void write(DeepImage&& rows) {
    const Stopwatch watch;
    fragments_ += rows.fragmentCount();
    waiting_ = waiting_.dataWindow.empty() ? std::move(rows)
                                           : joinRegions(std::move(waiting_), std::move(rows));
    if (waiting_.dataWindow.bottom() == bottom_ ||
        waiting_.dataWindow.height % writer_.rowStep() == 0) {
      writer_.writeRows(waiting_);
      waiting_ = {};
    }
    ms_ += watch.ms();
  }
  void finish() {
    const Stopwatch watch;
    writer_.finish();
    ms_ += watch.ms();
  }

 private:
  DeepExrWriter writer_;
  DeepImage waiting_;
  int bottom_;
  std::uint64_t fragments_ = 0;
  double ms_ = 0;
};

void writeMerged(CommandContext& context, DeepTechnique& technique,
                 const DeepWriteOptions& options) {
  BandMerger merger = technique.bandMerger(context.gpu());
  const Edits edits = merger.setup().edits(Purpose::File);
  BandWriter writer(context.output, savedHeader(technique.opened(), merger.setup()), options);
  merger.setRowStep(writer.rowStep());
  const Stopwatch watch;
  merger.merge(context.progress, [&](DeepImage&& band) { writer.write(std::move(band)); });
  const double totalMs = watch.ms();
  writer.finish();
  reportStages(context, merger, totalMs, writer.ms());
  const BandMerger::Facts& facts = merger.facts();
  if (writer.fragments() != facts.fragmentsIn && edits.isNothing())
    fail("{}: expected {} merged fragments, found {}", context.output, facts.fragmentsIn,
         writer.fragments());
  if (edits.merged.maxCount > 0) {
    const auto move = double(facts.largestMove);
    context.record.set("largest_move", move);
    context.print(fmt::format("{} of {} fragments, moved by {:.6g} in Z at most",
                              writer.fragments(), facts.fragmentsIn, move));
  }
  reportFragments(context, facts.fragmentsIn, writer.fragments());
}

/// A flat picture that grows row by row: an EXR in its windows, a PNG of the display window.
class PictureWriter {
 public:
  PictureWriter(std::string file, const DeepImage& header, bool asFloat)
      : file_(std::move(file)), data_(header.dataWindow), frame_(header.displayWindow) {
    if (frame_.empty()) frame_ = data_;
    if (std::filesystem::path(file_).extension() == ".png") {
      bytes_.resize(std::size_t(frame_.area()) * 3);
      return;
    }
    FlatExrOptions options;
    options.dataWindow = header.dataWindow;
    options.displayWindow = header.displayWindow;
    options.pixelAspect = header.pixelAspect;
    options.asFloat = asFloat;
    exr_.emplace(file_, data_.width, data_.height, false, options);
  }
  double ms() const { return ms_; }

  void write(const Image& rows) {
    const Stopwatch watch;
    if (exr_)
      exr_->writeRows(rows);
    else
      place(pngBytes(rows), {data_.x, data_.y + row_, rows.width, rows.height});
    row_ += rows.height;
    ms_ += watch.ms();
  }
  void finish() {
    const Stopwatch watch;
    if (exr_)
      exr_->finish();
    else
      writePngBytes(file_, frame_.width, frame_.height, 3, bytes_);
    ms_ += watch.ms();
  }

 private:
  /// Copies the part of the rows that is inside the frame.
  void place(const std::vector<std::uint8_t>& rgb, const Rect& rows) {
    const Rect both = intersect(rows, frame_);
    if (both.empty()) return;
    for (int y = both.y; y < both.bottom(); ++y) {
      const auto from = (std::ptrdiff_t(y - rows.y) * rows.width + (both.x - rows.x)) * 3;
      const auto to = (std::ptrdiff_t(y - frame_.y) * frame_.width + (both.x - frame_.x)) * 3;
      std::copy_n(rgb.begin() + from, both.width * 3, bytes_.begin() + to);
    }
  }

  std::string file_;
  Rect data_, frame_;
  std::optional<FlatExrWriter> exr_;
  std::vector<std::uint8_t> bytes_;
  int row_ = 0;
  double ms_ = 0;
};

}  // namespace

void runCapture(CommandContext& context) {
  const DeepWriteOptions options = writeOptions(context);
  writeMerged(context, openInputs(context), options);
}

void runMerge(CommandContext& context) {
  const DeepWriteOptions options = writeOptions(context);
  writeMerged(context, openForBands(context), options);
}

void runFlatten(CommandContext& context) {
  DeepTechnique& technique = openForBands(context);
  BandMerger merger = technique.bandMerger(context.gpu());
  PictureWriter writer(context.output, savedHeader(technique.opened(), merger.setup()),
                       context.on("float"));
  const Stopwatch watch;
  merger.flatten(context.progress, [&](Image&& rows) { writer.write(rows); });
  const double totalMs = watch.ms();
  writer.finish();
  reportStages(context, merger, totalMs, writer.ms());
  reportFragments(context, merger.facts().fragmentsIn, merger.facts().fragmentsIn);
}

}  // namespace fathom::deep
