// SPDX-License-Identifier: BSD-3-Clause
// fathom dof render | variants
#include "app/techniques/dof/command.h"

#include "app/io/atomic_file.h"
#include "app/io/image_file.h"
#include "app/techniques/dof/technique.h"
#include "app/techniques/dof/variants/space.h"
#include "app/techniques/dof/variants/variant_browser.h"

#include <cmath>

namespace fathom::dof {
namespace {

DofTechnique& openInputs(CommandContext& context) {
  auto& technique = context.as<DofTechnique>();
  if (context.size) technique.setSize(context.size->x, context.size->y);
  context.readBesideGpu([&] { return read(context.inputs, context.progress); });
  context.record.size = {technique.size().x, technique.size().y};
  return technique;
}

/// All of the work, in slices short enough to show progress and to be stopped.
void renderAll(CommandContext& context, DofTechnique& technique) {
  constexpr double kSliceMs = 200;
  const PhaseTimer timer(context.record, "gpu");
  context.progress.begin("blurring", 0);
  Effect effect = Effect::Rebuild;
  std::size_t shown = 0;
  while (!technique.update(context.gpu(), effect, kSliceMs)) {
    effect = Effect::None;
    const auto [done, all] = technique.blur().lensProgress();
    if (all > 0 && shown == 0) context.progress.begin("drawing lens points", double(all));
    context.progress.advance(double(done - std::min(done, shown)));
    shown = done;
  }
  context.gpu().finish();
}

void runRender(CommandContext& context) {
  DofTechnique& technique = openInputs(context);
  renderAll(context, technique);
  Image picture;
  {
    const PhaseTimer timer(context.record, "download");
    picture = technique.result().downloadImage();
  }
  {
    const PhaseTimer timer(context.record, "write");
    FlatExrOptions options;
    options.dataWindow = {technique.origin().x, technique.origin().y, picture.width,
                          picture.height};
    options.asFloat = context.on("float");
    writePicture(context.output, picture, options);
  }
  const Blur& blur = technique.blur();
  const Pipeline::Totals totals = blur.totals();
  context.record.set("variant", blur.usedVariant());
  context.record.set("entries", totals.entries);
  context.record.set("mean_list", totals.meanList());
  context.record.set("longest_list", std::uint64_t(totals.longest));
  context.record.set("splats", totals.splats);
  context.record.set("clamped_share", totals.clampedShare());
  context.record.set("overflow_redos", std::int64_t(totals.overflowRedos));
  context.record.set("focus", blur.lens().focus);
  context.record.set("focal_length_mm", blur.lens().focalLength);
}

/// --source and --difference: text instead of the list. False when neither was asked for.
bool printSource(CommandContext& context) {
  std::string text;
  if (context.given("source"))
    text = variantSource(kSpace.parse(context.text("source")), WarpBackEnd::Arb);
  else if (context.given("difference"))
    text =
        sourceDifference(variantSource(kSpace.parse(kDefaultVariant), WarpBackEnd::Arb),
                         variantSource(kSpace.parse(context.text("difference")), WarpBackEnd::Arb));
  else
    return false;
  if (context.output.empty())
    context.print(text);
  else
    writeFile(context.output, text);
  return true;
}

void listVariants(CommandContext& context) {
  if (printSource(context)) return;
  if (!context.output.empty()) throw UsageError("--output: expected --source ID beside it");
  for (int d = 0; d < kSpace.dimensionCount(); ++d) {
    const VariantDimension& dimension = kSpace.dimensions[d];
    context.print(fmt::format("{}: {}", dimension.name, dimension.about));
    for (int v = 0; v < dimension.count(); ++v)
      context.print(fmt::format("  {:<8} {}{}", dimension.values[v].name, dimension.values[v].about,
                                dimension.values[v].extension ? " (not among the 320)" : ""));
  }
  for (const VariantConstraint& constraint : kSpace.constraints)
    if (constraint.holds) context.print(fmt::format("{}: {}", constraint.name, constraint.reason));
  context.print("");
  int counted = 0;
  for (const Variant& variant : allVariants(kSpace)) {
    if (kSpace.extension(variant)) continue;
    context.print(kSpace.id(variant));
    ++counted;
  }
  context.record.set("count", std::int64_t(counted));
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> list{
      {"render",
       "Blurs a scene, a deep EXR, an EXR with color and Z, or a picture with a depth picture.",
       "fathom dof render atrium --focus-distance 4 --f-number 1.4 --size 1280x720 -o focus.png",
       {"IN", 1, 2, "A scene, a deep EXR, an EXR with Z, or a picture and its depth."},
       {".exr", ".png"},
       false,
       {{"float", "", "Write float channels to the EXR instead of half.", "off", false}},
       runRender},
      {"variants",
       "Lists the ids of all 320 accumulation variants, and what each dimension means.",
       "fathom dof variants --source warp.peel.a.copy.each.l1.load.ftb.int -o kernel.glsl",
       {"", 0, 0, ""},
       {".glsl"},
       true,
       {{"source", "ID", "The generated source of a variant instead", "", false},
        {"difference", "ID", "How that differs from the default's, line by line", "", false}},
       listVariants,
       false},
  };
  return list;
}

}  // namespace fathom::dof
