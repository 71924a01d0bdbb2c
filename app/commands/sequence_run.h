// SPDX-License-Identifier: BSD-3-Clause
// A command once per frame: inputs and output are names with a frame number or a view in them. The
// device, its programs and the settings stay from frame to frame.
#pragma once

#include "app/techniques/command.h"

#include <functional>
#include <string>
#include <vector>

namespace fathom::commands {

/// The flags that commands with sequences have besides their own.
const std::vector<CommandFlag>& sequenceFlags();

/// One of the inputs or the output has a place for a frame or a view.
bool namesSequence(const std::vector<std::string>& inputs, const std::string& output);

/// Runs `command` for every frame of `context.inputs`, as the flags say; under mpirun those of this
/// rank. A frame that fails is named, the others are done. Returns the exit code.
int runSequence(const Command& command, CommandContext& context);

}  // namespace fathom::commands
