// SPDX-License-Identifier: BSD-3-Clause
// Mipmap levels of scene textures, made while loading: on a worker, in linear light, and without
// the color of what alpha hides (leaves would get dark rims).
#pragma once

#include "app/engine/scene/scene.h"

#include <cstddef>

namespace fathom {

int mipmapLevels(const SceneTexture& texture);
/// Bytes of one level; level 0 is the picture.
std::size_t mipmapBytes(const SceneTexture& texture, int level);
/// Appends all levels below the picture, which must be all that `rgba` holds.
void addMipmaps(SceneTexture& texture);

}  // namespace fathom
