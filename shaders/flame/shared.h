// SPDX-License-Identifier: BSD-3-Clause
// Bindings, sizes and structs that C++ and the passes of flames share.
#ifndef SHADERS_FLAME_SHARED_H
#define SHADERS_FLAME_SHARED_H

// The chaos game: iterate.comp with accumulate_*.glsl.
#define FLAME_BIND_ITERATE 0  // uniform  IterateParams                           host
#define FLAME_BIND_XFORMS 1   // uniform  records and thresholds (generator.h)    host
#define FLAME_BIND_PALETTE 2  // uniform  vec4[256], 0..255                       host
#define FLAME_BIND_POINTS 0   // storage  IteratePoint[invocations]               iterate
#define FLAME_BIND_TABLES \
  1  // storage  what is too large for FLAME_BIND_XFORMS, or control points  host
#define FLAME_BIND_HISTOGRAM 2     // storage  uint[part][row][column][words]          iterate
#define FLAME_BIND_LOG 2           // storage  instead: log entries (deferred)         iterate
#define FLAME_BIND_LOG_PAYLOADS 3  // storage  beside them: payloads (log.glsl)         iterate
#define FLAME_CAMERA_ROWS 2  // of a control point: turn; center, jitter, chance of the final xform
#define FLAME_MAX_PARTS 13   // storage blocks of the histogram in one dispatch
#define FLAME_SELECTION 16384      // xforms are chosen with probabilities in units of 1 / this
#define FLAME_HITS_FULL 15728640u  // 2^24 - 2^20: of a bucket, beyond which sums would overflow
#define FLAME_HELD 32u             // points of an invocation whose xforms take turns
#define FLAME_RETRIES 5            // bad points in a row until one is taken as it is
#define FLAME_LOOKS_EVERY 1000     // iterations until JWildfire replaces a bad point
#define FLAME_LEAD_OF_JWILDFIRE 42 // iterations of a new one that it does not plot
#define FLAME_FARTHEST 1e18        // where points of JWildfire are held, whose squares are floats

#ifdef __cplusplus
#include <cstdint>

#include <glm/mat2x2.hpp>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
namespace fathom::flame::shared {
using uint = std::uint32_t;
using uvec2 = glm::uvec2;
using vec2 = glm::vec2;
using vec4 = glm::vec4;
#endif

// bucket = turn * (point - center) + origin, turn = (x of x, x of y, y of x, y of y).
struct IterateParams {
  vec4 turn;
  vec2 center;        // of the camera, in the plane
  vec2 origin;        // the center, in buckets
  vec2 size;          // buckets: width, height
  float jitter;       // standard deviation, in buckets
  float finalChance;  // of the final xform being applied
  uint target;        // iterations that each invocation has made after this dispatch
  uint firstRound;    // and before it, since the start
  uint plotting;      // 0: fuse, nothing is plotted
  uint restart;       // 1: points and random numbers begin anew
  uvec2 seed;
  uint invocations;
  uint rowsPerPart;
  uint firstEntry;  // of the log, in this dispatch
  uint length;      // iterations of a trajectory that are plotted, then it begins anew
  uint lead;        // before each that are not
  uint alikeBits;   // log2 of the neighbors that take the same xform, where they do
  // The camera of flames with depth (genome/projection.h): three rows of a matrix with a shift;
  // perspective, base, blur, power; focus; area, fade. Then how many hits stray, how far.
  vec4 lens[6];
};

// What deferred accumulation does with its log: replay_log.comp. FLAME_BIND_PALETTE,
// FLAME_BIND_LOG and FLAME_BIND_LOG_PAYLOADS are as above, with the log sorted.
#define FLAME_BIND_REPLAY 0    // uniform  ReplayParams                       host
#define FLAME_BIND_KEPT 0      // storage  uint[1], entries of the log        the sort
#define FLAME_BIND_REPLAYED 4  // storage  a part of the histogram            replay_log
#define FLAME_BUCKET_BITS 23   // of a log entry of one word
// Buckets of a window, of 4 words each in 32 KiB of shared memory; with alpha of 5 words each.
#define FLAME_WINDOW_BITS_OPAQUE 11
#define FLAME_WINDOW_BITS_ALPHA 10
struct ReplayParams {
  uint firstBucket, bucketCount;  // of the part
  uint firstWindow, windowCount;  // that meet it
  uint splits;                    // work groups per window
  uint sortedFrom;                // the lowest bit of the bucket that the log is sorted by
  uint bucketMask;                // of a log entry's first word
  uint sumCount;                  // words of a bucket that are sums; a bound of a loop
};

// Sums of counts: sum_hits.comp, with FLAME_BIND_POINTS as the sums.
struct SumParams {
  uint buckets, words;  // of the part; words per bucket
  uint invocations;
  uint spare;
};
#define FLAME_SUM_SIZE 64

struct IteratePoint {
  vec2 position;
  float color;
  uint row;  // of the thresholds: with xaos last xform + 1, else 0; where xforms take turns, rounds
  uvec2 random;
  uint badRun;  // bad points in a row, and FLAME_HIDDEN
  uint done;    // iterations since the start
  uint hits;    // what it meant to add to counts since the start
  float z;      // in the plane what rounding took off the color
  vec2 orbit;  // place of the orbit that an attractor follows beside the point
};
#define FLAME_HIDDEN 0x10000u  // the point is hidden until a variation shows it

#ifdef __cplusplus
static_assert(sizeof(IterateParams) == 192 && sizeof(IteratePoint) == 48 &&
              sizeof(SumParams) == 16 && sizeof(ReplayParams) == 32);
}  // namespace fathom::flame::shared
#endif
#endif
