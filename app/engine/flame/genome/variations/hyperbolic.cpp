// SPDX-License-Identifier: BSD-3-Clause
// Sine, cosine and their kin of the complex number x + iy, in flam3's forms (cot, csc and others
// differ from the textbook by a sign or a conjugate; they are kept).
#include "app/engine/flame/genome/variations/family.h"

namespace fathom::flame {
namespace {

struct Sines {  // of one coordinate
  double sin, cos, sinh, cosh;
  explicit Sines(double v)
      : sin(std::sin(v)), cos(std::cos(v)), sinh(std::sinh(v)), cosh(std::cosh(v)) {}
};

Point complexSin(const Input& in, Draws&) {
  const Sines x(in.x), y(in.y);
  return in.weight * Point(x.sin * y.cosh, x.cos * y.sinh);
}

Point complexCos(const Input& in, Draws&) {
  const Sines x(in.x), y(in.y);
  return in.weight * Point(x.cos * y.cosh, -x.sin * y.sinh);
}

Point complexTan(const Input& in, Draws&) {
  const Sines x(2 * in.x), y(2 * in.y);
  return in.weight / (x.cos + y.cosh) * Point(x.sin, y.sinh);
}

Point complexSec(const Input& in, Draws&) {
  const Sines x(in.x), y(in.y);
  return 2 * in.weight / (std::cos(2 * in.x) + std::cosh(2 * in.y)) *
         Point(x.cos * y.cosh, x.sin * y.sinh);
}

Point complexCsc(const Input& in, Draws&) {
  const Sines x(in.x), y(in.y);
  return 2 * in.weight / (std::cosh(2 * in.y) - std::cos(2 * in.x)) *
         Point(x.sin * y.cosh, -x.cos * y.sinh);
}

Point complexCot(const Input& in, Draws&) {
  const Sines x(2 * in.x), y(2 * in.y);
  return in.weight / (y.cosh - x.cos) * Point(x.sin, -y.sinh);
}

Point complexSinh(const Input& in, Draws&) {
  const Sines x(in.x), y(in.y);
  return in.weight * Point(x.sinh * y.cos, x.cosh * y.sin);
}

Point complexCosh(const Input& in, Draws&) {
  const Sines x(in.x), y(in.y);
  return in.weight * Point(x.cosh * y.cos, x.sinh * y.sin);
}

Point complexTanh(const Input& in, Draws&) {
  const Sines x(2 * in.x), y(2 * in.y);
  return in.weight / (y.cos + x.cosh) * Point(x.sinh, y.sin);
}

Point complexSech(const Input& in, Draws&) {
  const Sines x(in.x), y(in.y);
  return 2 * in.weight / (std::cos(2 * in.y) + std::cosh(2 * in.x)) *
         Point(y.cos * x.cosh, -y.sin * x.sinh);
}

Point complexCsch(const Input& in, Draws&) {
  const Sines x(in.x), y(in.y);
  return 2 * in.weight / (std::cosh(2 * in.x) - std::cos(2 * in.y)) *
         Point(x.sinh * y.cos, -x.cosh * y.sin);
}

Point complexCoth(const Input& in, Draws&) {
  const Sines x(2 * in.x), y(2 * in.y);
  return in.weight / (x.cosh - y.cos) * Point(x.sinh, y.sin);
}

}  // namespace

VariationFamily hyperbolicVariations() {
  return {
      {84, "sin", complexSin},   {85, "cos", complexCos},   {86, "tan", complexTan},
      {87, "sec", complexSec},   {88, "csc", complexCsc},   {89, "cot", complexCot},
      {90, "sinh", complexSinh}, {91, "cosh", complexCosh}, {92, "tanh", complexTanh},
      {93, "sech", complexSech}, {94, "csch", complexCsch}, {95, "coth", complexCoth},
  };
}

}  // namespace fathom::flame
