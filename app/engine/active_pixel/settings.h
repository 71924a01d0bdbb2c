// SPDX-License-Identifier: BSD-3-Clause
// The settings of active pixels: how frames are compressed and composited, and what is shown.
#pragma once

#include "app/engine/core/fields.h"

namespace fathom::active_pixel {

/// Who compresses: IceT after the whole frame or its region was read back, or the GPU.
enum class Mode { Generic, Roi, Gpu, Auto };  // Auto: see resolveAuto()
constexpr int kModeCount = 3;
constexpr const char* kModeNames[kModeCount] = {"generic", "roi", "gpu"};
enum class Method { Fused, FiveStep, Auto };
enum class Blending { ZBuffer, Blend };
enum class ColorDepth { Rgba8, Rgba32f, None };
enum class Split { Objects, Triangles };
enum class Strategy { Automatic, BinarySwap, Tree, RadixK, RadixKr, BinarySwapFolding };
enum class Show { Picture, Parts, Active, Runs, Regions };

struct Settings {
  Mode mode = Mode::Auto;
  Method method = Method::Auto;
  Blending blending = Blending::ZBuffer;
  ColorDepth color = ColorDepth::Rgba8;
  Strategy strategy = Strategy::Automatic;
  bool interlace = true;
  int parts = 4;  // ranks simulated inside one process
  Split split = Split::Objects;
  std::string tiles = "1x1";  // columns x rows of a tiled display
  Show show = Show::Picture;
  bool turn = false;  // the scene turns by itself

  bool operator==(const Settings&) const = default;
};

void describe(Settings& settings, FieldVisitor& field);

/// How images are compressed, nothing left open.
struct CompressionConfig {
  Mode mode = Mode::Gpu;
  Method method = Method::Fused;
};
/// Where the settings say auto: the GPU, by the fused scan, the fastest on the GPUs of every vendor
/// that was measured; roi on software renderers, where no bus lies between
/// (docs/results/active-pixels.md).
CompressionConfig resolveAuto(const Settings& settings, bool softwareRenderer = false);

}  // namespace fathom::active_pixel
