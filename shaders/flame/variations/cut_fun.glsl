// SPDX-License-Identifier: BSD-3-Clause
// cut_fun: Hides the dark ones of squares by chance, which join where they meet at a corner.
// Number 370: hides, assigns
// Parameters: seed 1000 (0 to 10000), mode 1 (0 to 1), zoom 10 (0.1 to 30), invert 0 (0 to 1)
#include "shaders/flame/chaos/java_random.glsl"
#include "shaders/flame/chaos/point.glsl"
#include "shaders/flame/chaos/shapes.glsl"

/// Whether a square is light, by the last digits of a sine.
bool cutFunLight(Wide x, Wide y) {
  Wide turned = plus(times(floorOf(x), wide(12.989800453186035, -4.531860327006143e-07)),
                     times(floorOf(y), wide(78.23300170898438, -1.7089844277506927e-06)));
  Wide v = times(sineOf(turned), wide(43758.546875, -0.0015750000020489097));
  return narrow(minus(v, floorOf(v))) >= 0.5;
}
/// 0.9 to the nearer side.
Wide cutFunBeside(Wide at, float inside) {
  Wide most = wide(0.8999999761581421, 2.3841858265427618e-08);
  return inside > 0.0 ? plus(at, most) : inside < 0.0 ? minus(at, most) : at;
}
/// Where a coordinate lies within its square, -1..1.
float cutFunInside(Wide at) { return 2.0 * narrow(minus(at, floorOf(at))) - 1.0; }

vec2 variation_cut_fun(Point p, float w, float seed, float mode, float zoom, float invert) {
  float px = p.xy.x, py = p.xy.y, scale = nearestOf(abs(seed));
  uvec2 first = javaNext(javaSeed(scale)), second = javaNext(first);
  uvec2 third = javaNext(second), fourth = javaNext(third);
  bool drawn = nearestOf(mode) != 0.0;
  float u = unit(), v = unit();
  float x = drawn ? u : px, y = drawn ? v : py;
  Wide at_x = plus(times(wide(x), wide(zoom)), times(wide(scale), javaUnit(first, second)));
  Wide at_y = plus(times(wide(y), wide(zoom)), times(wide(scale), javaUnit(third, fourth)));
  float in_x = cutFunInside(at_x), in_y = cutFunInside(at_y);
  Wide to_x = cutFunBeside(at_x, in_x), to_y = cutFunBeside(at_y, in_y);
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
