// SPDX-License-Identifier: BSD-3-Clause
// `powerplant`: for the paper's model of that name. A steel frame with floors of gratings, full of
// pipes, vessels and the boiler's banks of tubes: few fragments over the sky, hundreds in one pixel
// where the view runs through the plates that heat the boiler's air. The frame, its walls and the
// yard are the exterior; what the frame holds is the interior.
#include "app/engine/core/random.h"
#include "app/engine/scene/built_in/built_in.h"
#include "app/engine/scene/built_in/mesh_builder.h"

namespace fathom {
namespace {

using glm::vec3;

/// The frame: x to the right, y up, z towards the camera; its front stands at z = 0. Meters.
constexpr int kBaysX = 6, kBaysZ = 4, kFloors = 4;
constexpr float kBay = 6, kStorey = 4.5f;
constexpr float kLeft = -0.5f * kBaysX * kBay, kRight = -kLeft;
constexpr float kBack = -kBaysZ * kBay, kTop = kFloors * kStorey;
/// The boiler takes two bays by two in the middle of the frame and rises above it.
constexpr vec3 kBoilerLow{-5.2f, 2.0f, -17.2f}, kBoilerHigh{5.2f, 19.5f, -6.8f};

enum Part { kInterior = 0, kExterior = 1 };

/// What is being built, of materials whose color tells what a thing is for.
struct Plant : MeshBuilder {
  Random random;
  float density;  // scales how many pipes, tubes and bars there are
  // Structure
  int steel = paint({0.36f, 0.42f, 0.48f}, 0.9f, 0.2f);
  int grating = paint({0.42f, 0.43f, 0.42f}, 0.8f, 0.1f);
  int rail = paint({0.92f, 0.70f, 0.08f}, 1, 0.2f);
  int concrete = paint({0.50f, 0.49f, 0.46f}, 1, 0);
  // Vessels, boiler
  int shell = paint({0.72f, 0.76f, 0.80f}, 0.35f, 0.6f);
  int lagging = paint({0.78f, 0.78f, 0.74f}, 0.75f, 0.4f);
  int copper = paint({0.72f, 0.38f, 0.20f}, 0.7f, 0.5f);
  int hot = paint({0.80f, 0.22f, 0.10f}, 0.6f, 0.3f);
  // Pipes by what runs in them
  int water = paint({0.12f, 0.45f, 0.22f}, 0.85f, 0.4f);
  int steam = paint({0.70f, 0.72f, 0.74f}, 0.85f, 0.6f);
  int gas = paint({0.85f, 0.62f, 0.12f}, 0.85f, 0.4f);
  int oil = paint({0.38f, 0.22f, 0.12f}, 0.85f, 0.4f);
  int air = paint({0.25f, 0.55f, 0.75f}, 0.85f, 0.4f);
  int flange = paint({0.24f, 0.25f, 0.27f}, 1, 0.3f);
  // Walls and stacks
  int glass = paint({0.55f, 0.75f, 0.80f}, 0.15f, 0.8f);
  int cladding = paint({0.46f, 0.60f, 0.68f}, 0.3f, 0.1f);
  int red = paint({0.75f, 0.12f, 0.10f}, 1, 0.1f);
  int white = paint({0.86f, 0.86f, 0.84f}, 1, 0.1f);

