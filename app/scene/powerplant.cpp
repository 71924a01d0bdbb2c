// SPDX-License-Identifier: BSD-3-Clause
// `powerplant`: for the paper's model of that name. A steel frame with floors of gratings, full of
// pipes, vessels and the boiler's banks of tubes: few fragments over the sky, hundreds in one pixel
// where the view runs through the plates that heat the boiler's air. The frame, its walls and the
// yard are the exterior; what the frame holds is the interior.
#include "app/scene/built_in.h"
#include "app/scene/powerplant_parts.h"

namespace fathom {
namespace {

/// What makes the mean at density 1 that of the paper's model, 18.5 fragments per pixel.
constexpr float kDensity = 1.11f;

void makePowerplant(Scene& scene, const SceneArguments& arguments, Progress& progress) {
  using namespace powerplant;
  progress.begin("building the plant", 0);
  scene.camera.position = {14, 10.5f, 33};
  scene.camera.target = {0.5f, 8.2f, -8};
  scene.camera.verticalFovDeg = 33;
  scene.lighting.toSun = {0.5f, 0.8f, 0.65f};

  MeshBuilder mesh(scene);
  const Looks looks = addLooks(mesh);
  Random inside(arguments.seed()), outside(arguments.seed(), 1);
  const float density = kDensity * float(arguments.get("density"));

  Plant interior{mesh, looks, inside, density};
  mesh.setPart(kInterior);
  mesh.setOpenness(0.75f);
  addBoiler(interior);
  addVessels(interior);
  addPipes(interior);

  Plant exterior{mesh, looks, outside, density};
  mesh.setPart(kExterior);
  mesh.setOpenness(1);
  addFrame(exterior);
  addGratings(exterior);
  addStairs(exterior);
  addWalls(exterior);
  addRack(exterior);
  addYard(exterior);

  overrideAlpha(scene, arguments.get("alpha"));
  finishScene(scene, mesh.take(), {"interior", "exterior"}, BatchOrder::Spatial, progress);
  Box& shadows = scene.lighting.shadowBounds;
  shadows.add({-34, 0, -36});
  shadows.add({34, 26, 9});
}

}  // namespace

BuiltInScene powerplantScene() {
  return {"powerplant",
          "a steel frame full of pipes, vessels and banks of tubes, and the yard around it",
          {{"density", 0.1, 3, 1, false, "how many pipes, tubes and bars"},
           seedParameter(),
           alphaParameter()},
          makePowerplant};
}

}  // namespace fathom
