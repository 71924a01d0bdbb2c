// SPDX-License-Identifier: BSD-3-Clause
// `atrium`: a courtyard between galleries on two floors, with columns, cloth, plants and a
// fountain. Part `exterior` is what stands in the court and its walls, `interior` the galleries
// behind them: two deep images that cover each other everywhere. Everything is original and made by
// code; the proportions are our own, after the courts of Renaissance palaces. Pieces are drawn in
// the frame of a bay: x along the side of the court, y up, z towards the court, the origin on the
// line of the columns in the middle between two of them. Lengths in m.
#include "app/engine/core/random.h"
#include "app/engine/scene/built_in/atrium_looks.h"
#include "app/engine/scene/built_in/built_in.h"
#include "app/engine/scene/built_in/mesh_builder.h"

#include <glm/gtc/matrix_transform.hpp>

namespace fathom {
namespace atrium {
namespace {

using glm::vec2;
using glm::vec3;

// The plan: a court of 8 x 3 bays with galleries around it on two floors.
constexpr float kBay = 3.0f;
constexpr int kLongBays = 8, kShortBays = 3;
constexpr float kHalfLength = kBay * kLongBays / 2, kHalfWidth = kBay * kShortBays / 2;
constexpr float kGalleryDepth = 3.2f;  // from the line of the columns to the back wall
constexpr float kBackWall = 0.5f;      // thickness
constexpr float kOuter = 8.0f;         // from the line of the columns to the face of the house
constexpr float kRidge = 3.9f;         // from the line of the columns to the ridge of the roof
constexpr float kRoofRise = 1.75f;     // from the eaves to the ridge
constexpr float kWall = 0.25f;         // half the thickness of the arcade's wall
constexpr float kOpening = 1.15f;      // radius of the arches
// Heights.
constexpr float kGroundFloor = 0.16f, kGroundSpring = 3.75f, kGroundTop = 5.25f;
constexpr float kUpperFloor = 5.55f, kUpperSpring = 9.0f, kUpperTop = 10.45f;
constexpr float kRail = 0.98f;  // of the balustrade, above the upper floor
constexpr float kEaves = 11.0f;

constexpr int kInterior = 0, kExterior = 1;  // parts

// ---- Masonry: columns, arches, balustrade, cornices, roof, galleries

/// The shaft: flutes as a wave around it, swelling a little at a third of its height (entasis).
void addShaft(MeshBuilder& mesh, float bottom, float top, float radius) {
  constexpr int kFlutes = 20, kPerFlute = 4;
  mesh.grid(kFlutes * kPerFlute, 3, [&](float u, float v) {
    const float angle = 2 * kPi * u;
    const float swell = radius * (1 - 0.16f * v * v + 0.03f * std::sin(kPi * v));
    const float wave = kFlutes * angle, depth = 0.045f * radius;
    const float r = swell - depth * (1 - std::cos(wave));
    const float slope = -depth * kFlutes * std::sin(wave);  // dr / dangle
    const float c = std::cos(angle), s = std::sin(angle);
    const vec3 normal(r * c + slope * s, 0, r * s - slope * c);
    return SurfacePoint{
        {r * c, bottom + (top - bottom) * v, r * s}, normal, {u * 2.0f, v * (top - bottom) * 0.6f}};
  });
}

/// A leaf of the capital, curling outward at its tip.
void addCapitalLeaf(MeshBuilder& mesh, float angle, float bottom, float height, float radius) {
  const vec3 out(std::cos(angle), 0, std::sin(angle)), side(-out.z, 0, out.x);
  mesh.grid(2, 4, [&](float u, float v) {
    const float across = (u - 0.5f) * 2, width = radius * 0.36f * (1 - 0.75f * v * v);
    const float curl = radius * (0.05f + 0.5f * v * v * v);
    const float rise = height * (v - 0.25f * v * v * v);
    const float bulge = radius * 0.08f * (1 - across * across);
    return SurfacePoint{
        out * (radius * 0.92f + curl + bulge) + side * (width * across) + vec3(0, bottom + rise, 0),
        out + side * (across * 0.6f) + vec3(0, 0.25f - 0.7f * v, 0),
        {u, v}};
  });
}

/// Cross section of a molding that reaches out by `reach` and up by `height`, from the wall and
/// back to it.
std::vector<ProfilePoint> corniceProfile(float reach, float height) {
  return {{0.0f, 0.0f},
          {0.18f * reach, 0.0f},
          {0.18f * reach, 0.16f * height},
          {0.34f * reach, 0.34f * height},
          {0.42f * reach, 0.40f * height},
          {0.78f * reach, 0.46f * height},
          {0.78f * reach, 0.68f * height},
          {0.90f * reach, 0.80f * height},
          {1.0f * reach, 0.92f * height},
          {1.0f * reach, 1.0f * height},
          {0.0f, 1.0f * height}};
}

/// The outline of the opening from the left pier to the right one; the arch between.
std::vector<vec2> archLine(float spring, float radius, float halfWidth, int segments) {
  std::vector<vec2> line{{-halfWidth, spring}};
  for (int i = 0; i <= segments; ++i) {
    const float angle = kPi * (1 - float(i) / float(segments));
    line.push_back({radius * std::cos(angle), spring + radius * std::sin(angle)});
  }
  line.push_back({halfWidth, spring});
  return line;
}

/// The wall between a line and a level above it, facing +z or -z, at depth z.
void addSpandrel(MeshBuilder& mesh, const std::vector<vec2>& line, float top, float z, float facing,
                 int rows) {
  const int columns = int(line.size()) - 1;
  mesh.grid(columns, rows, [&](float u, float v) {
    const vec2 foot = line[std::size_t(std::lround(u * float(columns)))];
    const vec3 p(foot.x, foot.y + (top - foot.y) * v, z);
    return SurfacePoint{p, {0, 0, facing}, {p.x / kBay, p.y / kBay}};
  });
}

/// A band along an arch: from radius r0 at depth z0 to radius r1 at depth z1.
void addArchBand(MeshBuilder& mesh, float spring, float r0, float z0, float r1, float z1,
                 int segments) {
  mesh.grid(segments, 1, [&](float u, float v) {
    const float angle = kPi * (1 - u), r = r0 + (r1 - r0) * v;
    const vec2 out(std::cos(angle), std::sin(angle));
    // Perpendicular to the band in the plane of radius and depth.
    const float radial = z0 - z1, deep = r1 - r0;
    return SurfacePoint{{out.x * r, spring + out.y * r, z0 + (z1 - z0) * v},
                        {out.x * radial, out.y * radial, deep},
                        {u * 3.6f, v * 0.3f}};
  });
}

void addArchivolt(MeshBuilder& mesh, float spring, float z, float facing) {
  // Two fasciae and a rim, each stepping out of the wall.
  const float r = kOpening, f = facing;
  const struct {
    float radius, out;
  } steps[] = {{r, 0.0f},          {r, 0.025f},        {r + 0.10f, 0.025f}, {r + 0.10f, 0.05f},
               {r + 0.20f, 0.05f}, {r + 0.23f, 0.09f}, {r + 0.27f, 0.09f},  {r + 0.27f, 0.0f}};
  for (std::size_t i = 0; i + 1 < std::size(steps); ++i)
    addArchBand(mesh, spring, steps[i].radius, z + f * steps[i].out, steps[i + 1].radius,
                z + f * steps[i + 1].out, 20);
  // The keystone.
  const float low = spring + r - 0.03f, high = spring + r + 0.36f;
  mesh.grid(1, 1, [&](float u, float v) {
    const float half = 0.09f + 0.05f * v;
    return SurfacePoint{{(u - 0.5f) * 2 * half, low + (high - low) * v, z + f * 0.13f},
                        {0, 0, f},
                        {u * 0.1f, v * 0.2f}};
  });
  for (const float side : {-1.0f, 1.0f})
    mesh.grid(1, 1, [&](float u, float v) {
      const float half = 0.09f + 0.05f * v;
      return SurfacePoint{{side * half, low + (high - low) * v, z + f * 0.13f * u},
                          {side, 0, 0},
                          {u * 0.1f, v * 0.2f}};
    });
}

/// An arched hole in a wall.
struct Hole {
  float half, sill, spring;
};

/// A bay of wall at depth z around a hole.
void addPiercedWall(MeshBuilder& mesh, float z, float facing, float floor, float ceiling,
                    const Hole& hole) {
  const float h = kBay / 2, half = hole.half, sill = hole.sill, spring = hole.spring;
  addSpandrel(mesh, archLine(spring, half, h, 14), ceiling, z, facing, 2);
  const auto piece = [&](int columns, int rows, float x0, float x1, float top) {
    mesh.grid(columns, rows, [&](float u, float v) {
      const vec3 p(x0 + (x1 - x0) * u, floor + (top - floor) * v, z);
      return SurfacePoint{p, {0, 0, facing}, {p.x / kBay, p.y / kBay}};
    });
  };
  piece(1, 6, -h, -half, spring), piece(1, 6, half, h, spring);
  if (sill > floor) piece(4, 2, -half, half, sill);
}

/// The inside of a hole through a wall, from depth z0 to z1.
void addReveal(MeshBuilder& mesh, const Hole& hole, float z0, float z1) {
  const float half = hole.half;
  mesh.grid(14, 1, [&](float u, float v) {
    const float angle = kPi * (1 - u);
    const vec2 out(std::cos(angle), std::sin(angle));
    return SurfacePoint{{half * out.x, hole.spring + half * out.y, z0 + (z1 - z0) * v},
                        {-out.x, -out.y, 0},
                        {u * 2, v * 0.3f}};
  });
  for (const float side : {-1.0f, 1.0f})
    mesh.grid(1, 3, [&](float u, float v) {
      return SurfacePoint{
          {side * half, hole.sill + (hole.spring - hole.sill) * v, z0 + (z1 - z0) * u},
          {-side, 0, 0},
          {u * 0.3f, v}};
    });
  mesh.grid(1, 1, [&](float u, float v) {
    return SurfacePoint{{half * (2 * u - 1), hole.sill, z0 + (z1 - z0) * v}, {0, 1, 0}, {u, v}};
  });
}

/// A flat sheet that closes a hole at depth z.
void addSheet(MeshBuilder& mesh, const Hole& hole, float z) {
  mesh.grid(14, 1, [&](float u, float v) {
    const float angle = kPi * (1 - u);
    const float top = hole.spring + hole.half * std::sin(angle);
    const vec3 p(hole.half * std::cos(angle), hole.sill + (top - hole.sill) * v, z);
    return SurfacePoint{p, {0, 0, 1}, {p.x * 0.8f, p.y * 0.5f}};
  });
}

/// A half-round niche with a half dome, behind an opening in the wall at depth z.
void addNiche(MeshBuilder& mesh, float z, float half, float sill, float spring) {
  mesh.grid(14, 3, [&](float u, float v) {
    const float angle = kPi * u, c = std::cos(angle), s = std::sin(angle);
    return SurfacePoint{
        {half * c, sill + (spring - sill) * v, z - half * 0.8f * s}, {-c, 0, s}, {u, v}};
  });
  mesh.grid(14, 6, [&](float u, float v) {
    const float angle = kPi * u, up = 0.5f * kPi * v;
    const vec3 d(std::cos(angle) * std::cos(up), std::sin(up), std::sin(angle) * std::cos(up));
    return SurfacePoint{
        {half * d.x, spring + half * d.y, z - half * 0.8f * d.z}, {-d.x, -d.y, d.z}, {u, v}};
  });
  mesh.grid(14, 1, [&](float u, float v) {
    const float angle = kPi * u, r = half * (1 - v);
    return SurfacePoint{
        {r * std::cos(angle), sill, z - r * 0.8f * std::sin(angle)}, {0, 1, 0}, {u, v}};
  });
}

void addUrn(MeshBuilder& mesh, vec3 foot, float size) {
  static const ProfilePoint profile[] = {{0.0f, 0.0f},   {0.16f, 0.0f},  {0.15f, 0.05f},
                                         {0.06f, 0.10f}, {0.07f, 0.16f}, {0.20f, 0.30f},
                                         {0.26f, 0.48f}, {0.25f, 0.60f}, {0.13f, 0.74f},
                                         {0.12f, 0.80f}, {0.18f, 0.86f}, {0.15f, 0.88f}};
  mesh.latheAt(foot, size, profile, 20, true);
}

/// Raised panels of a door leaf between x0 and x1.
void addPanels(MeshBuilder& mesh, float x0, float x1, float z, float floor, float top) {
  for (int row = 0; row < 3; ++row) {
    const float y = floor + 0.12f + float(row) * (top - floor) / 3;
    mesh.box({x0 + 0.1f, y, z - 0.02f}, {x1 - 0.1f, y + (top - floor) / 3 - 0.2f, z + 0.03f});
  }
}

void addClosedDoor(MeshBuilder& mesh, const Looks& looks, const Hole& hole, float z) {
  mesh.setMaterial(looks.wood);
  addSheet(mesh, hole, z);
  addPanels(mesh, -hole.half, 0, z, hole.sill, hole.spring);
  addPanels(mesh, 0, hole.half, z, hole.sill, hole.spring);
}

/// Both leaves stand open into the room behind; a lunette of wood stays above them.
void addOpenDoor(MeshBuilder& mesh, const Looks& looks, const Hole& hole, float z) {
  mesh.setMaterial(looks.wood);
  for (const float side : {-1.0f, 1.0f}) {
    const float x = side * (hole.half - 0.03f);
    mesh.box({std::min(x, x - side * 0.05f), hole.sill, z - hole.half},
             {std::max(x, x - side * 0.05f), hole.spring, z});
  }
  mesh.grid(14, 1, [&](float u, float v) {
    const float angle = kPi * (1 - u);
    return SurfacePoint{
        {hole.half * std::cos(angle), hole.spring + hole.half * std::sin(angle) * v, z - 0.05f},
        {0, 0, 1},
        {u, v}};
  });
}

void addColumn(MeshBuilder& mesh, const Looks& looks, float bottom, float top, float radius) {
  mesh.setMaterial(looks.stone);
  const float r = radius, plinth = 0.13f;
  mesh.box({-1.42f * r, bottom, -1.42f * r}, {1.42f * r, bottom + plinth, 1.42f * r}, false);
  // The Attic base: torus, scotia, torus.
  std::vector<ProfilePoint> base;
  const float b = bottom + plinth;
  for (int i = 0; i <= 4; ++i) {
    const float a = kPi * (float(i) / 4 - 0.5f);
    base.push_back({1.26f * r + 0.14f * r * std::cos(a), b + 0.06f + 0.06f * std::sin(a)});
  }
  base.push_back({1.12f * r, b + 0.16f});
  for (int i = 0; i <= 3; ++i) {
    const float a = kPi * (float(i) / 3 - 0.5f);
    base.push_back({1.10f * r + 0.10f * r * std::cos(a), b + 0.22f + 0.04f * std::sin(a)});
  }
  base.push_back({1.0f * r, b + 0.30f});
  mesh.lathe(base, 32, true);

  const float capital = 0.52f, shaftTop = top - capital, neck = 0.84f * r;
  addShaft(mesh, b + 0.29f, shaftTop, r);

  // The capital: astragal, bell, two rows of leaves, abacus, impost.
  const ProfilePoint bell[] = {{neck, shaftTop - 0.02f},         {1.10f * neck, shaftTop},
                               {1.10f * neck, shaftTop + 0.04f}, {0.98f * neck, shaftTop + 0.06f},
                               {1.0f * neck, shaftTop + 0.22f},  {1.25f * neck, shaftTop + 0.34f}};
  mesh.lathe(bell, 24, true);
  for (int row = 0; row < 2; ++row)
    for (int i = 0; i < 8; ++i)
      addCapitalLeaf(mesh, kPi * (float(i) + 0.5f * float(row)) / 4,
                     shaftTop + 0.05f + 0.10f * float(row), 0.2f, neck);
  const float a = 1.45f * r;
  mesh.box({-a, shaftTop + 0.33f, -a}, {a, shaftTop + 0.41f, a});
  mesh.box({-a * 0.92f, shaftTop + 0.41f, -a * 0.92f}, {a * 0.92f, top, a * 0.92f}, false);
}

/// The arcade's wall above one arch, on both sides, with its reveal and archivolt.
void addArch(MeshBuilder& mesh, const Looks& looks, float spring, float top) {
  mesh.setMaterial(looks.ashlar);
  const std::vector<vec2> line = archLine(spring, kOpening, kBay / 2, 20);
  addSpandrel(mesh, line, top, kWall, 1, 3);
  addSpandrel(mesh, line, top, -kWall, -1, 3);
  mesh.setMaterial(looks.stone);
  // The reveal under the arch and under the piers beside it.
  mesh.grid(20, 2, [&](float u, float v) {
    const float angle = kPi * (1 - u);
    const vec2 out(std::cos(angle), std::sin(angle));
    return SurfacePoint{{kOpening * out.x, spring + kOpening * out.y, kWall - 2 * kWall * v},
                        {-out.x, -out.y, 0},
                        {u * 3.6f, v * 0.5f}};
  });
  for (const float side : {-1.0f, 1.0f}) {
    const float x0 = side < 0 ? -kBay / 2 : kOpening, x1 = side < 0 ? -kOpening : kBay / 2;
    mesh.grid(1, 1, [&](float u, float v) {
      return SurfacePoint{{x0 + (x1 - x0) * u, spring, kWall - 2 * kWall * v}, {0, -1, 0}, {u, v}};
    });
  }
  addArchivolt(mesh, spring, kWall, 1);
  // A medallion in each spandrel.
  mesh.setMaterial(looks.marble);
  for (const float side : {-1.0f, 1.0f}) {
    const vec3 center(side * (kBay / 2 - 0.30f), top - 0.36f, kWall);
    mesh.grid(16, 3, [&](float u, float v) {
      const float angle = 2 * kPi * u, r = 0.2f * v;
      const float bulge = 0.05f * std::cos(0.5f * kPi * v * v);
      return SurfacePoint{center + vec3(r * std::cos(angle), r * std::sin(angle), bulge),
                          {0.6f * v * std::cos(angle), 0.6f * v * std::sin(angle), 1},
                          {u, v}};
    });
  }
}

void addBalustrade(MeshBuilder& mesh, const Looks& looks) {
  constexpr int kBalusters = 7;
  mesh.setMaterial(looks.stone);
  const float y = kUpperFloor, half = kBay / 2 - 0.36f;
  mesh.box({-half, y, -0.13f}, {half, y + 0.14f, 0.13f}, false);
  mesh.box({-half, y + kRail - 0.14f, -0.11f}, {half, y + kRail - 0.05f, 0.11f});
  mesh.box({-half, y + kRail - 0.05f, -0.15f}, {half, y + kRail, 0.15f});
  const ProfilePoint profile[] = {{0.055f, 0.14f}, {0.06f, 0.18f}, {0.035f, 0.22f}, {0.075f, 0.36f},
                                  {0.078f, 0.42f}, {0.03f, 0.66f}, {0.055f, 0.72f}, {0.05f, 0.84f}};
  for (int i = 0; i < kBalusters; ++i)
    mesh.latheAt({half * (2 * (float(i) + 0.5f) / kBalusters - 1), y, 0}, 1, profile, 10, true);
}

/// Cornices between and above the floors, for one bay.
void addCornices(MeshBuilder& mesh, const Looks& looks) {
  const vec3 a(-kBay / 2, 0, kWall), b(kBay / 2, 0, kWall), out(0, 0, 1);
  const auto at = [](vec3 p, float y) { return p + vec3(0, y, 0); };
  mesh.setMaterial(looks.stone);
  mesh.setUvScale(0.5f);
  // Between the floors: cornice with dentils, its top is the edge of the upper floor.
  mesh.molding(corniceProfile(0.34f, kUpperFloor - kGroundTop), at(a, kGroundTop),
               at(b, kGroundTop), out);
  for (int i = 0; i < 12; ++i) {
    const float x = kBay * ((float(i) + 0.5f) / 12 - 0.5f);
    mesh.box({x - 0.06f, kGroundTop + 0.02f, kWall},
             {x + 0.06f, kGroundTop + 0.13f, kWall + 0.16f});
  }
  // Above the upper arches: modillions carry the main cornice.
  mesh.molding(corniceProfile(0.62f, kEaves - kUpperTop), at(a, kUpperTop), at(b, kUpperTop), out);
  for (int i = 0; i < 6; ++i) {
    const float x = kBay * ((float(i) + 0.5f) / 6 - 0.5f);
    mesh.grid(1, 6, [&](float u, float v) {
      const float reach = 0.1f + 0.36f * v * v * (3 - 2 * v), rise = 0.05f + 0.2f * v;
      return SurfacePoint{{x + (u - 0.5f) * 0.16f, kUpperTop + rise, kWall + reach},
                          {0, -0.8f, 0.6f},
                          {u * 0.1f, v * 0.3f}};
    });
    for (const float side : {-1.0f, 1.0f})
      mesh.grid(1, 6, [&](float u, float v) {
        const float reach = 0.1f + 0.36f * v * v * (3 - 2 * v), rise = 0.05f + 0.2f * v;
        const float y = rise + (0.25f - rise) * u;
        return SurfacePoint{
            {x + side * 0.08f, kUpperTop + y, kWall + reach}, {side, 0, 0}, {u * 0.2f, v * 0.3f}};
      });
  }
  // Smaller moldings: at the springing of both floors and under the upper one.
  const ProfilePoint band[] = {{0, 0}, {0.05f, 0.02f}, {0.05f, 0.07f}, {0.02f, 0.09f}, {0, 0.12f}};
  mesh.molding(band, at(a, kGroundTop - 0.12f), at(b, kGroundTop - 0.12f), out);
  mesh.molding(band, at(a, kUpperTop - 0.12f), at(b, kUpperTop - 0.12f), out);
  mesh.setUvScale(1);
}

/// The height of the roof above the eaves, by the distance outward from the line of the columns.
float roofHeight(float outward) {
  const float eaves = -kWall - 0.72f, outer = kOuter + 0.6f;
  return kRoofRise * (outward < kRidge ? (outward - eaves) / (kRidge - eaves)
                                       : (outer - outward) / (outer - kRidge));
}

void addRoof(MeshBuilder& mesh, const Looks& looks) {
  // Barrel tiles on both slopes, on a sheet below.
  constexpr int kTiles = 12;
  mesh.setMaterial(looks.roofTiles);
  const float width = kBay / kTiles;
  const auto slope = [&](float from, float to, int tiles, float tileWidth) {
    for (int i = 0; i < tiles; ++i) {
      const float x = -kBay / 2 + tileWidth * (float(i) + 0.5f);
      mesh.grid(4, 2, [&](float u, float v) {
        const float angle = kPi * (1 - u), r = 0.52f * tileWidth, out = from + (to - from) * v;
        const vec2 round(std::cos(angle), std::sin(angle));
        return SurfacePoint{
            {x + r * round.x, kEaves + 0.05f + roofHeight(out) + 0.7f * r * round.y, -out},
            {round.x, round.y, to > from ? 0.3f * round.y : -0.3f * round.y},
            {u, v * 14}};
      });
    }
    mesh.grid(1, 2, [&](float u, float v) {
      const float out = from + (to - from) * v;
      return SurfacePoint{{kBay * (u - 0.5f), kEaves + 0.02f + roofHeight(out), -out},
                          {0, 1, to > from ? 0.35f : -0.35f},
                          {u * 12, v * 14}};
    });
  };
  slope(-kWall - 0.72f, kRidge, kTiles, width);
  slope(kOuter + 0.6f, kRidge, kTiles / 2, width * 2);
}

void addCoffers(MeshBuilder& mesh, const Looks& looks, vec3 corner, float width, float depth) {
  constexpr int kSide = 3;  // coffers
  const float cx = width / kSide, cz = depth / kSide;
  // From the beams' lower edge inward and up: nested rectangles joined by strips.
  const struct {
    float inset, up;
  } steps[] = {{0.0f, 0.0f}, {0.13f, 0.0f}, {0.15f, 0.10f}, {0.21f, 0.10f}, {0.24f, 0.20f}};
  for (int i = 0; i < kSide; ++i)
    for (int k = 0; k < kSide; ++k) {
      const vec3 o = corner + vec3(cx * float(i), 0, cz * float(k));
      const auto at = [&](int step, int side) {
        const float d = steps[step].inset;
        const float x = side == 0 || side == 3 ? d : cx - d, z = side < 2 ? d : cz - d;
        return o + vec3(x, steps[step].up, z);
      };
      for (int s = 0; s + 1 < int(std::size(steps)); ++s) {
        mesh.setMaterial(s == 1 || s == 2 ? looks.gold : looks.plaster);
        for (int side = 0; side < 4; ++side) {
          const vec3 p = at(s, side), q = at(s, (side + 1) % 4), r = at(s + 1, (side + 1) % 4),
                     t = at(s + 1, side);
          const vec3 n = -glm::cross(q - p, t - p);
          mesh.quad(p, q, r, t, n);
        }
      }
      mesh.setMaterial(looks.fresco[2]);
      const int last = int(std::size(steps)) - 1;
      const vec3 p = at(last, 0);
      mesh.rectangle(p, at(last, 1) - p, at(last, 3) - p);
    }
}

/// What the back wall of a gallery shows.
enum class Back { Niche, Door, OpenDoor };

Hole holeOf(bool upper, Back back) {
  const float floor = upper ? kUpperFloor : kGroundFloor, rise = upper ? 2.35f : 2.5f;
  if (back == Back::Niche) return {0.55f, floor + 0.95f, floor + rise};
  return {0.66f, floor, floor + rise};
}

float ceilingOf(bool upper) { return (upper ? kUpperTop : kGroundTop) - 0.1f; }

/// The gallery behind one bay: coffered ceiling, back wall, and what the wall shows.
void addGallery(MeshBuilder& mesh, const Looks& looks, bool upper, Back back) {
  const float floor = upper ? kUpperFloor : kGroundFloor, ceiling = ceilingOf(upper);
  const float wall = -kGalleryDepth, front = -kWall;
  // A beam on each column line carries the coffers.
  mesh.setMaterial(looks.stone);
  mesh.box({-kBay / 2 - 0.16f, ceiling - 0.22f, wall}, {-kBay / 2 + 0.16f, ceiling, front});
  addCoffers(mesh, looks, {-kBay / 2 + 0.16f, ceiling, wall}, kBay - 0.32f, front - wall);

  // The back wall, with a marble frame around its hole.
  const Hole hole = holeOf(upper, back);
  const float half = hole.half, sill = hole.sill, spring = hole.spring;
  mesh.setMaterial(looks.plaster);
  addPiercedWall(mesh, wall, 1, floor, ceiling, hole);
  mesh.setMaterial(looks.marble);
  addArchBand(mesh, spring, half, wall, half, wall + 0.06f, 14);
  addArchBand(mesh, spring, half, wall + 0.06f, half + 0.14f, wall + 0.06f, 14);
  addArchBand(mesh, spring, half + 0.14f, wall + 0.06f, half + 0.14f, wall, 14);
  for (const float side : {-1.0f, 1.0f}) {
    const float x = side * (half + 0.07f);
    mesh.box({x - 0.07f, sill, wall}, {x + 0.07f, spring, wall + 0.06f});
  }
  if (back == Back::Niche) {
    mesh.setMaterial(looks.fresco[0]);
    addNiche(mesh, wall, half, sill, spring);
    mesh.setMaterial(looks.marble);
    mesh.box({-half - 0.14f, sill - 0.1f, wall}, {half + 0.14f, sill, wall + 0.14f});
    mesh.setMaterial(upper ? looks.bronze : looks.terracotta);
    addUrn(mesh, {0, sill, wall - 0.18f}, 1.3f);
  } else {
    mesh.setMaterial(looks.stone);
    addReveal(mesh, hole, wall, wall - kBackWall);
    if (back == Back::Door) addClosedDoor(mesh, looks, hole, wall - 0.16f);
    if (back == Back::OpenDoor) addOpenDoor(mesh, looks, hole, wall - 0.16f);
  }
  // Pilasters behind the columns, a rail along the wall.
  const float edge = -kBay / 2;
  mesh.setMaterial(looks.stone);
  mesh.box({edge - 0.2f, floor, wall}, {edge + 0.2f, ceiling - 0.22f, wall + 0.1f});
  mesh.box({edge - 0.25f, floor, wall}, {edge + 0.25f, floor + 0.3f, wall + 0.14f});
  mesh.box({edge - 0.26f, ceiling - 0.45f, wall}, {edge + 0.26f, ceiling - 0.22f, wall + 0.16f});
  const ProfilePoint rail[] = {{0, 0}, {0.04f, 0.02f}, {0.05f, 0.07f}, {0, 0.1f}};
  for (const float side : {-1.0f, 1.0f}) {
    const float x0 = side < 0 ? edge + 0.2f : half + 0.14f;
    const float x1 = side < 0 ? -half - 0.14f : -edge - 0.2f;
    mesh.molding(rail, {x0, floor + 0.9f, wall}, {x1, floor + 0.9f, wall}, {0, 0, 1});
    // Panels painted on the plaster beside the opening.
    mesh.setMaterial(looks.fresco[1]);
    mesh.rectangle({x0 + 0.1f, floor + 1.15f, wall + 0.012f}, {x1 - x0 - 0.2f, 0, 0},
                   {0, spring - floor - 1.0f, 0});
    mesh.setMaterial(looks.stone);
  }
}

/// The room behind the gallery: the other face of its wall, a partition, the outer wall with a
/// window. Floors and ceilings are laid for the whole house at once.
void addRoom(MeshBuilder& mesh, const Looks& looks, bool upper, Back back, bool partition) {
  const float floor = upper ? kUpperFloor : kGroundFloor, ceiling = ceilingOf(upper);
  const float inner = -kGalleryDepth - kBackWall, outer = -kOuter;
  mesh.setMaterial(looks.plaster);
  if (back == Back::Niche)
    mesh.rectangle({kBay / 2, floor, inner}, {-kBay, 0, 0}, {0, ceiling - floor, 0}, 3, 4);
  else
    addPiercedWall(mesh, inner, -1, floor, ceiling, holeOf(upper, back));
  if (partition)
    mesh.box({-kBay / 2 - 0.1f, floor, outer + 0.35f}, {-kBay / 2 + 0.1f, ceiling, inner});

  // The outer wall: a glazed window, plaster inside, stone outside.
  const Hole window{0.55f, floor + 1.0f, floor + 2.3f};
  addPiercedWall(mesh, outer + 0.35f, 1, floor, ceiling, window);
  mesh.setMaterial(looks.stone);
  addReveal(mesh, window, outer + 0.35f, outer);
  mesh.setMaterial(looks.ashlar);
  addPiercedWall(mesh, outer, -1, upper ? kGroundTop : 0.0f, upper ? kEaves : kGroundTop, window);
  mesh.setMaterial(looks.pane);
  addSheet(mesh, window, outer + 0.2f);
  mesh.setMaterial(looks.wood);
  for (const float y : {0.45f, 0.95f, 1.4f})
    mesh.box({-window.half, window.sill + y, outer + 0.17f},
             {window.half, window.sill + y + 0.04f, outer + 0.23f});
  mesh.box({-0.02f, window.sill, outer + 0.17f},
           {0.02f, window.spring + window.half, outer + 0.23f});
  // Outside: a frame around the window, a cornice over the floor.
  mesh.setMaterial(looks.stone);
  addArchBand(mesh, window.spring, window.half, outer - 0.06f, window.half + 0.16f, outer - 0.06f,
              14);
  addArchBand(mesh, window.spring, window.half + 0.16f, outer - 0.06f, window.half + 0.16f, outer,
              14);
  mesh.box({-0.8f, window.sill - 0.14f, outer - 0.12f}, {0.8f, window.sill, outer});
  const float level = upper ? kUpperTop : kGroundTop;
  mesh.molding(corniceProfile(upper ? 0.55f : 0.2f, upper ? kEaves - kUpperTop : 0.3f),
               {kBay / 2, level, outer}, {-kBay / 2, level, outer}, {0, 0, -1});
}

// ---- What fills the court: cloth, lanterns, the fountain, plants. Most of it is translucent or
// cut out by its texture, which is what deep images are for

/// A grid whose normals come from the surface itself by differences.
template <class Position>
void addSmoothGrid(MeshBuilder& mesh, int columns, int rows, vec2 uvScale, Position&& position) {
  const float du = 0.5f / float(columns), dv = 0.5f / float(rows);
  mesh.grid(columns, rows, [&](float u, float v) {
    const vec3 along = position(std::min(u + du, 1.0f), v) - position(std::max(u - du, 0.0f), v);
    const vec3 down = position(u, std::min(v + dv, 1.0f)) - position(u, std::max(v - dv, 0.0f));
    vec3 normal = glm::cross(along, down);
    if (glm::length(normal) < 1e-12f) normal = vec3(0, 0, 1);
    return SurfacePoint{position(u, v), normal, vec2(u, 1 - v) * uvScale};
  });
}

/// A card of a leaf, bent along its middle: two quads, `length` long from foot along `direction`.
void addLeafCard(MeshBuilder& mesh, vec3 foot, vec3 direction, vec3 side, float length,
                 float width) {
  const vec3 normal = glm::normalize(glm::cross(side, direction));
  const vec3 droop = normal * (-0.18f * length);
  mesh.grid(1, 2, [&](float u, float v) {
    const bool tip = v == 1;
    const vec3 middle = foot + direction * (v * length) + (tip ? droop : vec3(0));
    return SurfacePoint{middle + side * (width * (u - 0.5f)),
                        tip ? glm::normalize(normal + direction * 0.4f) : normal,
                        {u, v}};
  });
}

void addPot(MeshBuilder& mesh, const Looks& looks, vec3 foot, float size) {
  static const ProfilePoint profile[] = {{0.20f, 0.0f},  {0.22f, 0.03f}, {0.20f, 0.06f},
                                         {0.27f, 0.30f}, {0.30f, 0.44f}, {0.33f, 0.45f},
                                         {0.34f, 0.53f}, {0.29f, 0.53f}, {0.28f, 0.48f}};
  mesh.setMaterial(looks.terracotta);
  mesh.latheAt(foot, size, profile, 24, true);
  mesh.setMaterial(looks.soil);
  const ProfilePoint soil[] = {{0.285f, 0.47f}, {0.0f, 0.5f}};
  mesh.latheAt(foot, size, soil, 12, true);
}

/// A cloth hung at both upper corners of an arch: `open` 1 is drawn aside, 0 hangs across.
void addCurtain(MeshBuilder& mesh, int material, float bottom, float top, float open,
                Random& random) {
  mesh.setMaterial(material);
  // Two halves, each gathered towards its column at tie height.
  const float phase = random.uniform(0, 6.28f);
  for (const float side : {-1.0f, 1.0f})
    addSmoothGrid(mesh, 30, 14, {1.2f, 2.0f}, [&](float u, float v) {
      const float tie = std::exp(-8.0f * (v - 0.58f) * (v - 0.58f));
      const float spread = 1.0f - open * (0.25f + 0.55f * tie);
      const float edge = kOpening * 0.98f;
      const float x = side * (edge - (edge - 0.02f) * u * spread);
      const float fold =
          std::sin(u * 30.0f + phase + 2.0f * v) * 0.5f + std::sin(u * 11.0f + 2.0f * phase) * 0.5f;
      const float swing = 0.05f + 0.07f * v * (1 - 0.6f * tie);
      const float hang = top - (top - bottom) * v - 0.12f * std::sin(kPi * u) * (1 - v) * 0.5f;
      return vec3(x, hang, fold * swing);
    });
}

/// A long cloth across the court, sagging between its ends a and b, `width` wide along x.
void addAwning(MeshBuilder& mesh, int material, vec3 a, vec3 b, float width, float sag,
               Random& random) {
  mesh.setMaterial(material);
  const float phase = random.uniform(0, 6.28f), twist = random.uniform(-0.1f, 0.1f);
  addSmoothGrid(mesh, 14, 44, {1.0f, 6.0f}, [&](float u, float v) {
    vec3 p = a + (b - a) * v;
    const float hang = 4 * v * (1 - v), across = (u - 0.5f) * 2;
    const float narrowed = width * (0.72f + 0.28f * hang) * 0.5f;
    // Folds run along the cloth and open in the middle; the edges hang lower.
    const float folds = 0.06f * std::sin(across * 9 + phase) * (1.1f - 0.6f * hang) +
                        0.03f * std::sin(v * 22 + 3 * across + phase);
    p.x += across * narrowed + twist * hang;
    p.y -= sag * hang + 0.16f * across * across * hang + folds;
    return p;
  });
}

void addBanner(MeshBuilder& mesh, int material, const Looks& looks, float top, Random& random) {
  constexpr float kHalf = 0.46f, kLength = 2.5f;
  const float phase = random.uniform(0, 6.28f), z = kWall + 0.42f;
  mesh.setMaterial(material);
  addSmoothGrid(mesh, 10, 18, {1.0f, 1.0f}, [&](float u, float v) {
    const float x = (u - 0.5f) * 2 * kHalf;
    const float wave =
        0.05f * v * std::sin(5 * v + 3 * u + phase) + 0.02f * std::sin(9 * u + phase);
    return vec3(x, top - kLength * v, z + wave);
  });
  mesh.setMaterial(looks.bronze);
  mesh.box({-kHalf - 0.1f, top - 0.02f, z - 0.02f}, {kHalf + 0.1f, top + 0.02f, z + 0.02f});
  for (const float side : {-1.0f, 1.0f})
    mesh.sphere({side * (kHalf + 0.12f), top, z}, 0.04f, 10, 6);
}

void addLantern(MeshBuilder& mesh, const Looks& looks, vec3 hook, float drop) {
  const float y = hook.y - drop;
  mesh.setMaterial(looks.bronze);
  for (int i = 0; i < 3; ++i) {
    const float angle = 2 * kPi * float(i) / 3;
    const vec3 d(std::cos(angle), 0, std::sin(angle));
    const vec3 side(-d.z * 0.008f, 0, d.x * 0.008f);
    const vec3 low = vec3(hook.x, y + 0.42f, hook.z) + d * 0.14f;
    mesh.quad(hook - side, hook + side, low + side, low - side, d);
  }
  const auto turned = [&](std::initializer_list<ProfilePoint> points, int material, bool smooth) {
    mesh.setMaterial(material);
    mesh.latheAt({hook.x, y, hook.z}, 1, points, 12, smooth);
  };
  turned({{0.02f, -0.06f}, {0.06f, -0.02f}, {0.14f, 0.0f}, {0.16f, 0.03f}, {0.13f, 0.05f}},
         looks.bronze, false);
  turned({{0.13f, 0.05f}, {0.17f, 0.20f}, {0.15f, 0.36f}}, looks.glass, true);
  turned({{0.17f, 0.36f}, {0.17f, 0.39f}, {0.06f, 0.47f}, {0.03f, 0.52f}}, looks.bronze, false);
  mesh.setMaterial(looks.lampGlow);
  mesh.sphere({hook.x, y + 0.18f, hook.z}, 0.06f, 12, 8);
}

void addFountain(MeshBuilder& mesh, const Looks& looks, Random& random) {
  mesh.setMaterial(looks.marble);
  const ProfilePoint steps[] = {{2.15f, 0.0f}, {2.15f, 0.12f}, {1.9f, 0.12f}, {1.9f, 0.22f}};
  mesh.lathe(steps, 8, false);
  const ProfilePoint basin[] = {{1.9f, 0.22f},  {1.62f, 0.22f}, {1.66f, 0.34f}, {1.58f, 0.40f},
                                {1.58f, 0.62f}, {1.70f, 0.68f}, {1.70f, 0.76f}, {1.45f, 0.76f},
                                {1.45f, 0.30f}, {0.0f, 0.28f}};
  mesh.lathe(basin, 8, false);
  const ProfilePoint stem[] = {{0.42f, 0.28f}, {0.42f, 0.5f},  {0.24f, 0.62f}, {0.16f, 0.9f},
                               {0.20f, 1.15f}, {0.26f, 1.22f}, {0.5f, 1.38f},  {0.78f, 1.52f},
                               {0.80f, 1.58f}, {0.72f, 1.56f}, {0.4f, 1.44f},  {0.1f, 1.42f},
                               {0.09f, 1.7f},  {0.15f, 1.84f}, {0.05f, 1.98f}, {0.0f, 2.02f}};
  mesh.lathe(stem, 36, true);

  // A ring of dark stone set into the paving.
  mesh.setMaterial(looks.inlay);
  const ProfilePoint rings[2][2] = {{{2.75f, 0.004f}, {2.55f, 0.004f}},
                                    {{3.15f, 0.004f}, {3.05f, 0.004f}}};
  for (const auto& ring : rings) mesh.lathe(ring, 64, false);

  mesh.setMaterial(looks.water);
  mesh.grid(64, 14, [&](float u, float v) {
    const float angle = 2 * kPi * u, r = 1.46f * v;
    const float slope = 0.16f * std::sin(26 * r) * (1.2f - r * 0.5f) + 0.05f * std::sin(9 * angle);
    const vec3 out(std::cos(angle), 0, std::sin(angle));
    return SurfacePoint{{r * out.x, 0.60f, r * out.z}, vec3(0, 1, 0) + out * slope, {u, v}};
  });
  mesh.grid(32, 4, [&](float u, float v) {
    const float angle = 2 * kPi * u, r = 0.74f * v;
    const vec3 out(std::cos(angle), 0, std::sin(angle));
    return SurfacePoint{
        {r * out.x, 1.53f, r * out.z}, vec3(0, 1, 0) + out * (0.15f * std::sin(30 * r)), {u, v}};
  });

  // Streams over the rim of the bowl and jets from the top, as narrow ribbons along parabolas.
  mesh.setMaterial(looks.spray);
  const auto stream = [&](float angle, float r0, float y0, float speed, float rise, float fall,
                          float width) {
    const vec3 out(std::cos(angle), 0, std::sin(angle)), side(-out.z, 0, out.x);
    mesh.grid(2, 14, [&](float u, float v) {
      const float y = y0 + rise * v - fall * v * v, r = r0 + speed * v;
      const float w = width * (0.5f + 0.8f * v) * (u - 0.5f);
      return SurfacePoint{out * r + side * w + vec3(0, y, 0),
                          out + side * ((u - 0.5f) * 1.2f) + vec3(0, 0.3f, 0),
                          {u, v}};
    });
  };
  for (int i = 0; i < 16; ++i)
    stream(2 * kPi * (float(i) + 0.3f * random.uniform()) / 16, 0.79f, 1.56f, 0.3f, 0.05f, 1.0f,
           0.09f);
  for (int i = 0; i < 10; ++i)
    stream(2 * kPi * (float(i) + 0.3f * random.uniform()) / 10, 0.03f, 1.98f, 0.5f, 0.9f, 1.35f,
           0.05f);
}

/// A potted palm with bent fronds.
void addPalm(MeshBuilder& mesh, const Looks& looks, vec3 foot, float size, Random& random) {
  addPot(mesh, looks, foot, size * 0.9f);
  mesh.setMaterial(looks.frond);
  const vec3 heart = foot + vec3(0, 0.52f * size, 0);
  constexpr int kFronds = 20, kSegments = 9;
  for (int i = 0; i < kFronds; ++i) {
    const float angle = 2.399963f * float(i) + random.uniform(-0.3f, 0.3f);
    const float lift = 1.35f - 1.0f * float(i) / kFronds + random.uniform(-0.1f, 0.1f);
    const float length = size * random.uniform(1.0f, 1.45f);
    const vec3 out(std::cos(angle), 0, std::sin(angle)), side(-out.z, 0, out.x);
    vec3 p = heart;
    std::uint32_t first = 0;
    for (int s = 0; s <= kSegments; ++s) {
      const float t = float(s) / kSegments, bend = lift - 1.9f * t * t;
      const vec3 forward = out * std::cos(bend) + vec3(0, std::sin(bend), 0);
      const vec3 normal = glm::normalize(glm::cross(forward, side));
      const vec3 up = normal.y < 0 && bend < 1.2f ? -normal : normal;
      // A shallow V across, so that the frond catches light.
      const float half = 0.17f * size;
      const vec3 raise = up * (0.3f * half);
      const std::uint32_t at = mesh.vertex(p - side * half + raise, up + side * 0.3f, {0, t});
      mesh.vertex(p, up, {0.5f, t});
      mesh.vertex(p + side * half + raise, up - side * 0.3f, {1, t});
      if (s == 0) first = at;
      p += forward * (length / kSegments);
    }
    mesh.stitch(first, 2, kSegments);
  }
}

/// A potted tree, clipped, of single leaves.
void addLaurel(MeshBuilder& mesh, const Looks& looks, vec3 foot, float size, Random& random) {
  addPot(mesh, looks, foot, size);
  const float crown = 0.52f * size;
  const vec3 center = foot + vec3(0, 1.62f * size, 0);
  mesh.setMaterial(looks.wood);
  const ProfilePoint trunk[] = {{0.04f * size, 0.45f * size},
                                {0.03f * size, center.y - 0.3f * crown - foot.y}};
  mesh.latheAt(foot, 1, trunk, 8, true);
  mesh.setMaterial(looks.leaf);
  for (int i = 0; i < 420; ++i) {
    const vec3 d = random.direction();
    const vec3 p = center + d * (crown * (0.78f + 0.22f * random.uniform()));
    const vec3 along = glm::normalize(d * 0.7f + random.direction());
    const vec3 side = glm::normalize(glm::cross(along, random.direction()));
    const float length = size * random.uniform(0.11f, 0.17f);
    addLeafCard(mesh, p, along, side, length, length * 0.55f);
  }
}

/// A tall narrow tree of leaf cards.
void addCypress(MeshBuilder& mesh, const Looks& looks, vec3 foot, float size, Random& random) {
  mesh.setMaterial(looks.cypress);
  for (int i = 0; i < 170; ++i) {
    const float height = random.uniform(), angle = random.uniform(0, 2 * kPi);
    const float reach =
        0.14f * size * std::pow(1 - height, 0.7f) * std::min(1.0f, 0.4f + 6 * height);
    const vec3 out(std::cos(angle), 0, std::sin(angle)), side(-out.z, 0, out.x);
    const vec3 p = foot + out * (reach * random.uniform(0.5f, 1.0f)) +
                   vec3(0, size * (0.04f + 0.9f * height), 0);
    const float length = size * random.uniform(0.11f, 0.15f);
    addLeafCard(mesh, p, glm::normalize(out * 0.35f + vec3(0, 1, 0)), side, length, length * 0.6f);
  }
}

/// Ivy that hangs from the line a-b down the wall, out in front of it along z.
void addIvy(MeshBuilder& mesh, const Looks& looks, vec3 a, vec3 b, float drop, int leaves,
            Random& random) {
  mesh.setMaterial(looks.ivy);
  // Strands of different length; leaves sit along them.
  constexpr int kStrands = 9;
  float lengths[kStrands];
  for (float& length : lengths) length = drop * random.uniform(0.25f, 1.0f);
  for (int i = 0; i < leaves; ++i) {
    const auto strand = random.below(kStrands);
    const float along = random.uniform(), t = (float(strand) + 0.5f) / kStrands;
    const float sway = 0.10f * std::sin(6 * along + float(strand)) + random.uniform(-0.07f, 0.07f);
    vec3 p = a + (b - a) * t;
    p.x += sway * (b.x > a.x ? 1.0f : 0.0f) + random.uniform(-0.06f, 0.06f);
    p.y -= lengths[strand] * along * std::sqrt(along) - 0.05f;
    p.z += 0.06f + random.uniform(0.0f, 0.14f);
    const float outwards = random.uniform(0.0f, 0.8f);
    const vec3 hang = glm::normalize(vec3(random.uniform(-0.7f, 0.7f), -0.8f, outwards));
    const vec3 side = glm::normalize(glm::cross(hang, vec3(0, 0.3f, 1)));
    const float length = random.uniform(0.10f, 0.17f);
    addLeafCard(mesh, p, hang, side, length, length * 0.9f);
  }
}

// ---- The house

/// A side of the court: its bays along x, the court at +z.
struct Side {
  glm::mat4 place;
  int bays;
};

std::vector<Side> courtSides() {
  const auto side = [](float angle, vec3 at, int bays) {
    return Side{glm::rotate(glm::translate(glm::mat4(1), at), angle, vec3(0, 1, 0)), bays};
  };
  const float quarter = std::numbers::pi_v<float> / 2;
  return {side(0, {0, 0, -kHalfWidth}, kLongBays), side(2 * quarter, {0, 0, kHalfWidth}, kLongBays),
          side(quarter, {-kHalfLength, 0, 0}, kShortBays),
          side(-quarter, {kHalfLength, 0, 0}, kShortBays)};
}

glm::mat4 bayPlace(const Side& side, int bay) {
  const float x = kBay * (float(bay) - 0.5f * float(side.bays - 1));
  return glm::translate(side.place, vec3(x, 0, 0));
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
    mesh.setPlace(glm::translate(side.place, vec3(x, 0, 0)));
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
    const vec3 normal = alongX ? vec3(0, 0, facing * sz) : vec3(facing * sx, 0, 0);
    mesh.grid(5, 6, [&](float u, float v) {
      const float s = a + (b - a) * u, y = low + (high - low) * v;
      const vec3 p = alongX ? vec3(sx * (kHalfLength + s), y, sz * (kHalfWidth + at))
                            : vec3(sx * (kHalfLength + at), y, sz * (kHalfWidth + s));
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
               back, back);
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
    for (const glm::vec2 ends : {glm::vec2(eaves, kRidge), glm::vec2(kRidge, outer)})
      mesh.grid(8, 4, [&](float u, float v) {
        const float out = ends.x + (ends.y - ends.x) * v, along = std::max(out, 0.0f) * u;
        const float y = kEaves + 0.04f + roofHeight(out);
        const float tilt = (ends.y == outer ? 0.35f : -0.35f);
        return SurfacePoint{alongX ? vec3(sx * (kHalfLength + along), y, sz * (kHalfWidth + out))
                                   : vec3(sx * (kHalfLength + out), y, sz * (kHalfWidth + along)),
                            alongX ? vec3(0, 1, sz * tilt) : vec3(sx * tilt, 1, 0),
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
    const vec3 d(std::cos(angle) * std::cos(up), std::sin(up), std::sin(angle) * std::cos(up));
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
      const vec3 foot(kBay * float(i) - kHalfLength, 0, side * (kHalfWidth - 0.95f));
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
}

}  // namespace
}  // namespace atrium

BuiltInScene atriumScene() {
  return {"atrium",
          "a courtyard between two-storied galleries, with cloth and plants",
          {},
          atrium::makeAtrium};
}

}  // namespace fathom
