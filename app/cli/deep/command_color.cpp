// SPDX-License-Identifier: BSD-3-Clause
// fathom deep recolor | grade | expression: the same fragments with other values.
#include "app/cli/deep/command_inputs.h"
#include "app/cli/deep/command_writers.h"
#include "app/engine/core/error.h"
#include "app/engine/core/progress.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/deep/operations/color_edit.h"
#include "app/engine/deep/operations/id_filter.h"
#include "app/engine/io/picture.h"

#include <cmath>
#include <optional>

namespace fathom::deep {
namespace {

/// The merged inputs, changed by `change`, as the output.
template <class Change>
void writeChanged(CommandContext& context, const Change& change) {
  std::uint64_t fragmentsIn = 0;
  DeepImage image = mergedImage(context, fragmentsIn);
  const Stopwatch watch;
  context.progress.begin("changing fragments", 0);
  change(image);
  context.record.addPhase("change", watch.ms());
  DeepWriteOptions options = writeOptions(context);
  options.progress = &context.progress;
  writeDeepExr(context.output, image, options);
  context.record.size = {image.dataWindow.width, image.dataWindow.height};
  reportFragments(context, fragmentsIn, image.fragmentCount());
}

/// Of --only.
std::optional<IdFilter> filterSaid(const CommandContext& context, const DeepImage& image) {
  const std::string& ids = context.text("only");
  if (ids.empty()) return std::nullopt;
  for (const DeepChannel& channel : image.channels)
    if (channel.type == ChannelType::Uint) return IdFilter(image, ids);
  fail("{}: expected an ID channel (uint) for --only, found none", context.inputs[0]);
}

void sayRepairs(CommandContext& context, const ColorRepairs& repairs) {
  context.record.set("values_not_finite", std::uint64_t(repairs.notFinite));
  context.record.set("alphas_brought_in", std::uint64_t(repairs.alphaOutside));
  if (repairs.notFinite > 0)
    log::warn("{}: {} values were not finite: colors became 0, depths infinite", context.output,
              repairs.notFinite);
  if (repairs.alphaOutside > 0)
    log::warn("{}: {} alphas were brought into 0..1", context.output, repairs.alphaOutside);
}

/// One number for all colors, or three.
ColorTriple tripleOf(const CommandContext& context, const std::string& flag) {
  const std::string& text = context.text(flag);
  const bool several = text.find(',') != std::string::npos;
  const std::vector<double> n = numbersOf(context, flag, several ? 3 : 1);
  return several ? ColorTriple{n[0], n[1], n[2]} : ColorTriple{n[0], n[0], n[0]};
}

Grade gradeOf(const CommandContext& context) {
  Grade grade;
  grade.black = tripleOf(context, "black"), grade.white = tripleOf(context, "white");
  grade.lift = tripleOf(context, "lift"), grade.gain = tripleOf(context, "gain");
  grade.multiply = tripleOf(context, "multiply"), grade.offset = tripleOf(context, "offset");
  grade.gamma = tripleOf(context, "gamma");
  grade.channels = context.text("channels");
  for (std::size_t c = 0; c < 3; ++c) {
    if (grade.black[c] == grade.white[c])
      throw UsageError(fmt::format("--white: expected another value than --black, found {}",
                                   context.text("white")));
    if (!(grade.gamma[c] > 0))
      throw UsageError(
          fmt::format("--gamma: expected numbers above 0, found \"{}\"", context.text("gamma")));
  }
  return grade;
}

}  // namespace

void runGrade(CommandContext& context) {
  Grade grade = gradeOf(context);
  writeChanged(context, [&](DeepImage& image) {
    const std::optional<IdFilter> only = filterSaid(context, image);
    grade.only = only ? &*only : nullptr;
    ColorRepairs repairs;
    gradeFragments(image, grade, repairs);
    sayRepairs(context, repairs);
  });
}

void runExpression(CommandContext& context) {
  writeChanged(context, [&](DeepImage& image) {
    const std::optional<IdFilter> only = filterSaid(context, image);
    ColorRepairs repairs;
    evaluateFragments(image, {context.text("expression"), only ? &*only : nullptr}, repairs);
    sayRepairs(context, repairs);
  });
}

void runRecolor(CommandContext& context) {
  const std::vector<std::string> inputs = context.inputs;
  const std::string file = inputs.back();
  const Picture picture = readPicture(file);
  context.inputs.pop_back();
  writeChanged(context, [&](DeepImage& image) {
    RecolorReport report;
    if (!picture.hasAlpha && context.on("target-alpha"))
      fail("{}: expected an alpha for --target-alpha, found none", file);
    recolor(image, picture, context.on("target-alpha") ? RecolorAlpha::Target : RecolorAlpha::Keep,
            report);
    if (report.pixelsOutside > 0)
      log::warn("{}: {} pixels with fragments are outside of the picture and became black", file,
                report.pixelsOutside);
    if (report.pixelsLost > 0)
      log::warn("{}: {} pixels with color have no fragments, their color is left out", file,
                report.pixelsLost);
    context.record.set("pixels_outside", std::uint64_t(report.pixelsOutside));
    context.record.set("pixels_lost", std::uint64_t(report.pixelsLost));
  });
  context.inputs = inputs;
}

}  // namespace fathom::deep
