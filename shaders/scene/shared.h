// SPDX-License-Identifier: BSD-3-Clause
// Layouts and bindings that C++ and GLSL share for drawing scenes. Techniques that draw scenes keep
// their own bindings below SCENE_BIND_FIRST.
#ifndef SHADERS_SCENE_SHARED_H
#define SHADERS_SCENE_SHARED_H

#define SCENE_BIND_FIRST 10
#define SCENE_BIND_VERTICES 10   // storage  SceneVertex[vertexCount]      host
#define SCENE_BIND_PARAMS 10     // uniform  SceneParams                   host
#define SCENE_BIND_DICE 11       // uniform  SceneDice                     host (draw_picture)
#define SCENE_TEXTURE_COLOR 10   // texture unit: the batch's color texture, sRGB decoded
#define SCENE_TEXTURE_SUN 11     // texture unit: depth seen from the sun, 0 near .. 1 far
#define SCENE_TEXELS_MATERIALS 12  // texture unit: SceneMaterial[materialCount], as texels
#define SCENE_MATERIAL_TEXELS 3    // of one

#define SCENE_VERTEX_COLORED 0x80000000u  // in the light of a vertex

#ifdef __cplusplus
#include <cstdint>

#include <glm/mat4x4.hpp>
#include <glm/vec4.hpp>
namespace fathom::scene::shared {
using uint = std::uint32_t;
using mat4 = glm::mat4;
using vec4 = glm::vec4;
#define SCENE_STRUCT(name) name
#else
#define SCENE_STRUCT(name) Scene##name
#endif

struct SCENE_STRUCT(Vertex) {
  float px, py, pz;  // position, m
  uint normal;       // octahedral, two snorm16
  float u, v;        // texture coordinates, v up; u of a colored vertex: 0xRRGGBB, sRGB
  uint material;     // into the material buffer
  uint light;        // unorm8x2: share of the sky that is seen, share of the ground; flags
};

struct SCENE_STRUCT(Material) {
  vec4 color;     // linear, straight alpha; multiplies the texture
  vec4 emission;  // rgb linear, multiplies the texture; w: 1 when the color texture is to be used
  vec4 surface;   // x share of light that shines through, y gloss, z 1: keeps the sun off others,
                  // w 1: colors of vertices multiply
};

struct SCENE_STRUCT(Params) {
  mat4 viewProjection;  // to clip space; with y down, row 0 of the target is the top row
  vec4 eye;             // xyz position, w 1: y is up, row 0 is the bottom row
  vec4 light;           // xyz direction to the sun, w 1: the sun map is to be used
  vec4 sunColor;        // rgb linear, on a surface that faces the sun
  vec4 skyColor;        // rgb linear, from above
  vec4 groundColor;     // rgb linear, from below and from what the sky does not reach
  vec4 viewAxis;        // xyz unit view direction, w = -dot(axis, eye): Z of p is dot(axis, p) + w
  mat4 sunMatrix;       // world to the sun map: xy texture coordinates, z depth, all 0..1
};

struct SCENE_STRUCT(Dice) {
  uint roll;  // from 1: which; 0: none are thrown
  uint side;  // px of blocks whose pixels are dealt thresholds evenly; 0: each rolls for itself
  uint unused0, unused1;
};

#ifdef __cplusplus
#undef SCENE_STRUCT
static_assert(sizeof(Dice) == 16 && sizeof(Vertex) == 32 && sizeof(Material) == 48 &&
              sizeof(Params) == 224);
}  // namespace fathom::scene::shared
#endif
#endif
