// SPDX-License-Identifier: BSD-3-Clause
// The thin lens: from depth to the radius of the circle of confusion, what is sharp, and the shape
// of the aperture. Plain numbers; depths in scene units, radii in pixels.
#pragma once

#include "app/techniques/dof/settings.h"
#include "shaders/dof/shared.h"

#include <glm/vec2.hpp>

namespace fathom::dof {

/// z <= 0, NaN or beyond this is background, at infinity.
inline constexpr float kFarthest = 1e9f;
inline bool isBackground(float z) { return !(z > 0 && z <= kFarthest); }

/// A regular polygon of the same area as the unit disc, mixed with that disc.
struct Aperture {
  int blades = 0;           // 0: round
  double rotation = 0;      // rad
  double roundness = 0;     // 0 polygon .. 1 disc
  double circumradius = 1;  // in radii of the disc
  double apothem = 1;       // cos(pi / blades), in circumradii
  /// Whether (x, y), in circumradii, lets light through; `near` mirrors it.
  bool holds(double x, double y, bool near) const;
  bool mirrors() const { return blades % 2 == 1; }
};
Aperture apertureOf(const Settings& settings);

struct Lens {
  double focalLength = 50, fNumber = 2.8, sensorWidth = 36;  // mm
  double focus = 1;                                          // scene units
  double mmPerUnit = 1000;
  int pictureWidth = 1;   // px, of the full frame
  double maxRadius = 16;  // px; of the disc of equal area when the aperture has blades

  /// K: the radius at infinity. 0.5 f/N f/(S - f) W/w.
  double farRadius() const;
  /// Signed radius of a depth: K (1 - S/z), positive behind focus, cut to maxRadius.
  double cocRadius(double z) const;
  double unclampedRadius(double z) const;
  /// Nearest focus at which infinity is sharp (1 px): h = f^2 / (N c) + f.
  double hyperfocal() const;
  struct Zone {
    double nearest, farthest;  // farthest may be infinite
  };
  /// Depths with |r| < 1 px.
  Zone sharpZone() const;
};

/// The lens of the settings; `horizontalFov` in rad, or 0 when there is no camera (then 50 mm is
/// the standard focal length). `focus` in scene units, used when the settings leave it to the
/// picture. The focus is kept beyond 1.05 focal lengths.
Lens lensOf(const Settings& settings, double horizontalFov, int pictureWidth, double focus);

/// The lens as the passes read it.
shared::Optics opticsOf(const Lens& lens, const Aperture& aperture, const Settings& settings);

/// Point i of n on the unit disc, Vogel's spiral: u = sqrt((i + .5) / n), angle i * 2.399963.
glm::dvec2 vogelPoint(int i, int n);

}  // namespace fathom::dof
