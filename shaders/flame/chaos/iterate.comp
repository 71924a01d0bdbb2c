// SPDX-License-Identifier: BSD-3-Clause
// The chaos game (Draves and Reckase; rules of flam3 3.1). One invocation per trajectory,
// or per FLAME_HELD of them, whose points and random numbers stay in `points` between dispatches; each
// continues to params.target iterations.
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

// Set by variations that give the point a color of its own; negative: none has.
float ownColor = -1.0;
void setColor(float color, float w) { ownColor = w == 0.0 ? ownColor : clamp(color, 0.0, 1.0); }
// Asked for by those that move it along the palette, which begins again behind its end.
float turnedColor = 0.0;
void turnColor(float by, float w) { turnedColor = w == 0.0 ? turnedColor : by; }
float takeColor(float color) {
  float taken = ownColor < 0.0 ? color : ownColor;
  taken = turnedColor == 0.0 ? taken : fract(taken + turnedColor);
  ownColor = -1.0;
  turnedColor = 0.0;
  return taken;
}

// Set by images in full color, 0..1, of the last xform that acted; a: the palette shall show what is
// nearest to it. Negative: none was.
vec4 fullColor = vec4(-1.0);
void setFullColor(vec3 color, bool nearest, float w) {
  fullColor = w == 0.0 ? fullColor : vec4(color, nearest ? 1.0 : 0.0);
}

// Set by variations that hide the point, or show it again.
bool hiddenPoint = false;
void setHidden(bool hides, float w) { hiddenPoint = w == 0.0 ? hiddenPoint : hides; }

// Where the orbit is that an attractor follows beside the point; on the host it was spread over a
// long orbit. It stays with the invocation.
vec2 orbitPlace = vec2(0.0);
vec2 orbitOr(vec2 start) {
  if ((floatBitsToUint(orbitPlace.x) & 0x7fffffffu) > 0x7f800000u) return orbitPlace;  // lost
  return abs(orbitPlace.x) <= 1e10 && abs(orbitPlace.y) <= 1e10 ? orbitPlace : start;
}
void setOrbit(vec2 at, float w) { orbitPlace = w == 0.0 ? orbitPlace : at; }

// Set by variations that do not pass on z.
bool dropped = false;
void dropZ() { dropped = true; }

bool inOrder();  // generated/xforms.glsl
int actingNow = 0;
int acting() { return actingNow; }
// Of the variations that acted before one that asks for it.
vec3 summed = vec3(0.0);
vec2 sumBefore() { return summed.xy; }
float heightBefore() { return summed.z; }
// The point that the variations among the others see.
vec3 started = vec3(0.0);
vec3 startOfSum() { return started; }

#include "shaders/flame/chaos/point.glsl"

// What is shown in place of a point's color, by a color type of JWildfire; negative: its color. `at`
// runs through its palette of 256, again and again.
float shownColor = -1.0;
void showColor(float at, float w) {
  float entry = floor(at * 254.0 + 0.5);
  float shown = (entry - 256.0 * floor(entry / 256.0) + 0.5) / 256.0;
  shownColor = w == 0.0 ? shownColor : shown;
}

#ifndef FLAME_GROUP
#define FLAME_GROUP 256
#endif
#ifndef FLAME_LOG_TOGETHER
#define FLAME_LOG_TOGETHER 32
#endif
layout(local_size_x = FLAME_GROUP) in;

#include "generated/xforms.glsl"

layout(std140, binding = FLAME_BIND_ITERATE) uniform Params { IterateParams given[1]; };
// A copy, because software renderers fetch uniforms lane by lane within loops. Of an array, because
// Mesa takes the original in place of the copy of a whole variable.
IterateParams params = given[0];
layout(std430, binding = FLAME_BIND_POINTS) restrict buffer Points { IteratePoint points[]; };

#include "generated/accumulate.glsl"

#ifdef FLAME_DEPTH
#define Place vec3
#define ofPlane(v) vec3(v, 0.0)
#else
#define Place vec2
#define ofPlane(v) v
#endif

// Between entries of a palette, where flam3 counts in doubles.
#if !FLAME_LINEAR_PALETTE && !defined(FLAME_DEPTH) && !defined(FLAME_OWN_COLORS) && \
    !defined(FLAME_JWILDFIRE)
