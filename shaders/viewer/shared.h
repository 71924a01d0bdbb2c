// SPDX-License-Identifier: BSD-3-Clause
// Bindings and parameters of the pass that turns the linear picture into what the window shows.
#ifndef SHADERS_VIEWER_SHARED_H
#define SHADERS_VIEWER_SHARED_H

#define VIEWER_BIND_PARAMS 0  // uniform  DisplayParams                    host
#define VIEWER_TEXTURE_A 0    // texture  vec4[height][width], linear      the technique
#define VIEWER_TEXTURE_B 1    // texture  the picture compared with        the technique

// What is shown of the picture; the order of the setting "channel".
#define VIEWER_CHANNEL_RGBA 0
#define VIEWER_CHANNEL_R 1
#define VIEWER_CHANNEL_G 2
#define VIEWER_CHANNEL_B 3
#define VIEWER_CHANNEL_A 4
#define VIEWER_CHANNEL_LUMINANCE 5

// What lies behind transparent pixels; the order of the setting "background".
#define VIEWER_BACKGROUND_CHECKER 0
#define VIEWER_BACKGROUND_BLACK 1
#define VIEWER_BACKGROUND_GRAY 2
#define VIEWER_BACKGROUND_WHITE 3

#ifdef __cplusplus
#include <cstdint>

#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
namespace fathom::viewer::shared {
using uint = std::uint32_t;
using vec2 = glm::vec2;
using vec4 = glm::vec4;
#endif

struct DisplayParams {
  vec4 background;   // around the picture, display values
  vec2 corner;       // of the picture, in pixels of the target
  vec2 pictureSize;  // in picture pixels; the textures may be coarser
  float zoom;        // target pixels per picture pixel
  float splitX;      // target pixels; B is shown right of it
  float gain;        // 2^exposure
  float gamma;       // 0: the sRGB curve
  uint channel;      // VIEWER_CHANNEL_*
  uint backdrop;     // VIEWER_BACKGROUND_*
  uint falseColor;   // 1: values as colors of a scale
  uint markInvalid;  // 1: NaN and infinity stand out
  uint pixelGrid;    // 1: lines between pixels that are large enough
  uint spare0, spare1, spare2;
};

#ifdef __cplusplus
static_assert(sizeof(DisplayParams) == 80);
}  // namespace fathom::viewer::shared
#endif
#endif
