// SPDX-License-Identifier: BSD-3-Clause
// Opening the inputs of a command as it needs them: whole, band by band, or one row.
#include "app/techniques/deep/command_inputs.h"

#include "app/core/error.h"
#include "app/scene/load_scene.h"
#include "app/techniques/deep/settings/input_edits.h"

#include <algorithm>
#include <filesystem>

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

const CommandFlag kCompression{"compression", "none|rle|zips", "How the deep EXR is compressed.",
                               "zips", false};
const CommandFlag kTiled{"tiled", "", "Write tiles of 64 x 64 instead of scanlines.", "off", false};

namespace {

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

/// After reading: settings fit the inputs.
DeepTechnique& opened(CommandContext& context) {
  auto& technique = context.as<DeepTechnique>();
  checkInputCount(technique.settingsStruct(), technique.opened().count());
  context.record.size = {technique.size().x, technique.size().y};
  return technique;
}

}  // namespace

DeepTechnique& openInputs(CommandContext& context) {
  if (context.size) context.technique().setSize(context.size->x, context.size->y);
  context.readBesideGpu([&]() -> std::unique_ptr<LoadedInputs> {
    if (isScene(context)) return read(context.inputs, context.progress);
    checkMemory(context.inputs, readOptions(context));
    return readFiles(context.inputs, readOptions(context));
  });
  return opened(context);
}

DeepTechnique& openForPixel(CommandContext& context, glm::ivec2 pixel) {
  if (!canStreamAll(context)) return openInputs(context);
  const DeepReadOptions options = readOptions(context);
  context.readBesideGpu([&]() -> std::unique_ptr<LoadedInputs> {
    Rect window;
    std::vector<DeepImage> images = readRow(context.inputs, options, pixel.y, window);
    if (!window.contains(pixel.x, pixel.y)) failOutside(context, window, pixel);
    return loaded(std::move(images), context.inputs);
  });
  return opened(context);
}

void failOutside(const CommandContext& context, const Rect& window, glm::ivec2 pixel) {
  fail("{}: expected a pixel from {},{} to {},{}, found {},{}", context.inputs[0], window.x,
       window.y, window.right() - 1, window.bottom() - 1, pixel.x, pixel.y);
}

DeepTechnique& openForBands(CommandContext& context) {
  if (!context.on("stream") || !canStreamAll(context)) return openInputs(context);
  const DeepReadOptions options = readOptions(context);
  context.readBesideGpu([&]() -> std::unique_ptr<LoadedInputs> {
    return loaded(std::make_shared<StreamedFiles>(context.inputs, options));
  });
  return opened(context);
}

void reportFragments(CommandContext& context, std::uint64_t in, std::uint64_t out) {
  context.as<DeepTechnique>().keepSettled();
  context.record.set("fragments_in", in);
  context.record.set("fragments_out", out);
  std::error_code none;
  const auto bytes = std::filesystem::file_size(context.output, none);
  context.record.set("bytes", none ? std::uintmax_t(0) : bytes);
}

}  // namespace fathom::deep
