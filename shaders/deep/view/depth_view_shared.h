// SPDX-License-Identifier: BSD-3-Clause
// Bindings and structs of the passes that look at depth: peeling, the survey of fragments, and
// fragments as points in space. Lists are bound as in shared.h.
#ifndef SHADERS_DEEP_VIEW_DEPTH_VIEW_SHARED_H
#define SHADERS_DEEP_VIEW_DEPTH_VIEW_SHARED_H

#define DEEP_BIND_PEEL 2          // uniform  DeepPeelParams   host
#define DEEP_BIND_COLLECT 2       // uniform  DeepCollectParams  host
#define DEEP_BIND_POINTS 0        // storage  uint[5 * points]  collect_points, or the host
#define DEEP_BIND_POINT_PARAMS 0  // uniform  DeepPointParams  host
#define DEEP_BIND_FRAME 1         // storage  vec4[2 * vertices]: place, color; host

// A point is DEEP_POINT_WORDS words:
//   | x, y << 16: pixel in the region | Z bits | ZBack bits | straight color, RGBA8 | input |
// Red, green and blue are stored as their square roots, so that dark ones keep their steps.
#define DEEP_POINT_WORDS 5
// Points are stored in this many sets, point i in set i modulo the number: drawing the first few sets
// gives an even thinning of all.
#define DEEP_POINT_SETS 64
#define DEEP_POINT_COLORS 8

#define DEEP_COLOR_OWN 0
#define DEEP_COLOR_ALPHA 1
#define DEEP_COLOR_INPUT 2
#define DEEP_COLOR_DEPTH 3

#ifdef __cplusplus
#include <cstdint>

#include <glm/mat4x4.hpp>
#include <glm/vec4.hpp>
namespace fathom::deep::shared {
using uint = std::uint32_t;
struct PeelParams {
#else
struct DeepPeelParams {
#endif
  uint nearKey, farKey;  // depthKey() of the ends of the range, both included
  uint number;           // above 0: only this fragment of the range, counted from the front
  uint spare;
};

#ifdef __cplusplus
struct CollectParams {
#else
struct DeepCollectParams {
#endif
  uint left, top, right, bottom;  // of the region, in pixels of the lists' own region
  uint originX, originY;          // of the lists' region in the points' region; may be "negative"
  uint base;                      // fragments of the lists collected before
  uint every;                     // one fragment out of this many becomes a point
  uint points;                    // in all
  uint source;                    // the input's number
  uint spareA, spareB;
};

#ifdef __cplusplus
struct PointParams {
  glm::mat4 toClip;
  glm::vec4 place, depth, look, colors[DEEP_POINT_COLORS];
#else
struct DeepPointParams {
  mat4 toClip;
  vec4 place;  // center of the region in pixels (x, y), units of space per pixel, side of a point
  vec4 depth;  // Z at the front of the box, its share per unit of Z, depth of the box, spare
  vec4 look;   // nearest and farthest Z drawn, 1: thinned by alpha, spare
  vec4 colors[DEEP_POINT_COLORS];
#endif
  uint mode;  // DEEP_COLOR_*
  uint modeSpareA, modeSpareB, modeSpareC;
};

#ifdef __cplusplus
static_assert(sizeof(PeelParams) == 16 && sizeof(CollectParams) == 48);
static_assert(sizeof(PointParams) == 64 + 3 * 16 + 128 + 16);
}  // namespace fathom::deep::shared
#endif
#endif
