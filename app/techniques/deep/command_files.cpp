// SPDX-License-Identifier: BSD-3-Clause
// fathom deep capture | merge | flatten: scene or files into one deep EXR or a flat picture, band
// by band.
#include "app/core/deep_channels.h"
#include "app/io/deep_exr.h"
#include "app/io/image_file.h"
#include "app/io/png.h"
#include "app/techniques/deep/command_parts.h"
#include "app/techniques/deep/input_edits.h"

#include <algorithm>
#include <chrono>

namespace fathom::deep {

const CommandFlag kPart{"part", "NAME", "Part of multi-part files: number, name or view.", "",
                        false};
const CommandFlag kKeepBad{"keep-bad-values", "",
                           "Keep NaN and infinite color and alpha outside 0..1 as the file has it.",
                           "off", false};
const CommandFlag kStream{
    "stream", "",
    "Read, merge and write files band by band, two bands in memory at a time; off: read all before "
    "the first is merged, which takes longer.",
    "on", false};

namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

bool isScene(const CommandContext& context) {
  return std::any_of(context.inputs.begin(), context.inputs.end(), isSceneSpec);
}

/// Flat files with Z are read whole.
bool canStreamAll(const CommandContext& context) {
  return !isScene(context) && std::all_of(context.inputs.begin(), context.inputs.end(), canStream);
}

DeepReadOptions readOptions(CommandContext& context) {
  DeepReadOptions options;
  options.part = context.text("part");
  options.keepBadValues = context.on("keep-bad-values");
  options.progress = &context.progress;
  return options;
}

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
void reportStages(CommandContext& context, const DeepTechnique& technique, double totalMs,
                  double writeMs) {
  const DeepTechnique::BandFacts& facts = technique.bandFacts();
  context.record.addPhase("gpu", totalMs - facts.waitedMs - technique.transferMs());
  context.record.addPhase("upload", technique.uploadMs());
  context.record.addPhase("download", technique.transferMs() - technique.uploadMs());
  if (technique.readMs() > 0) context.record.addPhase("read", technique.readMs());
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
    const auto start = Clock::now();
    fragments_ += rows.fragmentCount();
    waiting_ = waiting_.dataWindow.empty() ? std::move(rows)
                                           : joinRegions(std::move(waiting_), std::move(rows));
    if (waiting_.dataWindow.bottom() == bottom_ ||
        waiting_.dataWindow.height % writer_.rowStep() == 0) {
      writer_.writeRows(waiting_);
      waiting_ = {};
    }
    ms_ += millisecondsSince(start);
  }
  void finish() {
    const auto start = Clock::now();
    writer_.finish();
    ms_ += millisecondsSince(start);
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
  BandWriter writer(context.output, technique.emptyMerged(), options);
  technique.setBandStep(writer.rowStep());
  const auto start = Clock::now();
  technique.mergeBands(context.gpu(), context.progress,
                       [&](DeepImage&& band) { writer.write(std::move(band)); });
  const double totalMs = millisecondsSince(start);
  writer.finish();
  reportStages(context, technique, totalMs, writer.ms());
  if (writer.fragments() != technique.fragmentsIn() && !technique.hasEdits(true))
    fail("{}: expected {} merged fragments, found {}", context.output, technique.fragmentsIn(),
         writer.fragments());
  if (technique.mergeEdit(true).most > 0) {
    const auto move = double(technique.largestMove());
    context.record.set("largest_move", move);
    context.print(fmt::format("{} of {} fragments, moved by {:.6g} in Z at most",
                              writer.fragments(), technique.fragmentsIn(), move));
  }
  reportFragments(context, technique.fragmentsIn(), writer.fragments());
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
    const auto start = Clock::now();
    if (exr_)
      exr_->writeRows(rows);
    else
      place(pngBytes(rows), {data_.x, data_.y + row_, rows.width, rows.height});
    row_ += rows.height;
    ms_ += millisecondsSince(start);
  }
  void finish() {
    const auto start = Clock::now();
    if (exr_)
      exr_->finish();
    else
      writePngBytes(file_, frame_.width, frame_.height, 3, bytes_);
    ms_ += millisecondsSince(start);
  }

 private:
  /// What of the rows lies in the frame.
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

DeepTechnique& openInputs(CommandContext& context) {
  auto& technique = context.as<DeepTechnique>();
  if (context.size) technique.setSize(context.size->x, context.size->y);
  context.readBesideGpu([&]() -> std::unique_ptr<LoadedInputs> {
    if (isScene(context)) return read(context.inputs, context.progress);
    checkMemory(context.inputs, readOptions(context));
    return readFiles(context.inputs, readOptions(context));
  });
  checkInputCount(technique.settingsStruct(), technique.inputCount());
  const glm::ivec2 size = technique.size();
  context.record.size = {size.x, size.y};
  return technique;
}

DeepTechnique& openForPixel(CommandContext& context, glm::ivec2 pixel) {
  if (!canStreamAll(context)) return openInputs(context);
  const DeepReadOptions options = readOptions(context);
  auto& technique = context.as<DeepTechnique>();
  context.readBesideGpu([&]() -> std::unique_ptr<LoadedInputs> {
    Rect window;
    std::vector<DeepImage> images = readRow(context.inputs, options, pixel.y, window);
    if (!window.contains(pixel.x, pixel.y)) failOutside(context, window, pixel);
    return loaded(std::move(images), context.inputs);
  });
  checkInputCount(technique.settingsStruct(), technique.inputCount());
  context.record.size = {technique.size().x, technique.size().y};
  return technique;
}

void failOutside(const CommandContext& context, const Rect& window, glm::ivec2 pixel) {
  fail("{}: expected a pixel from {},{} to {},{}, found {},{}", context.inputs[0], window.x,
       window.y, window.right() - 1, window.bottom() - 1, pixel.x, pixel.y);
}

DeepTechnique& openForBands(CommandContext& context) {
  if (!context.on("stream") || !canStreamAll(context)) return openInputs(context);
  const DeepReadOptions options = readOptions(context);
  auto& technique = context.as<DeepTechnique>();
  context.readBesideGpu([&]() -> std::unique_ptr<LoadedInputs> {
    return loaded(std::make_shared<StreamedFiles>(context.inputs, options));
  });
  checkInputCount(technique.settingsStruct(), technique.inputCount());
  context.record.size = {technique.size().x, technique.size().y};
  return technique;
}

void reportFragments(CommandContext& context, std::uint64_t in, std::uint64_t out) {
  context.as<DeepTechnique>().nameWhatWasUsed();
  context.record.set("fragments_in", in);
  context.record.set("fragments_out", out);
  std::error_code none;
  const auto bytes = std::filesystem::file_size(context.output, none);
  context.record.set("bytes", none ? std::uintmax_t(0) : bytes);
}

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
  PictureWriter writer(context.output, technique.emptyMerged(), context.on("float"));
  const auto start = Clock::now();
  technique.flattenBands(context.gpu(), context.progress,
                         [&](Image&& rows) { writer.write(rows); });
  const double totalMs = millisecondsSince(start);
  writer.finish();
  reportStages(context, technique, totalMs, writer.ms());
  reportFragments(context, technique.fragmentsIn(), technique.fragmentsIn());
}

}  // namespace fathom::deep
