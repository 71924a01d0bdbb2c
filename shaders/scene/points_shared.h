// SPDX-License-Identifier: BSD-3-Clause
// Layouts that C++ and GLSL share for drawing clouds of points as spheres. Bindings are those of
// shaders/scene/shared.h.
#ifndef SHADERS_SCENE_POINTS_SHARED_H
#define SHADERS_SCENE_POINTS_SHARED_H

#define POINTS_BIND_POINTS 10  // storage  ScenePoint[pointCount]  host
#define POINTS_BIND_PARAMS 10  // uniform  PointParams             host

#ifdef __cplusplus
#include <cstdint>

#include <glm/mat4x4.hpp>
#include <glm/vec4.hpp>
namespace fathom::scene::shared {
using uint = std::uint32_t;
using mat4 = glm::mat4;
using vec4 = glm::vec4;
#endif

struct ScenePoint {
  float x, y, z;  // center, m
  uint look;      // unorm16x2: density, a number of its own
};

struct PointParams {
  mat4 view;        // world to view
  mat4 projection;  // view to clip space
  vec4 radius;      // of a sphere: x + y * density, m
};

#ifdef __cplusplus
static_assert(sizeof(ScenePoint) == 16 && sizeof(PointParams) == 144);
}  // namespace fathom::scene::shared
#endif
#endif
