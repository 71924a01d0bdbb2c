// SPDX-License-Identifier: BSD-3-Clause
// One pass of the radix sort over one digit, in a single dispatch (Onesweep: Adinets and Merrill 2022). A
// work group takes the next tile of keys, ranks them by votes within subgroups, publishes how often each
// value of the digit occurs in it, sorts the tile in shared memory, sums up the tiles before it, and writes
// runs of neighbors. A tile that has published nothing after a while is counted here, from keys that no pass
// overwrites (decoupled fallback: Smith, Levien and Owens 2025): no group waits for another, so no
// forward progress between groups is assumed. Deterministic: each place is a sum of integers, whoever adds
// them. The width of subgroups is asked at run time.
//
//   tile: for each subgroup: for each of SORT_ROWS rows: for each lane: a key
//   states: row t + 1 belongs to tile t; 2 bits say what the other 30 are: nothing, the tile's count, or the
//           count of all up to it. Row 0 holds where each value starts.
//
// SORT_PAYLOADS 1: a payload travels with each key. SORT_MUTE n > 0: every n-th tile publishes nothing, so
// that tests reach the fallback.
#include "shaders/common/ballot.glsl"
#include "shaders/common/shared.h"
#ifndef SORT_LANES
#define SORT_LANES 64
#endif
#ifndef SORT_ROWS
#define SORT_ROWS 4
#endif
#ifndef SORT_DIGITS
#define SORT_DIGITS SORT_DIGITS_DEFAULT
#endif
#ifndef SORT_PAYLOADS
#define SORT_PAYLOADS 0
#endif
#ifndef SORT_UNROLLED
#define SORT_UNROLLED 0
#endif
#ifndef SORT_MUTE
#define SORT_MUTE 0
#endif
#ifndef SORT_TRAFFIC
#define SORT_TRAFFIC 0
#endif
#define TILE_KEYS (SORT_LANES * SORT_ROWS)
#define PAIRS (SORT_DIGITS / 2)                  // two counters in a word: a tile has less than 65,536 keys
#define COUNTER_SETS (SORT_COUNTER_WORDS / PAIRS)  // as many subgroups have counters of their own
#if TILE_KEYS > SORT_COUNTER_WORDS
#define POOL_WORDS TILE_KEYS
#else
#define POOL_WORDS SORT_COUNTER_WORDS
#endif
#if SORT_UNROLLED
#pragma optionNV(unroll all)  // NVIDIA: arrays of registers, not of memory
#define ROW_END SORT_ROWS
#else
#define ROW_END params.rows
#endif
layout(local_size_x = SORT_LANES) in;
#include "shaders/common/invocation.glsl"

layout(std430, binding = SORT_BIND_KEYS) restrict readonly buffer Keys { uint keys[]; };
layout(std430, binding = SORT_BIND_COUNT) restrict readonly buffer Count { uint keyCount; };
layout(std430, binding = SORT_BIND_STATES) coherent volatile restrict buffer States { uint states[]; };
layout(std430, binding = SORT_BIND_SHARED) coherent restrict buffer Shared {
  uint doneCount, spare0, spare1, spare2;
  uint tickets[SORT_MAX_PASSES];
};
layout(std430, binding = SORT_BIND_SORTED) restrict writeonly buffer Sorted { uint sorted[]; };
#if SORT_PAYLOADS
layout(std430, binding = SORT_BIND_PAYLOADS) restrict readonly buffer Payloads { uint payloads[]; };
layout(std430, binding = SORT_BIND_SORTED_PAYLOADS) restrict writeonly buffer SortedPayloads {
  uint sortedPayloads[];
};
#endif
#include "shaders/common/traffic.glsl"
layout(std140, binding = SORT_BIND_PARAMS) uniform Params { SweepParams params; };

shared uint pool[POOL_WORDS];       // counters of subgroups, later the tile's keys in their order
shared uint counts[SORT_DIGITS];    // of the tile
shared uint offsets[SORT_DIGITS];   // where a value starts in the tile, later what to add to reach its place
shared uint recounts[SORT_DIGITS];  // of a tile that has not published
shared uint laneSums[2 * SORT_LANES];
shared uint ticket, stalledRow;

const uint kNowhere = 0xFFFFFFFFu;  // the place of what is not kept

uint digitOf(uint key) {
  return key >> params.shift[params.pass] & params.digitMask[params.pass];
}
uint keyEnd() { return min(keyCount, params.keyLimit); }
bool isKept(uint key) { return key != SORT_DISCARD || params.discards == 0; }
uint stateAt(uint row, uint digit) {
  return (params.pass * (params.tileCount + 1) + row) * SORT_DIGITS + digit;
}
bool publishes(uint tile) {
#if SORT_MUTE
  return tile % SORT_MUTE != SORT_MUTE - 1;
#else
  return true;
#endif
}

