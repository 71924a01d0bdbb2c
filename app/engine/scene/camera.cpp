// SPDX-License-Identifier: BSD-3-Clause
// The camera's matrices and its moves. All moves keep `up` and stay away from the poles, so that
// the picture never rolls.
#include "app/engine/scene/camera.h"

#include <glm/gtc/matrix_transform.hpp>

namespace fathom {
namespace {

constexpr float kPoleMargin = 0.02f;     // rad
constexpr float kMinNearShare = 0.001f;  // near plane, as a share of far

glm::vec3 forwardOf(const Camera& camera) {
  const glm::vec3 f = camera.target - camera.position;
  const float length = glm::length(f);
  return length > 0 ? f / length : glm::vec3(0, 0, -1);
}

/// A unit vector to the right; any horizontal one when the view is along `up`.
glm::vec3 rightOf(const Camera& camera) {
  const glm::vec3 r = glm::cross(forwardOf(camera), camera.up);
  const float length = glm::length(r);
  if (length > 1e-6f) return r / length;
  const glm::vec3 other = std::abs(camera.up.x) < 0.9f ? glm::vec3(1, 0, 0) : glm::vec3(0, 0, 1);
  return glm::normalize(glm::cross(camera.up, other));
}

/// `v` turned about `axis` (unit length), counter-clockwise seen from its tip.
glm::vec3 turned(glm::vec3 v, glm::vec3 axis, float angle) {
  return v * std::cos(angle) + glm::cross(axis, v) * std::sin(angle) +
         axis * glm::dot(axis, v) * (1 - std::cos(angle));
}

/// `direction` (any length) turned by yaw about up and by pitch about right; positive pitch looks
/// up.
glm::vec3 yawPitch(const Camera& camera, glm::vec3 direction, float yaw, float pitch) {
  const glm::vec3 up = glm::normalize(camera.up);
  const float elevation = std::asin(glm::clamp(glm::dot(glm::normalize(direction), up), -1.f, 1.f));
  const float limit = std::numbers::pi_v<float> / 2 - kPoleMargin;
  const float newElevation = glm::clamp(elevation + pitch, -limit, limit);
  const glm::vec3 pitched = turned(direction, rightOf(camera), newElevation - elevation);
  return turned(pitched, up, yaw);
}

}  // namespace

glm::mat4 Camera::view() const {
  const glm::vec3 f = forwardOf(*this), r = rightOf(*this), u = glm::cross(r, f);
  glm::mat4 m(1);
  for (int i = 0; i < 3; ++i) m[i][0] = r[i], m[i][1] = u[i], m[i][2] = -f[i];
  m[3] = glm::vec4(-glm::dot(r, position), -glm::dot(u, position), glm::dot(f, position), 1);
  return m;
}

glm::vec3 Camera::placeAt(int x, int y, glm::vec2 size, float z) const {
  const float tangent = std::tan(glm::radians(verticalFovDeg) / 2);
  const glm::vec4 inView(((float(x) + 0.5f) / size.x * 2 - 1) * tangent * (size.x / size.y) * z,
                         (1 - (float(y) + 0.5f) / size.y * 2) * tangent * z, -z, 1);
  return glm::vec3(glm::inverse(view()) * inView);
}

glm::mat4 Camera::projection(float aspect) const {
  glm::mat4 m = glm::perspective(glm::radians(verticalFovDeg), aspect, nearZ, farZ);
  m[2][0] -= lensShift.x, m[2][1] -= lensShift.y;  // w is -z of view space
  return m;
}

void Camera::orbit(float yaw, float pitch) {
  const glm::vec3 toTarget = target - position;
  if (glm::length(toTarget) == 0) return;
  position = target - yawPitch(*this, toTarget, yaw, pitch);
}

void Camera::dolly(float factor) { position = target + (position - target) * factor; }

void Camera::pan(glm::vec2 amount) {
  const glm::vec3 f = forwardOf(*this), r = rightOf(*this), u = glm::cross(r, f);
  const float height =
      2 * std::tan(glm::radians(verticalFovDeg) * 0.5f) * glm::length(target - position);
  const glm::vec3 step = (r * amount.x + u * amount.y) * height;
  position += step, target += step;
}

void Camera::fly(glm::vec3 step) {
  const glm::vec3 f = forwardOf(*this), r = rightOf(*this), u = glm::cross(r, f);
  const glm::vec3 move = r * step.x + u * step.y + f * step.z;
  position += move, target += move;
}

void Camera::look(float yaw, float pitch) {
  const glm::vec3 toTarget = target - position;
  if (glm::length(toTarget) == 0) return;
  target = position + yawPitch(*this, toTarget, yaw, pitch);
}

Camera Camera::throughLensPoint(glm::dvec2 offset, double focus, double aspect) const {
  const double scale = 1 / (focus * std::tan(glm::radians(double(verticalFovDeg)) / 2));
  Camera moved = *this;
  moved.fly({float(offset.x), float(offset.y), 0});
  moved.lensShift += glm::vec2(float(offset.x * scale / aspect), float(offset.y * scale));
  return moved;
}

void Camera::fitDepth(const Box& bounds) {
  if (bounds.empty()) return;
  // The depths of the eight corners along the view axis span those of everything inside.
  const glm::vec3 f = forwardOf(*this);
  float nearest = 1e30f, farthest = -1e30f;
  for (int corner = 0; corner < 8; ++corner) {
    const float z = glm::dot(bounds.corner(corner) - position, f);
    nearest = std::min(nearest, z), farthest = std::max(farthest, z);
  }
  const float extent = std::max(glm::length(bounds.size()), 1e-6f);
  farZ = std::max(farthest * 1.001f, extent * 0.01f);
  nearZ = std::max(nearest * 0.999f, farZ * kMinNearShare);
  if (nearZ >= farZ) nearZ = farZ * 0.5f;
}

void Camera::frame(const Box& bounds, float aspect) {
  if (bounds.empty()) return;
  // The distance at which every corner lies inside the frustum, along the current direction.
  const glm::vec3 f = forwardOf(*this), r = rightOf(*this), u = glm::cross(r, f);
  const float tangentY = std::tan(glm::radians(verticalFovDeg) * 0.5f),
              tangentX = tangentY * aspect;
  float distance = 1e-6f;
  for (int corner = 0; corner < 8; ++corner) {
    const glm::vec3 half = bounds.size() * 0.5f, p = Box{-half, half}.corner(corner);
    const float needed =
        std::max(std::abs(glm::dot(p, r)) / tangentX, std::abs(glm::dot(p, u)) / tangentY);
    distance = std::max(distance, needed - glm::dot(p, f));
  }
  target = bounds.center();
  position = target - f * (distance * 1.02f);
  fitDepth(bounds);
}

}  // namespace fathom
