// SPDX-License-Identifier: BSD-3-Clause
// What the deep commands share: flags, opening inputs, the report. command.cpp holds the table and
// the subcommands that look at images, command_files.cpp the ones that write merged ones.
#pragma once

#include "app/techniques/command.h"
#include "app/techniques/deep/technique.h"

namespace fathom::deep {

extern const CommandFlag kPart, kKeepBad, kStream, kCompression, kTiled;

/// Reads files (with the flags of the command) or a scene. The GPU is brought up meanwhile.
DeepTechnique& openInputs(CommandContext& context);
/// The same, but files stay on the disk unless --stream=off says otherwise; for bandMerger() alone.
DeepTechnique& openForBands(CommandContext& context);

/// The same for one pixel: of files only its row is read. Throws Error when they have no such
/// pixel.
DeepTechnique& openForPixel(CommandContext& context, glm::ivec2 pixel);
[[noreturn]] void failOutside(const CommandContext& context, const Rect& window, glm::ivec2 pixel);

/// fragments_in, fragments_out and the size of the output.
void reportFragments(CommandContext& context, std::uint64_t in, std::uint64_t out);

void runCapture(CommandContext& context);
void runMerge(CommandContext& context);
void runFlatten(CommandContext& context);
Command compositeCommand();  // command_composite.cpp

}  // namespace fathom::deep