/// Rank of this lane's key among the keys of its digit in the subgroups that share these counters, those of
/// earlier rows included.
uint rankOf(uint digit, bool kept, uint set) {
  uvec2 peers = ballotOf(kept);
  for (uint bit = 0; bit < params.digitBits[params.pass]; ++bit) {
    const bool isSet = (digit >> bit & 1u) != 0;
    const uvec2 votes = ballotOf(isSet);
    peers &= isSet ? votes : ~votes;
  }
  const uint lower = voteCount(lowerVotes(peers));
  const uint counter = set * PAIRS + (digit >> 1), half_ = (digit & 1u) * 16;
  const bool leads = kept && lower == 0;
#if BALLOT == 2
  uint before = 0;
  if (leads) before = atomicAdd(pool[counter], voteCount(peers) << half_);
  before = subgroupShuffle(before, firstVoter(peers));
#else
  const uint before = pool[counter];
  barrier();  // all have read
  if (leads) atomicAdd(pool[counter], voteCount(peers) << half_);
  barrier();  // the next row reads
#endif
  return (before >> half_ & 0xFFFFu) + lower;
}

/// Counters to the keys of the sets before, and their sums to counts.
void scanCounters(uint lane, uint sets) {
  for (uint pair = lane; pair < PAIRS; pair += SORT_LANES) {
    uint sum = 0;
    for (uint set = 0; set < sets; ++set) {
      const uint here = pool[set * PAIRS + pair];
      pool[set * PAIRS + pair] = sum;
      sum += here;
    }
    counts[2 * pair] = sum & 0xFFFFu;
    counts[2 * pair + 1] = sum >> 16;
  }
  barrier();
}

/// Where each value starts in the tile; returns how many keys the tile keeps.
uint scanCounts(uint lane) {
  const uint perLane = (SORT_DIGITS + SORT_LANES - 1) / SORT_LANES;
  const uint first = lane * perLane, last = min(first + perLane, SORT_DIGITS);
  uint sum = 0;
  for (uint digit = first; digit < last; ++digit) sum += counts[digit];
  // Inclusive scan of the lanes' sums, in two halves that take turns (Hillis and Steele).
  uint from = 0;
  laneSums[lane] = sum;
  barrier();
  for (uint reach = 1; reach < SORT_LANES; reach *= 2) {
    const uint upTo = laneSums[from + lane] + (lane >= reach ? laneSums[from + lane - reach] : 0);
    from = SORT_LANES - from;
    laneSums[from + lane] = upTo;
    barrier();
  }
  uint start = laneSums[from + lane] - sum;
  const uint all = laneSums[from + SORT_LANES - 1];
  for (uint digit = first; digit < last; ++digit) {
    offsets[digit] = start;
    start += counts[digit];
  }
  barrier();
  return all;
}

/// Counts the keys of a tile in its stead, and publishes that unless it has been done.
void publishFor(uint tile, uint lane) {
  for (uint digit = lane; digit < SORT_DIGITS; digit += SORT_LANES) recounts[digit] = 0;
  barrier();
  const uint first = tile * TILE_KEYS, last = min(first + TILE_KEYS, keyEnd());
  for (uint i = first + lane; i < last; i += SORT_LANES) {
    const uint key = keys[i];
    movedInStead(1);
    if (isKept(key)) atomicAdd(recounts[digitOf(key)], 1);
  }
  barrier();
  for (uint digit = lane; digit < SORT_DIGITS; digit += SORT_LANES) {
    atomicCompSwap(states[stateAt(tile + 1, digit)], 0, SORT_LOCAL | recounts[digit]);
    movedInStead(1);
  }
  memoryBarrierBuffer();
}

/// Keys of this digit in all tiles before, and where the digit starts. The whole group; digits beyond the
/// last one have nothing to find.
uint sumBefore(uint tile, uint digit, uint lane) {
  uint sum = 0, row = tile, stalled = 0, rounds = 0;
  bool found = digit >= SORT_DIGITS;
  do {
    bool published = true;
    while (!found && published) {
      const uint state = states[stateAt(row, digit)];
      published = state >= SORT_LOCAL;
      if (published) moved(1);
      else movedInStead(1);
      sum += published ? state & SORT_COUNT_MASK : 0;
      found = state >= SORT_PREFIX;
      row -= published ? 1 : 0;
    }
    if (lane == 0) stalledRow = 0;
    barrier();
    if (!found) atomicMax(stalledRow, row);
    barrier();
    stalled = stalledRow;
    barrier();  // before it is written again
    if (stalled > 0 && ++rounds > SORT_ROUNDS) {
      publishFor(stalled - 1, lane);
      rounds = 0;
    } else if (stalled > 0) {
      // One lane waits for all: a tile publishes all of its counts together.
      bool waits = lane == 0;
      for (uint poll = 0; waits && poll < SORT_POLLS; ++poll) {
        waits = states[stateAt(stalled, SORT_DIGITS - 1)] < SORT_LOCAL;
        movedInStead(1);
      }
      barrier();  // orders no memory: the others wait for the lane that looks
    }
  } while (stalled > 0);
  return sum;
}

