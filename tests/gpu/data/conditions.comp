#version 430
// Extensions under conditions, and a part for C++.
layout(local_size_x = 1) in;
#ifdef __cplusplus
#include "tests/gpu/data/no_such_file.glsl"
#include <cstdint>
#else
#  include "tests/gpu/data/circle_a.glsl"
#endif
#if USE_BALLOT
#ifdef OLD
#extension GL_NO_such : require
#else
  #extension GL_ARB_shader_ballot : enable
#endif
#endif
void main() {}
