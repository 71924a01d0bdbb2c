// SPDX-License-Identifier: BSD-3-Clause
// What the deep commands share: flags, opening inputs, the report. command.cpp holds the table and
// the subcommands that look at images, command_files.cpp the ones that write merged ones.
#pragma once

#include "app/engine/io/exr/deep_exr.h"
#include "app/cli/command.h"
#include "app/engine/deep/files/part_groups.h"
#include "app/engine/deep/engine.h"

namespace fathom::deep {

extern const CommandFlag kPart, kKeepBad, kStream, kCompression, kTiled;

/// Reads files (with the flags of the command) or a scene. The GPU is brought up meanwhile.
DeepEngine& openInputs(CommandContext& context);
/// The same, but files stay on the disk unless --stream=off says otherwise; for bandMerger() alone.
DeepEngine& openForBands(CommandContext& context);

/// The same for one pixel: of files only its row is read. Throws Error when they have no such
/// pixel.
DeepEngine& openForPixel(CommandContext& context, glm::ivec2 pixel);
[[noreturn]] void failOutside(const CommandContext& context, const Rect& window, glm::ivec2 pixel);

/// Inputs that are files by the parts of the output that they belong to (files/part_groups.h); what
/// is left out is said.
std::vector<PartGroup> groupsSaid(CommandContext& context);
/// The header of the output; where attributes of inputs differ, that is said.
DeepImage headerSaid(const DeepEngine& technique, const MergeSetup& setup);
/// Phases and bands of what a merger did in `totalMs`, into the record.
void reportStages(CommandContext& context, BandMerger& merger, double totalMs, double writeMs);
/// Where inputs have several parts and none is named: the first, and the others are named.
void takeOnePart(CommandContext& context);
/// All inputs merged, in memory, with the attributes of the output; not thinned by an error.
DeepImage mergedImage(CommandContext& context, std::uint64_t& fragmentsIn);
/// "1,2.5,..." of a flag with `count` numbers. Throws UsageError.
std::vector<double> numbersOf(const CommandContext& context, const std::string& flag,
                              std::size_t count);
/// What was repaired while reading: a line per input on standard error, sums in the record.
void reportRepairs(CommandContext& context);

/// fragments_in, fragments_out and the size of the output.
void reportFragments(CommandContext& context, std::uint64_t in, std::uint64_t out);

void runHeatmap(CommandContext& context);
void runInspect(CommandContext& context);
void runCapture(CommandContext& context);
void runMerge(CommandContext& context);
void runFlatten(CommandContext& context);
/// Color alone, of one part: what deep composite writes too.
void runFlattenColor(CommandContext& context);
Command compositeCommand();  // command_composite.cpp
/// fathom deep capture --with-ids: each part of the scene with its ID.
void captureWithIds(CommandContext& context, const DeepWriteOptions& options);
void runCryptomatte(CommandContext& context);
void runResize(CommandContext& context);
void runTransform(CommandContext& context);
void runCrop(CommandContext& context);
void runRecolor(CommandContext& context);
void runGrade(CommandContext& context);
void runExpression(CommandContext& context);
void runCheck(CommandContext& context);
void runPoints(CommandContext& context);

}  // namespace fathom::deep
