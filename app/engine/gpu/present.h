// SPDX-License-Identifier: BSD-3-Clause
// What a window needs beyond passes: drawing by code that brings its own GL calls (the interface
// library), into a target or into the window, and keeping a picture while the next one is made.
#pragma once

#include "app/engine/gpu/texture.h"

namespace fathom::gpu {

/// Binds the target with a viewport of its whole size while `draw` runs.
void drawInto(const Target& target, const std::function<void()>& draw);

/// Clears the back buffer of a window of `size` pixels, then binds it with a viewport of its whole
/// size while `draw` runs. The caller swaps.
void drawIntoWindow(glm::ivec2 size, glm::vec4 background, const std::function<void()>& draw);

/// The same contents in a texture of its own (the first level); ordered after earlier drawing.
Texture copyOf(Context& context, std::string name, const Texture& source);

}  // namespace fathom::gpu
