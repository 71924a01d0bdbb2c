// SPDX-License-Identifier: BSD-3-Clause
// The chaos game (Draves and Reckase; rules of flam3 3.1). One invocation per trajectory, whose
// point and random numbers stay in `points` between dispatches; params.rounds iterations each.
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

#include "shaders/flame/point.glsl"

#include "generated/xforms.glsl"

#ifndef FLAME_GROUP
#define FLAME_GROUP 256
#endif
layout(local_size_x = FLAME_GROUP) in;

layout(std140, binding = FLAME_BIND_ITERATE) uniform Params { IterateParams params; };
layout(std430, binding = FLAME_BIND_POINTS) restrict buffer Points { IteratePoint points[]; };

#include "generated/accumulate.glsl"

struct Walker {
  vec2 position;
  float color;
  uint row;    // of the thresholds: with xaos last xform + 1
  uint xform;  // the last one
  uint spare;  // random bits left over from choosing it, at the top
};

vec2 randomPoint() {
  float x = randomSigned();
  return vec2(x, randomSigned());
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

uint choiceBits(uint round, uint tries) { return sharedBits(round, tries); }

void passOn(inout Walker walker, uint round) {
  uint lane = gl_LocalInvocationID.x & 31u, warp = gl_LocalInvocationID.x >> 5;
  uint to = ((warp + lane + (round & 1u) * (lane >> 3)) * 32u + lane) % FLAME_GROUP;
  passedOn[round & 1u][to] = vec4(walker.position, walker.color, 0.0);
  barrier();
  vec4 taken = passedOn[round & 1u][gl_LocalInvocationID.x];
  walker.position = taken.xy;
  walker.color = taken.z;
}

#else

uint choiceBits(uint round, uint tries) { return randomBits(); }
void passOn(inout Walker walker, uint round) {}

#endif

// One iteration. A bad point starts again from anywhere without counting as an iteration; the
// fifth in a row is taken as it is.
void iterate(inout Walker walker, uint round) {
  bool again;
  uint tries = 0u;
  do {
    uint bits = choiceBits(round, tries);
    walker.xform = chooseXform(bits >> 18, walker.row);
    walker.spare = bits << 14;
    walker.color = colorKeep(walker.xform) * walker.color + colorAdd(walker.xform);
    walker.position = applyXform(walker.xform, walker.position);
    again = isBad(walker.position);
    if (again) walker.position = randomPoint();
    ++tries;
  } while (again && tries < params.retries);
#if FLAME_XAOS
  walker.row = walker.xform + 1u;
#endif
}

#if FLAME_FINAL
// The final xform bends what is plotted, not the trajectory.
void bend(inout Walker walker) {
#if FLAME_FINAL_SOMETIMES
  if (randomUnit() >= params.finalChance) return;
#endif
  walker.color = parameters[kFinalFirst].w * walker.color + parameters[kFinalFirst + 1u].w;
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

void plotPoint(Walker walker, uint round) {
#if FLAME_FINAL
  bend(walker);
#endif
  vec2 at = bucketOf(walker.position);
  bool hit = params.plotting != 0u && at.x >= 0.0 && at.y >= 0.0 && at.x < params.size.x &&
             at.y < params.size.y;
  float visibility = 1.0;
#if FLAME_VISIBILITY
  visibility = visibilityOf(walker.xform);
  hit = hit && visibility > 0.0;
#endif
  plot(hit, uvec2(max(at, 0.0)), walker.color, visibility, walker.spare,
       round * params.invocations + invocationIndex());
}

void main() {
  uint index = invocationIndex();
  IteratePoint point = points[min(index, params.invocations - 1u)];
  Walker walker = Walker(point.position, point.color, point.lastXform, 0u, 0u);
  randomState = point.random;
  hits = point.hits;
  if (params.restart != 0u) {
    seedRandom(index, params.seed);
    walker = Walker(randomPoint(), randomUnit(), 0u, 0u, 0u);
    hits = 0u;
  }
  for (uint round = 0u; round < params.rounds; ++round) {
    iterate(walker, params.firstRound + round);
    plotPoint(walker, round);
    passOn(walker, params.firstRound + round);
  }
  if (index < params.invocations)
    points[index] = IteratePoint(walker.position, walker.color, walker.row, randomState, hits, 0u);
}
