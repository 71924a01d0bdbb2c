// SPDX-License-Identifier: BSD-3-Clause
// `planes`: the paper's "Planes", translucent quads parallel to the picture, drawn in depth order
// so that neighbors in a pixel's list are neighbors in memory, and spheres between them. The quads
// are two thirds of the picture height wide and high, 720 x 720 in 1080 rows, at every depth.
#include "app/engine/scene/built_in/built_in.h"
#include "app/engine/scene/built_in/mesh_builder.h"
#include "app/engine/scene/built_in/procedural_texture.h"

#include <cmath>

#include <glm/trigonometric.hpp>

namespace fathom {
namespace {

constexpr float kNear = 2, kFar = 20;  // m along the view axis
constexpr int kPlaneColors = 64;

glm::vec3 planeColor(float t) {
  // From warm and near to cool and far.
  const float a = 6.2831853f * (0.02f + 0.62f * t);
  return {0.5f + 0.42f * std::cos(a), 0.5f + 0.36f * std::cos(a - 2.1f),
          0.5f + 0.42f * std::cos(a - 4.2f)};
}

/// A woven band along the edge and rings inside, so that one sees how the planes lie.
glm::vec4 planeTexel(glm::vec2 p) {
  const glm::vec2 q = p * 2.0f - 1.0f;
  const float r = std::sqrt(q.x * q.x + q.y * q.y),
              edge = std::fmax(std::fabs(q.x), std::fabs(q.y));
  const float angle = std::atan2(q.y, q.x);
  float light = 0.62f + 0.18f * std::cos(22 * r + 3 * angle);
  if (edge > 0.93f) light = 1;
  if (r > 0.55f && r < 0.6f) light = 0.95f;
  return {light, light, light, 1};
}

void makePlanes(Scene& scene, const SceneArguments& arguments, Progress& progress) {
  scene.camera.position = {0, 0, 0};
  scene.camera.target = {0, 0, -0.5f * (kNear + kFar)};
  scene.camera.verticalFovDeg = 40;
  scene.lighting.toSun = {0.4f, 0.6f, 0.9f};

  MeshBuilder mesh(scene);
  const int texture = mesh.addTexture(makeTexture("plane", 256, 256, planeTexel));
  for (int i = 0; i < kPlaneColors; ++i) {
    MaterialLook look;
    look.color = planeColor(float(i) / (kPlaneColors - 1));
    look.alpha = 0.05f;
    look.texture = texture;
    mesh.addMaterial(look);
  }
  // Back to front: what is captured last, and stands first in a linked list, is nearest.
  const int count = arguments.count("count");
  const float tangent = std::tan(glm::radians(scene.camera.verticalFovDeg) * 0.5f);
  for (int i = 0; i < count; ++i) {
    const float t = count > 1 ? float(i) / float(count - 1) : 0.0f;
    const float z = kFar + (kNear - kFar) * t, half = z * tangent * (2.0f / 3.0f);
    mesh.setMaterial(int((1 - t) * (kPlaneColors - 1) + 0.5f));
    // Each turns its pattern a little further.
    const float turn = 0.02f * float(i), c = std::cos(turn), s = std::sin(turn);
    mesh.grid(1, 1, [&](float u, float v) {
      const float x = 2 * u - 1, y = 2 * v - 1;
      const glm::vec2 uv = glm::vec2(c * x - s * y, s * x + c * y) * 0.5f + 0.5f;
      return SurfacePoint{{x * half, y * half, -z}, {0, 0, 1}, uv};
    });
  }

  mesh.setPart(1);
  Random random(arguments.seed());
  addSpheres(mesh, {arguments.count("spheres"), kNear, kFar, 0.01f, 0.05f, 0.85f, 0.48f},
             scene.camera, random);
  overrideAlpha(scene, arguments.get("alpha"));
  finishScene(scene, mesh.take(), {"planes", "spheres"}, BatchOrder::Kept, progress);
}

}  // namespace

BuiltInScene planesScene() {
  return {"planes",
          "translucent quads parallel to the picture, in depth order, and spheres",
          {{"count", 1, 4096, 256, true, "quads"},
           {"spheres", 0, 20000, 256, true, "spheres"},
           seedParameter(),
           alphaParameter()},
          makePlanes};
}

}  // namespace fathom
