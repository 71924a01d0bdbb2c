// SPDX-License-Identifier: BSD-3-Clause
// What the subcommands of `fathom flame` have in common.
#pragma once

#include "app/cli/command.h"
#include "app/engine/flame/engine.h"
#include "app/engine/flame/picture_files.h"

namespace fathom::flame {

struct OpenedGenomes {
  FlameEngine& technique;
  std::shared_ptr<const CuburnAnimation> film;  // of a single file of cuburn, or null
  const std::vector<Genome>& genomes() const { return technique.timeline().genomes(); }
};

/// Reads the genomes; --size, --seed and --film are applied. No GPU yet: a wrong file is reported
/// before a missing device.
enum class Warned { All, Shown };  // the flames of a file whose warnings are printed
OpenedGenomes openGenomes(CommandContext& context, Warned warned = Warned::All);
/// An image that is there is whole and has the size that is asked for now.
bool hasSize(const std::string& file, glm::ivec2 size);
/// --palette: in place of those of all flames.
void usePaletteFile(CommandContext& context, FlameEngine& technique);
/// One line when these times are not all between the film's first and last.
void warnBeyond(const CommandContext& context, double from, double to, double first, double last);
/// --bits, --float and the settings that concern files.
PictureOptions pictureOptions(CommandContext& context);

// command.cpp
void runPalette(CommandContext& context);
void runShader(CommandContext& context);
void runRandom(CommandContext& context);

// command_render.cpp
void runRender(CommandContext& context);
void runQueue(CommandContext& context);

// command_info.cpp
void runInfo(CommandContext& context);

// command_motion.cpp
void runAnimate(CommandContext& context);
void runSequence(CommandContext& context);
void runFreeze(CommandContext& context);

}  // namespace fathom::flame
