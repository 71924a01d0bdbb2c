// SPDX-License-Identifier: BSD-3-Clause
// Opening inputs whole, by part or row, or as files that stay on the disk; writers of bands and
// rows.
#include "app/cli/deep/inputs_outputs.h"

#include "app/engine/core/error.h"
#include "app/engine/core/progress.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/core/text.h"
#include "app/engine/deep/bands/band_merger.h"
#include "app/engine/deep/settings/input_edits.h"
#include "app/engine/io/color_config.h"
#include "app/engine/scene/load_scene.h"

namespace fathom::deep {

const CommandFlag kPart{"part", "NAME", "Part of multi-part files: number, name or view."};
const CommandFlag kKeepBad{"keep-bad-values", "",
                           "Keep NaN and infinite color and alpha outside 0..1 as the file has it.",
                           "off"};
const CommandFlag kStream{"stream", "",
                          "Read, merge and write files band by band, two bands in memory at a "
                          "time; off: read all before the first is merged, which takes longer.",
                          "on"};

const CommandFlag kCompression{
    "compression", "none|rle|zips|zstd",
    "How the deep EXR is compressed; not given: as the first input, else zips. OpenEXR reads zstd "
    "from 3.5 on."};
const CommandFlag kTiled{"tiled", "", "Write tiles of 64 x 64 instead of scanlines.", "off"};

namespace {

bool isScene(const CommandContext& context) {
  return std::any_of(context.inputs.begin(), context.inputs.end(), isSceneSpec);
}

/// Flat files with Z are read whole.
bool canStreamAll(const CommandContext& context) {
  return !isScene(context) && std::all_of(context.inputs.begin(), context.inputs.end(), canStream);
}

/// Fragments are chosen by ID where there are IDs.
void checkIds(const DeepEngine& technique) {
  const Inputs& inputs = technique.opened();
  DeepImage header = inputs.header(FragmentFormat::Half);
  const std::vector<DeepChannel>& channels = header.channels;
  const std::vector<InputEdit> edits = technique.edits(Purpose::File).inputs;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    if (edits[i].ids.empty()) continue;
    if (!hasIds(channels)) {
      std::vector<std::string> names;
      std::ranges::transform(channels, std::back_inserter(names), &DeepChannel::name);
      fail(
          "{}: expected an integer ID channel for --ids (a step retype NAME=uint makes one), found "
          "channels {}",
          inputs.names()[0], fmt::join(names, ", "));
    }
    header.attributes = inputs.attributes()[i];
    const IdFilter filter(header, edits[i].ids);
    for (const std::string& pattern : filter.unmatched())
      log::warn("{}: no ID has a name like \"{}\"", inputs.names()[i], pattern);
  }
}

/// After reading: settings fit the inputs.
DeepEngine& opened(CommandContext& context) {
  auto& technique = context.as<DeepEngine>();
  if (!technique.settingsStruct().steps.empty())
    throw UsageError("--do: expected the command deep run, found " + context.record.command);
  checkInputCount(technique.settingsStruct(), technique.opened().count());
  checkIds(technique);
  if (std::ranges::none_of(editsOf(technique.settingsStruct(), technique.opened().count()),
                           [](const InputEdit& e) { return e.visible && e.role == Role::Add; }))
    log::warn("--roles, --visible: no input adds to the image, which is empty");
  context.record.size = {technique.frame().size.x, technique.frame().size.y};
  static const std::set<std::string> peeling{"deep flatten", "deep heatmap", "deep composite"};
  if (!technique.settingsStruct().view.peeled().isNothing() &&
      !peeling.contains(context.record.command))
    log::warn("--peel: ignored, only images are peeled");
  if (context.size && !technique.opened().scene() && context.record.command != "deep resize")
    log::warn("--size: ignored, files have a fixed size");
  return technique;
}

/// A line per input on standard error, sums in the record.
void reportRepairs(CommandContext& context) {
  const Inputs& inputs = context.as<DeepEngine>().opened();
  const std::vector<DeepRepairs> all = inputs.repairs();
  DeepRepairs sum;
  for (std::size_t i = 0; i < all.size(); ++i) {
    sum.add(all[i]);
    const std::string text = all[i].text();
    if (!text.empty()) log::warn("{}: {}", inputs.names()[i], text);
  }
  context.record.set("nan_depths", sum.nanDepth);
  context.record.set("bad_colors", sum.nanColor);
  context.record.set("alphas_outside", sum.alphaOutside);
  context.record.set("pixels_sorted", sum.unsortedPixels);
}

}  // namespace

DeepReadOptions readOptions(CommandContext& context) {
  return {.part = context.text("part"),
          .keepBadValues = context.on("keep-bad-values"),
          .progress = &context.progress};
}

DeepEngine& openInputs(CommandContext& context) {
  if (isScene(context) && context.given("part"))
    throw UsageError("--part: expected deep EXR files, found a scene; write SCENE#PART");
  if (context.size) context.technique().setSize(context.size->x, context.size->y);
  context.readBesideGpu([&]() -> std::unique_ptr<LoadedInputs> {
    if (isScene(context)) return read(context.inputs, context.progress);
    checkMemory(context.inputs, readOptions(context));
    return readFiles(context.inputs, readOptions(context));
  });
  return opened(context);
}

DeepEngine& openForPixel(CommandContext& context, glm::ivec2 pixel) {
  if (!canStreamAll(context)) return openInputs(context);
  const DeepReadOptions options = readOptions(context);
  context.readBesideGpu([&]() -> std::unique_ptr<LoadedInputs> {
    Rect window;
    std::vector<DeepImage> images = readRow(context.inputs, options, pixel, window);
    if (!window.contains(pixel.x, pixel.y)) failOutside(context, window, pixel);
    return loaded(std::move(images), context.inputs);
  });
  return opened(context);
}

