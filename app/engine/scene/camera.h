// SPDX-License-Identifier: BSD-3-Clause
// A pinhole camera: where it stands, where it looks, how wide. Orbit and fly move it; near and far
// are fitted to what is drawn.
#pragma once

namespace fathom {

struct Box {
  glm::vec3 low{1e30f}, high{-1e30f};
  void add(glm::vec3 p) { low = glm::min(low, p), high = glm::max(high, p); }
  void add(const Box& other) {
    if (!other.empty()) add(other.low), add(other.high);
  }
  bool empty() const { return low.x > high.x; }
  /// One of 8: a bit of `i` per axis.
  glm::vec3 corner(int i) const {
    return {i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z};
  }
  glm::vec3 center() const { return (low + high) * 0.5f; }
  glm::vec3 size() const { return high - low; }
};

struct Camera {
  glm::vec3 position{0, 0, 5};
  glm::vec3 target{0};
  glm::vec3 up{0, 1, 0};
  float verticalFovDeg = 45.0f;
  float nearZ = 0.1f, farZ = 100.0f;  // m, along the view axis
  /// Moves the picture by this much of clip space (2 is its whole size), right and up: an off-axis
  /// frustum, for views from points of a lens.
  glm::vec2 lensShift{0};
  bool operator==(const Camera&) const = default;

  glm::mat4 view() const;                    // world to view; the camera looks along -z
  glm::mat4 projection(float aspect) const;  // GL clip space, -1..1
  /// The place that pixel `x`, `y` of a picture of this size shows at depth z.
  glm::vec3 placeAt(int x, int y, glm::vec2 size, float z) const;
  /// Orbits around the target by angles in radians; never passes the poles.
  void orbit(float yaw, float pitch);
  /// Dollies: multiplies the distance to the target by this factor (0.9: in).
  void dolly(float factor);
  /// Pans eye and target in the image plane; (1, 1) is one picture height at the target.
  void pan(glm::vec2 amount);
  /// Moves eye and target along right, up, forward, in world units.
  void fly(glm::vec3 step);
  /// Turns the view direction about the eye.
  void look(float yaw, float pitch);
  /// The camera at another point of its lens, `offset` m to the right and up; the plane at `focus`
  /// m along the view axis stays where it is in the picture.
  Camera throughLensPoint(glm::dvec2 offset, double focus, double aspect) const;
  void fitDepth(const Box& bounds);
  /// Stands back along the current direction until the box fills the picture.
  void frame(const Box& bounds, float aspect);
};

}  // namespace fathom
