// SPDX-License-Identifier: BSD-3-Clause
// Color and depth of a flat EXR whose channels have other names than R, G, B, A, Z, or lie in
// different parts, as renderers and compositing programs write them.
#pragma once

#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/picture.h"

#include <string>

namespace fathom::dof {

/// A layer of color, and a channel of depth.
struct FlatLayers {
  int colorPart = -1;
  std::string prefix;  // of R, G, B and A: "ViewLayer.Combined."
  bool hasAlpha = false;
  int depthPart = -1;
  std::string depth;   // channel
  std::string others;  // other channels that might be meant: "N.Z, crypto.depth"
};

/// Color: R, G, B, else the first layer that has them. Depth: Z, else depth.Z and the like, in the
/// same part first; a Z beside X and Y is a vector. -1 where there is none. `part`: number, name or
/// view; empty: any. Throws Error when there is no such part.
FlatLayers findLayers(const ExrFileInfo& file, const std::string& part);

/// Reads them; depth stays empty when there is none. Throws Error.
Picture readLayers(const ExrFileInfo& file, const FlatLayers& layers);

}  // namespace fathom::dof
