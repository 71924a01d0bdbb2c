// SPDX-License-Identifier: BSD-3-Clause
// Where a scene is seen from, by flags of the commands that draw one.
#pragma once

#include "app/cli/command.h"
#include "app/engine/scene/camera.h"

namespace fathom {

/// With --eye, --target, --up and --fov behind them.
std::vector<CommandFlag> withCamera(std::vector<CommandFlag> flags);

/// Does the command line say anything of the camera?
bool placesCamera(const CommandContext& context);

/// Moves the camera to where the flags say; what they leave open stays as it is. Throws UsageError.
void placeCamera(const CommandContext& context, Camera& camera);

}  // namespace fathom
