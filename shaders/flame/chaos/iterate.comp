// SPDX-License-Identifier: BSD-3-Clause
// The chaos game (Draves and Reckase; rules of flam3 3.1). One invocation per trajectory, whose
// point and random numbers stay in `points` between dispatches; each continues to params.target iterations.
// Reads the genome's records, thresholds and palette; plots through accumulate_*.glsl. What
// xforms do is text made for the genome (generator.h).
//
// Deterministic: a trajectory depends on seed, invocation count and genome alone, not on how the
// rounds are cut into dispatches. What it adds to the histogram: see accumulate_*.glsl.
#include "shaders/common/invocation.glsl"
#include "shaders/common/random.glsl"
#include "shaders/flame/shared.h"

// The draws of the variations.
float unit() { return randomUnit(); }
float signedUnit() { return randomSigned(); }
/// Sum of four units less 2: nearly normal, standard deviation 0.57735.
float gauss4() {
  uint a = randomBits(), b = randomBits();
  return float((a & 0xffffu) + (a >> 16) + (b & 0xffffu) + (b >> 16)) / 65536.0 - 2.0;
}

#include "shaders/flame/chaos/point.glsl"

#ifndef FLAME_GROUP
#define FLAME_GROUP 256
#endif
#ifndef FLAME_LOG_TOGETHER
#define FLAME_LOG_TOGETHER 32
#endif
layout(local_size_x = FLAME_GROUP) in;

#include "generated/xforms.glsl"

layout(std140, binding = FLAME_BIND_ITERATE) uniform Params { IterateParams given; };
// A copy, because software renderers fetch uniforms lane by lane within loops.
IterateParams params = given;
layout(std430, binding = FLAME_BIND_POINTS) restrict buffer Points { IteratePoint points[]; };

#include "generated/accumulate.glsl"

struct Walker {
  vec2 position;
  float color;
  uint row;        // of the thresholds: with xaos last xform + 1
  uint badRun;     // bad points in a row
  uint xform;      // the last one
  uint spare;      // random bits left over from choosing it, at the top
};

// In the square around the origin, from one draw.
vec2 randomPoint() {
  uint bits = randomBits();
  return vec2(bits >> 16, bits & 0xffffu) * (1.0 / 32768.0) - 1.0;
}

#if FLAME_SHARED_SELECTION

// 32 neighbors take the same xform, so that a device that runs them in step runs one of the
// functions, not all. Points that stayed together would fall onto each other, so they change their
// neighbors after each round (cuburn: R5 of the spec): those of warp v, lane l go to another warp,
// same lane. Two halves in turn: the barrier of the next round keeps readers and writers apart.
shared vec4 passedOn[2][FLAME_GROUP];

uint sharedBits(uint round, uint tries) {
  uint warp = invocationIndex() >> 5;
  return hashBits(hashBits(warp + hashBits(params.seed.x ^ tries)) ^
                  (params.seed.y + round * 0x9e3779b9u));
}

void passOn(inout Walker walker, uint round) {
  uint lane = gl_LocalInvocationID.x & 31u, warp = gl_LocalInvocationID.x >> 5;
  uint to = ((warp + lane + (round & 1u) * (lane >> 3)) * 32u + lane) % FLAME_GROUP;
  passedOn[round & 1u][to] = vec4(walker.position, walker.color, 0.0);
  barrier();
  vec4 taken = passedOn[round & 1u][gl_LocalInvocationID.x];
  walker.position = taken.xy;
  walker.color = taken.z;
}

#endif

// Chooses an xform by 32 random bits and applies it. False: the point is bad and starts again from
// anywhere, which is no iteration; the fifth in a row is taken as it is.
bool attempt(inout Walker walker, uint bits) {
  walker.xform = chooseXform(bits >> 18, walker.row);
  walker.spare = bits << 14;
  walker.color = colorKeep(walker.xform) * walker.color + colorAdd(walker.xform);
  vec2 position = applyXform(walker.xform, walker.position);
  bool isGood = !isBad(position);
  walker.position = mix(randomPoint(), position, bvec2(isGood));
  walker.badRun = isGood ? 0u : walker.badRun + 1u;
  bool counts = isGood || walker.badRun == FLAME_RETRIES;
  walker.badRun = counts ? 0u : walker.badRun;
#if FLAME_XAOS
  walker.row = counts ? walker.xform + 1u : walker.row;
#endif
  return counts;
}

