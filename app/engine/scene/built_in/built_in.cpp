// SPDX-License-Identifier: BSD-3-Clause
// The table of built-in scenes, and the parameters common to all.
#include "app/engine/scene/built_in/built_in.h"

namespace fathom {

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

}  // namespace fathom
