// SPDX-License-Identifier: BSD-3-Clause
// The steps of the settings over images in memory: for what is shown of them. Files that stay on
// the disk stream through the same operations (cli/deep/edit.cpp).
#pragma once

#include "app/engine/deep/operations/chain.h"
#include "app/engine/deep/read/inputs.h"
#include "app/engine/deep/settings/settings.h"

namespace fathom::deep {

/// How messages call them.
constexpr const char* kStepsPlace = "--do";

/// Merges inputs after their edits within `window`, `step` rows at a time or more.
void mergeRows(std::span<const EditedInput> inputs, const MergeEdit& edit, const Rect& window,
               int step, const std::function<void(DeepImage&&)>& take);

/// The names by which steps find the inputs as they were opened: files, or parts of a scene.
std::vector<std::string> inputNames(const Inputs& inputs);

/// The settings with the steps that are edits of inputs; those alone where steps cannot be read.
/// What steps have made one image of has no edits.
Settings withStepEdits(Settings settings, const Inputs& inputs);

/// What the other steps make of the images that were opened; of none, none. Works on any thread, a
/// few rows at a time. Throws Error; throws Cancelled soon after `stop` is set.
MadeImages runSteps(const Inputs& inputs, Settings settings, std::optional<int> frame,
                    const std::atomic<bool>& stop);

}  // namespace fathom::deep
