// SPDX-License-Identifier: BSD-3-Clause
// Linear light as it is displayed (sRGB), and back: what differences are taken of.
#ifndef SHADERS_SMOE_DISPLAYED
#define SHADERS_SMOE_DISPLAYED

vec3 displayed(vec3 linear) {
  linear = clamp(linear, 0.0, 1.0);
  return mix(12.92 * linear, 1.055 * pow(linear, vec3(1.0 / 2.4)) - 0.055,
             greaterThan(linear, vec3(0.0031308)));
}

vec3 lightOf(vec3 shown) {
  shown = clamp(shown, 0.0, 1.0);
  return mix(shown / 12.92, pow((shown + 0.055) / 1.055, vec3(2.4)),
             greaterThan(shown, vec3(0.04045)));
}

/// Per channel, of what is displayed over black, or of alpha where that is more.
vec3 errorOf(vec4 found, vec4 wanted) {
  return max(abs(displayed(found.rgb) - displayed(wanted.rgb)), vec3(abs(found.a - wanted.a)));
}

#endif