#define FLAME_COLOR_RESTS 1
#endif

struct Walker {
  Place position;
  float color;
  float colorRest; // mixColor()
  uint row;        // of the thresholds: with xaos last xform + 1
  uint badRun;     // bad points in a row
  uint xform;      // the last one
  uint spare;      // random bits left over from choosing it, at the top
  bool hidden;
};

#ifdef FLAME_JWILDFIRE
// Neither NaN nor infinite, by bits as isBad() has it.
bool isNumber(float v) { return (floatBitsToUint(v) & 0x7fffffffu) < 0x7f800000u; }
bool isNumber(vec2 v) { return isNumber(v.x) && isNumber(v.y); }
bool isNumber(vec3 v) { return isNumber(v.xy) && isNumber(v.z); }
#endif

// In the square around the origin, from one draw.
vec2 randomPoint() {
  uint bits = randomBits();
  return vec2(bits >> 16, bits & 0xffffu) * (1.0 / 32768.0) - 1.0;
}

// An xform of color 1 that is chosen 24 times in a row makes a float 1, which a double is after 53
// times. After the next one, of color 0, that is 0.5, not just below, where another entry of the
// palette is. So what rounding takes off the color is kept, down to where doubles round, too.
void mixColor(inout Walker walker, float keep, float add) {
#ifdef FLAME_COLOR_RESTS
  precise float kept = keep * walker.color;
  precise float color = kept + add;
  precise float rest = keep * walker.colorRest + (kept - (color - add));
  const float spaced = 1.5 * 9.3132257e-10;  // 2^-30, where floats are 2^-53 apart
  precise float rounded = (rest + spaced) - spaced;
  walker.color = color;
  walker.colorRest = rounded;
#else
  walker.color = keep * walker.color + add;
#endif
}

#if FLAME_SHARED_SELECTION

// 32 neighbors take the same xform, so that a device that runs them in step runs one of the
// functions, not all; of few samples each takes its own, so that rare xforms are chosen often enough.
// Points that stayed together would fall onto each other, so they change their neighbors after each
// round (cuburn: R5 of the spec): those of warp v, lane l go to another warp, same lane. Two halves
// in turn: the barrier of the next round keeps readers and writers apart.
shared vec4 passedOn[2][FLAME_GROUP];
#ifdef FLAME_HIDES
shared bool passedHidden[2][FLAME_GROUP];
#endif

// The warps of a round are spread evenly over the choices: they take the points of a sequence of low
// discrepancy (bits reversed), in an order and with a shift drawn for the round. So xforms are chosen
// in proportion to their weights in every round, not only on the average. Not so where each takes its
// own: neighbors in that sequence would take the same ones for ever, and fall onto each other.
uint sharedBits(uint round, uint tries) {
  uint warp = invocationIndex() >> params.alikeBits;
  uint drawn = hashBits(hashBits(warp + hashBits(params.seed.x ^ tries)) ^
                        (params.seed.y + round * 0x9e3779b9u));
  if (tries > 0u || params.alikeBits == 0u) return drawn;
  uint order = hashBits(hashBits(params.seed.x + round * 0x85ebca6bu) ^ params.seed.y);
  uint choice = (bitfieldReverse(warp * (order | 1u)) >> 18) + (order >> 9);
  return choice << 18 | drawn >> 14;
}

void passOn(inout Walker walker, uint round) {
  uint lane = gl_LocalInvocationID.x & 31u, warp = gl_LocalInvocationID.x >> 5;
  uint to = ((warp + lane + round + (round & 1u) * (lane >> 3)) * 32u + lane) % FLAME_GROUP;
#ifdef FLAME_DEPTH
  passedOn[round & 1u][to] = vec4(walker.position.xy, walker.color, walker.position.z);
#else
  passedOn[round & 1u][to] = vec4(walker.position, walker.color, walker.colorRest);
#endif
#ifdef FLAME_HIDES
  passedHidden[round & 1u][to] = walker.hidden;
#endif
  barrier();
#ifdef FLAME_HIDES
  walker.hidden = passedHidden[round & 1u][gl_LocalInvocationID.x];
#endif
  vec4 taken = passedOn[round & 1u][gl_LocalInvocationID.x];
#ifdef FLAME_DEPTH
  walker.position = taken.xyw;
#else
  walker.position = taken.xy;
  walker.colorRest = taken.w;
#endif
  walker.color = taken.z;
}

