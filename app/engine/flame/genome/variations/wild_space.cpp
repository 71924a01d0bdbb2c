// SPDX-License-Identifier: BSD-3-Clause
// Variations of other programs in space.
#include "app/engine/flame/genome/variations/family.h"

#include <algorithm>
#include <cmath>

namespace fathom::flame {
namespace {

/// Half away from minus infinity, as in shaders.
double nearestOfSpace(double v) { return std::floor(v + 0.5); }

/// A triangle of dust.
Point3 wildTriangle(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double x1 = in.parameters[0], y1 = in.parameters[1], z1 = in.parameters[2],
               x2 = in.parameters[3], y2 = in.parameters[4], z2 = in.parameters[5],
               x3 = in.parameters[6], y3 = in.parameters[7], z3 = in.parameters[8];
  double root = std::sqrt(draws.unit());
  double share = draws.unit();
  double a = 1.0 - root, b = root * (1.0 - share), c = share * root;
  return w * (a * Point3(x1, y1, z1) + b * Point3(x2, y2, z2) + c * Point3(x3, y3, z3));
}

/// spherical in space, with a factor per axis.
Point3 wildSph3D(const Input& in, Draws&) {
  const double x = in.x, y = in.y, z = in.z, w = in.weight;
  const double x_p = in.parameters[0], y_p = in.parameters[1];
  double a = x_p * x, b = y_p * y, c = x_p * z;
  double r = w / (a * a + b * b + c * c);
  return r * Point3(x, y, z);
}

/// An affine map of space.
Point3 wildAffine3D(const Input& in, Draws&) {
  const double x = in.x, y = in.y, z = in.z, w = in.weight;
  const double translateX = in.parameters[0], translateY = in.parameters[1],
               translateZ = in.parameters[2], scaleX = in.parameters[3], scaleY = in.parameters[4],
               scaleZ = in.parameters[5], rotateX = in.parameters[6], rotateY = in.parameters[7],
               rotateZ = in.parameters[8], shearXY = in.parameters[9], shearXZ = in.parameters[10],
               shearYX = in.parameters[11], shearYZ = in.parameters[12],
               shearZX = in.parameters[13], shearZY = in.parameters[14];
  double a = shearXY * scaleY * y + shearXZ * scaleZ * z + scaleX * x;
  double b = shearYX * scaleX * x + shearYZ * scaleZ * z + scaleY * y;
  double c = shearZX * scaleX * x + shearZY * scaleY * y + scaleZ * z;
  Point tx = direction(kPi / 180.0 * rotateX), ty = direction(kPi / 180.0 * rotateY),
        tz = direction(kPi / 180.0 * rotateZ);
  double bx = tx.x * b - tx.y * c, cx = tx.y * b + tx.x * c;
  double ay = ty.x * a + ty.y * cx, cy = ty.x * cx - ty.y * a;
  return w * Point3(tz.x * ay - tz.y * bx + translateX, tz.y * ay + tz.x * bx + translateY,
                    cy + translateZ);
}

/// julia3D with a divisor.
Point3 wildJulia3Dq(const Input& in, Draws& draws) {
  const double x = in.x, y = in.y, z = in.z, w = in.weight;
  const double power = in.parameters[0], divisor = in.parameters[1];
  double inverse = divisor / power;
  double turn = std::floor(draws.unit() * std::max(std::abs(power), 1.0));
  double a = std::atan2(y, x) * inverse + kTwoPi / power * turn;
  double zn = z * std::abs(inverse), r2 = x * x + y * y;
  double r = w * std::pow(r2 + zn * zn, 0.5 * inverse - 0.5);
  return Point3(r * std::sqrt(r2) * direction(a), r * zn);
}

/// Eight corners around the middle.
Point3 wildOctagon(const Input& in, Draws&) {
  const double x = in.x, y = in.y, z = in.z, w = in.weight;
  const double x_p = in.parameters[0], y_p = in.parameters[1], z_p = in.parameters[2],
               mode = in.parameters[3];
  double kind = nearestOfSpace(mode);
  double r = x * x * x * x + y * y * y * y + 2.0 * z * z;
  double t = std::abs(x) + std::abs(y) + 2.0 * std::sqrt(kind > 1.5 ? std::abs(z) : z);
  r = r == 0.0 ? 1e-30 : r;
  t = t == 0.0 ? 1e-30 : t;
  bool near = (kind > 4.5 ? t : r) <= 0.5 * w;
  bool splits = near || kind == 1.0;
  double m = near                         ? (kind == 4.0                  ? 1.0 / r
                                             : kind == 3.0 || kind == 5.0 ? 1.0 / t
                                                                          : 1.0 + 1.0 / t)
             : kind == 1.0                ? (w >= 0.0 ? 1.0 / r + 1.0 / t : 1.0 + 1.0 / r)
             : kind == 2.0 || kind == 6.0 ? 1.0 + 1.0 / r
                                          : 1.0 / r;
  Point3 q = m * Point3(x, y, z);
  if (splits)
    q += Point3(x >= 0.0 ? x + x_p : x - x_p, y >= 0.0 ? y + y_p : y - y_p,
                z >= 0.0 ? z + z_p : z - z_p);
  return w * q;
}

/// A surface of Enneper.
Point3 wildEnnepers2(const Input& in, Draws&) {
  const double x = in.x, y = in.y, w = in.weight;
  const double a = in.parameters[0], b = in.parameters[1], c = in.parameters[2];
  double k = 1.0 / (x * x + y * y), d = a * x * a * x - b * y * b * y;
  return w * Point3(x * (a * a - d * k - c * std::sqrt(std::abs(x))),
                    y * (b * b - d * k - c * std::sqrt(std::abs(y))), 0.5 * d * std::sqrt(k));
}

/// A ball, denser towards the middle.
Point3 wildSphereblur(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double power = in.parameters[0];
  double turn = kTwoPi * draws.unit();
  double u = 2.0 * draws.unit() - 1.0;
  double v = 2.0 * std::pow(draws.unit(), std::max(power, 0.0)) - 1.0;
  double r = w * std::pow(std::atan2(std::sqrt(std::max(1.0 - v * v, 0.0)), v) / kPi, 1.0 / 3.0),
         side = std::sqrt(std::max(1.0 - u * u, 0.0));
  return r * Point3(side * direction(turn), u);
}

/// The same with a height.
Point3 wildSpirograph3D(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double a = in.parameters[0], b = in.parameters[1], c = in.parameters[2],
               tmin = in.parameters[3], tmax = in.parameters[4], width = in.parameters[5],
               mode = in.parameters[6];
  double t = (tmax - tmin) * draws.unit() + tmin;
  double kind = nearestOfSpace(mode), half_width = 0.5 * width;
  double r1 = draws.unit();
  double r2 = draws.unit();
  double r3 = draws.unit();
  double w1 = width * r1 - half_width;
  Point3 v = Point3(w1, w1, w1);
  if (kind == 1.0)
    v = w1 * Point3(std::sin(36.0 * t), std::sin(36.0 * t + kTwoPi / 3.0),
                    std::sin(36.0 * t + 2.0 * kTwoPi / 3.0));
  if (kind == 2.0) v = Point3(w1, width * r2 - half_width, width * r3 - half_width);
  if (kind == 3.0) {
    for (int i = 0; i < 3; ++i) r1 += draws.unit();
    for (int i = 0; i < 3; ++i) r2 += draws.unit();
    for (int i = 0; i < 3; ++i) r3 += draws.unit();
    v = half_width * Point3(r1 - 2.0, r2 - 2.0, r3 - 2.0);
  }
  if (kind == 4.0) v = Point3(r1 < 0.5 ? width : -width, 0.0, 0.0);
  double u = (a + b) / b * t;
  return w * (Point3((a + b) * std::cos(t) - c * std::cos(u),
                     (a + b) * std::sin(t) - c * std::sin(u), c * std::sin(u)) +
              v);
}

double supershape3DRadius(double at, double a, double b, double n1, double n2, double n3) {
  Point d = direction(at);
  return std::pow(std::pow(std::abs(1.0 / a), n2) * std::pow(std::abs(d.x), n2) +
                      std::pow(std::abs(1.0 / b), n3) * std::pow(std::abs(d.y), n3),
                  -1.0 / n1);
}

/// The superformula twice, on a sphere or a torus.
Point3 wildSupershape3D(const Input& in, Draws& draws) {
  const double w = in.weight;
  const double rho = in.parameters[0], phi = in.parameters[1], m1 = in.parameters[2],
               m2 = in.parameters[3], a1 = in.parameters[4], a2 = in.parameters[5],
               b1 = in.parameters[6], b2 = in.parameters[7], n1_1 = in.parameters[8],
               n1_2 = in.parameters[9], n2_1 = in.parameters[10], n2_2 = in.parameters[11],
               n3_1 = in.parameters[12], n3_2 = in.parameters[13], spiral = in.parameters[14],
               toroidmap = in.parameters[15];
  double t = draws.unit() * rho * 2.0 / kPi;
  double s = draws.unit() * phi * 2.0 / kPi;
  s = draws.unit() < 0.5 ? s : -s;
  double r1 = supershape3DRadius(0.25 * m1 * t, a1, b1, n1_1, n2_1, n3_1) + spiral * t;
  double r2 = supershape3DRadius(0.25 * m2 * s, a2, b2, n1_2, n2_2, n3_2);
  Point d = direction(t), e = direction(s);
  if (nearestOfSpace(toroidmap) == 1.0) return w * Point3((r1 + r2 * e.x) * d, r2 * e.y);
  return w * Point3(r1 * r2 * e.x * d, r2 * e.y);
}

/// The affine map that JWildfire has for y and z.
Point3 wildYzAffine(const Input& in, Draws&) {
  const double x = in.x, y = in.y, z = in.z, w = in.weight;
  const double a = in.parameters[0], d = in.parameters[1], b = in.parameters[2],
               e = in.parameters[3], c = in.parameters[4], f = in.parameters[5];
  return w * Point3(x, a * y + b * z + c, d * y + e * z + f);
}

/// The one for z and x.
Point3 wildZxAffine(const Input& in, Draws&) {
  const double x = in.x, y = in.y, z = in.z, w = in.weight;
  const double a = in.parameters[0], d = in.parameters[1], b = in.parameters[2],
               e = in.parameters[3], c = in.parameters[4], f = in.parameters[5];
  return w * Point3(a * x + b * z + c, y, d * x + e * z + f);
}

/// In the order in which genomes write coefs.
std::vector<ParameterInfo> affineParameters() {
  return {{"a", 1, -3, 3}, {"d", 0, -3, 3}, {"b", 0, -3, 3},
          {"e", 1, -3, 3}, {"c", 0, -3, 3}, {"f", 0, -3, 3}};
}

// Rows, in the order of their numbers.

WildFamily wildSpaceRows1() {
  return {
      {"triangle",
       kMakesZ,
       wildTriangle,
       {{"x1", -0.2, -3, 3},
        {"y1", -0.1, -3, 3},
        {"z1", 0, -3, 3},
        {"x2", 0.2, -3, 3},
        {"y2", -0.1, -3, 3},
        {"z2", 0, -3, 3},
        {"x3", 0.2, -3, 3},
        {"y3", 0.1, -3, 3},
        {"z3", 0, -3, 3}},
       true},
      {"sph3D",
       kReadsZ | kPassesZ,
       wildSph3D,
       {{"x", 0.75, -3, 3}, {"y", 1, -3, 3}, {"z", 0.5, -3, 3}}},
      {"affine3D",
       kMakesZ | kReadsZ | kPassesZ,
       wildAffine3D,
       {{"translateX", 0, -3, 3},
        {"translateY", 0, -3, 3},
        {"translateZ", 0, -3, 3},
        {"scaleX", 1, -3, 3},
        {"scaleY", 1, -3, 3},
        {"scaleZ", 1, -3, 3},
        {"rotateX", 0, -180, 180},
        {"rotateY", 0, -180, 180},
        {"rotateZ", 0, -180, 180},
        {"shearXY", 0, -3, 3},
        {"shearXZ", 0, -3, 3},
        {"shearYX", 0, -3, 3},
        {"shearYZ", 0, -3, 3},
        {"shearZX", 0, -3, 3},
        {"shearZY", 0, -3, 3}}},
      {"julia3Dq", kReadsZ | kPassesZ, wildJulia3Dq, {{"power", 3, -8, 8}, {"divisor", 2, 1, 8}}},
      {"octagon",
       kMakesZ | kReadsZ | kPassesZ,
       wildOctagon,
       {{"x", 0, -3, 3}, {"y", 0, -3, 3}, {"z", 0, -3, 3}, {"mode", 1, 0, 6}}},
      {"ennepers2",
       kMakesZ,
       wildEnnepers2,
       {{"a", 1, -3, 3}, {"b", 0.3333, -3, 3}, {"c", 0.075, -3, 3}}},
      {"sphereblur", kMakesZ, wildSphereblur, {{"power", 1, 0, 5}}, true},
  };
}

WildFamily wildSpaceRows2() {
  return {
      {"spirograph3D",
       kMakesZ,
       wildSpirograph3D,
       {{"a", 1, -5, 5},
        {"b", -0.3, -5, -0.1},
        {"c", 0.4, -3, 3},
        {"tmin", 0, -100, 100},
        {"tmax", 1000, -1000, 1000},
        {"width", 0, -1, 1},
        {"mode", 0, 0, 4}},
       true},
      {"supershape3D",
       kMakesZ,
       wildSupershape3D,
       {{"rho", 9.9, -20, 20},
        {"phi", 2.5, -5, 5},
        {"m1", 6, 0, 20},
        {"m2", 3, 0, 20},
        {"a1", 1, 0.1, 3},
        {"a2", 1, 0.1, 3},
        {"b1", 1, 0.1, 3},
        {"b2", 1, 0.1, 3},
        {"n1_1", 1, 0.1, 10},
        {"n1_2", 1, 0.1, 10},
        {"n2_1", 1, 0, 10},
        {"n2_2", 1, 0, 10},
        {"n3_1", 1, 0, 10},
        {"n3_2", 1, 0, 10},
        {"spiral", 0, -2, 2},
        {"toroidmap", 0, 0, 1}},
       true},
      {"yz_affine", kMakesZ | kReadsZ | kPassesZ, wildYzAffine, affineParameters()},
  };
}

WildFamily wildSpaceRows3() {
  return {
      {"zx_affine", kMakesZ | kReadsZ | kPassesZ, wildZxAffine, affineParameters()},
  };
}

}  // namespace

WildFamily wildSpaceVariations() {
  return joined({wildSpaceRows1(), wildSpaceRows2(), wildSpaceRows3()});
}

}  // namespace fathom::flame
