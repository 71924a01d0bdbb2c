// SPDX-License-Identifier: BSD-3-Clause
// `atrium`: a court between galleries on two floors, with columns, cloth, plants and a fountain.
// Part `exterior` is what stands in the court and its walls, `interior` the galleries behind them:
// two deep images that cover each other everywhere. Everything is original and made by code.
#include "app/engine/scene/built_in/atrium_parts.h"
#include "app/engine/scene/built_in/bake_light.h"
#include "app/engine/scene/built_in/built_in.h"

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

/// Niches and doors alternate; on each floor every second door stands open.
Back backOf(int bay, bool upper) {
  const int place = bay + (upper ? 1 : 0);
  if (place % 2 == 0) return Back::Niche;
  return place % 4 == 1 ? Back::Door : Back::OpenDoor;
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
    mesh.box({-0.31f, kUpperFloor + 0.12f, -0.26f}, {0.31f, kUpperFloor + kRail - 0.1f, 0.26f},
             false);
    mesh.box({-0.36f, kUpperFloor + kRail - 0.1f, -0.3f},
             {0.36f, kUpperFloor + kRail + 0.02f, 0.3f});
    addColumn(mesh, looks, kUpperFloor + kRail + 0.02f, kUpperSpring, 0.205f);
  }
}

/// The court's paving with the step around it, the floors and ceilings of the house.
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
  const float outX = x + kOuter, outZ = z + kOuter;
  const auto frame = [&](float inX, float inZ, float y, float facing) {
    const float f = facing;
    mesh.rectangle({-outX, y, -f * inZ}, {2 * outX, 0, 0}, {0, 0, f * (inZ - outZ)}, 80, 16);
    mesh.rectangle({-outX, y, f > 0 ? outZ : inZ}, {2 * outX, 0, 0}, {0, 0, f * (inZ - outZ)}, 80,
                   16);
    mesh.rectangle({-outX, y, f * inZ}, {outX - inX, 0, 0}, {0, 0, -2 * f * inZ}, 16, 18);
    mesh.rectangle({inX, y, f * inZ}, {outX - inX, 0, 0}, {0, 0, -2 * f * inZ}, 16, 18);
  };
  mesh.setPart(kInterior);
  mesh.setMaterial(looks.gallery);
  frame(xs, zs, kGroundFloor, 1);
  frame(x - 0.3f, z - 0.3f, kUpperFloor, 1);
  mesh.setUvScale(1);
  // The ceilings of the rooms behind the galleries, and the loft's floor above all.
  mesh.setMaterial(looks.plaster);
  const float rooms = kGalleryDepth + kBackWall;
  frame(x + rooms, z + rooms, kGroundTop - 0.1f, -1);
  frame(x + rooms, z + rooms, kUpperTop - 0.1f, -1);
  frame(x, z, kUpperTop + 0.2f, 1);
}

/// The square in each corner of the house: gallery, room, outer walls, roof.
void addCorner(MeshBuilder& mesh, const Looks& looks, float sx, float sz) {
  mesh.setPlace(glm::mat4(1));
  mesh.setPart(kInterior);
  // A wall along one axis: from a to b outward, at `at` along the other axis.
  const auto wall = [&](bool alongX, float a, float b, float at, float low, float high,
                        float facing) {
    const glm::vec3 normal = alongX ? glm::vec3(0, 0, facing * sz) : glm::vec3(facing * sx, 0, 0);
    mesh.grid(5, 6, [&](float u, float v) {
      const float s = a + (b - a) * u, y = low + (high - low) * v;
      const glm::vec3 p = alongX ? glm::vec3(sx * (kHalfLength + s), y, sz * (kHalfWidth + at))
                                 : glm::vec3(sx * (kHalfLength + at), y, sz * (kHalfWidth + s));
      return SurfacePoint{p, normal, {s / kBay, y / kBay}};
    });
  };
  const float back = kGalleryDepth, rooms = kGalleryDepth + kBackWall;
  for (const bool upper : {false, true}) {
    const float floor = upper ? kUpperFloor : kGroundFloor;
    const float ceiling = (upper ? kUpperTop : kGroundTop) - 0.1f;
    addCoffers(mesh, looks,
               {sx > 0 ? kHalfLength : -kHalfLength - back, ceiling,
                sz > 0 ? kHalfWidth : -kHalfWidth - back},
               back, back, 3, 3);
    mesh.setMaterial(looks.plaster);
    for (const bool alongX : {true, false}) {
      wall(alongX, 0, back, back, floor, ceiling, -1);
      wall(alongX, 0, rooms, rooms, floor, ceiling, 1);
      wall(alongX, 0, kOuter - 0.35f, kOuter - 0.35f, floor, ceiling, -1);
    }
  }
  mesh.setMaterial(looks.ashlar);
  for (const bool alongX : {true, false}) wall(alongX, 0, kOuter, kOuter, 0, kEaves, 1);

  // The roof's planes meet over the diagonal.
  mesh.setPart(kExterior);
  mesh.setMaterial(looks.roofTiles);
  const float eaves = -kWall - 0.72f, outer = kOuter + 0.6f;
  for (const bool alongX : {true, false})
    for (const auto& [from, to] : {std::pair(eaves, kRidge), std::pair(kRidge, outer)})
      mesh.grid(8, 4, [&](float u, float v) {
        const float out = from + (to - from) * v, along = std::max(out, 0.0f) * u;
        const float y = kEaves + 0.04f + roofHeight(out);
        const float tilt = (to == outer ? 0.35f : -0.35f);
        return SurfacePoint{alongX
                                ? glm::vec3(sx * (kHalfLength + along), y, sz * (kHalfWidth + out))
                                : glm::vec3(sx * (kHalfLength + out), y, sz * (kHalfWidth + along)),
                            alongX ? glm::vec3(0, 1, sz * tilt) : glm::vec3(sx * tilt, 1, 0),
                            {along * 4, v * 14}};
      });
}