#endif

// Applies an xform; `spare` are random bits. False: the point is bad and starts again from
// anywhere, which is no iteration; the fifth in a row is taken as it is. JWildfire leaves bad points
// bad (beginAnew()); far ones may come back, which is held within a float's range here.
bool attempt(inout Walker walker, uint xform, uint spare) {
#ifdef FLAME_FAR
  randomBits();  // for turnsOf(): another angle in each iteration
#endif
  walker.xform = xform;
  walker.spare = spare;
  mixColor(walker, colorKeep(walker.xform), colorAdd(walker.xform));
#ifdef FLAME_SHOWN_COLORS
  shownColor = -1.0;
#endif
#ifdef FLAME_FULL_COLORS
  fullColor = vec4(-1.0);
#endif
#ifdef FLAME_HIDES
  hiddenPoint = walker.hidden;
#endif
  Place position = applyXform(walker.xform, walker.position);
#ifdef FLAME_KEEPS_SIDES
  // A float's exponents end long before a double's.
  position.xy = mix(position.xy, 1e-30 * sign(position.xy), lessThan(abs(position.xy), vec2(1e-30)));
#endif
#ifdef FLAME_OWN_COLORS
  walker.color = takeColor(walker.color);
#endif
#ifdef FLAME_JWILDFIRE
  walker.position = isNumber(position) ? clamp(position, -FLAME_FARTHEST, FLAME_FARTHEST) : position;
#ifdef FLAME_HIDES
  walker.hidden = hiddenPoint;
#endif
  bool counts = walker.badRun <= 1u;
  walker.badRun -= min(walker.badRun, 1u);
#else
  bool isGood = !isBad(position.xy);
#ifdef FLAME_DEPTH
  walker.position = mix(ofPlane(randomPoint()), position, bvec3(isGood));
#else
  walker.position = mix(randomPoint(), position, bvec2(isGood));
#endif
#ifdef FLAME_HIDES
  walker.hidden = isGood && hiddenPoint;
#endif
  walker.badRun = isGood ? 0u : walker.badRun + 1u;
  bool counts = isGood || walker.badRun == FLAME_RETRIES;
  walker.badRun = counts ? 0u : walker.badRun;
#endif
#if FLAME_XAOS
  walker.row = counts ? walker.xform + 1u : walker.row;
#endif
  return counts;
}

#if FLAME_FINAL
void replaceBad(inout Place position) {
#ifndef FLAME_JWILDFIRE
  if (isBad(position.xy)) position = ofPlane(randomPoint());
#endif
}

// The final xform bends what is plotted, not the trajectory.
void bend(inout Walker walker) {
#if FLAME_FINAL_SOMETIMES
  if (randomUnit() >= params.finalChance) return;
#endif
  mixColor(walker, finalRecord[0].w, finalRecord[1].w);
#ifdef FLAME_FULL_COLORS
  if (finalRecord[0].w != 1.0) fullColor = vec4(-1.0);  // those that leave colors alone keep it
#endif
#ifdef FLAME_HIDES
  hiddenPoint = walker.hidden;
#endif
  walker.position = applyFinal(walker.position);
#ifdef FLAME_OWN_COLORS
  walker.color = takeColor(walker.color);
#endif
  replaceBad(walker.position);
#ifdef FLAME_FURTHER_FINALS
  walker.position = applyFurtherFinals(walker.position, walker.color);
  replaceBad(walker.position);
#endif
#ifdef FLAME_HIDES
  walker.hidden = hiddenPoint;
#endif
}
#endif

#ifdef FLAME_LENS
// How far a turned point is from where the camera is sharp (genome/projection.h).
float blurDistance(vec3 q) {
#if !defined(FLAME_LENS_BLUR) || FLAME_LENS_BLUR == 0
  return q.z;
#elif FLAME_LENS_BLUR == 1
  return max(0.0, params.lens[4].z - q.z);
#else
  vec3 d = q - params.lens[4].xyz;
  float distance = powOf(dot(d, d), params.lens[3].w);
  float area = params.lens[5].x, fade = params.lens[5].y;
  float t = fade > 0.0 ? clamp((distance - (area - fade)) / fade, 0.0, 1.0)
                       : float(distance > area);
  return distance * t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
#endif
}

