// SPDX-License-Identifier: BSD-3-Clause
// The thin lens: from depth to the radius of the circle of confusion, what is sharp, and the shape
// of the aperture. Plain numbers; depths in scene units, radii in pixels.
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/dof/settings.h"
#include "shaders/dof/shared.h"

namespace fathom::dof {

/// z <= 0, NaN or beyond this is background, at infinity.
inline constexpr float kFarthest = 1e9f;
inline bool isBackground(float z) { return !(z > 0 && z <= kFarthest); }

/// What the lens lets through, and its faults: the shape in the middle of the frame (a regular
/// polygon of the same area as the unit disc, mixed with that disc, or a picture), and what becomes
/// of it elsewhere (shaders/dof/aperture.glsl). Places on it are in radii of the disc of equal
/// area.
struct Aperture {
  int blades = 0;                        // 0: round
  double rotation = 0;                   // rad
  double roundness = 0;                  // 0 polygon .. 1 disc
  double circumradius = 1;               // in radii of the disc
  double apothem = 1;                    // cos(pi / blades), in circumradii
  std::shared_ptr<const Image> picture;  // over the square around the unit disc; null: none
  double spherical = 0;                  // -1 .. 1: how much brighter the rim is than the middle
  double squeeze = 1;                    // height over width of its image
  double catsEye = 0, swirl = 0;
  double axialRed = 0, axialBlue = 0;      // px added to the radius of a channel
  double lateralRed = 0, lateralBlue = 0;  // magnification of a channel, minus 1

  /// Whether (x, y), in circumradii, lets light through; `near` mirrors it.
  bool holds(double x, double y, bool near) const;
  /// How much passes at u in the middle of the frame, before it is scaled to a mean of 1.
  /// Aberration brightens the rim of what is far when it darkens that of what is near.
  double passes(glm::dvec2 u, bool near) const;
  /// u of a place q of the image (pixels over signed radius) at `field` (1: a corner of the frame);
  /// `swirled`: the part of the swirl that counts.
  glm::dvec2 fromImage(glm::dvec2 q, glm::dvec2 field, double swirled = 1) const;
  /// Whether the second disc of cat's eyes lets u through.
  bool uncut(glm::dvec2 u, glm::dvec2 field) const;
  double cutRadius() const { return picture ? 1 : circumradius; }
  /// The farthest u that may let light through, and the largest stretch of the image.
  double extent() const { return picture ? std::sqrt(2.0) : circumradius; }
  double stretch() const;
  /// Half the side of the square that holds it.
  double mapExtent() const { return picture ? 1 : circumradius; }

  /// Round and without faults: discs need no map.
  bool plain() const {
    return blades == 0 && !picture && spherical == 0 && squeeze == 1 && !varies() && !colored();
  }
  /// Depends on the place in the frame.
  bool varies() const { return catsEye != 0 || swirl != 0; }
  /// Differs between channels.
  bool colored() const {
    return axialRed != 0 || axialBlue != 0 || lateralRed != 0 || lateralBlue != 0;
  }
  bool operator==(const Aperture&) const = default;
};
/// `picture`: the bokeh image that the settings name, or null.
Aperture apertureOf(const Settings& settings, std::shared_ptr<const Image> picture = {});

struct Lens {
  double focalLength = 50, fNumber = 2.8, sensorWidth = 36;  // mm
  double focus = 1;                                          // scene units
  double mmPerUnit = 1000;
  int pictureWidth = 1;   // px, of the full frame
  double maxRadius = 16;  // px; of the disc of equal area

  /// K: the radius at infinity. 0.5 f/N f/(S - f) W/w.
  double farRadius() const;
  /// Signed radius of a depth: K (1 - S/z), positive behind focus, cut to maxRadius.
  double cocRadius(double z) const { return std::clamp(unclampedRadius(z), -maxRadius, maxRadius); }
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

/// The aperture with its faults of color in pixels of a picture, which depend on the lens.
Aperture coloredBy(Aperture aperture, const Settings& settings, const Lens& lens);

/// The frame in the picture: what faults are measured from.
struct ImageFrame {
  glm::dvec2 middle{0};  // px; pixel centers are whole numbers
  double corner = 1;     // px from the middle
  /// Of a pixel, with corners at length 1.
  glm::dvec2 fieldAt(glm::dvec2 pixel) const { return (pixel - middle) / std::max(corner, 1.0); }
};
/// How far from its pixel a splat may have light, in whole pixels.
int reachOf(const Lens& lens, const Aperture& aperture, const ImageFrame& frame);

/// Lens and aperture as the passes read them.
shared::Optics opticsOf(const Lens& lens, const Aperture& aperture, const Settings& settings,
                        const ImageFrame& frame = {});

/// Point i of n on the unit disc, Vogel's spiral: u = sqrt((i + .5) / n), angle i * 2.399963.
glm::dvec2 vogelPoint(int i, int n);

}  // namespace fathom::dof
