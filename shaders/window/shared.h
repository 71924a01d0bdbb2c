// SPDX-License-Identifier: BSD-3-Clause
// Bindings and parameters of the pass that turns the linear picture into what the window shows.
#ifndef SHADERS_VIEWER_SHARED_H
#define SHADERS_VIEWER_SHARED_H

#define VIEWER_BIND_PARAMS 0      // uniform  DisplayParams                host
#define VIEWER_TEXTURE_PICTURE 0  // texture  vec4[height][width], linear  the technique
#define VIEWER_TEXTURE_TABLES 4   // textures from here on: tables of a display transform, OpenColorIO
#define VIEWER_TEXTURE_SECOND 1   // texture  the same, of B               the technique; a file

// Variants of display.frag, so that each pixel pays only for what is shown.
//   VIEWER_SAMPLING   one of the three below
//   VIEWER_ENCODING   one of the six below
#define VIEWER_SAMPLING_TEXEL 0    // large pixels as they are
#define VIEWER_SAMPLING_SMOOTH 1   // between the texels of a coarser picture
#define VIEWER_SAMPLING_AVERAGE 2  // over all texels that fall into a pixel
#define VIEWER_ENCODING_SRGB 0
#define VIEWER_ENCODING_GAMMA 1
#define VIEWER_ENCODING_SCALE 2       // false color
#define VIEWER_ENCODING_FILMIC 3      // highlights rolled off
#define VIEWER_ENCODING_DIFFERENCE 4  // A against B
#define VIEWER_ENCODING_LINEAR 5      // for apply_transform.comp; alpha 0: a display value

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

// Colors of values between 0 and 1; the order of the setting "color-map".
#define VIEWER_MAP_INFERNO 0
#define VIEWER_MAP_VIRIDIS 1
#define VIEWER_MAP_CUBEHELIX 2
#define VIEWER_MAP_GRAY 3

// How A and B are compared; the order of the setting "difference". All but the first are colored by the map.
#define VIEWER_METRIC_SIGNED 0             // A - B, blue below and orange above
#define VIEWER_METRIC_ABSOLUTE 1           // |A - B|
#define VIEWER_METRIC_SQUARED 2            // (A - B)^2
#define VIEWER_METRIC_RELATIVE 3           // |A - B| / (|B| + 0.01)
#define VIEWER_METRIC_RELATIVE_SQUARED 4   // (A - B)^2 / (B^2 + 0.01)

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
  float zoom;        // target pixels per row of the picture
  float gain;        // 2^exposure
  float gamma;       // exponent of the plain curve
  uint taps;         // per axis, of VIEWER_SAMPLING_AVERAGE
  uint channel;      // VIEWER_CHANNEL_*
  uint backdrop;     // VIEWER_BACKGROUND_*
  uint markInvalid;  // 1: NaN and infinity stand out
  uint pixelGrid;    // 1: lines between pixels that are large enough
  float offset;      // taken away before the gain: the smallest value, when normalized
  float difference;  // gain of VIEWER_ENCODING_DIFFERENCE
  uint map;          // VIEWER_MAP_*
  uint metric;       // VIEWER_METRIC_*, of VIEWER_ENCODING_DIFFERENCE
  float pixelAspect; // width of a picture pixel by its height
  float spareA, spareB, spareC;
#ifdef __cplusplus
  bool operator==(const DisplayParams&) const = default;
#endif
};

#ifdef __cplusplus
static_assert(sizeof(DisplayParams) == 96);
}  // namespace fathom::viewer::shared
#endif
#endif
