// SPDX-License-Identifier: BSD-3-Clause
// Bindings that C++ and GLSL share for resampling, beside those of shaders/deep/shared.h for lists,
// and ORDER and SCRATCH, for which see the passes.
#ifndef SHADERS_DEEP_RESAMPLE_RESAMPLE_SHARED_H
#define SHADERS_DEEP_RESAMPLE_RESAMPLE_SHARED_H

#define DEEP_BIND_TAPS_X 1      // uint[3 entries]  first pixel along x, how many, where their weights begin
#define DEEP_BIND_TAPS_Y 2      // uint[3 entries]  the same along y
#define DEEP_BIND_WEIGHTS 4     // float[]
#define DEEP_BIND_MADE_FROM 1   // uint[F]          the point that each fragment comes from
#define DEEP_BIND_MADE_VALUES 2 // float[F][values] what it becomes

#endif
