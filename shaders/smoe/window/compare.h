// SPDX-License-Identifier: BSD-3-Clause
// Bindings and parameters of the passes that show an error: against the source, and the fitter's.
#ifndef SHADERS_SMOE_COMPARE_H
#define SHADERS_SMOE_COMPARE_H

#define SMOE_COMPARE_SIZE 8    // invocations along x and y of a work group
#define SMOE_COMPARE_PARAMS 0  // uniform  SmoeCompare                     host
#define SMOE_COMPARE_SOURCE 0  // texture  linear source, or error map     host, fitter
#define SMOE_COMPARE_PICTURE 1 // texture  linear picture, of beside.comp  decoder
#define SMOE_COMPARE_RESULT 0  // image    rgba32f picture, or rgba8 heat

#ifdef __cplusplus
#include <glm/vec2.hpp>
namespace fathom::smoe::shared {
using glm::ivec2;
using glm::vec2;
struct Compare {
#else
struct SmoeCompare {
#endif
  ivec2 size;        // of the result, or of one of three beside each other
  ivec2 sourceSize;  // px
  vec2 corner;       // source px of the result's upper left corner
  float step;        // source px per pixel of the result
  float gain;
#ifdef __cplusplus
};
static_assert(sizeof(Compare) == 32);
}  // namespace fathom::smoe::shared
#else
};
#endif
#endif
