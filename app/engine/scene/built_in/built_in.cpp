// SPDX-License-Identifier: BSD-3-Clause
// What the built-in scenes share: the table, parameters common to all, strewn spheres.
#include "app/engine/scene/built_in/built_in.h"

#include "app/engine/scene/built_in/mesh_builder.h"

#include <cmath>

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

namespace fathom {
namespace {

/// Hue in turns, full saturation softened towards gray by `gray`.
glm::vec3 hueColor(float hue, float grey) {
  const auto channel = [&](float shift) {
    const float wave = 0.5f + 0.5f * std::cos(6.2831853f * (hue + shift));
    return wave * (1 - grey) + 0.5f * grey;
  };
  return {channel(0), channel(-1 / 3.0f), channel(-2 / 3.0f)};
}

}  // namespace

const std::vector<BuiltInScene>& builtInTable() {
  static const std::vector<BuiltInScene> table{atriumScene(), forestScene(), hairballScene(),
                                               planesScene(), pointsScene(), powerplantScene(),
                                               stationScene()};
  return table;
}

double SceneArguments::get(const std::string& name) const {
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    if (parameters_[i].name == name) return values_[i];
  FATHOM_CHECK(!"a parameter that the scene's table lacks");
  return 0;
}

SceneParameter seedParameter() { return {"seed", 0, 4294967295.0, 1, true, "random seed"}; }
SceneParameter alphaParameter() {
  return {"alpha", 0, 1, 0, false, "alpha of every surface; 0: each its own"};
}

void overrideAlpha(Scene& scene, double alpha) {
  if (alpha <= 0) return;
  for (auto& material : scene.materials) material.color.a = float(alpha);
}

void addSpheres(MeshBuilder& mesh, const SphereField& field, const Camera& camera, Random& random) {
  constexpr int kColors = 12;
  int materials[kColors];
  for (int i = 0; i < kColors; ++i) {
    MaterialLook look;
    look.color = hueColor(float(i) / kColors, 0.35f);
    look.alpha = 0.3f;
    look.gloss = 0.5f;
    materials[i] = mesh.addMaterial(look);
  }
  const glm::vec3 forward = glm::normalize(camera.target - camera.position);
  const glm::vec3 right = glm::normalize(glm::cross(forward, camera.up));
  const glm::vec3 up = glm::cross(right, forward);
  const float heightAtOne = 2 * std::tan(glm::radians(camera.verticalFovDeg) * 0.5f);
  for (int i = 0; i < field.count; ++i) {
    mesh.setMaterial(materials[random.below(kColors)]);
    const float z = random.uniform(field.nearZ, field.farZ), height = heightAtOne * z;
    const float x = random.uniform(-field.spreadX, field.spreadX) * height;
    const float y = random.uniform(-field.spreadY, field.spreadY) * height;
    const float radius = random.uniform(field.smallest, field.largest) * height;
    mesh.sphere(camera.position + forward * z + right * x + up * y, radius, 20, 12);
  }
}

}  // namespace fathom