#if FLAME_FINAL
// The final xform bends what is plotted, not the trajectory.
void bend(inout Walker walker) {
#if FLAME_FINAL_SOMETIMES
  if (randomUnit() >= params.finalChance) return;
#endif
  walker.color = finalRecord[0].w * walker.color + finalRecord[1].w;
  walker.position = applyFinal(walker.position);
  if (isBad(walker.position)) walker.position = randomPoint();
}
#endif

// Where a point of the plane lies in the histogram, in buckets.
vec2 bucketOf(vec2 position) {
  vec2 d = position - params.center;
  vec2 at = vec2(dot(params.turn.xy, d), dot(params.turn.zw, d)) + params.origin;
#if FLAME_JITTER
  float away = params.jitter * sqrt(-2.0 * log(1.0 - randomUnit()));
  float angle = 6.2831853 * randomUnit();
  at += away * vec2(cos(angle), sin(angle));
#endif
  return at;
}

// Where in the log a round of this dispatch has its entry: neighbors write side by side, and what
// they write in the next round follows, so that a stretch of the log is filled by few of them.
uint entryOf(uint round) {
  const uint together = FLAME_LOG_TOGETHER;
  uint index = invocationIndex();
  return (index / together * (params.target - params.firstRound) + round) * together +
         index % together;
}

// `counts`: there is a point to plot. `round`: of this dispatch.
void plotPoint(Walker walker, bool counts, uint round) {
#if FLAME_FINAL
  bend(walker);
#endif
  vec2 at = bucketOf(walker.position);
  bool hit = counts && params.plotting != 0u && at.x >= 0.0 && at.y >= 0.0 &&
             at.x < params.size.x && at.y < params.size.y;
  float visibility = 1.0;
#if FLAME_VISIBILITY
  visibility = visibilityOf(walker.xform);
  hit = hit && visibility > 0.0;
#endif
  plot(hit, uvec2(max(at, 0.0)), walker.color, visibility, walker.spare, entryOf(round));
}

#if FLAME_SHARED_SELECTION

// All invocations make the same rounds, one iteration each.
void play(inout Walker walker, inout uint done) {
  for (uint round = done; round < params.target; ++round) {
    uint tries = 0u;
    while (!attempt(walker, sharedBits(round, tries))) ++tries;
    plotPoint(walker, true, round - params.firstRound);
    passOn(walker, round);
  }
  done = params.target;
}

#else

// Each invocation continues until its own iterations are done. A round in which its point is bad
// plots nothing; written so, lanes that are retrying do not hold up the others.
void play(inout Walker walker, inout uint done) {
  while (done < params.target) {
    bool counts = attempt(walker, randomBits());
    plotPoint(walker, counts, done - params.firstRound);
    done += uint(counts);
  }
}

#endif

void main() {
  loadXforms();
#if FLAME_MOVING
  params.turn = camera[0];
  params.center = camera[1].xy;
  params.jitter = camera[1].z;
  params.finalChance = camera[1].w;
#endif
  uint index = invocationIndex();
  IteratePoint point = points[min(index, params.invocations - 1u)];
  Walker walker = Walker(point.position, point.color, point.row, point.badRun, 0u, 0u);
  uint done = point.done;
  randomState = point.random;
  hits = point.hits;
  if (params.restart != 0u) {
    seedRandom(index, params.seed);
    walker = Walker(randomPoint(), randomUnit(), 0u, 0u, 0u, 0u);
    done = hits = 0u;
  }
  play(walker, done);
  if (index < params.invocations)
    points[index] = IteratePoint(walker.position, walker.color, walker.row, randomState,
                                 walker.badRun, done, hits, 0u, 0u, 0u);
}
