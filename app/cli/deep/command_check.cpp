// SPDX-License-Identifier: BSD-3-Clause
// fathom deep check | points: what files hold, judged and as points in space.
#include "app/cli/deep/command_inputs.h"
#include "app/engine/core/error.h"
#include "app/engine/core/progress.h"
#include "app/engine/core/random.h"
#include "app/engine/deep/files/camera_attributes.h"
#include "app/engine/deep/files/deep_check.h"
#include "app/engine/deep/files/fragment_points.h"
#include "app/engine/io/atomic_file.h"

#include <filesystem>

namespace fathom::deep {
namespace {

std::string bytesOfChannels(const CheckedPart& part) {
  std::string text;
  for (const CheckedPart::Channel& channel : part.channels)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", channel.name,
                        gpu::bytesText(std::int64_t(channel.bytes)));
  return text;
}

void printChecked(CommandContext& context, const std::string& file, const CheckedPart& part,
                  bool several, std::uint64_t fileBytes) {
  const std::string name = several ? fmt::format("{}#{}", file, part.name) : file;
  for (const Finding& finding : part.findings)
    context.print(fmt::format(
        "{}: {}: {}: {}{}", name, nameOf(finding.severity), finding.code, finding.text,
        finding.count > 0 ? fmt::format(", first at {},{}", finding.x, finding.y) : ""));
  const auto fragments = double(std::max<std::uint64_t>(1, part.fragments));
  context.print(fmt::format(
      "{}: {} fragments, {:.2f} per pixel that has any, {:.2f} bytes each in "
      "the file; unpacked: {}",
      name, part.fragments,
      double(part.fragments) / double(std::max<std::uint64_t>(1, part.pixels - part.emptyPixels)),
      double(fileBytes) / fragments, bytesOfChannels(part)));
  if (part.fragments > 0)
    context.print(fmt::format(
        "{}: --drop-hidden 1 would leave {:.1f} %, --thin-error 1/512 {:.1f} % "
        "(of every 16th row)",
        name, 100 * double(part.fragments - part.hidden) / fragments, 100 * part.thinned));
  std::string pixels;
  for (const CheckedPart::Pixel& pixel : part.costliest)
    pixels +=
        fmt::format("{}{},{} ({})", pixels.empty() ? "" : ", ", pixel.x, pixel.y, pixel.count);
  if (!pixels.empty()) context.print(fmt::format("{}: most fragments at {}", name, pixels));
}

void recordChecked(CommandContext& context, const std::string& prefix, const CheckedPart& part) {
  RunRecord& record = context.record;
  record.set(prefix + "fragments", part.fragments);
  record.set(prefix + "hidden_fragments", part.hidden);
  record.set(prefix + "left_by_thinning", part.thinned);
  for (const CheckedPart::Channel& channel : part.channels)
    record.set(prefix + "bytes_" + channel.name, channel.bytes);
  for (const Finding& finding : part.findings) {
    const std::string key = prefix + "finding_" + finding.code;
    record.set(key, std::string(nameOf(finding.severity)));
    record.set(key + "_count", finding.count);
    if (finding.count > 0) record.set(key + "_at", fmt::format("{},{}", finding.x, finding.y));
  }
}

}  // namespace

void runCheck(CommandContext& context) {
  CheckOptions options;
  options.nearest = context.real("near", -1e30, 1e30);
  options.progress = &context.progress;
  std::uint64_t counts[3] = {};
  for (const std::string& file : context.inputs) {
    const std::vector<CheckedPart> parts = checkDeepExr(file, options);
    const std::uint64_t bytes = std::filesystem::file_size(file);
    for (const CheckedPart& part : parts) {
      std::string prefix;
      if (context.inputs.size() > 1) prefix += file + " ";
      if (parts.size() > 1) prefix += "part " + part.name + " ";
      printChecked(context, file, part, parts.size() > 1, bytes);
      recordChecked(context, prefix, part);
      for (const Finding& finding : part.findings) ++counts[std::size_t(finding.severity)];
    }
  }
  context.record.set("errors", counts[0]);
  context.record.set("warnings", counts[1]);
  context.record.set("notes", counts[2]);
  context.print(fmt::format("{} errors, {} warnings, {} notes", counts[0], counts[1], counts[2]));
  if (counts[0] > 0) context.exitCode = 3;
}

void runPoints(CommandContext& context) {
  const std::string& space = context.text("space");
  if (space != "auto" && space != "world" && space != "pixels")
    throw UsageError(fmt::format("--space: expected auto, world or pixels, found \"{}\"", space));
  const auto count = std::uint64_t(context.number("count", 0, INT32_MAX));
  takeOnePart(context);
  DeepEngine& technique = openForBands(context);
  BandMerger merger = technique.bandMerger(context.gpu());
  const DeepImage header = savedHeader(technique.opened(), merger.setup());
  std::optional<Unprojection> camera;
  if (space != "pixels") camera = Unprojection::from(header.attributes, header.displayWindow);
  if (space == "world" && !camera)
    fail("{}: expected worldToCamera and worldToNDC for --space world, found none",
         context.inputs[0]);
  PointWriter writer(context.output, header, camera, count, context.seed);
  merger.merge(context.progress, [&](DeepImage&& band) { writer.write(band); });
  writer.finish();
  context.record.set("points", writer.count());
  context.record.set("infinite_points", writer.infinite());
  context.record.set("space", std::string(camera ? "world" : "pixels"));
  context.print(fmt::format(
      "{} points in {}{}", writer.count(), camera ? "the world" : "pixels and depth",
      writer.infinite() > 0 ? fmt::format(", {} at infinite depth left out", writer.infinite())
                            : ""));
  reportFragments(context, merger.facts().fragmentsIn, writer.count());
}

}  // namespace fathom::deep