void failOutside(const CommandContext& context, const Rect& window, glm::ivec2 pixel) {
  fail("{}: expected a pixel from {},{} to {},{}, found {},{}", context.inputs[0], window.x,
       window.y, window.right() - 1, window.bottom() - 1, pixel.x, pixel.y);
}

DeepEngine& openForBands(CommandContext& context) {
  return openRowsForBands(
      context, [](const std::vector<std::string>& files, const DeepReadOptions& options) {
        return openRows(files, options);
      });
}

DeepEngine& openRowsForBands(CommandContext& context, const RowsOpener& open) {
  if (!context.on("stream") || !canStreamAll(context)) return openInputs(context);
  const DeepReadOptions options = readOptions(context);
  context.readBesideGpu([&]() -> std::unique_ptr<LoadedInputs> {
    std::vector<std::unique_ptr<DeepRows>> rows = open(context.inputs, options);
    return loaded(std::make_shared<StreamedFiles>(context.inputs, std::move(rows)));
  });
  return opened(context);
}

std::vector<PartGroup> groupsSaid(CommandContext& context) {
  if (isScene(context)) return {{"", "", context.inputs, {}}};
  std::vector<std::string> notes;
  std::vector<PartGroup> groups = partGroups(context.inputs, context.text("part"), notes);
  for (const std::string& note : notes) log::warn("{}", note);
  return groups;
}

void takeOnePart(CommandContext& context) {
  const std::vector<PartGroup> groups = groupsSaid(context);
  context.inputs = groups[0].inputs;
  if (groups.size() > 1)
    log::warn("{}: takes part {} and leaves out {}; --part names another", context.inputs[0],
              groups[0].name, joined(groups | std::views::drop(1), ", ", &PartGroup::name));
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

DeepImage headerSaid(CommandContext& context, const MergeSetup& setup) {
  const Inputs& inputs = context.as<DeepEngine>().opened();
  std::vector<std::string> notes;
  DeepImage header = savedHeader(inputs, setup, &notes);
  // Frames run beside each other; what differs does so in all of them.
  static std::mutex mutex;
  static std::set<std::string> said;
  const std::lock_guard lock(mutex);
  for (const std::string& note : notes) {
    std::string what = note;
    for (const std::string& name : inputs.names())
      if (const std::size_t at = what.find(name); at != std::string::npos)
        what.erase(at, name.size());
    what += fmt::format(" {}", fmt::join(context.firstInputs, " "));
    if (!context.frame || said.insert(what).second) log::warn("{}", note);
  }
  return header;
}

void reportFragments(CommandContext& context, std::uint64_t in, std::uint64_t out) {
  context.as<DeepEngine>().keepResolved();
  reportRepairs(context);
  context.record.set("fragments_in", in);
  context.record.set("fragments_out", out);
  std::error_code none;
  const auto bytes = fs::file_size(context.output, none);
  context.record.set("bytes", none ? std::uintmax_t(0) : bytes);
}

DeepWriteOptions writeOptions(CommandContext& context) {
  DeepWriteOptions options;
  const std::string& name = context.text("compression");
  if (!name.empty()) options.compression = deepCompressionNamed(name, "--compression");
  options.tiled = context.on("tiled");
  return options;
}

void BandWriter::write(DeepImage&& rows) {
  const Stopwatch watch;
  fragments_ += rows.fragmentCount();
  appendRows(waiting_, std::move(rows));
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
      attributes_(header.attributes),
      data_(header.dataWindow),
      frame_(header.displayWindow),
      alpha_(alpha) {
  if (frame_.empty()) frame_ = data_;
  if (const int bytes = pictureValueBytes(file_); bytes > 0) {
    values_.resize(std::size_t(frame_.area()) * std::size_t(components() * bytes));
    return;
  }
  const FlatExrOptions options{.asFloat = asFloat,
                               .dataWindow = header.dataWindow,
                               .displayWindow = header.displayWindow,
                               .pixelAspect = header.pixelAspect,
                               .attributes = exportedAttributes(attributes_)};
  exr_.emplace(file_, data_.width, data_.height, false, options);
}

void PictureWriter::write(const Image& rows) {
  const Stopwatch watch;
  if (exr_)
    exr_->writeRows(hasOutputColor() ? exported(rows, attributes_) : rows);
  else
    place(pictureValues(rows, pictureValueBytes(file_), alpha_, attributes_),
          {data_.x, data_.y + row_, rows.width, rows.height});
  row_ += rows.height;
  ms_ += watch.ms();
}

void PictureWriter::finish() {
  const Stopwatch watch;
  if (exr_)
    exr_->finish();
  else
    writePictureValues(file_, frame_.width, frame_.height, components(), values_);
  ms_ += watch.ms();
}

void PictureWriter::place(const std::vector<std::uint8_t>& values, const Rect& rows) {
  const Rect both = intersect(rows, frame_);
  const int n = components() * pictureValueBytes(file_);
  if (both.empty()) return;
  for (int y = both.y; y < both.bottom(); ++y) {
    const auto from = (std::ptrdiff_t(y - rows.y) * rows.width + (both.x - rows.x)) * n;
    const auto to = (std::ptrdiff_t(y - frame_.y) * frame_.width + (both.x - frame_.x)) * n;
    std::copy_n(values.begin() + from, both.width * n, values_.begin() + to);
  }
}

}  // namespace fathom::deep