void sortTile(uint tile, uint lane) {
  // Read and rank. Subgroups that share counters take turns, in the order of their keys.
  const uint firstKey = tile * TILE_KEYS + subgroupIndex() * (subgroupWidth() * SORT_ROWS) + laneIndex();
  const uint end = keyEnd();
  const uint subgroups = (SORT_LANES + subgroupWidth() - 1) / subgroupWidth();
  const uint turns = (subgroups + COUNTER_SETS - 1) / COUNTER_SETS;
  const uint set = subgroupIndex() / turns;
  uint rowKeys[SORT_ROWS], places[SORT_ROWS];
  for (uint turn = 0; turn < turns; ++turn) {
    const bool mine = subgroupIndex() % turns == turn;
    for (uint row = 0; row < ROW_END; ++row) {
      const uint i = firstKey + row * subgroupWidth();
      if (mine) {
        rowKeys[row] = i < end ? keys[i] : SORT_DISCARD;
        if (i < end) moved(1);
      }
      const bool kept = mine && i < end && isKept(rowKeys[row]);
      const uint rank = rankOf(digitOf(rowKeys[row]), kept, set);
      if (mine) places[row] = kept ? rank : kNowhere;
    }
    barrier();
  }
  scanCounters(lane, (subgroups + turns - 1) / turns);

  if (publishes(tile))
    for (uint digit = lane; digit < SORT_DIGITS; digit += SORT_LANES) {
      states[stateAt(tile + 1, digit)] = SORT_LOCAL | counts[digit];
      moved(1);
    }
  const uint keptCount = scanCounts(lane);

  // Sort within the tile; then neighbors write neighbors.
  for (uint row = 0; row < ROW_END; ++row) {
    const uint digit = digitOf(rowKeys[row]);
    if (places[row] != kNowhere)
      places[row] += offsets[digit] + (pool[set * PAIRS + (digit >> 1)] >> (digit & 1u) * 16 & 0xFFFFu);
  }
  barrier();  // the counters have been read
  for (uint row = 0; row < ROW_END; ++row)
    if (places[row] != kNowhere) pool[places[row]] = rowKeys[row];

  for (uint first = 0; first < SORT_DIGITS; first += SORT_LANES) {
    const uint digit = first + lane;
    const uint before = sumBefore(tile, digit, lane);
    if (digit < SORT_DIGITS) {
      if (publishes(tile)) {
        states[stateAt(tile + 1, digit)] = SORT_PREFIX | (before + counts[digit]);
        moved(1);
      }
      offsets[digit] = before - offsets[digit];
    }
  }
  barrier();
#if SORT_PAYLOADS
  uint targets[SORT_ROWS];
#endif
  for (uint row = 0; row < ROW_END; ++row) {
    const uint i = row * SORT_LANES + lane;
    const uint key = pool[min(i, uint(TILE_KEYS - 1))];
    const uint target = i < keptCount ? offsets[digitOf(key)] + i : kNowhere;
    if (i < keptCount) {
      sorted[target] = key;
      moved(1);
    }
#if SORT_PAYLOADS
    targets[row] = target;
#endif
  }
#if SORT_PAYLOADS
  barrier();  // all keys are out of the pool
  for (uint row = 0; row < ROW_END; ++row)
    if (places[row] != kNowhere) {
      pool[places[row]] = payloads[firstKey + row * subgroupWidth()];
      moved(1);
    }
  barrier();
  for (uint row = 0; row < ROW_END; ++row)
    if (targets[row] != kNowhere) {
      sortedPayloads[targets[row]] = pool[row * SORT_LANES + lane];
      moved(1);
    }
#endif
}

void main() {
  const uint lane = gl_LocalInvocationIndex;
  if (lane == 0) ticket = atomicAdd(tickets[params.pass], 1);
  for (uint i = lane; i < SORT_COUNTER_WORDS; i += SORT_LANES) pool[i] = 0;
  barrier();
  const uint tile = ticket;
  if (tile < params.tileCount) sortTile(tile, lane);
  reportTraffic();
}
