// SPDX-License-Identifier: BSD-3-Clause
// What the words of `fathom flame` share, and the words that stand in files of their own.
#pragma once

#include "app/techniques/command.h"
#include "app/techniques/flame/picture_files.h"
#include "app/techniques/flame/technique.h"

namespace fathom::flame {

/// Reads the genomes; --size and --seed are applied. No GPU yet: a wrong file is said before a
/// missing device.
FlameTechnique& openGenomes(CommandContext& context);
/// --bits, --float and the settings that concern files.
PictureOptions pictureOptions(CommandContext& context, const FlameTechnique& technique);

// command_info.cpp
void runInfo(CommandContext& context);

// command_motion.cpp
void runAnimate(CommandContext& context);
void runSequence(CommandContext& context);
void runFreeze(CommandContext& context);

}  // namespace fathom::flame
