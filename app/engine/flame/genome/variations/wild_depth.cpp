// SPDX-License-Identifier: BSD-3-Clause
// Variations of other programs that have a z of their own, or let it through. Sources: what
// JWildfire, Fractorium and Apophysis draw of them.
#include "app/engine/flame/genome/variations/family.h"

#include <algorithm>
#include <cmath>

namespace fathom::flame {
namespace {

/// linear, with z.
Point3 wildLinear3D(const Input& in, Draws&) {
  const double x = in.x, y = in.y, z = in.z, w = in.weight;
  return w * Point3(x, y, z);
}

/// Puts the point into the plane z = 0, after all others.
Point3 wildFlatten(const Input& in, Draws&) {
  const double x = in.x, y = in.y;
  return Point3(x, y, 0.0);
}

/// spherical in space.
Point3 wildSpherical3D(const Input& in, Draws&) {
  const double x = in.x, y = in.y, z = in.z, w = in.weight;
  const double k = w / (x * x + y * y + z * z + 1e-10);
  return k * Point3(x, y, z);
}

/// A half sphere over the plane.
Point3 wildHemisphere(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double k = w / std::sqrt(x * x + y * y + 1.0);
  return k * Point3(x, y, 1.0);
}

/// bubble with factors.
Point3 wildBubble2(const Input& in, Draws&) {
  const double px = in.x, py = in.y, pz = in.z, w = in.weight;
  const double x = in.parameters[0], y = in.parameters[1], z = in.parameters[2];
  const double k = w / (0.25 * (px * px + py * py + pz * pz) + 1.0);
  const double lift = pz >= 0.0 ? pz + z : pz - z;
  return Point3(k * px * x, k * py * y, w * lift + k * pz * z);
}

/// julian in space.
Point3 wildJulia3D(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, z = in.z, w = in.weight;
  const double power = in.parameters[0];
  const double zn = z / std::abs(power);
  const double rest = x * x + y * y;
  const double k = w * std::pow(rest + zn * zn, (1.0 / power - 1.0) * 0.5);
  const double root = k * std::sqrt(rest);
  const double turn = std::trunc(std::abs(power) * draws.unit());
  const Point d = direction((std::atan2(y, x) + kTwoPi * turn) / power);
  return Point3(root * d, k * zn);
}

/// julian; z shrinks with the radius.
Point3 wildJulia3Dz(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, z = in.z, w = in.weight;
  const double power = in.parameters[0];
  const double rest = x * x + y * y;
  const double k = w * std::pow(rest, 0.5 / power);
  const double turn = std::trunc(std::abs(power) * draws.unit());
  const Point d = direction((std::atan2(y, x) + kTwoPi * turn) / power);
  return Point3(k * d, k * z / (std::sqrt(rest) * std::abs(power)));
}

/// curl in space.
Point3 wildCurl3D(const Input& in, Draws&) {
  const double x = in.x, y = in.y, z = in.z, w = in.weight;
  const double cx = in.parameters[0], cy = in.parameters[1], cz = in.parameters[2];
  const double s = x * x + y * y + z * z;
  const double k = w / (s * (cx * cx + cy * cy + cz * cz) + 2.0 * (cx * x - cy * y + cz * z) + 1.0);
  return k * Point3(x + cx * s, y - cy * s, z + cz * s);
}

/// blob with waves in z.
Point3 wildBlob3D(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double low = in.parameters[0], high = in.parameters[1], waves = in.parameters[2];
  const double a = std::atan2(x, y), wave = std::sin(waves * a);
  const double radius = std::sqrt(x * x + y * y) * (low + (high - low) * (0.5 + 0.5 * wave));
  return w * Point3(std::sin(a) * radius, std::cos(a) * radius, wave * radius);
}

/// blade, turned into space.
Point3 wildBlade3D(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double radius = draws.unit() * w * std::sqrt(x * x + y * y);
  const double s = std::sin(radius), c = std::cos(radius);
  return w * Point3(x * (c + s), x * (c - s), y * (s - c));
}

/// Waves in all three directions.
Point3 wildWaves23D(const Input& in, Draws&) {
  const double x = in.x, y = in.y, z = in.z, w = in.weight;
  const double freq = in.parameters[0], scale = in.parameters[1];
  return w * Point3(x + scale * std::sin(y * freq), y + scale * std::sin(x * freq),
                    z + scale * std::sin(0.5 * (x + y) * freq));
}

/// A turn of the hyperbolic ball.
Point3 wildPoincare3D(const Input& in, Draws&) {
  const double x = in.x, y = in.y, z = in.z, w = in.weight;
  const double r = in.parameters[0], a = in.parameters[1], b = in.parameters[2];
  const double half_pi = 0.5 * kPi;
  const double cx = -r * std::cos(a * half_pi) * std::cos(b * half_pi),
               cy = r * std::sin(a * half_pi) * std::cos(b * half_pi),
               cz = -r * std::sin(b * half_pi);
  const double xx = cx * cx, yy = cy * cy, zz = cz * cz, s = x * x + y * y + z * z;
  const double tx = 2.0 * cx * x, ty = 2.0 * cy * y, tz = 2.0 * cz * z;
  const double d = w / ((xx + yy + zz) * s - tx - ty - tz + 1.0);
  return d * Point3(x * (xx - yy - zz + 1.0) + cx * (ty + tz - s - 1.0),
                    y * (yy - xx - zz + 1.0) + cy * (tx + tz - s - 1.0),
                    z * (zz - yy - xx + 1.0) + cz * (ty + tx - s - 1.0));
}

/// Adds to z alone: its own part.
Point3 wildZscale(const Input& in, Draws&) {
  const double z = in.z, w = in.weight;
  return Point3(0.0, 0.0, w * z);
}

/// Adds to z alone: a shift.
Point3 wildZtranslate(const Input& in, Draws&) {
  const double w = in.weight;
  return Point3(0.0, 0.0, w);
}

/// Adds to z alone: the distance from the axis.
Point3 wildZcone(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  return Point3(0.0, 0.0, w * std::sqrt(x * x + y * y));
}

/// A ball of dust.
Point3 wildBlur3D(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double turn = draws.unit() * kTwoPi;
  const double radius = w * draws.gauss();
  const double tilt = draws.unit() * kPi;
  const Point a = direction(turn), b = direction(tilt);
  return radius * Point3(b.y * a.x, b.y * a.y, b.x);
}

/// A cylinder standing on the plane.
Point3 wildCylinderApo(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  return w * Point3(std::sin(x), y, std::cos(x));
}

/// butterfly with a fold.
Point3 wildButterfly3D(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double y2 = y * 2.0;
  const double radius = w * 1.30294004 * std::sqrt(std::abs(y * x) / (1e-10 + x * x + y2 * y2));
  return radius * Point3(x, y2, 0.25 * std::abs(y2) * std::sqrt(x * x + y * y));
}

/// A cube of dust.
Point3 wildSquare3D(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double a = draws.unit() - 0.5;
  const double b = draws.unit() - 0.5;
  const double c = draws.unit() - 0.5;
  return w * Point3(a, b, c);
}

/// Slices of dust, with height.
Point3 wildPie3D(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double slices = in.parameters[0], rotation = in.parameters[1], thickness = in.parameters[2];
  const double slice = std::trunc(draws.unit() * slices + 0.5);
  const double a = rotation + kTwoPi * (slice + draws.unit() * thickness) / slices;
  const double radius = w * draws.unit();
  return Point3(radius * direction(a), radius * std::sin(radius));
}

/// Lifts by the distance.
Point3 wildInflateZ1(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  return Point3(0.0, 0.0, w * (std::sin(std::atan2(y, x)) - 2.0 * y));
}

/// Turns about the x axis, by the weight in radians.
Point3 wildRotateX(const Input& in, Draws&) {
  const double x = in.x, y = in.y, z = in.z, w = in.weight;
  const Point d = direction(w * 0.5 * kPi);
  return Point3(x, d.x * y + d.y * z, d.x * z - d.y * y);
}

/// Turns about the y axis, by the weight in quarters.
Point3 wildRotateY(const Input& in, Draws&) {
  const double x = in.x, y = in.y, z = in.z, w = in.weight;
  const Point d = direction(w * 0.5 * kPi);
  return Point3(d.x * x - d.y * z, y, d.y * x + d.x * z);
}

/// Random turns of the hyperbolic ball.
Point3 wildHypertile3D1(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, z = in.z, w = in.weight;
  const double p = in.parameters[0], q = in.parameters[1];
  const double cp = std::cos(kTwoPi / p), cq = std::cos(kTwoPi / q);
  const double rest = (1.0 - cp) / (cp + cq);
  const double radius = rest > 0.0 ? 1.0 / std::sqrt(1.0 + rest) : 1.0;
  const double turn = std::trunc(p * draws.unit());
  const Point c = radius * direction(turn * kTwoPi / p);
  const double s = x * x + y * y + z * z, tx = 2.0 * c.x * x, ty = 2.0 * c.y * y,
               c2 = radius * radius;
  const double k = w / (c2 * s + tx - ty + 1.0);
  return k * Point3(x * (1.0 + c.x * c.x - c.y * c.y) - c.x * (ty - s - 1.0),
                    y * (1.0 + c.y * c.y - c.x * c.x) + c.y * (-tx - s - 1.0), z * (1.0 - c2));
}

/// Petals that open upwards.
Point3 wildFlowerDb(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double petals = in.parameters[0], petal_split = in.parameters[1],
               petal_spread = in.parameters[2], stem_thickness = in.parameters[3],
               stem_length = in.parameters[4], petal_fold_strength = in.parameters[5],
               petal_fold_radius = in.parameters[6];
  const double t = std::atan2(y, x);
  const double radius =
      w * std::sqrt(x * x + y * y) *
      std::abs((petal_spread + std::sin(petals * t)) * std::cos(petal_split * petals * t));
  double qz = -stem_thickness * (2.0 / radius - 1.0);
  const double away = std::abs(radius);
  qz += away > petal_fold_radius ? (away - petal_fold_radius) * petal_fold_strength : 0.0;
  qz = stem_length != 0.0 && qz <= -stem_length ? -stem_length : qz;
  return Point3(radius * std::sin(t), radius * std::cos(t), qz);
}

/// Blurs more the farther away, after the others.
Point3 wildFarblur(const Input& in, Draws& draws) {
  const double px = in.x, py = in.y, pz = in.z, w = in.weight;
  const double x = in.parameters[0], y = in.parameters[1], z = in.parameters[2],
               x_origin = in.parameters[3], y_origin = in.parameters[4],
               z_origin = in.parameters[5];
  const double dx = px - x_origin, dy = py - y_origin, dz = pz - z_origin;
  const double radius = w * (dx * dx + dy * dy + dz * dz) * draws.gauss();
  const Point u = direction(draws.unit() * kTwoPi);
  const Point v = direction(draws.unit() * kTwoPi);
  return Point3(px + x * radius * v.y * u.x, py + y * radius * v.y * u.y, pz + z * radius * v.x);
}

/// Scatter that grows with the distance: boxes, rays or bells.
Point3 wildFalloff2(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, z = in.z, w = in.weight;
  const double scatter = in.parameters[0], mindist = in.parameters[1], mul_x = in.parameters[2],
               mul_y = in.parameters[3], mul_z = in.parameters[4], x0 = in.parameters[6],
               y0 = in.parameters[7], z0 = in.parameters[8], invert = in.parameters[9],
               type = in.parameters[10];
  const double dx = x - x0, dy = y - y0, dz = z - z0;
  const double away = std::sqrt(dx * dx + dy * dy + dz * dz);
  double d = std::max(0.0, invert != 0.0 ? 1.0 - away : away);
  d = std::max(0.0, (d - std::max(0.0, mindist)) * 0.04 * std::max(scatter, 1e-6));
  const double u = draws.unit();
  const double v = draws.unit();
  const double t = draws.unit();
  if (type == 1.0) {
    const double length = std::sqrt(x * x + y * y + z * z) + 1e-6, lift = z / length;
    const double tilt =
        std::atan2(lift, std::sqrt(std::max((1.0 - lift) * (1.0 + lift), 0.0))) + mul_z * u * d;
    const double radius = length + mul_x * t * d;
    const Point a = direction(std::atan2(y, x) + mul_y * v * d), b = direction(tilt);
    return w * Point3(radius * b.x * a.x, radius * b.x * a.y, b.y);
  }
  if (type == 2.0) {
    const Point a = direction(d * v * kPi), b = direction(d * u * kTwoPi);
    const double radius = d * t;
    return w * Point3(x + mul_x * radius * b.x * a.x, y + mul_y * radius * b.x * a.y,
                      z + mul_z * radius * b.y);
  }
  return w * Point3(x + mul_x * u * d, y + mul_y * v * d, z + mul_z * t * d);
}

/// Points mirrored at planes, half of them.
Point3 wildMirrorWf(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, z = in.z;
  const double xaxis = in.parameters[0], yaxis = in.parameters[1], zaxis = in.parameters[2],
               xshift = in.parameters[3], yshift = in.parameters[4], zshift = in.parameters[5],
               xscale = in.parameters[6], yscale = in.parameters[7];
  double tx = x, ty = y, tz = z;
  if (xaxis > 0.0 && draws.unit() < 0.5) {
    tx = xscale * (-tx - xshift);
    ty = yscale * ty;
  }
  if (yaxis > 0.0 && draws.unit() < 0.5) {
    tx = xscale * tx;
    ty = yscale * (-ty - yshift);
  }
  if (zaxis > 0.0 && draws.unit() < 0.5) tz = -tz - zshift;
  return Point3(tx, ty, tz);
}

/// Adds to z alone: a fading wave.
Point3 wildInflateZ3(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double a = std::atan2(y, x);
  return Point3(0.0, 0.0, w * 0.2 * (kPi - a) * std::cos(3.0 * a + (y - x)));
}

/// spherical in space by a power, turned at the origin on request.
Point3 wildSpherical3DWf(const Input& in, Draws&) {
  const double x = in.x, y = in.y, z = in.z, w = in.weight;
  const double invert = in.parameters[0], exponent = in.parameters[1];
  const double k = w / std::pow(x * x + y * y + z * z + 1e-10, 0.5 * exponent);
  return (invert == 0.0 ? k : -k) * Point3(x, y, z);
}

/// scry in space.
Point3 wildScry3D(const Input& in, Draws&) {
  const double x = in.x, y = in.y, z = in.z, w = in.weight;
  const double t = x * x + y * y + z * z;
  const double k = 1.0 / (std::sqrt(t) * (t + 1.0 / (w + 1e-10)));
  return k * Point3(x, y, z != 0.0 ? z : std::atan2(y, x));
}

/// julian with a matrix and a height.
Point3 wildJulian3Dx(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, w = in.weight;
  const double power = in.parameters[0], dist = in.parameters[1], a = in.parameters[2],
               b = in.parameters[3], c = in.parameters[4], d = in.parameters[5],
               e = in.parameters[6], f = in.parameters[7];
  const double h = x / std::abs(power), s = x * x + y * y;
  const double k = w * std::pow(s + h * h, 0.5 * (dist / power - 1.0));
  const double tx = a * x + b * y + e, ty = c * x + d * y + f;
  const double turn = std::trunc(std::abs(power) * draws.unit());
  const Point q = direction((std::atan2(ty, tx) + kTwoPi * turn) / power);
  return Point3(k * std::sqrt(s) * q, k * h);
}

/// Whitney's umbrella.
Point3 wildWhitneyUmbrella(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  return w * Point3(x * y, x, y * y);
}

/// A torus.
Point3 wildTaurus(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double r = in.parameters[0], n = in.parameters[1], inv = in.parameters[2],
               sor = in.parameters[3];
  const double ring = inv * r + (1.0 - inv) * r * std::cos(n * x) + std::sin(y);
  return Point3(w * std::cos(x) * ring, w * std::sin(x) * ring,
                w * sor * std::cos(y) + (1.0 - sor) * y);
}

/// tanh of a quaternion.
Point3 wildTanhq(const Input& in, Draws&) {
  const double x = in.x, y = in.y, z = in.z, w = in.weight;
  const double v = std::sqrt(y * y + z * z), s = std::sin(v), c = std::cos(v), s2 = y * y + z * z;
  const double grown = std::exp(x), shrunk = 1.0 / grown, sh = 0.5 * (grown - shrunk),
               ch = 0.5 * (grown + shrunk);
  const double k = w / (x * x + s2), a = ch * s / v, b = sh * s / v, u = sh * c, t = ch * c;
  return k * Point3(u * t + a * b * s2, -u * b * y + a * y * t, -u * b * z + a * z * t);
}

/// sec of a quaternion.
Point3 wildSecq(const Input& in, Draws&) {
  const double x = in.x, y = in.y, z = in.z, w = in.weight;
  const double v = std::sqrt(y * y + z * z), grown = std::exp(v), shrunk = 1.0 / grown;
  const double k = w / (x * x + y * y + z * z);
  const double s = -std::sin(x), lift = k / w * s * 0.5 * (grown - shrunk) / v;
  return Point3(std::cos(x) * 0.5 * (grown + shrunk) * k, -lift * y, -lift * z);
}

/// A line in space.
Point3 wildLine(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double delta = in.parameters[0], phi = in.parameters[1];
  const Point d = direction(delta * kPi), tilt = direction(phi * kPi);
  const double far = w * draws.unit();
  return far * Point3(d.x * tilt.x, d.y * tilt.x, tilt.y);
}

/// A pyramid.
Point3 wildPyramid(const Input& in, Draws&) {
  const double x = in.x, y = in.y, z = in.z, w = in.weight;
  const double cx = x * x * x, cy = y * y * y, cz = std::abs(z * z * z);
  const double k = w / (std::abs(cx) + std::abs(cy) + cz + 1e-9);
  return k * Point3(cx, cy, cz);
}

/// disc with a height.
Point3 wildDisc3d(const Input& in, Draws&) {
  const double x = in.x, y = in.y, z = in.z, w = in.weight;
  const double pi = in.parameters[0];
  const double radius = std::sqrt(x * x + y * y + 1e-10), k = w * std::atan2(x, y) / (pi + 1e-10);
  return k * Point3(std::sin(pi * radius), std::cos(pi * radius), radius * std::cos(z));
}

/// Strips, every other one mirrored.
Point3 wildLazysensen(const Input& in, Draws&) {
  const double x = in.x, y = in.y, z = in.z, w = in.weight;
  const double scale_x = in.parameters[0], scale_y = in.parameters[1], scale_z = in.parameters[2];
  const double nx = std::floor(x * scale_x), ny = std::floor(y * scale_y),
               nz = std::floor(z * scale_z);
  const double ox = std::abs(nx) - 2.0 * std::floor(0.5 * std::abs(nx)),
               oy = std::abs(ny) - 2.0 * std::floor(0.5 * std::abs(ny)),
               oz = std::abs(nz) - 2.0 * std::floor(0.5 * std::abs(nz));
  const bool fx = scale_x != 0.0 && (nx >= 0.0 ? ox == 1.0 : ox == 0.0),
             fy = scale_y != 0.0 && (ny >= 0.0 ? oy == 1.0 : oy == 0.0),
             fz = scale_z != 0.0 && (nz >= 0.0 ? oz == 1.0 : oz == 0.0);
  return w * Point3(fx ? -x : x, fy ? -y : y, fz ? -z : z);
}

/// Adds to z alone: a half wave around the axis.
Point3 wildInflateZ5(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  return Point3(0.0, 0.0, w * 0.5 * std::sin(std::atan2(y, x)));
}

// Rows, in the order of their numbers.

WildFamily wildDepthRows1() {
  return {
      {"linear3D", kPassesZ, wildLinear3D},
      {"flatten", kPassesZ, wildFlatten},
      {"spherical3D", kReadsZ | kPassesZ, wildSpherical3D},
      {"hemisphere", kMakesZ, wildHemisphere},
      {"bubble2",
       kMakesZ | kReadsZ,
       wildBubble2,
       {{"x", 1, -3, 3}, {"y", 1, -3, 3}, {"z", 0, -3, 3}}},
      {"julia3D", kReadsZ | kPassesZ, wildJulia3D, {{"power", 2, -10, 10}}},
      {"julia3Dz", kPassesZ, wildJulia3Dz, {{"power", 2, -10, 10}}},
      {"curl3D",
       kMakesZ | kReadsZ,
       wildCurl3D,
       {{"cx", 0, -2, 2}, {"cy", 0.05, -2, 2}, {"cz", 0.05, -2, 2}}},
      {"blob3D",
       kMakesZ,
       wildBlob3D,
       {{"low", 0.3, -2, 2}, {"high", 1.2, -2, 2}, {"waves", 6, 1, 20}}},
      {"blade3D", kMakesZ, wildBlade3D},
      {"waves2_3D", kMakesZ | kReadsZ, wildWaves23D, {{"freq", 2, -10, 10}, {"scale", 1, -3, 3}}},
      {"poincare3D",
       kMakesZ | kReadsZ,
       wildPoincare3D,
       {{"r", 0, -1, 1}, {"a", 0, -2, 2}, {"b", 0, -2, 2}}},
      {"zscale", kPassesZ, wildZscale},
      {"ztranslate", kMakesZ, wildZtranslate},
      {"zcone", kMakesZ, wildZcone},
      {"blur3D", kMakesZ, wildBlur3D, {}, true},
      {"cylinder_apo", kMakesZ, wildCylinderApo},
      {"butterfly3D", kMakesZ | kReadsZ, wildButterfly3D},
      {"square3D", kMakesZ, wildSquare3D, {}, true},
      {"pie3D",
       kMakesZ,
       wildPie3D,
       {{"slices", 6, 1, 20}, {"rotation", 0, -3.15, 3.15}, {"thickness", 0.5, 0, 1}},
       true},
      {"inflateZ_1", kMakesZ, wildInflateZ1},
      {"rotate_x", kMakesZ | kReadsZ, wildRotateX},
      {"rotate_y", kMakesZ | kReadsZ, wildRotateY},
      {"hypertile3D1", kMakesZ | kReadsZ, wildHypertile3D1, {{"p", 3, 3, 12}, {"q", 7, 3, 12}}},
  };
}

WildFamily wildDepthRows2() {
  return {
      {"flower_db",
       kMakesZ,
       wildFlowerDb,
       {{"petals", 6, 1, 20},
        {"petal_split", 0, -3, 3},
        {"petal_spread", 1, -3, 3},
        {"stem_thickness", 1, -3, 3},
        {"stem_length", 0, -3, 3},
        {"petal_fold_strength", 0, -3, 3},
        {"petal_fold_radius", 1, 0, 3}}},
      {"farblur",
       kMakesZ,
       wildFarblur,
       {{"x", 1, -3, 3},
        {"y", 1, -3, 3},
        {"z", 1, -3, 3},
        {"x_origin", 0, -3, 3},
        {"y_origin", 0, -3, 3},
        {"z_origin", 0, -3, 3}}},
      {"falloff2",
       kMakesZ | kReadsZ,
       wildFalloff2,
       {{"scatter", 1, 0, 4},
        {"mindist", 0.5, 0, 3},
        {"mul_x", 1, 0, 1},
        {"mul_y", 1, 0, 1},
        {"mul_z", 0, 0, 1},
        {"mul_c", 0, 0, 1},
        {"x0", 0, -3, 3},
        {"y0", 0, -3, 3},
        {"z0", 0, -3, 3},
        {"invert", 0, 0, 1},
        {"type", 0, 0, 2}}},
      {"mirror_wf",
       kMakesZ,
       wildMirrorWf,
       {{"xaxis", 1, 0, 1},
        {"yaxis", 0, 0, 1},
        {"zaxis", 0, 0, 1},
        {"xshift", 0, -3, 3},
        {"yshift", 0, -3, 3},
        {"zshift", 0, -3, 3},
        {"xscale", 1, -3, 3},
        {"yscale", 1, -3, 3}}},
      {"inflateZ_3", kMakesZ, wildInflateZ3},
  };
}

WildFamily wildDepthRows3() {
  return {
      {"spherical3D_wf",
       kReadsZ | kPassesZ,
       wildSpherical3DWf,
       {{"invert", 0, 0, 1}, {"exponent", 2, -4, 4}}},
      {"scry_3D", kMakesZ | kReadsZ, wildScry3D},
      {"julian3Dx",
       kMakesZ,
       wildJulian3Dx,
       {{"power", 2, -10, 10},
        {"dist", 1, -3, 3},
        {"a", 1, -3, 3},
        {"b", 0, -3, 3},
        {"c", 0, -3, 3},
        {"d", 1, -3, 3},
        {"e", 0, -3, 3},
        {"f", 0, -3, 3}}},
      {"whitney_umbrella", kMakesZ, wildWhitneyUmbrella},
      {"taurus",
       kMakesZ,
       wildTaurus,
       {{"r", 3, -5, 5}, {"n", 5, -10, 10}, {"inv", 1.5, -3, 3}, {"sor", 1, -3, 3}}},
      {"tanhq", kReadsZ | kPassesZ, wildTanhq},
      {"secq", kReadsZ | kPassesZ, wildSecq},
      {"line", kMakesZ, wildLine, {{"delta", 0, -3, 3}, {"phi", 0, -3, 3}}},
      {"pyramid", kReadsZ | kPassesZ, wildPyramid},
      {"disc3d", kMakesZ, wildDisc3d, {{"pi", 3.14159265, -5, 5}}},
      {"lazysensen",
       kMakesZ | kReadsZ,
       wildLazysensen,
       {{"scale_x", 1, -5, 5}, {"scale_y", 1, -5, 5}, {"scale_z", 0, -5, 5}}},
      {"inflateZ_5", kMakesZ, wildInflateZ5},
  };
}

}  // namespace

WildFamily wildDepthVariations() {
  return joined({wildDepthRows1(), wildDepthRows2(), wildDepthRows3()});
}

}  // namespace fathom::flame
