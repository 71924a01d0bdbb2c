// SPDX-License-Identifier: BSD-3-Clause
// The thin lens equation with radii in pixels, apertures as polygons of the disc's area or
// pictures, and how faults change them.
#include "app/engine/dof/lens/optics.h"

namespace fathom::dof {

bool Aperture::holds(double x, double y, bool near) const {
  const double length = std::hypot(x, y);
  if (blades == 0) return length <= 1;
  if (near) x = -x, y = -y;
  const double step = 2 * std::numbers::pi / blades;
  // The edge whose normal is nearest to the direction decides.
  const double angle = std::atan2(y, x) - rotation;
  const double offset = angle - std::round(angle / step) * step;
  const double polygon = length * std::cos(offset) / apothem;  // 1 on the edge
  const double disc = length * circumradius;                   // 1 on the disc of equal area
  return polygon * (1 - roundness) + disc * roundness <= 1;
}

double Aperture::passes(glm::dvec2 u, bool near) const {
  double light = 0, rim = glm::dot(u, u);
  if (picture) {
    const double x = (u.x + 1) / 2 * picture->width, y = (u.y + 1) / 2 * picture->height;
    if (x < 0 || y < 0 || x >= picture->width || y >= picture->height) return 0;
    const glm::vec4& c = picture->at(int(x), int(y));
    light = std::max(0.0, (double(c.r) + c.g + c.b) / 3);
  } else {
    if (!holds(u.x / circumradius, u.y / circumradius, false)) return 0;
    light = 1, rim /= circumradius * circumradius;
  }
  const double profile = (near ? -spherical : spherical) * (2 * std::min(1.0, rim) - 1);
  return light * (1 + profile);
}

glm::dvec2 Aperture::fromImage(glm::dvec2 q, glm::dvec2 field, double swirled) const {
  const double f2 = glm::dot(field, field), root = std::sqrt(squeeze);
  if (swirl != 0 && f2 > 0) {
    const double widened = 1 + swirled * swirl * f2;
    const glm::dvec2 across = field * (glm::dot(q, field) / f2);
    q = across * widened + (q - across) / widened;
  }
  return {q.x * root, q.y / root};
}

bool Aperture::uncut(glm::dvec2 u, glm::dvec2 field) const {
  return catsEye == 0 || glm::length(u + catsEye * field) <= cutRadius();
}

double Aperture::stretch() const {
  return std::max(std::sqrt(squeeze), 1 / std::sqrt(squeeze)) * (1 + swirl);
}

Aperture apertureOf(const Settings& s, std::shared_ptr<const Image> picture) {
  Aperture aperture;
  aperture.picture = std::move(picture);
  aperture.spherical = s.sphericalAberration;
  aperture.squeeze = s.squeeze;
  aperture.catsEye = s.catsEye;
  aperture.swirl = s.swirl;
  aperture.blades = s.bladeCount();
  if (aperture.blades == 0) return aperture;
  const double n = aperture.blades, pi = std::numbers::pi;
  aperture.rotation = s.bladeRotation * pi / 180;
  aperture.roundness = s.bladeRoundness;
  aperture.circumradius = std::sqrt(2 * pi / (n * std::sin(2 * pi / n)));
  aperture.apothem = std::cos(pi / n);
  return aperture;
}

Aperture coloredBy(Aperture aperture, const Settings& s, const Lens& lens) {
  // 1/f of a channel differs by a part of a thousand: c = A v d(1/f) on the sensor.
  const double axial = 0.5 * lens.focalLength / lens.fNumber * s.axialColor / 1000 *
                       lens.pictureWidth / lens.sensorWidth;
  aperture.axialRed = axial, aperture.axialBlue = -axial;
  aperture.lateralRed = s.lateralColor / 1000, aperture.lateralBlue = -s.lateralColor / 1000;
  return aperture;
}

double Lens::farRadius() const {
  const double s = focus * mmPerUnit;
  return 0.5 * focalLength / fNumber * focalLength / (s - focalLength) * pictureWidth / sensorWidth;
}

double Lens::unclampedRadius(double z) const {
  const double k = farRadius();
  return isBackground(float(z)) ? k : k * (1 - focus / z);
}

double Lens::hyperfocal() const {
  const double pixel = sensorWidth / pictureWidth;  // mm
  return (focalLength * focalLength / (fNumber * pixel) + focalLength) / mmPerUnit;
}

Lens::Zone Lens::sharpZone() const {
  // |K (1 - S/z)| < 1 on both sides of S.
  const double k = farRadius();
  return {focus / (1 + 1 / k),
          k <= 1 ? std::numeric_limits<double>::infinity() : focus / (1 - 1 / k)};
}

Lens lensOf(const Settings& s, double horizontalFov, int pictureWidth, double focus) {
  constexpr double kNearestFocus = 1.05;  // in focal lengths
  constexpr double kStandardFocalLength = 50;
  constexpr double kMeter = 1000;  // mm per unit unless something is known
  Lens lens;
  lens.fNumber = s.fNumber;
  lens.sensorWidth = s.sensorWidth;
  lens.mmPerUnit = s.mmPerUnit > 0 ? double(s.mmPerUnit) : kMeter;
  lens.pictureWidth = pictureWidth;
  lens.maxRadius = s.radius();
  if (s.focalLength > 0)
    lens.focalLength = s.focalLength;
  else
    lens.focalLength = horizontalFov > 0 ? s.sensorWidth / (2 * std::tan(horizontalFov / 2))
                                         : kStandardFocalLength;
  const double wanted = s.focusDistance > 0 ? double(s.focusDistance) : focus;
  lens.focus = std::max(wanted, kNearestFocus * lens.focalLength / lens.mmPerUnit);
  return lens;
}

int reachOf(const Lens& lens, const Aperture& a, const ImageFrame& frame) {
  const double radius = lens.maxRadius + std::max(std::abs(a.axialRed), std::abs(a.axialBlue));
  const double shift =
      std::max(std::abs(a.lateralRed), std::abs(a.lateralBlue)) * frame.corner * 1.2;
  return int(std::ceil(radius * a.extent() * a.stretch() + shift)) + (a.swirl != 0 ? 2 : 1);
}

shared::Optics opticsOf(const Lens& lens, const Aperture& a, const Settings& s,
                        const ImageFrame& frame) {
  shared::Optics o{};
  const double k = lens.farRadius();
  o.farRadius = float(k);
  o.farRadiusFocus = float(k * lens.focus);
  o.maxRadius = float(lens.maxRadius);
  o.epsilon = s.epsilon;
  o.extent = float(a.extent()), o.mapExtent = float(a.mapExtent());
  o.lensPoints = 64;
  o.differenceGain = s.differenceGain;
  o.squeeze = float(a.squeeze);
  o.catsEye = float(a.catsEye), o.swirl = float(a.swirl);
  o.fieldX = float(frame.middle.x), o.fieldY = float(frame.middle.y);
  o.fieldScale = float(1 / std::max(frame.corner, 1.0));
  o.cutRadius = float(a.cutRadius());
  o.axialRed = float(a.axialRed), o.axialBlue = float(a.axialBlue);
  o.lateralRed = float(a.lateralRed), o.lateralBlue = float(a.lateralBlue);
  return o;
}

glm::dvec2 vogelPoint(int i, int n) {
  const double radius = std::sqrt((i + 0.5) / n), angle = i * 2.399963;
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

}  // namespace fathom::dof