// The point of the plane that is shown of a point of space. False: it lies behind the camera.
bool projected(vec3 from, out vec2 shown) {
  vec4 p = vec4(from, 1.0);
  vec3 q = vec3(dot(params.lens[0], p), dot(params.lens[1], p), dot(params.lens[2], p));
  float distance = params.lens[3].y - params.lens[3].x * q.z;
#ifdef FLAME_LENS_BLUR
  float radius = randomUnit() * params.lens[3].z * blurDistance(q);
  q.xy += radius * direction(kTwoPi * randomUnit());
#endif
  shown = q.xy / distance;
#ifdef FLAME_LENS_CLIPS
  return distance >= 1e-10;
#else
  return true;
#endif
}
#endif

// The bucket of a point of the plane: a whole number. It is counted from the center, where buckets may
// meet just where points gather: added to the origin first, those on both sides would be one.
vec2 bucketOf(vec2 position) {
  vec2 d = position - params.center;
  vec2 at = vec2(dot(params.turn.xy, d), dot(params.turn.zw, d));
#if FLAME_JITTER
  float away = params.jitter * sqrt(-2.0 * log(1.0 - randomUnit()));
  float angle = 6.2831853 * randomUnit();
  at += away * vec2(cos(angle), sin(angle));
#endif
#ifdef FLAME_STRAYS
  // JWildfire's antialiasing: some hits land elsewhere, in a ring around their place.
  float chance = randomUnit(), far = exp(params.lens[5].w * sqrt(-log(1.0 - randomUnit()))) - 1.0;
  float turned = 6.2831853 * randomUnit();
  at += chance < params.lens[5].z ? far * vec2(cos(turned), sin(turned)) : vec2(0.0);
#endif
  return floor(at + fract(params.origin)) + floor(params.origin);
}

#ifdef FLAME_TURNS
#define FLAME_SPARE_ROUNDS FLAME_HELD  // bad points may make a dispatch longer
#else
#define FLAME_SPARE_ROUNDS 0u
#endif

// Where in the log a round of this dispatch has its entry: neighbors write side by side, and what
// they write in the next round follows, so that a stretch of the log is filled by few of them.
uint entryOf(uint round) {
  const uint together = min(FLAME_LOG_TOGETHER, FLAME_GROUP);
  uint index = invocationIndex();
  return (index / together * (params.target - params.firstRound + FLAME_SPARE_ROUNDS) + round) * together +
         index % together;
}

#ifdef FLAME_FULL_COLORS
// The palette's color that is nearest to what was set.
void takeNearestEntry() {
  vec3 best = vec3(0.0), sought = fullColor.rgb;
  float least = 1e9;
  for (int i = 0; i < 256; ++i) {
    vec3 entry = paletteEntry(i).rgb / 255.0;
    float away = dot(entry - sought, entry - sought);
    best = away < least ? entry : best;
    least = min(away, least);
  }
  fullColor = vec4(best, 0.0);
}
#endif

// `counts`: there is a point to plot. `round`: of this dispatch.
void plotPoint(Walker walker, bool counts, uint round) {
#if FLAME_FINAL
  bend(walker);
#endif
#ifdef FLAME_FULL_COLORS
  if (fullColor.a == 1.0) takeNearestEntry();
#endif
#ifdef FLAME_LENS
  vec2 shown;
  counts = projected(walker.position, shown) && counts;
  vec2 at = bucketOf(shown);
#else
  vec2 at = bucketOf(walker.position.xy);
#endif
  bool hit = counts && params.plotting != 0u && at.x >= 0.0 && at.y >= 0.0 &&
             at.x < params.size.x && at.y < params.size.y;
#ifdef FLAME_HIDES
  hit = hit && !walker.hidden;
#endif
#ifdef FLAME_JWILDFIRE
  // Its palette has an entry for each of 0 to 254, the nearest of which is taken.
  walker.color = walker.color * (254.0 / 256.0) + (FLAME_LINEAR_PALETTE == 1 ? 0.0 : 0.5 / 256.0);
#endif
#ifdef FLAME_COLOR_RESTS
  // A negative rest: the next float below, lest the color is where an entry begins.
  uint below = floatBitsToUint(walker.colorRest) >> 31;
  walker.color = uintBitsToFloat(floatBitsToUint(walker.color) - below);
#endif
#ifdef FLAME_SHOWN_COLORS
  walker.color = shownColor < 0.0 ? walker.color : shownColor;
#endif
  float visibility = 1.0;
#if FLAME_VISIBILITY
  visibility = visibilityOf(walker.xform);
  hit = hit && visibility > 0.0;
#endif
  plot(hit, uvec2(ivec2(at)), walker.color, visibility, walker.spare, entryOf(round));
}

