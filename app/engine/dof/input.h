// SPDX-License-Identifier: BSD-3-Clause
// Inputs that can be blurred: a scene, deep EXRs, or a flat picture with depth, in its own Z
// channel or in a second file.
#pragma once

#include "app/engine/core/deep_image.h"
#include "app/engine/core/image.h"
#include "app/engine/core/progress.h"
#include "app/engine/dof/aovs.h"
#include "app/engine/dof/focus_pull.h"
#include "app/engine/dof/settings.h"
#include "app/engine/engine.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/picture.h"
#include "app/engine/scene/scene.h"

namespace fathom::dof {

/// A flat picture; depth as its file has it (float[height][width]), see planarDepth().
struct FlatPicture {
  Image image;  // linear, premultiplied
  std::vector<float> depth;
  Rect dataWindow, displayWindow;  // where it lies; empty: (0, 0, width, height)
  float pixelAspect = 1;
  SharedAttributes attributes;  // of the part of the color; null: none
  bool hasAlpha = false;
  bool depthIsPicture = false;
  std::string name;  // of the file that holds the depth, for messages
};

/// One of the first three is set; what is held out stands beside it.
struct Input : LoadedInputs {
  std::shared_ptr<const Scene> scene;
  std::shared_ptr<const DeepImage> deep;  // around its files' data windows with room for blur
  Rect dataWindow;                        // of these files together
  std::shared_ptr<const FlatPicture> flat;
  std::shared_ptr<const DeepImage> held;  // inputs of the role hold-out, merged; null: none
  std::shared_ptr<const Aovs> aovs;       // of a file; null: none are known
  std::optional<FocusPull> pull;          // of the last of the names, a JSON file
};

/// A pull (JSON) only beside something to blur. Pictures without depth are accepted only together
/// with another one.
bool accepts(const std::vector<std::string>& inputs);
/// True for formats without depth: such a picture needs another one beside it.
bool lacksDepth(const std::string& input);
/// Reads one scene, deep EXRs (merged), one EXR with color and Z, or a picture and a depth picture;
/// and a pull beside any of them (of several the last counts, and the others are not among the
/// names); files as FILE#PART where they have several parts. Throws Error: FILE: what was expected,
/// what was found. `roles`: "add,hold-out", one for each input but pulls; those left out add.
std::unique_ptr<LoadedInputs> read(const std::vector<std::string>& inputs, Progress& progress,
                                   const std::string& roles = {}, const AovChoice& aovs = {});

/// Color and planar Z in scene units (0: background), as the settings read the file's depth.
/// `tangentPerPixel` is the width of a pixel on the plane at distance 1, for radial depths. Throws
/// Error when near is not below far.
Image colorAndDepth(const FlatPicture& picture, const Settings& settings, double tangentPerPixel);

/// The flattened deep image, with the Z where it first hides half of what is behind.
Image colorAndDepth(const DeepImage& image);

/// Share of the pixels whose depth lies well between those of their neighbors on two sides: depth
/// that was averaged at edges.
double averagedShare(const Image& colorAndDepth);

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
