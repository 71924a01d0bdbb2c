// SPDX-License-Identifier: BSD-3-Clause
// The likelihood of a color under a component's conditional distribution, for EM.
#ifndef SHADERS_SMOE_FIT_FACTOR
#define SHADERS_SMOE_FIT_FACTOR

layout(binding = FIT_TEXELS_FACTORS) uniform usamplerBuffer factors;

FitFactor fetchFactor(uint component) {
  vec4 a = uintBitsToFloat(texelFetch(factors, int(component * 2)));
  vec4 b = uintBitsToFloat(texelFetch(factors, int(component * 2 + 1)));
  return FitFactor(a.x, a.y, a.z, a.w, b.x, b.y, b.z, 0.0);
}

// ln N(y; m, S) for the residual y - m, but for the constant.
float logColor(FitFactor f, vec3 residual) {
  float u1 = f.f11 * residual.r;
  float u2 = f.f21 * residual.r + f.f22 * residual.g;
  float u3 = f.f31 * residual.r + f.f32 * residual.g + f.f33 * residual.b;
  return f.logScale - 0.5 * (u1 * u1 + u2 * u2 + u3 * u3);
}

#endif