#ifdef FLAME_RESTARTS
// Trajectories are at all ages at first, evenly, so that however few rounds are plotted, as many begin
// anew in them as of trajectories that are plotted from end to end. Where points are passed on, those
// that are passed among each other are of one age.
uint ageAtFirst() {
#if FLAME_SHARED_SELECTION
  uint age = (invocationIndex() / FLAME_GROUP) * 32u + (gl_LocalInvocationID.x & 31u);
  uint ages = params.invocations / FLAME_GROUP * 32u;
#else
  uint age = invocationIndex(), ages = params.invocations;
#endif
  uint high, low;
  umulExtended(0xffffffffu / ages * age, params.length + params.lead, high, low);
  return high;
}
#endif

// Begins a trajectory anew when it has been plotted for params.length iterations. True while it
// leads in: what comes before is not yet the attractor.
bool beginAnew(inout Walker walker, uint done) {
#ifdef FLAME_JWILDFIRE
  // Every so often it looks whether its point is a number. If not, a new one leads in. Those who
  // pass points on look together.
  uint looks = FLAME_SHARED_SELECTION == 1 ? groupIndex() : invocationIndex();
  if ((done + looks * 619u) % FLAME_LOOKS_EVERY == 0u && walker.badRun == 0u &&
      !isNumber(walker.position)) {
    walker.position = ofPlane(randomPoint());
    walker.color = randomUnit();
    walker.badRun = FLAME_LEAD_OF_JWILDFIRE + 1u;
  }
#endif
#ifdef FLAME_RESTARTS
  uint at = (done + ageAtFirst()) % (params.length + params.lead);
  if (at == 0u && walker.badRun == 0u) {
    walker.position = ofPlane(randomPoint());
    walker.color = randomUnit();
    walker.row = 0u;
    walker.hidden = false;
  }
  return at < params.lead;
#else
  return false;
#endif
}

#ifndef FLAME_TURNS
// Chooses an xform by 32 random bits.
bool attempt(inout Walker walker, uint bits) {
  return attempt(walker, chooseXform(bits >> 18, walker.row), bits << 14);
}
#endif

#if FLAME_SHARED_SELECTION

// All invocations make the same rounds, one iteration each.
void play(inout Walker walker, inout uint done) {
  for (uint round = done; round < params.target; ++round) {
    uint tries = 0u;
    bool leads = beginAnew(walker, round);
    while (!attempt(walker, sharedBits(round, tries))) ++tries;
    plotPoint(walker, !leads, round - params.firstRound);
    passOn(walker, round);
  }
  done = params.target;
}

#elif defined(FLAME_TURNS)

// Software runs the code of all branches, so xforms take turns: each is a loop over its share of the
// points that an invocation has. Neighbors, which run in step, have the same shares in a round, but
// each gives them to its points in an order of its own.
vec2 heldPlaces[2 * FLAME_HELD];
float heldColors[2 * FLAME_HELD];  // and 2 for each time in a row that the point was bad
float heldRests[2 * FLAME_HELD];   // of colors, mixColor()
uint heldFrom = 0u;                // those of this round; the next one's are in the other half
uint drawn = 0u, plotted = 0u;     // bits of this round; iterations of this dispatch

// A permutation.
uint orderOf(uint slot) {
  uint at = slot * (drawn >> 26 | 1u) + (drawn >> 20);
  at ^= (at & (FLAME_HELD - 1u)) >> 2;
  return (at * (drawn >> 14 | 1u) + (drawn >> 8)) & (FLAME_HELD - 1u);
}