/// What lies around the house: lawn and trees, the sky and its clouds.
void addSurroundings(MeshBuilder& mesh, const Looks& looks, Random& random) {
  constexpr float kRadius = 70;
  mesh.setPlace(glm::mat4(1));
  mesh.setPart(kExterior);
  mesh.setMaterial(looks.sky);
  mesh.grid(48, 12, [&](float u, float v) {
    const float angle = 2 * kPi * u, up = -0.1f + (0.5f * kPi + 0.1f) * v;
    const glm::vec3 d(std::cos(angle) * std::cos(up), std::sin(up), std::sin(angle) * std::cos(up));
    return SurfacePoint{d * kRadius, -d, {0.5f, std::clamp(up / (0.5f * kPi), 0.01f, 0.99f)}};
  });
  mesh.setMaterial(looks.cloud);
  mesh.grid(40, 40, [&](float u, float v) {
    const float x = 2 * u - 1, z = 2 * v - 1;
    return SurfacePoint{{x * 44, 48 - 14 * (x * x + z * z), z * 44},
                        {0, -1, 0},
                        {u * 1.7f + 0.35f, v * 1.7f + 0.2f}};
  });
  mesh.setMaterial(looks.lawn);
  mesh.grid(48, 6, [&](float u, float v) {
    const float angle = 2 * kPi * u, r = kRadius * v;
    return SurfacePoint{{r * std::cos(angle), -0.25f, r * std::sin(angle)}, {0, 1, 0}, {u, v}};
  });
  for (int i = 0; i < 22; ++i) {
    const float angle = 2 * kPi * (float(i) + random.uniform(0.0f, 0.6f)) / 22;
    const float c = std::cos(angle), s = std::sin(angle);
    const float reach =
        std::min(26 / std::max(std::abs(c), 1e-3f), 19 / std::max(std::abs(s), 1e-3f));
    const float r = reach + random.uniform(0, 5);
    addCypress(mesh, looks, {r * c, -0.25f, r * s}, random.uniform(8, 13), random);
  }
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
  addSurroundings(mesh, looks, random);
  const struct {
    float x;
    int drape;
    float sag;
  } awnings[] = {{-5.2f, 1, 1.5f}, {-0.2f, 0, 1.9f}, {4.6f, 2, 1.6f}, {9.0f, 1, 1.4f}};
  for (const auto& awning : awnings)
    addAwning(mesh, looks.drapes[awning.drape], {awning.x, kUpperTop, -kHalfWidth + kWall},
              {awning.x, kUpperTop, kHalfWidth - kWall}, 2.5f, awning.sag, random);
}

void makeAtrium(Scene& scene, const SceneArguments& arguments, Progress& progress) {
  progress.begin("building the atrium", 4);
  scene.camera.position = {-11.0f, 2.5f, 1.5f};
  scene.camera.target = {0.0f, 4.1f, -0.6f};
  scene.camera.verticalFovDeg = 62;
  scene.lighting.toSun = {-0.50f, 0.72f, -0.34f};
  scene.lighting.sun = {1.55f, 1.27f, 0.88f};
  scene.lighting.sky = {0.34f, 0.42f, 0.55f};
  scene.lighting.ground = {0.27f, 0.21f, 0.145f};
  const float outX = kHalfLength + kOuter + 0.8f, outZ = kHalfWidth + kOuter + 0.8f;
  scene.lighting.shadowBounds.add({-outX, -0.3f, -outZ});
  scene.lighting.shadowBounds.add({outX, kEaves + kRoofRise + 0.4f, outZ});

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
      for (const bool upper : {false, true}) {
        const Back back = backOf(bay, upper);
        addGallery(mesh, looks, upper, back);
        addRoom(mesh, looks, upper, back, bay % 2 == 0);
      }
    }
  }
  addFloors(mesh, looks);
  for (const float sx : {-1.0f, 1.0f})
    for (const float sz : {-1.0f, 1.0f}) addCorner(mesh, looks, sx, sz);
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
