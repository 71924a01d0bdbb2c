// SPDX-License-Identifier: BSD-3-Clause
// fathom deep flatten: a flat picture of what is merged, its color or all of its channels, band by
// band.
#include "app/cli/deep/command_inputs.h"
#include "app/cli/deep/command_writers.h"
#include "app/engine/core/error.h"
#include "app/engine/core/progress.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/deep/operations/flatten_channels.h"
#include "app/engine/deep/operations/id_filter.h"
#include "app/engine/io/exr/flat_exr.h"

#include <algorithm>
#include <filesystem>
#include <optional>

namespace fathom::deep {

namespace {

std::vector<std::string> listIn(const std::string& text) {
  std::vector<std::string> list;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    if (comma > at) list.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return list;
}

std::vector<FlatDepth> depthsOf(const std::string& text) {
  std::vector<FlatDepth> depths;
  for (const std::string& name : listIn(text)) {
    const auto known = {FlatDepth::Front, FlatDepth::Back, FlatDepth::Mean,
                        FlatDepth::AlphaWeighted};
    const auto depth =
        std::find_if(known.begin(), known.end(), [&](FlatDepth d) { return name == nameOf(d); });
    if (depth == known.end())
      throw UsageError(
          fmt::format("--depth: expected front, back, mean or alpha-weighted, found \"{}\"", name));
    if (std::find(depths.begin(), depths.end(), *depth) == depths.end()) depths.push_back(*depth);
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
        patterns.empty() ||
        std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
          return matchesPattern(channel.name, pattern);
        });
    if (chosen)
      plan.channels.push_back(channel.name);
    else
      left += (left.empty() ? "" : ", ") + channel.name;
  }
  for (const std::string& pattern : patterns)
    if (std::none_of(header.channels.begin(), header.channels.end(),
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

void flattenColor(CommandContext& context, BandMerger& merger, const DeepImage& header) {
  PictureWriter writer(context.output, header, context.on("float"),
                       context.on("alpha") ? PngAlpha::Straight : PngAlpha::OverBlack);
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

void runFlattenColor(CommandContext& context) {
  DeepEngine& technique = openForBands(context);
  BandMerger merger = technique.bandMerger(context.gpu());
  PictureWriter writer(context.output, headerSaid(technique, merger.setup()), context.on("float"));
  const Stopwatch watch;
  merger.flatten(context.progress, [&](Image&& rows) { writer.write(rows); });
  const double totalMs = watch.ms();
  writer.finish();
  reportStages(context, merger, totalMs, writer.ms());
  reportFragments(context, merger.facts().fragmentsIn, merger.facts().fragmentsIn);
}

void runFlatten(CommandContext& context) {
  takeOnePart(context);
  DeepEngine& technique = openForBands(context);
  BandMerger merger = technique.bandMerger(context.gpu());
  const DeepImage header = headerSaid(technique, merger.setup());
  const bool isExr = std::filesystem::path(context.output).extension() == ".exr";
  const bool peels = !merger.setup().settings.view.peeled().isNothing();
  std::string others;
  for (const DeepChannel& channel : header.channels)
    if (!isColorChannel(channel.name)) others += (others.empty() ? "" : ", ") + channel.name;
  const bool asked = context.given("channels") || context.given("depth");
  if (asked && (!isExr || peels))
    throw UsageError(fmt::format("--{}: expected an EXR as output, without --peel, found {}",
                                 context.given("depth") ? "depth" : "channels", context.output));
  if (context.on("alpha") && isExr)
    throw UsageError("--alpha: expected a PNG as output; an EXR has its alpha");
  if (isExr && !peels && (asked || !others.empty())) {
    flattenAll(context, merger, header);
  } else {
    if (!others.empty()) log::warn("{}: left out {}", context.output, others);
    flattenColor(context, merger, header);
  }
  reportFragments(context, merger.facts().fragmentsIn, merger.facts().fragmentsIn);
}

}  // namespace fathom::deep