void takeTurn(uint xform, uint slot) {
  uint from = heldFrom + slot, to = FLAME_HELD - heldFrom + orderOf(slot);
  uint badRun = uint(heldColors[from] * 0.5);
  float color = heldColors[from] - 2.0 * float(badRun);
  Walker walker = Walker(heldPlaces[from], color, heldRests[from], 0u, badRun, 0u, 0u, false);
  bool counts = attempt(walker, xform, drawn * (2u * slot + 1u));
  heldPlaces[to] = walker.position;
  heldColors[to] = walker.color + 2.0 * float(walker.badRun);
  heldRests[to] = walker.colorRest;
  plotPoint(walker, counts, plotted);  // what does not count is written over
  plotted += uint(counts);
}

void play(inout uint round, inout uint done) {
  uint before = done;
  plotted = 0u;
  for (; before + plotted < params.target; ++round) {
    uint shift = hashBits(hashBits(groupIndex() ^ params.seed.x) ^
                          (params.seed.y + round * 0x9e3779b9u));
    drawn = randomBits();
    takeTurns(shift >> 18);
    heldFrom = FLAME_HELD - heldFrom;
  }
  done = before + plotted;
  for (; plotted < params.target - params.firstRound + FLAME_HELD; ++plotted)
    plot(false, uvec2(0u), 0.0, 0.0, 0u, entryOf(plotted));
}

void playHeld() {
  uint index = invocationIndex(), first = index * FLAME_HELD;
  uint round = points[first].row, done = points[first].done;
  randomState = points[first].random;
  hits = points[first].hits;
  if (params.restart != 0u) {
    seedRandom(index, params.seed);
    round = done = hits = 0u;
  }
  for (uint i = 0u; i < FLAME_HELD; ++i) {
    heldPlaces[i] = params.restart != 0u ? randomPoint() : points[first + i].position;
    heldColors[i] = params.restart != 0u ? randomUnit() : points[first + i].color;
    heldRests[i] = params.restart != 0u ? 0.0 : points[first + i].z;
  }
  play(round, done);
  for (uint i = 0u; i < FLAME_HELD; ++i)
    points[first + i] = IteratePoint(heldPlaces[heldFrom + i], heldColors[heldFrom + i], round,
                                     randomState, 0u, done, hits, heldRests[heldFrom + i], vec2(0.0));
}

#else

// Each invocation continues until its own iterations are done. A round in which its point is bad
// plots nothing; written so, lanes that are retrying do not hold up the others.
void play(inout Walker walker, inout uint done) {
  while (done < params.target) {
    bool leads = beginAnew(walker, done);
    bool counts = attempt(walker, randomBits());
    plotPoint(walker, counts && !leads, done - params.firstRound);
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
#ifdef BRING_PALETTE
  BRING_PALETTE
#endif
#ifdef FLAME_TURNS
  playHeld();
#else
  uint index = invocationIndex();
  IteratePoint point = points[min(index, params.invocations - 1u)];
#ifdef FLAME_DEPTH
  Place start = vec3(point.position, point.z);
#else
  Place start = point.position;
#endif
  bool hidden = (point.badRun & FLAME_HIDDEN) != 0u;
  Walker walker =
      Walker(start, point.color, point.z, point.row, point.badRun & ~FLAME_HIDDEN, 0u, 0u, hidden);
  orbitPlace = point.orbit;
  uint done = point.done;
  randomState = point.random;
  hits = point.hits;
  if (params.restart != 0u) {
    seedRandom(index, params.seed);
    walker = Walker(ofPlane(randomPoint()), randomUnit(), 0.0, 0u, 0u, 0u, 0u, false);
    done = hits = 0u;
  }
  play(walker, done);
  float z = walker.colorRest;
#ifdef FLAME_DEPTH
  z = walker.position.z;
#endif
  if (index < params.invocations)
    points[index] = IteratePoint(walker.position.xy, walker.color, walker.row, randomState,
                                 walker.badRun | (walker.hidden ? FLAME_HIDDEN : 0u), done, hits,
                                 z, orbitPlace);
#endif
}
