// SPDX-License-Identifier: BSD-3-Clause
// Textures of OBJ materials (PNG, JPEG, TGA, BMP and whatever else stb_image reads), and the
// mipmaps of all textures.
#pragma once

#include "app/engine/scene/scene.h"

namespace fathom {

/// Reads a color texture, an alpha texture or both into one RGBA texture; either name may be empty.
/// Names are relative to `folder`. `bytesSoFar` counts against the limit for all textures of a
/// scene. Throws Error when a file is missing, damaged or too large.
SceneTexture readTexture(const std::filesystem::path& folder, const std::string& color,
                         const std::string& alpha, std::size_t bytesSoFar);

// Mipmaps, each level half the size of the one before, in linear light

int mipmapLevels(const SceneTexture& texture);
/// Bytes of one level; level 0 is the picture.
std::size_t mipmapBytes(const SceneTexture& texture, int level);
/// Appends all levels below the picture, which must be all that `rgba` holds.
void addMipmaps(SceneTexture& texture);

}  // namespace fathom
