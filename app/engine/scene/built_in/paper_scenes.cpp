// SPDX-License-Identifier: BSD-3-Clause
// Two scenes of Archer, Leach and van Schyndel 2018, with spheres strewn over all depths.
// `planes`: translucent quads parallel to the picture, drawn in depth order so that neighbors in a
// pixel's list are neighbors in memory. The quads are two thirds of the picture height wide and
// high, 720 x 720 in 1080 rows, at every depth.
// `hairball`: translucent fibers that wander through a ball: long lists of unordered fragments in
// the middle of the picture, none at its sides.
#include "app/engine/scene/built_in/built_in.h"
#include "app/engine/scene/built_in/mesh_builder.h"

namespace fathom {
namespace {

// ---- Spheres

/// Hue in turns, full saturation softened towards gray by `gray`.
glm::vec3 hueColor(float hue, float grey) {
  const auto channel = [&](float shift) {
    const float wave = 0.5f + 0.5f * std::cos(6.2831853f * (hue + shift));
    return wave * (1 - grey) + 0.5f * grey;
  };
  return {channel(0), channel(-1 / 3.0f), channel(-2 / 3.0f)};
}

/// Colored spheres strewn over the camera's view between two depths, with sizes in picture heights
/// at their depth, so that near and far ones cover alike.
struct SphereField {
  int count;
  float nearZ, farZ;        // along the view axis, m
  float smallest, largest;  // radius in picture heights
  float spreadX, spreadY;   // half extent in picture heights
};

/// Adds the materials of the spheres, too.
void addSpheres(MeshBuilder& mesh, const SphereField& field, const Camera& camera, Random& random) {
  constexpr int kColors = 12;
  int materials[kColors];
  for (int i = 0; i < kColors; ++i) {
    const glm::vec3 color = hueColor(float(i) / kColors, 0.35f);
    materials[i] = mesh.addMaterial({.color = color, .alpha = 0.3f, .gloss = 0.5f});
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

// ---- Planes

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
    const glm::vec3 color = planeColor(float(i) / (kPlaneColors - 1));
    mesh.addMaterial({.color = color, .alpha = 0.05f, .texture = texture});
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
  finishScene(scene, mesh.take(), {"planes", "spheres"}, BatchOrder::Kept, progress);
}

// ---- Hairball

constexpr int kHairColors = 32;
constexpr std::int64_t kMaxSegments = 4'000'000;  // 8 million triangles, under 1 GiB
constexpr float kStep = 0.15f;                    // m, length of one segment
constexpr float kWidth = 0.0195f;                 // m, of a ribbon at its root

glm::vec3 hairColor(float t) {
  return glm::mix(glm::vec3(0.32f, 0.13f, 0.05f), glm::vec3(0.95f, 0.72f, 0.38f), t);
}

/// One fiber: a ribbon along a curl whose axis drifts, drawn back where it leaves the ball.
void addFiber(MeshBuilder& mesh, int segments, Random& random) {
  const float outwards = 0.2f + 0.7f * std::sqrt(random.uniform());
  glm::vec3 p = random.direction() * outwards;
  glm::vec3 axis = random.direction();
  glm::vec3 direction = glm::normalize(glm::cross(axis, random.direction()) + axis * 0.3f);
  const float curl = random.uniform(0.15f, 0.6f);  // rad per segment
  std::uint32_t first = 0;
  for (int s = 0; s <= segments; ++s) {
    const float t = float(s) / float(segments), radius = glm::length(p);
    const glm::vec3 side = glm::normalize(glm::cross(direction, axis));
    const glm::vec3 normal = glm::cross(side, direction);
    const glm::vec3 half = side * (0.5f * kWidth * (1.15f - 0.65f * t));
    // Little light reaches the middle of the ball.
    mesh.setOpenness(0.25f + 0.75f * std::min(1.0f, radius * radius));
    const std::uint32_t left = mesh.vertex(p - half, normal, {0, t});
    mesh.vertex(p + half, normal, {1, t});
    if (s == 0) first = left;

    const float outside = std::max(0.0f, radius - 0.72f);
    direction = glm::normalize(direction + glm::cross(axis, direction) * curl +
                               random.direction() * 0.06f - p * (outside * 2.0f));
    axis = glm::normalize(axis + random.direction() * 0.15f);
    p += direction * kStep;
  }
  mesh.stitch(first, 1, segments);
  mesh.setOpenness(1);
}

void makeHairball(Scene& scene, const SceneArguments& arguments, Progress& progress) {
  const int strands = arguments.count("strands"), segments = arguments.count("segments");
  if (std::int64_t(strands) * segments > kMaxSegments)
    fail("hairball: expected strands x segments of at most {}, found {} x {}", kMaxSegments,
         strands, segments);
  scene.camera.position = {0, 0, 3.3f};
  scene.camera.target = {0, 0, 0};
  scene.camera.verticalFovDeg = 40;
  scene.lighting.toSun = {0.5f, 0.8f, 0.5f};

  MeshBuilder mesh(scene);
  for (int i = 0; i < kHairColors; ++i) {
    const glm::vec3 color = hairColor(float(i) / (kHairColors - 1));
    mesh.addMaterial({.color = color, .alpha = 0.3f, .shineThrough = 0.5f, .gloss = 0.3f});
  }
  Random random(arguments.seed());
  progress.begin("growing fibers", strands);
  for (int i = 0; i < strands; ++i) {
    mesh.setMaterial(int(random.below(kHairColors)));
    addFiber(mesh, segments, random);
    if (i % 256 == 255) progress.advance(256);
  }

  mesh.setPart(1);
  Random sphereRandom(arguments.seed(), 1);
  addSpheres(mesh, {arguments.count("spheres"), 1.6f, 4.8f, 0.012f, 0.06f, 0.8f, 0.48f},
             scene.camera, sphereRandom);
  finishScene(scene, mesh.take(), {"hair", "spheres"}, BatchOrder::Spatial, progress);
}

}  // namespace

BuiltInScene planesScene() {
  return {"planes",
          "translucent quads parallel to the image, in depth order, and spheres",
          {{"count", 1, 4096, 256, true, "quads"}, {"spheres", 0, 20000, 256, true, "spheres"}},
          makePlanes};
}

BuiltInScene hairballScene() {
  return {"hairball",
          "translucent fibers in a ball, and spheres over the whole depth range",
          {{"strands", 1, 200000, 6400, true, "fibers"},
           {"segments", 1, 200, 28, true, "pieces of a fiber"},
           {"spheres", 0, 20000, 256, true, "spheres"}},
          makeHairball};
}

}  // namespace fathom
