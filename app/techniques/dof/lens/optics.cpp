// SPDX-License-Identifier: BSD-3-Clause
// The thin lens equation with radii in pixels, and apertures as polygons of the disc's area.
#include "app/techniques/dof/lens/optics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace fathom::dof {
namespace {

constexpr double kNearestFocus = 1.05;  // in focal lengths
constexpr double kStandardFocalLength = 50;

}  // namespace

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

Aperture apertureOf(const Settings& s) {
  Aperture aperture;
  aperture.blades = s.bladeCount();
  if (aperture.blades == 0) return aperture;
  const double n = aperture.blades, pi = std::numbers::pi;
  aperture.rotation = s.bladeRotation * pi / 180;
  aperture.roundness = s.bladeRoundness;
  aperture.circumradius = std::sqrt(2 * pi / (n * std::sin(2 * pi / n)));
  aperture.apothem = std::cos(pi / n);
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

double Lens::cocRadius(double z) const {
  return std::clamp(unclampedRadius(z), -maxRadius, maxRadius);
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
  Lens lens;
  lens.fNumber = s.fNumber;
  lens.sensorWidth = s.sensorWidth;
  lens.mmPerUnit = s.mmPerUnit;
  lens.pictureWidth = pictureWidth;
  lens.maxRadius = s.radius() / apertureOf(s).circumradius;
  if (s.focalLength > 0)
    lens.focalLength = s.focalLength;
  else
    lens.focalLength = horizontalFov > 0 ? s.sensorWidth / (2 * std::tan(horizontalFov / 2))
                                         : kStandardFocalLength;
  const double wanted = s.focusDistance > 0 ? double(s.focusDistance) : focus;
  lens.focus = std::max(wanted, kNearestFocus * lens.focalLength / s.mmPerUnit);
  return lens;
}

shared::Optics opticsOf(const Lens& lens, const Aperture& aperture, const Settings& s) {
  shared::Optics o{};
  const double k = lens.farRadius();
  o.farRadius = float(k);
  o.farRadiusFocus = float(k * lens.focus);
  o.maxRadius = float(lens.maxRadius);
  o.epsilon = s.epsilon;
  o.circumradius = float(aperture.circumradius);
  o.apothem = float(aperture.apothem);
  o.roundness = float(aperture.roundness);
  o.rotation = float(aperture.rotation);
  o.blades = std::uint32_t(aperture.blades);
  o.lensPoints = 64;
  o.differenceGain = s.differenceGain;
  return o;
}

glm::dvec2 vogelPoint(int i, int n) {
  const double radius = std::sqrt((i + 0.5) / n), angle = i * 2.399963;
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

}  // namespace fathom::dof
