// SPDX-License-Identifier: BSD-3-Clause
// Bindings, sizes and structs that C++ and GLSL share.
#ifndef TINY_SHARED
#define TINY_SHARED
#ifdef __cplusplus
namespace fathom::tiny::shared {
using uint = std::uint32_t;
#endif

#define TINY_BIND_PARAMS 0  // uniform  FillParams          host
#define TINY_IMAGE_RAMP 0   // image    vec4[height][width] fill_ramp
#define TINY_FILL_SIZE 64   // invocations per work group of fill_ramp.comp

struct FillParams {
  float left, right;
  uint steps, width;
};

#ifdef __cplusplus
}  // namespace fathom::tiny::shared
#endif
#endif
