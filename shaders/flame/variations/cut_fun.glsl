// SPDX-License-Identifier: BSD-3-Clause
// cut_fun: Hides the dark ones of squares by chance, which join where they meet at a corner.
// Number 370: hides, assigns
// Parameters: seed 1000 (0 to 10000), mode 1 (0 to 1), zoom 10 (0.1 to 30), invert 0 (0 to 1)
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/doubles.glsl"
#include "shaders/flame/chaos/shapes.glsl"

/// Whether a square is light, by the last digits of a sine: in double precision.
bool cutFunLight(double x, double y) {
  double turned = floor(x) * (double(129898) / 10000.0) + floor(y) * (double(78233) / 1000.0);
  double v = sineInDouble(turned) * (double(437585453) / 10000.0);
  return v - floor(v) >= 0.5;
}

vec2 variation_cut_fun(Point p, float w, float seed, float mode, float zoom, float invert) {
  float px = p.xy.x, py = p.xy.y;
  double first = javaNext(javaSeed(nearestOf(abs(seed)))), second = javaNext(first);
  double third = javaNext(second), fourth = javaNext(third), scale = double(nearestOf(abs(seed)));
  bool drawn = nearestOf(mode) != 0.0;
  float u = unit(), v = unit();
  float x = drawn ? u : px, y = drawn ? v : py;
  double at_x = double(x) * double(zoom) + scale * javaUnit(first, second);
  double at_y = double(y) * double(zoom) + scale * javaUnit(third, fourth);
  float in_x = 2.0 * float(at_x - floor(at_x)) - 1.0, in_y = 2.0 * float(at_y - floor(at_y)) - 1.0;
  double side_step = double(9) / 10.0;
  double to_x = at_x + (in_x > 0.0 ? side_step : in_x < 0.0 ? -side_step : double(0));
  double to_y = at_y + (in_y > 0.0 ? side_step : in_y < 0.0 ? -side_step : double(0));
  bool own = cutFunLight(at_x, at_y), side = cutFunLight(to_x, at_y),
       above = cutFunLight(at_x, to_y);
  bool corner = cutFunLight(to_x, to_y);
  bool joined = side != above ? own : own == corner && side != own ? false : side;
  float far = sqrt(in_x * in_x + in_y * in_y);
  bool light = own || (far > 1.01 && joined);
  bool inside = light == (nearestOf(invert) != 0.0);
  setHidden(!inside, w);
  float shift = drawn ? 0.5 : 0.0;
  return w * (keptWithin(inside, vec2(x, y)) - vec2(shift, shift));
}
