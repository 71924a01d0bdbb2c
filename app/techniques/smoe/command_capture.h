// SPDX-License-Identifier: BSD-3-Clause
// fathom smoe capture, and the flags with which smoe fit asks for views of a scene.
#pragma once

#include "app/techniques/command.h"
#include "app/techniques/smoe/capture_views.h"

#include <vector>

namespace fathom::smoe {

/// --grid, --disparity, --focus-distance, --samples-per-pixel.
const std::vector<CommandFlag>& captureFlags();

/// What these flags and --size say. Throws UsageError.
CaptureRequest captureRequest(const CommandContext& context);

/// Adds focus, baseline, depths and disparities to the report.
void reportCapture(CommandContext& context, const CaptureFacts& facts);

/// SCENE to a folder of views.
void runCapture(CommandContext& context);
Command captureCommand();

}  // namespace fathom::smoe
