// SPDX-License-Identifier: BSD-3-Clause
// `atrium`: a court between galleries on two floors, with columns, cloth, plants and a fountain. Part
// `exterior` is what stands in the court and its walls, `interior` the galleries behind them: two
// deep images that cover each other everywhere. Everything is original and made by code.
#include "app/scene/atrium_parts.h"
#include "app/scene/bake_light.h"
#include "app/scene/built_in.h"

#include <cmath>

#include <glm/gtc/constants.hpp>
#include <glm/gtc/matrix_transform.hpp>

namespace fathom {
namespace {

using namespace atrium;

/// A side of the court: its bays along x, the court at +z.
struct Side {
  glm::mat4 place;
  int bays;
};

std::vector<Side> courtSides() {
  const auto side = [](float angle, glm::vec3 at, int bays) {
    return Side{glm::rotate(glm::translate(glm::mat4(1), at), angle, glm::vec3(0, 1, 0)), bays};
  };
  const float quarter = glm::half_pi<float>();
  return {side(0, {0, 0, -kHalfWidth}, kLongBays), side(2 * quarter, {0, 0, kHalfWidth}, kLongBays),
          side(quarter, {-kHalfLength, 0, 0}, kShortBays),
          side(-quarter, {kHalfLength, 0, 0}, kShortBays)};
}

glm::mat4 bayPlace(const Side& side, int bay) {
  const float x = kBay * (float(bay) - 0.5f * float(side.bays - 1));
  return glm::translate(side.place, glm::vec3(x, 0, 0));
}

/// Columns stand between bays and at the corners; the short sides leave the corners to the long.
void addColumns(MeshBuilder& mesh, const Looks& looks, const Side& side) {
  mesh.setPart(kExterior);
  const bool longSide = side.bays == kLongBays;
  for (int i = longSide ? 0 : 1; i <= side.bays - (longSide ? 0 : 1); ++i) {
    const float x = kBay * (float(i) - 0.5f * float(side.bays));
    mesh.setPlace(glm::translate(side.place, glm::vec3(x, 0, 0)));
    addColumn(mesh, looks, kGroundFloor, kGroundSpring, 0.235f);
    mesh.setMaterial(looks.stone);
    mesh.box({-0.36f, kUpperFloor, -0.3f}, {0.36f, kUpperFloor + 0.12f, 0.3f}, false);
    mesh.box({-0.31f, kUpperFloor + 0.12f, -0.26f}, {0.31f, kUpperFloor + kRail - 0.1f, 0.26f}, false);
    mesh.box({-0.36f, kUpperFloor + kRail - 0.1f, -0.3f}, {0.36f, kUpperFloor + kRail + 0.02f, 0.3f});
    addColumn(mesh, looks, kUpperFloor + kRail + 0.02f, kUpperSpring, 0.205f);
  }
}

/// Floors, the step down to the court, and the square rooms in the corners of the galleries.
void addFloors(MeshBuilder& mesh, const Looks& looks) {
  mesh.setPlace(glm::mat4(1));
  mesh.setPart(kExterior);
  mesh.setMaterial(looks.tiles);
  mesh.setUvScale(0.5f);
  const float x = kHalfLength, z = kHalfWidth, step = 0.55f;
  mesh.rectangle({-x, 0, z}, {2 * x, 0, 0}, {0, 0, -2 * z}, 48, 18);
  mesh.setMaterial(looks.stone);
  const float xs = x - step + 0.1f, zs = z - step + 0.1f;
  mesh.rectangle({-xs, 0, -zs}, {2 * xs, 0, 0}, {0, kGroundFloor, 0}, 24, 1);
  mesh.rectangle({xs, 0, zs}, {-2 * xs, 0, 0}, {0, kGroundFloor, 0}, 24, 1);
  mesh.rectangle({-xs, 0, zs}, {0, 0, -2 * zs}, {0, kGroundFloor, 0}, 9, 1);
  mesh.rectangle({xs, 0, -zs}, {0, 0, 2 * zs}, {0, kGroundFloor, 0}, 9, 1);

  // Each floor is a frame of four strips around the court, the long ones to the corners.
  const float outX = x + kGalleryDepth, outZ = z + kGalleryDepth;
  const auto frame = [&](float inX, float inZ, float y) {
    mesh.rectangle({-outX, y, -inZ}, {2 * outX, 0, 0}, {0, 0, inZ - outZ}, 60, 8);
    mesh.rectangle({-outX, y, outZ}, {2 * outX, 0, 0}, {0, 0, inZ - outZ}, 60, 8);
    mesh.rectangle({-outX, y, inZ}, {outX - inX, 0, 0}, {0, 0, -2 * inZ}, 8, 18);
    mesh.rectangle({inX, y, inZ}, {outX - inX, 0, 0}, {0, 0, -2 * inZ}, 8, 18);
  };
  mesh.setPart(kInterior);
  mesh.setMaterial(looks.gallery);
  frame(xs, zs, kGroundFloor);
  frame(x - 0.3f, z - 0.3f, kUpperFloor);
  mesh.setUvScale(1);

  for (const bool upper : {false, true}) {
    const float floor = upper ? kUpperFloor : kGroundFloor;
    const float ceiling = (upper ? kUpperTop : kGroundTop) - 0.1f;
    for (const float sx : {-1.0f, 1.0f})
      for (const float sz : {-1.0f, 1.0f}) {
        const float x0 = sx > 0 ? x : -outX, z0 = sz > 0 ? z : -outZ;
        addCoffers(mesh, looks, {x0, ceiling, z0}, kGalleryDepth, kGalleryDepth, 3, 3);
        mesh.setMaterial(looks.plaster);
        const float wallX = sx * outX, wallZ = sz * outZ;
        mesh.grid(6, 8, [&](float u, float v) {
          return SurfacePoint{{x0 + kGalleryDepth * u, floor + (ceiling - floor) * v, wallZ},
                              {0, 0, -sz}, {u, v}};
        });
        mesh.grid(6, 8, [&](float u, float v) {
          return SurfacePoint{{wallX, floor + (ceiling - floor) * v, z0 + kGalleryDepth * u},
                              {-sx, 0, 0}, {u, v}};
        });
      }
  }
}

/// The roof's corners, where four sloping planes meet, and the sky over all.
void addSky(MeshBuilder& mesh, const Looks& looks) {
  mesh.setPlace(glm::mat4(1));
  mesh.setPart(kExterior);
  mesh.setMaterial(looks.sky);
  constexpr float kRadius = 60;
  mesh.grid(48, 16, [&](float u, float v) {
    const float angle = 2 * glm::pi<float>() * u, up = -0.25f + (glm::half_pi<float>() + 0.25f) * v;
    const glm::vec3 d(std::cos(angle) * std::cos(up), std::sin(up),
                      std::sin(angle) * std::cos(up));
    return SurfacePoint{d * kRadius, -d, {u * 2, 0.02f + 0.96f * v}};
  });
}

void furnish(MeshBuilder& mesh, const Looks& looks, std::uint64_t seed) {
  Random random(seed, 7);
  const std::vector<Side> sides = courtSides();
  // Lanterns in the galleries, curtains and banners in the arches, plants at the columns.
  for (std::size_t s = 0; s < sides.size(); ++s)
    for (int bay = 0; bay < sides[s].bays; ++bay) {
      mesh.setPlace(bayPlace(sides[s], bay));
      mesh.setPart(kInterior);
      if (bay % 2 == 0) addLantern(mesh, looks, {0, kGroundTop - 0.2f, -1.7f}, 1.4f);
      if (bay % 2 == 1) addLantern(mesh, looks, {0, kUpperTop - 0.2f, -1.7f}, 1.3f);

      mesh.setPart(kExterior);
      const bool longSide = s < 2;
      if (longSide && bay % 2 == int(s))
        addCurtain(mesh, looks.drapes[(bay / 2 + int(s)) % 3], kUpperFloor + kRail,
                   kUpperSpring + 0.5f, random.uniform(0.75f, 1.0f), random);
      if (longSide && bay % 4 == 2 - int(s))
        addCurtain(mesh, looks.drapes[3], kGroundFloor + 0.1f, kGroundSpring + 0.35f,
                   random.uniform(0.6f, 0.9f), random);
      if (bay % 2 == (longSide ? 1 - int(s) : 1))
        addBanner(mesh, looks.banners[(bay + int(s)) % 3], looks, kUpperFloor - 0.05f, random);
      if (longSide && (bay + int(s)) % 3 == 0)
        addIvy(mesh, looks, {-1.3f, kUpperFloor + 0.95f, kWall}, {1.2f, kUpperFloor + 0.95f, kWall},
               random.uniform(1.4f, 2.4f), 420, random);
    }
  mesh.setPlace(glm::mat4(1));
  for (const float side : {-1.0f, 1.0f})
    for (int i = 1; i < kLongBays; ++i) {
      const glm::vec3 foot(kBay * float(i) - kHalfLength, 0, side * (kHalfWidth - 0.95f));
      if (i % 2 == 1)
        addLaurel(mesh, looks, foot, random.uniform(0.95f, 1.1f), random);
      else
        addPalm(mesh, looks, foot, random.uniform(1.0f, 1.25f), random);
    }
  addFountain(mesh, looks, random);
  const struct {
    float x;
    int drape;
    float sag;
  } awnings[] = {{-4.6f, 1, 1.5f}, {0.6f, 0, 1.9f}, {5.8f, 2, 1.6f}};
  for (const auto& awning : awnings)
    addAwning(mesh, looks.drapes[awning.drape], {awning.x, kUpperTop, -kHalfWidth + kWall},
              {awning.x, kUpperTop, kHalfWidth - kWall}, 2.0f, awning.sag, random);
}

void makeAtrium(Scene& scene, const SceneArguments& arguments, Progress& progress) {
  progress.begin("building the atrium", 4);
  scene.camera.position = {-11.0f, 2.5f, 1.5f};
  scene.camera.target = {0.0f, 4.1f, -0.6f};
  scene.camera.verticalFovDeg = 62;
  scene.lighting.toSun = {-0.42f, 0.86f, -0.36f};
  scene.lighting.sun = {0.92f, 0.80f, 0.60f};
  scene.lighting.sky = {0.42f, 0.50f, 0.62f};
  scene.lighting.ground = {0.30f, 0.245f, 0.18f};
  const float outX = kHalfLength + kGalleryDepth, outZ = kHalfWidth + kGalleryDepth;
  scene.lighting.shadowBounds.add({-outX - 0.5f, -0.1f, -outZ - 0.5f});
  scene.lighting.shadowBounds.add({outX + 0.5f, kEaves + 2.5f, outZ + 0.5f});

  MeshBuilder mesh(scene);
  const Looks looks = addLooks(mesh, arguments.seed());
  progress.advance(1);
  for (const Side& side : courtSides()) {
    addColumns(mesh, looks, side);
    for (int bay = 0; bay < side.bays; ++bay) {
      mesh.setPlace(bayPlace(side, bay));
      mesh.setPart(kExterior);
      addArch(mesh, looks, kGroundSpring, kGroundTop);
      addArch(mesh, looks, kUpperSpring, kUpperTop);
      addCornices(mesh, looks);
      addBalustrade(mesh, looks);
      addRoof(mesh, looks);
      mesh.setPart(kInterior);
      addGallery(mesh, looks, false, bay % 2);
      addGallery(mesh, looks, true, (bay + 1) % 2);
    }
  }
  addFloors(mesh, looks);
  addSky(mesh, looks);
  progress.advance(1);
  furnish(mesh, looks, arguments.seed());
  progress.advance(1);
  finishScene(scene, mesh.take(), {"interior", "exterior"}, BatchOrder::Spatial, progress);
  bakeLight(scene, scene.lighting.shadowBounds, progress);
  overrideAlpha(scene, arguments.get("alpha"));
}

}  // namespace

BuiltInScene atriumScene() {
  return {"atrium",
          "a court between two-storied galleries, with cloth and plants",
          {seedParameter(), alphaParameter()},
          makeAtrium};
}

}  // namespace fathom
