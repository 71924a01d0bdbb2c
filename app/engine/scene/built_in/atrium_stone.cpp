// SPDX-License-Identifier: BSD-3-Clause
// The atrium's masonry: columns, arches, balustrade, cornices, roof, galleries. The proportions are
// our own, after the courts of Renaissance palaces.
#include "app/engine/scene/built_in/atrium_parts.h"

#include <cmath>

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

namespace fathom::atrium {
namespace {

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
    const glm::vec3 normal(r * c + slope * s, 0, r * s - slope * c);
    return SurfacePoint{
        {r * c, bottom + (top - bottom) * v, r * s}, normal, {u * 2.0f, v * (top - bottom) * 0.6f}};
  });
}

/// A leaf of the capital, curling outward at its tip.
void addCapitalLeaf(MeshBuilder& mesh, float angle, float bottom, float height, float radius) {
  const glm::vec3 out(std::cos(angle), 0, std::sin(angle)), side(-out.z, 0, out.x);
  mesh.grid(2, 4, [&](float u, float v) {
    const float across = (u - 0.5f) * 2, width = radius * 0.36f * (1 - 0.75f * v * v);
    const float curl = radius * (0.05f + 0.5f * v * v * v);
    const float rise = height * (v - 0.25f * v * v * v);
    const float bulge = radius * 0.08f * (1 - across * across);
    return SurfacePoint{out * (radius * 0.92f + curl + bulge) + side * (width * across) +
                            glm::vec3(0, bottom + rise, 0),
                        out + side * (across * 0.6f) + glm::vec3(0, 0.25f - 0.7f * v, 0),
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
std::vector<glm::vec2> archLine(float spring, float radius, float halfWidth, int segments) {
  std::vector<glm::vec2> line{{-halfWidth, spring}};
  for (int i = 0; i <= segments; ++i) {
    const float angle = kPi * (1 - float(i) / float(segments));
    line.push_back({radius * std::cos(angle), spring + radius * std::sin(angle)});
  }
  line.push_back({halfWidth, spring});
  return line;
}

/// The wall between a line and a level above it, facing +z or -z, at depth z.
void addSpandrel(MeshBuilder& mesh, const std::vector<glm::vec2>& line, float top, float z,
                 float facing, int rows) {
  const int columns = int(line.size()) - 1;
  mesh.grid(columns, rows, [&](float u, float v) {
    const glm::vec2 foot = line[std::size_t(std::lround(u * float(columns)))];
    const glm::vec3 p(foot.x, foot.y + (top - foot.y) * v, z);
    return SurfacePoint{p, {0, 0, facing}, {p.x / kBay, p.y / kBay}};
  });
}

/// A band along an arch: from radius r0 at depth z0 to radius r1 at depth z1.
void addArchBand(MeshBuilder& mesh, float spring, float r0, float z0, float r1, float z1,
                 int segments) {
  mesh.grid(segments, 1, [&](float u, float v) {
    const float angle = kPi * (1 - u), r = r0 + (r1 - r0) * v;
    const glm::vec2 out(std::cos(angle), std::sin(angle));
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
  for (const float side : {-1.0f, 1.0f}) {
    const float x0 = side < 0 ? -h : half, x1 = side < 0 ? -half : h;
    mesh.grid(1, 6, [&](float u, float v) {
      const glm::vec3 p(x0 + (x1 - x0) * u, floor + (spring - floor) * v, z);
      return SurfacePoint{p, {0, 0, facing}, {p.x / kBay, p.y / kBay}};
    });
  }
  if (sill > floor)
    mesh.grid(4, 2, [&](float u, float v) {
      const glm::vec3 p(-half + 2 * half * u, floor + (sill - floor) * v, z);
      return SurfacePoint{p, {0, 0, facing}, {p.x / kBay, p.y / kBay}};
    });
}

/// The inside of a hole through a wall, from depth z0 to z1.
void addReveal(MeshBuilder& mesh, const Hole& hole, float z0, float z1) {
  const float half = hole.half;
  mesh.grid(14, 1, [&](float u, float v) {
    const float angle = kPi * (1 - u);
    const glm::vec2 out(std::cos(angle), std::sin(angle));
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
    const glm::vec3 p(hole.half * std::cos(angle), hole.sill + (top - hole.sill) * v, z);
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
    const glm::vec3 d(std::cos(angle) * std::cos(up), std::sin(up), std::sin(angle) * std::cos(up));
    return SurfacePoint{
        {half * d.x, spring + half * d.y, z - half * 0.8f * d.z}, {-d.x, -d.y, d.z}, {u, v}};
  });
  mesh.grid(14, 1, [&](float u, float v) {
    const float angle = kPi * u, r = half * (1 - v);
    return SurfacePoint{
        {r * std::cos(angle), sill, z - r * 0.8f * std::sin(angle)}, {0, 1, 0}, {u, v}};
  });
}

void addUrn(MeshBuilder& mesh, glm::vec3 foot, float size) {
  static const ProfilePoint profile[] = {{0.0f, 0.0f},   {0.16f, 0.0f},  {0.15f, 0.05f},
                                         {0.06f, 0.10f}, {0.07f, 0.16f}, {0.20f, 0.30f},
                                         {0.26f, 0.48f}, {0.25f, 0.60f}, {0.13f, 0.74f},
                                         {0.12f, 0.80f}, {0.18f, 0.86f}, {0.15f, 0.88f}};
  std::vector<ProfilePoint> scaled(std::begin(profile), std::end(profile));
  for (ProfilePoint& p : scaled) p.out *= size, p.up = foot.y + p.up * size;
  const auto first = mesh.mark();
  mesh.lathe(scaled, 20, true);
  mesh.moveSince(first, {foot.x, 0, foot.z});
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

}  // namespace

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

void addArch(MeshBuilder& mesh, const Looks& looks, float spring, float top) {
  mesh.setMaterial(looks.ashlar);
  const std::vector<glm::vec2> line = archLine(spring, kOpening, kBay / 2, 20);
  addSpandrel(mesh, line, top, kWall, 1, 3);
  addSpandrel(mesh, line, top, -kWall, -1, 3);
  mesh.setMaterial(looks.stone);
  // The reveal under the arch and under the piers beside it.
  mesh.grid(20, 2, [&](float u, float v) {
    const float angle = kPi * (1 - u);
    const glm::vec2 out(std::cos(angle), std::sin(angle));
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
    const glm::vec3 center(side * (kBay / 2 - 0.30f), top - 0.36f, kWall);
    mesh.grid(16, 3, [&](float u, float v) {
      const float angle = 2 * kPi * u, r = 0.2f * v;
      const float bulge = 0.05f * std::cos(0.5f * kPi * v * v);
      return SurfacePoint{center + glm::vec3(r * std::cos(angle), r * std::sin(angle), bulge),
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
  std::vector<ProfilePoint> raised(std::begin(profile), std::end(profile));
  for (ProfilePoint& p : raised) p.up += y;
  for (int i = 0; i < kBalusters; ++i) {
    const auto first = mesh.mark();
    mesh.lathe(raised, 10, true);
    mesh.moveSince(first, {half * (2 * (float(i) + 0.5f) / kBalusters - 1), 0, 0});
  }
}

void addCornices(MeshBuilder& mesh, const Looks& looks) {
  const glm::vec3 a(-kBay / 2, 0, kWall), b(kBay / 2, 0, kWall), out(0, 0, 1);
  const auto at = [](glm::vec3 p, float y) { return p + glm::vec3(0, y, 0); };
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
        const glm::vec2 round(std::cos(angle), std::sin(angle));
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

void addCoffers(MeshBuilder& mesh, const Looks& looks, glm::vec3 corner, float width, float depth,
                int columns, int rows) {
  const float cx = width / float(columns), cz = depth / float(rows);
  // From the beams' lower edge inward and up: nested rectangles joined by strips.
  const struct {
    float inset, up;
  } steps[] = {{0.0f, 0.0f}, {0.13f, 0.0f}, {0.15f, 0.10f}, {0.21f, 0.10f}, {0.24f, 0.20f}};
  for (int i = 0; i < columns; ++i)
    for (int k = 0; k < rows; ++k) {
      const glm::vec3 o = corner + glm::vec3(cx * float(i), 0, cz * float(k));
      const auto at = [&](int step, int side) {
        const float d = steps[step].inset;
        const float x = side == 0 || side == 3 ? d : cx - d, z = side < 2 ? d : cz - d;
        return o + glm::vec3(x, steps[step].up, z);
      };
      for (int s = 0; s + 1 < int(std::size(steps)); ++s) {
        mesh.setMaterial(s == 1 || s == 2 ? looks.gold : looks.plaster);
        for (int side = 0; side < 4; ++side) {
          const glm::vec3 p = at(s, side), q = at(s, (side + 1) % 4), r = at(s + 1, (side + 1) % 4),
                          t = at(s + 1, side);
          const glm::vec3 n = -glm::cross(q - p, t - p);
          const auto v = mesh.vertex(p, n, {0, 0});
          mesh.vertex(q, n, {1, 0}), mesh.vertex(r, n, {1, 1}), mesh.vertex(t, n, {0, 1});
          mesh.triangle(v, v + 1, v + 2), mesh.triangle(v, v + 2, v + 3);
        }
      }
      mesh.setMaterial(looks.fresco[2]);
      const int last = int(std::size(steps)) - 1;
      const glm::vec3 p = at(last, 0);
      mesh.rectangle(p, at(last, 1) - p, at(last, 3) - p);
    }
}

namespace {

Hole holeOf(bool upper, Back back) {
  const float floor = upper ? kUpperFloor : kGroundFloor, rise = upper ? 2.35f : 2.5f;
  if (back == Back::Niche) return {0.55f, floor + 0.95f, floor + rise};
  return {0.66f, floor, floor + rise};
}

float ceilingOf(bool upper) { return (upper ? kUpperTop : kGroundTop) - 0.1f; }

}  // namespace

void addGallery(MeshBuilder& mesh, const Looks& looks, bool upper, Back back) {
  const float floor = upper ? kUpperFloor : kGroundFloor, ceiling = ceilingOf(upper);
  const float wall = -kGalleryDepth, front = -kWall;
  // A beam on each column line carries the coffers.
  mesh.setMaterial(looks.stone);
  mesh.box({-kBay / 2 - 0.16f, ceiling - 0.22f, wall}, {-kBay / 2 + 0.16f, ceiling, front});
  addCoffers(mesh, looks, {-kBay / 2 + 0.16f, ceiling, wall}, kBay - 0.32f, front - wall, 3, 3);

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

}  // namespace fathom::atrium
