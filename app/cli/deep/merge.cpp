// SPDX-License-Identifier: BSD-3-Clause
// fathom deep capture | merge | flatten: what makes and joins images.
#include "app/cli/deep/inputs_outputs.h"
#include "app/engine/core/error.h"
#include "app/engine/core/progress.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/core/text.h"
#include "app/engine/deep/operations/flatten_channels.h"
#include "app/engine/io/color_config.h"
#include "app/engine/io/exr/exr_attributes.h"
#include "app/engine/io/exr/flat_exr.h"

namespace fathom::deep {
namespace {

/// What merging into one file adds up to over its parts.
struct MergedSums {
  std::uint64_t in = 0, out = 0;
  ThinReport thinned;
};

/// Merges what is open into one part of the file.
void mergePart(CommandContext& context, DeepEngine& technique, DeepExrWriter& file,
               const DeepImage& header, int part, MergedSums& sums) {
  BandMerger merger = technique.bandMerger(context.gpu());
  const Edits edits = merger.setup().edits(Purpose::File);
  BandWriter writer(file, header, part);
  merger.setRowStep(writer.rowStep());
  const Stopwatch watch;
  merger.merge(context.progress, [&](DeepImage&& band) { writer.write(std::move(band)); });
  reportStages(context, merger, watch.ms(), writer.ms());
  const BandMerger::Facts& facts = merger.facts();
  if (writer.fragments() != facts.fragmentsIn && edits.isNothing())
    fail("{}: expected {} merged fragments, found {}", context.output, facts.fragmentsIn,
         writer.fragments());
  sums.in += facts.fragmentsIn, sums.out += writer.fragments();
  sums.thinned.add(facts.thinned);
}

void reportThinned(CommandContext& context, const MergeEdit& edit, const MergedSums& sums) {
  if (edit.maxCount > 0) {
    context.record.set("largest_move", double(sums.thinned.move));
    context.print(fmt::format("{} of {} fragments, largest change of Z {:.6g}", sums.out, sums.in,
                              sums.thinned.move));
  }
  if (edit.thinError > 0) {
    context.record.set("largest_error", sums.thinned.error);
    context.record.set("flat_error", sums.thinned.flatError);
    context.print(fmt::format(
        "{} of {} fragments; largest error of alpha and light {:.6g}, of the flat image {:.6g}",
        sums.out, sums.in, sums.thinned.error, sums.thinned.flatError));
    if (edit.thinDepth > 0) {
      context.record.set("largest_depth_move", sums.thinned.depth);
      context.print(fmt::format("largest relative change of depth {:.6g}", sums.thinned.depth));
    }
  }
}

/// The name and view of a part, where there are several.
void namePart(DeepImage& header, const PartGroup& group) {
  Attributes all = header.attributes ? *header.attributes : Attributes();
  setAttribute(all, attributeOf("name", group.name));
  if (!group.view.empty()) setAttribute(all, attributeOf("view", group.view));
  header.attributes = std::make_shared<const Attributes>(std::move(all));
}

/// The edits of some of the inputs, by the numbers that they have among all.
void chooseEdits(Settings& settings, const Settings& asked, std::size_t inputs,
                 std::span<const std::size_t> numbers) {
  const std::vector<InputEdit> all = editsOf(asked, inputs);
  std::vector<InputEdit> edits;
  for (const std::size_t number : numbers) edits.push_back(all[number]);
  std::vector<std::size_t> order;
  for (const std::size_t number : orderOf(asked, inputs)) {
    const auto at = std::ranges::find(numbers, number);
    if (at != numbers.end()) order.push_back(std::size_t(at - numbers.begin()));
  }
  setEdits(settings, edits);
  setOrder(settings, order);
}

/// Opens one group of several: each of its inputs keeps the edits that it has on the command line.
DeepEngine& openGroup(CommandContext& context, DeepEngine& (*open)(CommandContext&),
                      const PartGroup& group, const Settings& asked, std::size_t inputs) {
  Settings& settings = context.as<DeepEngine>().settingsStruct();
  context.inputs = group.inputs;
  chooseEdits(settings, asked, inputs, group.numbers);
  DeepEngine& technique = open(context);
  chooseEdits(settings, asked, inputs,
              group.numbers);  // again: by name, other parts are other inputs
  return technique;
}

/// Every group of inputs becomes a part of the output; `open` opens context.inputs.
void writeMerged(CommandContext& context, DeepEngine& (*open)(CommandContext&),
                 const DeepWriteOptions& options) {
  const std::vector<std::string> inputs = context.inputs;
  const std::vector<PartGroup> groups = groupsSaid(context);
  const bool several = groups.size() > 1;
  const Settings asked = context.as<DeepEngine>().settingsStruct();
  if (several) checkInputCount(asked, inputs.size());
  std::vector<DeepImage> headers;
  for (const PartGroup& group : groups) {
    if (!several) context.inputs = group.inputs;
    DeepEngine& technique =
        several ? openGroup(context, open, group, asked, inputs.size()) : open(context);
    headers.push_back(headerSaid(context, technique.bandMerger(context.gpu()).setup()));
    if (several) namePart(headers.back(), group);
  }
  DeepExrWriter file(context.output, headers, options);
  MergedSums sums;
  for (std::size_t part = 0; part < groups.size(); ++part) {
    DeepEngine& technique = several ? openGroup(context, open, groups[part], asked, inputs.size())
                                    : context.as<DeepEngine>();  // is open already
    mergePart(context, technique, file, headers[part], int(part), sums);
  }
  context.timed("write", [&] { file.finish(); });
  context.inputs = inputs;
  auto& technique = context.as<DeepEngine>();
  if (several)  // for the next frame
    chooseEdits(technique.settingsStruct(), asked, inputs.size(), orderOf({}, inputs.size()));
  reportThinned(context, technique.edits(Purpose::File).merged, sums);
  reportFragments(context, sums.in, sums.out);
}

std::vector<std::string> listIn(const std::string& text) {
  std::vector<std::string> list = splitAt(text, ',');
  std::erase(list, "");
  return list;
}

std::vector<FlatDepth> depthsOf(const std::string& text) {
  std::vector<FlatDepth> depths;
  for (const std::string& name : listIn(text)) {
    const auto depth =
        FlatDepth(wordIndex("--depth", name, {"front", "back", "mean", "alpha-weighted"}));
    if (std::ranges::find(depths, depth) == depths.end()) depths.push_back(depth);
  }
  return depths;
}

bool isDepthChannel(const std::string& name) { return name == "Z" || name == "ZBack"; }

/// The channels that --channels chooses; not given: all but depth.
FlatPlan planOf(const CommandContext& context, const DeepImage& header) {
  FlatPlan plan;
  plan.depths = depthsOf(context.text("depth"));
  plan.asFloat = context.on("float");
  const std::vector<std::string> patterns = listIn(context.text("channels"));
  std::string left;
  for (const DeepChannel& channel : header.channels) {
    if (isDepthChannel(channel.name)) continue;
    const bool chosen =
        patterns.empty() || std::ranges::any_of(patterns, [&](const std::string& pattern) {
          return matchesPattern(channel.name, pattern);
        });
    if (chosen)
      plan.channels.push_back(channel.name);
    else
      left += (left.empty() ? "" : ", ") + channel.name;
  }
  for (const std::string& pattern : patterns)
    if (std::ranges::none_of(header.channels,
                             [&](const DeepChannel& c) { return matchesPattern(c.name, pattern); }))
      fail("{}: expected a channel \"{}\", found none", context.inputs[0], pattern);
  if (plan.channels.empty() && plan.depths.empty())
    fail("{}: expected channels besides depth, or --depth, found none", context.inputs[0]);
  if (!left.empty()) log::warn("{}: left out {}", context.output, left);
  return plan;
}

/// Every channel, on the host: the device composites color alone.
void flattenAll(CommandContext& context, BandMerger& merger, const DeepImage& header) {
  const FlatPlan plan = planOf(context, header);
  FlatChannelWriter writer(context.output, header, flatChannels(header, plan));
  const Edits edits = merger.setup().edits(Purpose::Picture);
  MergeEdit tidy;
  tidy.tidy = edits.merged.tidy;  // what is saved is not, pictures of volumes are
  double writeMs = 0;
  const Stopwatch watch;
  merger.merge(context.progress, [&](DeepImage&& band) {
    const std::vector<DeepChannel> rows = flattenChannels(band, tidy, plan);
    const Stopwatch writing;
    writer.writeRows(rows, band.dataWindow.height);
    writeMs += writing.ms();
  });
  const double totalMs = watch.ms();
  writer.finish();
  reportStages(context, merger, totalMs, writeMs);
}

void flattenColor(CommandContext& context, BandMerger& merger, const DeepImage& header,
                  PngAlpha alpha) {
  const Rect& frame = header.displayWindow;
  if (pictureValueBytes(context.output) > 0 && frame.area() > kMaxPictureArea)
    fail("{}: expected a display window of at most {} pixels, found {}x{}", context.inputs[0],
         kMaxPictureArea, frame.width, frame.height);
  PictureWriter writer(context.output, header, context.on("float"), alpha);
  const Stopwatch watch;
  merger.flatten(context.progress, [&](Image&& rows) { writer.write(rows); });
  const double totalMs = watch.ms();
  writer.finish();
  reportStages(context, merger, totalMs, writer.ms());
}

bool isColorChannel(const std::string& name) {
  return name == "R" || name == "G" || name == "B" || name == "A" || isDepthChannel(name);
}

}  // namespace

void runCapture(CommandContext& context) {
  const DeepWriteOptions options = writeOptions(context);
  if (context.on("with-ids")) return captureWithIds(context, options);
  writeMerged(context, openInputs, options);
}

void runMerge(CommandContext& context) {
  const DeepWriteOptions options = writeOptions(context);
  writeMerged(context, openForBands, options);
}

void runFlattenColor(CommandContext& context) {
  DeepEngine& technique = openForBands(context);
  BandMerger merger = technique.bandMerger(context.gpu());
  flattenColor(context, merger, headerSaid(context, merger.setup()), PngAlpha::OverBlack);
  reportFragments(context, merger.facts().fragmentsIn, merger.facts().fragmentsIn);
}

void runFlatten(CommandContext& context) {
  takeOnePart(context);
  DeepEngine& technique = openForBands(context);
  BandMerger merger = technique.bandMerger(context.gpu());
  const DeepImage header = headerSaid(context, merger.setup());
  const bool isExr = fs::path(context.output).extension() == ".exr";
  const bool peels = !merger.setup().settings.view.peeled().isNothing();
  std::string others;
  for (const DeepChannel& channel : header.channels)
    if (!isColorChannel(channel.name)) others += (others.empty() ? "" : ", ") + channel.name;
  const bool asked = context.given("channels") || context.given("depth");
  const bool onlyColor = !isExr || peels || hasOutputColor();
  if (asked && onlyColor)
    failUsage(
        "--{}: expected an EXR as output, without --peel, --display and --colorspace, found {}",
        context.given("depth") ? "depth" : "channels", context.output);
  if (context.on("alpha") && (isExr || endingOf(context.output) == ".dpx"))
    throw UsageError("--alpha: expected a PNG or TIFF as output; an EXR has its alpha");
  if (!onlyColor && (asked || !others.empty())) {
    flattenAll(context, merger, header);
  } else {
    if (!others.empty()) log::warn("{}: left out {}", context.output, others);
    flattenColor(context, merger, header,
                 context.on("alpha") ? PngAlpha::Straight : PngAlpha::OverBlack);
  }
  reportFragments(context, merger.facts().fragmentsIn, merger.facts().fragmentsIn);
}

}  // namespace fathom::deep
