// SPDX-License-Identifier: BSD-3-Clause
// The pixels of an image under an output pixel, and their weights, as
// app/engine/deep/operations/resample.h has them: float weights of the pixels first .. first + count
// along each axis. Pixels count from the first one of the rows of the image that are on the device.
// SEPARABLE 1: entries per column and row of the region, else per pixel in raster order.
#ifndef SEPARABLE
#define SEPARABLE 1
#endif
layout(std430, binding = DEEP_BIND_TAPS_X) restrict readonly buffer TapsX { uint tapsX[]; };
layout(std430, binding = DEEP_BIND_TAPS_Y) restrict readonly buffer TapsY { uint tapsY[]; };
layout(std430, binding = DEEP_BIND_WEIGHTS) restrict readonly buffer Weights { float weights[]; };

struct Axis {
  uint first, count, at;
};

Axis axisX(uvec2 pixel) {
#if SEPARABLE
  uint entry = 3u * pixel.x;
#else
  uint entry = 3u * (pixel.y * params.width + pixel.x);
#endif
  return Axis(tapsX[entry], tapsX[entry + 1u], tapsX[entry + 2u]);
}

Axis axisY(uvec2 pixel) {
#if SEPARABLE
  uint entry = 3u * pixel.y;
#else
  uint entry = 3u * (pixel.y * params.width + pixel.x);
#endif
  return Axis(tapsY[entry], tapsY[entry + 1u], tapsY[entry + 2u]);
}

/// The host copies the list of a pixel that is all that lies under this one.
bool isWhole(Axis x, Axis y) {
  return x.count == 1u && y.count == 1u && weights[x.at] == 1.0 && weights[y.at] == 1.0;
}