  int paint(vec3 color, float alpha, float gloss) {
    return addMaterial({.color = color, .alpha = alpha, .gloss = gloss});
  }
  /// n, scaled by the density, at least 1.
  int many(int n) const { return std::max(1, int(std::lround(float(n) * density))); }
  /// What each side of a grid of n x m has, for the density to hold over its area.
  int manyPerSide(int n) const {
    return std::max(1, int(std::lround(float(n) * std::sqrt(density))));
  }
};

// ---- The pieces: tubes, pipes with elbows and flanges, bars, vessels

/// The y axis along `direction`, standing at `origin`; z is as upright as it can be.
glm::mat4 along(vec3 origin, vec3 direction) {
  const vec3 y = glm::normalize(direction);
  const vec3 other = std::abs(y.y) > 0.9f ? vec3(0, 0, 1) : vec3(0, 1, 0);
  const vec3 x = glm::normalize(glm::cross(y, other)), z = glm::cross(x, y);
  return {glm::vec4(x, 0), glm::vec4(y, 0), glm::vec4(z, 0), glm::vec4(origin, 1)};
}

/// A lathe turned about the line from `foot` along `axis`.
void turned(MeshBuilder& mesh, vec3 foot, vec3 axis, std::span<const ProfilePoint> profile,
            int around, bool smooth = false) {
  mesh.setPlace(along(foot, axis));
  mesh.lathe(profile, around, smooth);
  mesh.setPlace(glm::mat4(1));
}

/// An open tube between two points.
void tube(MeshBuilder& mesh, vec3 from, vec3 to, float radius, int around = 6) {
  const ProfilePoint profile[] = {{radius, 0}, {radius, glm::distance(from, to)}};
  turned(mesh, from, to - from, profile, around, true);
}

/// A beam of rectangular section, `height` measured upward (along z where the beam stands).
void bar(MeshBuilder& mesh, vec3 from, vec3 to, float width, float height) {
  mesh.setPlace(along(from, to - from));
  mesh.box({-width / 2, 0, -height / 2}, {width / 2, glm::distance(from, to), height / 2});
  mesh.setPlace(glm::mat4(1));
}

/// An I-section, by its web and its two flanges.
void beam(MeshBuilder& mesh, vec3 from, vec3 to, float size) {
  const float half = size / 2, length = glm::distance(from, to);
  mesh.setPlace(along(from, to - from));
  mesh.rectangle({0, 0, -half}, {0, 0, size}, {0, length, 0});
  mesh.box({-half, 0, -half - 0.03f}, {half, length, -half});
  mesh.box({-half, 0, half}, {half, length, half + 0.03f});
  mesh.setPlace(glm::mat4(1));
}

/// A vessel with domed heads around the straight line between two points.
void vessel(MeshBuilder& mesh, vec3 from, vec3 to, float radius, int around) {
  const float length = glm::distance(from, to), head = 0.5f * radius;
  constexpr int kSteps = 5;
  std::vector<ProfilePoint> profile;
  for (int i = 0; i <= kSteps; ++i) {
    const float a = 1.5707963f * float(i) / kSteps;
    profile.push_back({radius * std::sin(a), head * (1 - std::cos(a))});
  }
  for (int i = kSteps; i >= 0; --i)
    profile.push_back({profile[std::size_t(i)].out, length - profile[std::size_t(i)].up});
  turned(mesh, from, to - from, profile, around, true);
}

/// A pipe along points joined by right angles: elbows at the corners, flanges at both sides of
/// some of them. `material` is the pipe's.
void pipe(Plant& plant, std::span<const vec3> points, float radius, int material) {
  constexpr int kAround = 8, kSteps = 3;
  const float bend = 2.5f * radius;
  const auto flange = [&](vec3 at, vec3 direction) {
    const float wide = 1.55f * radius, thick = 0.35f * radius;
    const ProfilePoint profile[] = {
        {radius, -thick}, {wide, -thick}, {wide, thick}, {radius, thick}};
    plant.setMaterial(plant.flange);
    turned(plant, at, direction, profile, kAround);
    plant.setMaterial(material);
  };
  plant.setMaterial(material);
  vec3 start = points[0];
  for (std::size_t i = 1; i < points.size(); ++i) {
    const vec3 d = glm::normalize(points[i] - points[i - 1]);
    const bool last = i + 1 == points.size();
    const vec3 end = last ? points[i] : points[i] - d * bend;
    tube(plant, start, end, radius, kAround);
    if (last || plant.random.below(3) == 0) flange(end - d * (0.5f * radius), d);
    if (last) break;
    const vec3 next = glm::normalize(points[i + 1] - points[i]);
    plant.bend(end, d, next, bend, radius, kAround, kSteps);
    start = points[i] + next * bend;
    if (plant.random.below(3) == 0) flange(start + next * (0.5f * radius), next);
  }
}

/// Posts and two rails along a straight edge, 1.1 m high.
void railing(Plant& plant, vec3 from, vec3 to) {
  constexpr float kPostEvery = 1.5f, kHeight = 1.1f;
  plant.setMaterial(plant.rail);
  const int gaps = std::max(1, int(std::lround(glm::distance(from, to) / kPostEvery)));
  for (int i = 0; i <= gaps; ++i) {
    const vec3 foot = from + (to - from) * (float(i) / float(gaps));
    tube(plant, foot, foot + vec3(0, kHeight, 0), 0.03f, 5);
  }
  for (const float height : {0.55f, kHeight})
    tube(plant, from + vec3(0, height, 0), to + vec3(0, height, 0), 0.03f, 5);
}

// ---- What the frame holds: a boiler, vessels and heat exchangers, a turbine, pipes between them

/// A bank of upright tubes columns x rows of them.
void addBank(Plant& plant, vec3 low, vec3 high, int columns, int rows, float radius) {
  for (int i = 0; i < columns; ++i)
    for (int k = 0; k < rows; ++k) {
      const vec3 foot(low.x + (high.x - low.x) * (float(i) + 0.5f) / float(columns), low.y,
                      low.z + (high.z - low.z) * (float(k) + 0.5f) / float(rows));
      tube(plant, foot, {foot.x, high.y, foot.z}, radius, 6);
    }
}

/// One side of the boiler as tubes from `from` along `across`.
void addTubeWall(Plant& plant, vec3 from, vec3 across, float height, int count) {
  for (int i = 0; i < count; ++i) {
    const vec3 foot = from + across * ((float(i) + 0.5f) / float(count));
    tube(plant, foot, foot + vec3(0, height, 0), 0.055f, 6);
  }
}

/// Baskets of thin plates one behind another, as the boiler's air is heated by: where the view runs
/// through all of them, lists are hundreds deep.
void addAirHeater(Plant& plant, vec3 low, vec3 high) {
  constexpr int kBaskets = 2;
  constexpr float kFrame = 0.12f;
  const float step = (high.y - low.y) / kBaskets;
  const int plates = plant.many(250);
  for (int basket = 0; basket < kBaskets; ++basket) {
    const float foot = low.y + step * float(basket), top = foot + 0.8f * step;
    plant.setMaterial(plant.hot);
    for (int i = 0; i < plates; ++i) {
      const float z = low.z + (high.z - low.z) * (float(i) + 0.5f) / float(plates);
      plant.rectangle({low.x, foot, z}, {high.x - low.x, 0, 0}, {0, top - foot, 0});
    }
    plant.setMaterial(plant.flange);
    for (const float x : {low.x, high.x})
      for (const float y : {foot, top}) bar(plant, {x, y, low.z}, {x, y, high.z}, kFrame, kFrame);
  }
}

/// A shell lying on saddles, full of straight tubes.
void addExchanger(Plant& plant, vec3 from, vec3 to, float radius) {
  const vec3 d = glm::normalize(to - from);
  plant.setMaterial(plant.shell);
  vessel(plant, from, to, radius, 24);
  plant.setMaterial(plant.copper);
  const vec3 side = glm::normalize(glm::cross(d, vec3(0, 1, 0)));
  const float spacing = 0.16f * radius / std::sqrt(plant.density);
  const int reach = int(0.85f * radius / spacing);
  for (int i = -reach; i <= reach; ++i)
    for (int j = -reach; j <= reach; ++j) {
      const vec3 offset = side * (float(i) * spacing) + vec3(0, float(j) * spacing, 0);
      if (glm::length(offset) > 0.85f * radius) continue;
      tube(plant, from + d * (0.5f * radius) + offset, to - d * (0.5f * radius) + offset,
           0.3f * spacing, 6);
    }
  plant.setMaterial(plant.concrete);
  for (const float share : {0.25f, 0.75f}) {
    const vec3 at = from + (to - from) * share - vec3(0, 0.8f * radius, 0);
    plant.box(at - vec3(0.3f, 0.5f * radius, 0.3f), at + vec3(0.3f, 0, 0.3f));
  }
}

/// An upright vessel with rings at its seams.
void addTower(Plant& plant, vec3 foot, float height, float radius, int material) {
  plant.setMaterial(material);
  vessel(plant, foot, foot + vec3(0, height, 0), radius, 24);
  plant.setMaterial(plant.flange);
  for (float y = 0.8f * radius; y < height - 0.5f * radius; y += 2.2f) {
    const ProfilePoint ring[] = {
        {radius, y}, {radius + 0.07f, y}, {radius + 0.07f, y + 0.12f}, {radius, y + 0.12f}};
    turned(plant, foot, {0, 1, 0}, ring, 24);
  }
}

void addTurbine(Plant& plant) {
  const vec3 axis(1, 0, 0);
  const float y = 2.2f, z = -2.6f;
  constexpr ProfilePoint kCasing[] = {{0, 0},       {0.9f, 0},     {1.1f, 1.2f}, {1.1f, 2.0f},
                                      {0.7f, 2.3f}, {0.7f, 2.8f},  {1.3f, 3.2f}, {1.9f, 5.0f},
                                      {1.9f, 5.6f}, {1.3f, 7.4f},  {0.6f, 7.6f}, {0.6f, 8.4f},
                                      {1.2f, 8.5f}, {1.2f, 11.5f}, {0, 11.5f}};
  plant.setMaterial(plant.air);
  turned(plant, {-15.5f, y, z}, axis, kCasing, 28);
  plant.setMaterial(plant.concrete);
  plant.box({-15.8f, 0, z - 1.6f}, {-3.6f, 0.9f, z + 1.6f});
}

bool insideBoiler(vec3 p) {
  return p.x > kBoilerLow.x && p.x < kBoilerHigh.x && p.y > kBoilerLow.y && p.z > kBoilerLow.z &&
         p.z < kBoilerHigh.z;
}
bool insideFrame(vec3 p) {
  return p.x > kLeft + 0.5f && p.x < kRight - 0.5f && p.y > 0.6f && p.y < kTop - 0.5f &&
         p.z > kBack + 0.5f && p.z < -0.5f;
}

/// A way of right angles through the frame and around the boiler.
std::vector<vec3> routePipe(Random& random, int legs) {
  vec3 at;
  do {
    at = {random.uniform(kLeft, kRight), random.uniform(0, kTop), random.uniform(kBack, 0)};
  } while (!insideFrame(at) || insideBoiler(at));
  std::vector<vec3> points{at};
  int previous = -1;
  for (int tries = 0; tries < 20 * legs && int(points.size()) <= legs; ++tries) {
    const int axis = int(random.below(3));
    const float length = random.uniform(1.8f, axis == 0 ? 11.0f : 6.0f);
    vec3 next = at;
    next[axis] += random.below(2) == 0 ? length : -length;
    if (axis == previous || !insideFrame(next)) continue;
    bool clear = true;
    for (int i = 1; i <= 8; ++i) clear &= !insideBoiler(at + (next - at) * (float(i) / 8));
    if (!clear) continue;
    points.push_back(next);
    at = next;
    previous = axis;
  }
  return points;
}

void addBoiler(Plant& plant) {
  const vec3 low = kBoilerLow, high = kBoilerHigh, size = high - low;
  const int wall = plant.many(56);
  plant.setMaterial(plant.lagging);
  addTubeWall(plant, low, {size.x, 0, 0}, size.y, wall);
  addTubeWall(plant, {low.x, low.y, high.z}, {size.x, 0, 0}, size.y, wall);
  addTubeWall(plant, low, {0, 0, size.z}, size.y, wall);
  addTubeWall(plant, {high.x, low.y, low.z}, {0, 0, size.z}, size.y, wall);
  // Superheater, reheater and economizer: denser from bank to bank.
  const float bank = size.z / 3;
  plant.setMaterial(plant.hot);
  addBank(plant, {low.x + 0.6f, 9.5f, low.z + 0.4f}, {high.x - 0.6f, 17.5f, low.z + bank},
          plant.manyPerSide(40), plant.manyPerSide(30), 0.05f);
  plant.setMaterial(plant.copper);
  addBank(plant, {low.x + 0.6f, 8.0f, low.z + bank + 0.3f},
          {high.x - 0.6f, 17.5f, low.z + 2 * bank}, plant.manyPerSide(34), plant.manyPerSide(26),
          0.06f);
  plant.setMaterial(plant.steam);
  addBank(plant, {low.x + 0.6f, 4.0f, low.z + 2 * bank + 0.3f},
          {high.x - 0.6f, 17.5f, high.z - 0.4f}, plant.manyPerSide(40), plant.manyPerSide(28),
          0.045f);
  addAirHeater(plant, {-2, 4.6f, low.z + bank}, {2, 7.4f, low.z + 2 * bank});
  // Headers around the foot and the steam drum on top.
  plant.setMaterial(plant.flange);
  for (const float y : {low.y, high.y})
    for (const float z : {low.z, high.z}) tube(plant, {low.x, y, z}, {high.x, y, z}, 0.3f, 12);
  plant.setMaterial(plant.shell);
  vessel(plant, {low.x - 1, high.y + 1.2f, -12}, {high.x + 1, high.y + 1.2f, -12}, 1.1f, 28);
  for (int i = 0; i < 9; ++i) {
    const float x = low.x + size.x * (float(i) + 0.5f) / 9;
    const vec3 way[] = {{x, high.y, high.z}, {x, high.y + 1.2f, high.z}, {x, high.y + 1.2f, -11}};
    pipe(plant, way, 0.14f, plant.steam);
  }
}

void addVessels(Plant& plant) {
  addTurbine(plant);
  for (const float x : {-16.5f, -11.0f, 6.5f, 12.0f})
    for (int floor = 0; floor < 3; ++floor) {
      const float y = kStorey * float(floor) + 1.7f, z = plant.random.uniform(-12.5f, -9.0f);
      const float length = plant.random.uniform(4.5f, 6.0f);
      const bool across = plant.random.below(2) == 0;
      const vec3 from(x, y, z);
      addExchanger(plant, from, from + (across ? vec3(length, 0, 0) : vec3(0, 0, -length)), 0.95f);
    }
  const int shells[] = {plant.shell, plant.lagging, plant.air};
  for (int i = 0; i < 7; ++i) {
    const float x = kLeft + kBay * (float(i) + 0.5f) * 6.0f / 7.0f;
    const float radius = plant.random.uniform(0.8f, 1.35f);
    const float height = plant.random.uniform(8.0f, 17.0f);
    addTower(plant, {x, 0.4f, plant.random.uniform(-22.0f, -19.5f)}, height, radius, shells[i % 3]);
  }
  for (int i = 0; i < 4; ++i) {
    const float radius = plant.random.uniform(0.7f, 1.1f);
    const float height = plant.random.uniform(3.0f, 9.0f);
    addTower(plant, {2.5f + 4.3f * float(i), 0.4f, plant.random.uniform(-4.6f, -2.2f)}, height,
             radius, shells[(i + 1) % 3]);
  }
}

void addPipes(Plant& plant) {
  const int kinds[] = {plant.water, plant.steam, plant.gas, plant.oil, plant.air, plant.lagging};
  const int count = plant.many(240);
  for (int i = 0; i < count; ++i) {
    // Few wide ones, many narrow ones.
    const float share = plant.random.uniform();
    const float radius = 0.07f + 0.26f * share * share * share;
    const std::vector<vec3> way = routePipe(plant.random, 4 + int(plant.random.below(6)));
    if (way.size() > 1) pipe(plant, way, radius, kinds[plant.random.below(6)]);
  }
}

// ---- The structure: frame, gratings, stairs, walls

vec3 node(int i, int floor, int k) {
  return {kLeft + kBay * float(i), kStorey * float(floor), -kBay * float(k)};
}

/// Bays that the boiler stands in have no floors.
bool isBoilerBay(int i, int k) {
  const vec3 middle = 0.5f * (node(i, 0, k) + node(i + 1, 0, k + 1));
  return middle.x > kBoilerLow.x && middle.x < kBoilerHigh.x && middle.z > kBoilerLow.z &&
         middle.z < kBoilerHigh.z;
}

/// Bearing bars on edge along x, cross rods along z, in a panel of one bay.
void addPanel(Plant& plant, vec3 corner) {
  constexpr float kHeight = 0.06f, kThick = 0.012f;
  const int bars = plant.many(70), rods = plant.many(16);
  plant.setMaterial(plant.grating);
  for (int b = 0; b < bars; ++b) {
    const vec3 from = corner - vec3(0, 0, kBay * (float(b) + 0.5f) / float(bars));
    for (const float side : {-1.0f, 1.0f})
      plant.rectangle(from + vec3(0, 0, 0.5f * kThick * side), {side * kBay, 0, 0},
                      {0, kHeight, 0});
    plant.rectangle(from + vec3(0, kHeight, 0.5f * kThick), {kBay, 0, 0}, {0, 0, -kThick});
  }
  for (int r = 0; r < rods; ++r) {
    const vec3 from = corner + vec3(kBay * (float(r) + 0.5f) / float(rods), 0.9f * kHeight, 0);
    plant.rectangle(from, {kThick, 0, 0}, {0, 0, -kBay});
  }
}

void addFrame(Plant& plant) {
  plant.setMaterial(plant.steel);
  for (int i = 0; i <= kBaysX; ++i)
    for (int k = 0; k <= kBaysZ; ++k) {
      beam(plant, node(i, 0, k), node(i, kFloors, k), 0.42f);
      for (int floor = 1; floor <= kFloors; ++floor) {
        const vec3 drop(0, -0.25f, 0);
        if (i < kBaysX) beam(plant, node(i, floor, k) + drop, node(i + 1, floor, k) + drop, 0.36f);
        if (k < kBaysZ) beam(plant, node(i, floor, k) + drop, node(i, floor, k + 1) + drop, 0.36f);
      }
    }
  // Braces cross the outer bays of front and back, and every bay of the sides.
  for (int floor = 0; floor < kFloors; ++floor) {
    for (const int k : {0, kBaysZ})
      for (const int i : {0, kBaysX - 1}) {
        bar(plant, node(i, floor, k), node(i + 1, floor + 1, k), 0.14f, 0.14f);
        bar(plant, node(i + 1, floor, k), node(i, floor + 1, k), 0.14f, 0.14f);
      }
    for (const int i : {0, kBaysX})
      for (int k = 0; k < kBaysZ; ++k)
        bar(plant, node(i, floor, k), node(i, floor + 1, k + 1), 0.14f, 0.14f);
  }
}

void addGratings(Plant& plant) {
  for (int floor = 1; floor <= kFloors; ++floor)
    for (int i = 0; i < kBaysX; ++i)
      for (int k = 0; k < kBaysZ; ++k) {
        const bool hatch = plant.random.below(9) == 0;
        if (!isBoilerBay(i, k) && !hatch) addPanel(plant, node(i, floor, k));
      }
  for (int floor = 1; floor <= kFloors; ++floor) {
    for (const int k : {0, kBaysZ})
      for (int i = 0; i < kBaysX; ++i) railing(plant, node(i, floor, k), node(i + 1, floor, k));
    for (const int i : {0, kBaysX})
      for (int k = 0; k < kBaysZ; ++k) railing(plant, node(i, floor, k), node(i, floor, k + 1));
  }
}

/// A tower of flights before the front, two to a storey, turning on landings.
void addStairs(Plant& plant) {
  constexpr float kWidth = 1.2f, kRun = 4.2f, kFoot = 6.8f;
  constexpr int kSteps = 12;
  for (int flight = 0; flight < 2 * kFloors; ++flight) {
    const bool back = flight % 2 == 1;
    const float y = 0.5f * kStorey * float(flight), z = back ? 0.5f : 1.9f;
    const float x = back ? kFoot + kRun : kFoot, run = back ? -kRun : kRun;
    const vec3 foot(x, y, z), rise(run, 0.5f * kStorey, 0);
    for (int s = 0; s < kSteps; ++s) {
      const vec3 middle = foot + rise * ((float(s) + 0.5f) / kSteps);
      plant.setMaterial(plant.grating);
      plant.box(middle - vec3(0.15f, 0.02f, 0), middle + vec3(0.15f, 0.02f, kWidth));
    }
    for (const float side : {0.0f, kWidth}) {
      const vec3 edge = foot + vec3(0, 0, side);
      plant.setMaterial(plant.steel);
      bar(plant, edge, edge + rise, 0.06f, 0.28f);
      railing(plant, edge, edge + rise);
    }
    const float landing = back ? kFoot - 1.3f : kFoot + kRun;
    const vec3 low(landing, y + 0.5f * kStorey - 0.06f, 0.5f);
    plant.setMaterial(plant.grating);
    plant.box(low, low + vec3(1.3f, 0.06f, 2.6f));
    const float outer = back ? landing : landing + 1.3f;
    railing(plant, {outer, low.y, 0.5f}, {outer, low.y, 3.1f});
  }
  plant.setMaterial(plant.steel);
  for (const float x : {kFoot - 1.3f, kFoot + kRun + 1.3f})
    beam(plant, {x, 0, 3.2f}, {x, kTop, 3.2f}, 0.24f);
}

/// Corrugated sheets behind and at the left, glass over some bays of the front and the right.
void addWalls(Plant& plant) {
  const auto sheet = [&](vec3 from, vec3 across, vec3 outward, float height) {
    constexpr int kWaves = 20;
    plant.grid(2 * kWaves, 1, [&](float u, float v) {
      const bool out = int(std::lround(u * 2 * kWaves)) % 2 == 1;
      return SurfacePoint{
          from + across * u + outward * (out ? 0.2f : 0.1f) + vec3(0, v * height, 0),
          outward,
          {u, v}};
    });
  };
  for (int floor = 0; floor < kFloors; ++floor) {
    for (int i = 0; i < kBaysX; ++i) {
      plant.setMaterial(plant.cladding);
      sheet(node(i, floor, kBaysZ), {kBay, 0, 0}, {0, 0, -1}, kStorey);
      plant.setMaterial(plant.glass);
      if (plant.random.below(4) == 0)
        plant.rectangle(node(i, floor, 0) + vec3(0, 1.2f, 0.25f), {kBay, 0, 0}, {0, 2.6f, 0});
    }
    for (int k = 0; k < kBaysZ; ++k) {
      plant.setMaterial(plant.cladding);
      if (floor > 0) sheet(node(0, floor, k + 1), {0, 0, kBay}, {-1, 0, 0}, kStorey);
      plant.setMaterial(plant.glass);
      if (plant.random.below(3) == 0)
        plant.rectangle(node(kBaysX, floor, k) + vec3(0.25f, 1.2f, 0), {0, 0, -kBay}, {0, 2.6f, 0});
    }
  }
}

// ---- The yard: pipe rack, tanks, stacks, cooling towers

void addTank(Plant& plant, vec3 foot, float radius, float height) {
  plant.setMaterial(plant.white);
  const ProfilePoint wall[] = {{radius, 0}, {radius, height}};
  turned(plant, foot, {0, 1, 0}, wall, 40, true);
  const ProfilePoint roof[] = {
      {radius, height}, {0.5f * radius, height + 0.12f * radius}, {0, height + 0.16f * radius}};
  turned(plant, foot, {0, 1, 0}, roof, 40, true);
  plant.setMaterial(plant.air);
  const ProfilePoint band[] = {{radius + 0.02f, 0.7f * height}, {radius + 0.02f, 0.8f * height}};
  turned(plant, foot, {0, 1, 0}, band, 40, true);
  constexpr int kSides = 16;
  const auto rim = [&](int i) {
    const float angle = 6.2831853f * float(i) / kSides;
    return foot + vec3(radius * std::cos(angle), height, radius * std::sin(angle));
  };
  for (int i = 0; i < kSides; ++i) railing(plant, rim(i), rim(i + 1));
}

/// Bands of red and white up to the top.
void addStack(Plant& plant, vec3 foot, float radius, float height) {
  constexpr int kBands = 9;
  for (int i = 0; i < kBands; ++i) {
    const auto at = [&](int edge) {
      const float t = float(edge) / kBands;
      return ProfilePoint{radius * (1 - 0.35f * t), height * t};
    };
    const ProfilePoint band[] = {at(i), at(i + 1)};
    plant.setMaterial(i % 2 == 0 ? plant.red : plant.white);
    turned(plant, foot, {0, 1, 0}, band, 28, true);
  }
}

/// A hyperboloid on leaning legs.
void addCoolingTower(Plant& plant, vec3 foot, float radius, float height) {
  constexpr float kLegs = 3, kWaist = 0.62f;
  const auto outAt = [&](float t) {  // narrowest at 0.75 of the height
    const float d = (t - 0.75f) / 0.75f;
    return radius * std::sqrt(kWaist * kWaist + (1 - kWaist * kWaist) * d * d);
  };
  std::vector<ProfilePoint> shell;
  for (int i = 0; i <= 24; ++i) {
    const float t = float(i) / 24;
    shell.push_back({outAt(t), kLegs + (height - kLegs) * t});
  }
  plant.setMaterial(plant.concrete);
  turned(plant, foot, {0, 1, 0}, shell, 48, true);
  constexpr int kPairs = 24;
  for (int i = 0; i < 2 * kPairs; ++i) {
    const auto rim = [&](int at, float out, float y) {
      const float angle = 6.2831853f * float(at) / (2 * kPairs);
      return foot + vec3(out * std::cos(angle), y, out * std::sin(angle));
    };
    const int low = i / 2 * 2 + 1, high = low + (i % 2 == 0 ? -1 : 1);
    bar(plant, rim(low, 1.05f * radius, 0), rim(high, radius, kLegs), 0.35f, 0.35f);
  }
}

/// Ball tanks on legs.
void addBall(Plant& plant, vec3 foot, float radius) {
  plant.setMaterial(plant.white);
  plant.sphere(foot + vec3(0, 1.5f * radius, 0), radius, 36, 20);
  plant.setMaterial(plant.steel);
  for (int i = 0; i < 8; ++i) {
    const float angle = 6.2831853f * float(i) / 8;
    const vec3 leg = foot + radius * vec3(std::cos(angle), 0, std::sin(angle));
    tube(plant, leg, leg + vec3(0, 1.5f * radius, 0), 0.15f, 8);
  }
}

/// Portals along the front with three decks of pipes; each pipe has loops that take up its stretch.
void addRack(Plant& plant) {
  constexpr float kFrom = -27, kTo = 27, kNear = 6.6f, kFar = 3.8f;
  const float decks[] = {2.6f, 3.9f, 5.2f};
  plant.setMaterial(plant.steel);
  for (float x = kFrom + 1.5f; x < kTo; x += kBay) {
    for (const float z : {kNear, kFar}) beam(plant, {x, 0, z}, {x, decks[2] + 0.3f, z}, 0.26f);
    for (const float y : decks) beam(plant, {x, y - 0.3f, kNear}, {x, y - 0.3f, kFar}, 0.22f);
  }
  const int kinds[] = {plant.steam, plant.water, plant.gas, plant.air, plant.oil, plant.lagging};
  const int lanes = plant.many(8);
  for (const float y : decks)
    for (int lane = 0; lane < lanes; ++lane) {
      const float z = kFar + (kNear - kFar) * (float(lane) + 0.5f) / float(lanes);
      const float maxRadius = std::min(0.16f, 0.4f * (kNear - kFar) / float(lanes));
      const float radius = maxRadius * plant.random.uniform(0.45f, 1.0f);
      const float turn = plant.random.uniform(-18, 14), up = y + plant.random.uniform(1.0f, 1.9f);
      // A loop up and back, or a branch into the frame.
      std::vector<vec3> way{{kFrom, y, z}, {turn, y, z}, {turn, up, z}};
      if (plant.random.below(2) == 0)
        way.insert(way.end(), {{turn + 2.5f, up, z}, {turn + 2.5f, y, z}, {kTo, y, z}});
      else
        way.push_back({turn, up, plant.random.uniform(-9, -1.5f)});
      pipe(plant, way, radius, kinds[plant.random.below(6)]);
    }
}

void addYard(Plant& plant) {
  plant.setMaterial(plant.concrete);
  plant.rectangle({-75, 0, 12}, {150, 0, 0}, {0, 0, -107}, 15, 11);
  addTank(plant, {-25.5f, 0, -6}, 5.0f, 9);
  addTank(plant, {-26.5f, 0, -19}, 5.5f, 11);
  addBall(plant, {24, 0, -4}, 3.6f);
  addBall(plant, {25, 0, -14}, 4.0f);
  for (const float x : {-7.0f, 3.0f, 12.0f}) addStack(plant, {x, 0, -30}, 1.7f, 40);
  addCoolingTower(plant, {-48, 0, -66}, 19, 42);
  addCoolingTower(plant, {44, 0, -72}, 19, 42);
}

// ---- The whole

/// What makes the mean at density 1 that of the paper's model, 18.5 fragments per pixel.
constexpr float kDensity = 1.11f;

void makePowerplant(Scene& scene, const SceneArguments& arguments, Progress& progress) {
  progress.begin("building the plant", 0);
  scene.camera.position = {14, 10.5f, 33};
  scene.camera.target = {0.5f, 8.2f, -8};
  scene.camera.verticalFovDeg = 33;
  scene.lighting.toSun = {0.5f, 0.8f, 0.65f};

  Plant plant{MeshBuilder(scene), Random(arguments.seed()),
              kDensity * float(arguments.get("density"))};
  plant.setPart(kInterior);
  plant.setOpenness(0.75f);
  addBoiler(plant);
  addVessels(plant);
  addPipes(plant);

  plant.random = Random(arguments.seed(), 1);
  plant.setPart(kExterior);
  plant.setOpenness(1);
  addFrame(plant);
  addGratings(plant);
  addStairs(plant);
  addWalls(plant);
  addRack(plant);
  addYard(plant);

  finishScene(scene, plant.take(), {"interior", "exterior"}, BatchOrder::Spatial, progress);
  Box& shadows = scene.lighting.shadowBounds;
  shadows.add({-34, 0, -36});
  shadows.add({34, 26, 9});
}

}  // namespace

BuiltInScene powerplantScene() {
  return {"powerplant",
          "a steel frame full of pipes, vessels and banks of tubes, and the yard around it",
          {{"density", 0.1, 3, 1, false, "how many pipes, tubes and bars"}},
          makePowerplant};
}

}  // namespace fathom
