// SPDX-License-Identifier: BSD-3-Clause
// fathom deep capture | merge | flatten: scene or files into one deep EXR or a flat picture, band
// by band.
#include "app/core/error.h"
#include "app/core/stopwatch.h"
#include "app/techniques/deep/command_inputs.h"
#include "app/techniques/deep/command_writers.h"

namespace fathom::deep {

namespace {

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
