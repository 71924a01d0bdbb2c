// SPDX-License-Identifier: BSD-3-Clause
// Where the aperture depends on the place in the frame (FIELD 1): divides the weights of splats by the sum of
// their shares of light, so that what is cut is made up for. One invocation per splat; a sum may take thousands of
// rounds, more than an invocation could take for all fragments of a pixel (DOF_LIST_PART). Reads and writes records
// (splat.comp). Deterministic.
#include "shaders/common/half.glsl"
#include "shaders/dof/footprint.glsl"
#include "shaders/dof/aperture.glsl"
layout(local_size_x = DOF_LIST_SIZE) in;

layout(std430, binding = DOF_BIND_PLACES) restrict readonly buffer Places { uvec2 places[]; };
layout(std430, binding = DOF_BIND_COLORS) restrict buffer Records { uvec4 records[]; };
layout(std140, binding = DOF_BIND_OPTICS) uniform Optics { DofOptics optics; };

#if SHAPE && FIELD
/// The sum of a channel's shares over all pixels, row by row: those that lie inside of the cat's eye
/// are one box, the others are summed one by one. With swirl boxes do not meet, and all pixels are;
/// beyond DOF_EXACT_CUT_RADIUS px it is left out, since it keeps areas. `shift`: how far the channel
/// is displaced; `reach`: no share lies farther.
float lightOfChannel(float r, vec2 shift, vec2 field, int reach) {
  DofOptics o = optics;
  float size = max(abs(r), 0.01), scale = r < 0.0 ? -1.0 / size : 1.0 / size;
  bool cut = o.catsEye != 0.0;
  if (size > float(cut ? DOF_EXACT_CUT_RADIUS : DOF_EXACT_RADIUS)) {
    if (!cut) return 1.0;
    o.swirl = 0.0;
  }
  DofOptics turned = o;
  turned.swirl = swirlOf(size, o);
  vec2 right = toAperture(vec2(scale, 0.0), field, turned);
  vec2 down = toAperture(vec2(0.0, scale), field, turned);
  vec2 eye = cut ? -o.catsEye * field : vec2(0.0);
  // At most so wide is a pixel, in radii; without a cut, what holds the boxes of all with light.
  float pixel = sqrt(dot(right, right) + dot(down, down));
  float outer = cut ? max(o.cutRadius, pixel) + 0.5 * pixel : o.extent + 1.5 * pixel;
  float inner = turned.swirl == 0.0 && o.cutRadius > pixel ? o.cutRadius - 0.5 * pixel : -1.0;
  float step2 = dot(right, right), sum = 0.0;
  for (int y = -reach; y <= reach; ++y) {
    vec2 start = down * (float(y) - shift.y) - right * shift.x - eye;  // of pixel 0 of the row
    float middle = -dot(start, right) / step2;
    float away2 = dot(start, start) - middle * middle * step2;  // of the row from the eye
    float wide = sqrt(max(outer * outer - away2, 0.0) / step2);
    float narrow = inner > 0.0 ? sqrt(max(inner * inner - away2, 0.0) / step2) : 0.0;
    int first = int(ceil(middle - wide)), last = int(floor(middle + wide));
    int from = int(ceil(middle - narrow)), to = int(floor(middle + narrow));
    if (narrow == 0.0) from = last + 1, to = last;
    if (from <= to) {
      vec2 u = eye + start + right * (0.5 * float(from + to));
      vec2 half_ = 0.5 / size * vec2(sqrt(o.squeeze) * float(to - from + 1), 1.0 / sqrt(o.squeeze));
      sum += lightIn(u, half_, r < 0.0, o);
    }
    for (int x = first; x <= last; ++x) {
      if (x == from) x = to + 1;
      if (x <= last) sum += rawShare(vec2(x, y) - shift, r, field, o);
    }
  }
  return max(sum, 1e-6);
}

void main() {
  uint i = invocationIndex();
  if (i >= params.splatCount) return;
  Place p = unpackPlace(places[i]);
  if (!p.listed) return;
  uvec4 shape = records[2u * i + 1u];
  float r = uintBitsToFloat(shape.y);
  vec2 pixel = vec2(p.pixel), field = fieldOf(pixel, optics);
  int reach = int(sqrt(shapeReach2(r, pixel, optics)));
  float green = lightOfChannel(r, vec2(0.0), field, reach);
#if CHROMA
  vec2 away = pixel - vec2(optics.fieldX, optics.fieldY);
  float red = lightOfChannel(r + optics.axialRed, away * optics.lateralRed, field, reach);
  float blue = lightOfChannel(r + optics.axialBlue, away * optics.lateralBlue, field, reach);
  shape.z = packHalves(vec2(green) / vec2(red, blue));
#endif
  shape.w = floatBitsToUint(uintBitsToFloat(shape.w) / green);
  records[2u * i + 1u] = shape;
}
#else
void main() {}
#endif
