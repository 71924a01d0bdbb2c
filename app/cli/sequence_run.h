// SPDX-License-Identifier: BSD-3-Clause
// A command once per frame: inputs and output are names with a frame number or a view in them. The
// device, its programs and the settings stay from frame to frame.
#pragma once

#include "app/cli/command.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace fathom::commands {

/// The flags that commands with sequences have besides their own.
const std::vector<CommandFlag>& sequenceFlags();

/// One of the inputs or the output has a place for a frame or a view.
bool namesSequence(const std::vector<std::string>& inputs, const std::string& output);

/// Makes what one more frame at once runs in, with the flags and settings of the command line.
using ContextMaker = std::function<std::unique_ptr<CommandContext>()>;

/// Runs `command` for every frame of `context.inputs`, as the flags say, several at once where the
/// machine has room for them; under mpirun those of this rank. A frame that fails is named, the
/// others are done. `whole` counts frames. Returns the exit code.
int runSequence(const Command& command, CommandContext& context, const ContextMaker& another,
                Progress& whole);

}  // namespace fathom::commands
