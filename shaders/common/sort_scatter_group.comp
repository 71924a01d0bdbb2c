// SPDX-License-Identifier: BSD-3-Clause
// Second half of a pass of the radix sort where subgroups can vote: each key goes to its place. One work
// group per strand of keys; reads the keys (and payloads) and where each digit of this strand begins,
// writes the sorted keys (and payloads). Each subgroup ranks its rows of keys by ballots, the group sorts
// its strand in shared memory, and neighbors write neighbors. Stable and deterministic.
// (Ashkiani et al. 2016, "GPU Multisplit", for ranks from ballots.)
//
//   strand: for each subgroup: for each of SORT_ROWS rows: for each lane: a key
//   table: for each digit: for each strand: where its first key goes
//
// SORT_PAYLOADS 1: a payload travels with each key.
#include "shaders/common/ballot.glsl"
#include "shaders/common/shared.h"
#ifndef SORT_SUBGROUPS
#define SORT_SUBGROUPS 8
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
#define SORT_LANES (SORT_SUBGROUPS * BALLOT_WIDTH)
layout(local_size_x = SORT_LANES) in;
#include "shaders/common/invocation.glsl"

layout(std430, binding = SORT_BIND_KEYS) restrict readonly buffer Keys { uint keys[]; };
layout(std430, binding = SORT_BIND_COUNT) restrict readonly buffer Count { uint keyCount; };
layout(std430, binding = SORT_BIND_TABLE) restrict readonly buffer Table { uint table[]; };
layout(std430, binding = SORT_BIND_SORTED) restrict writeonly buffer Sorted { uint sorted[]; };
#if SORT_PAYLOADS
layout(std430, binding = SORT_BIND_PAYLOADS) restrict readonly buffer Payloads { uint payloads[]; };
layout(std430, binding = SORT_BIND_SORTED_PAYLOADS) restrict writeonly buffer SortedPayloads {
  uint sortedPayloads[];
};
#endif
layout(std140, binding = SORT_BIND_PARAMS) uniform Params { SortParams params; };

shared uint counters[SORT_SUBGROUPS * SORT_DIGITS];  // per subgroup and digit: keys so far, then before
shared uint starts[SORT_DIGITS];                     // of the digit within the strand, then beyond it
shared uint staged[SORT_LANES * SORT_ROWS];          // the strand, sorted; before that, sums
shared uint keptCount;                               // keys of the strand that are not discarded

const uint kNowhere = 0xFFFFFFFFu;  // the place of what is not kept

uint digitOf(uint key) { return key >> params.shift & uint(SORT_DIGITS - 1); }

/// Rank of this lane's key among the subgroup's keys of the same digit, those of earlier rows included.
uint rankInSubgroup(uint digit, bool kept) {
  uvec2 peers = ballotOf(kept);
  for (uint bit = 0; 1u << bit < SORT_DIGITS; ++bit) {
    const bool isSet = (digit >> bit & 1u) != 0;
    const uvec2 votes = ballotOf(isSet);
    peers &= isSet ? votes : ~votes;
  }
  const uint lower = voteCount(lowerVotes(peers));
  const uint counter = subgroupIndex() * SORT_DIGITS + digit;
  const uint before = counters[counter];
  subgroupSync();  // all have read
  if (kept && lower == 0) counters[counter] = before + voteCount(peers);
  subgroupSync();  // the next row reads
  return before + lower;
}

/// Turns counters into the keys of earlier subgroups, and starts into the keys of lower digits.
void scanCounters(uint lane) {
  const uint perLane = (SORT_DIGITS + SORT_LANES - 1) / SORT_LANES;
  const uint first = lane * perLane;
  const uint last = min(first + perLane, SORT_DIGITS);
  uint sum = 0;
  for (uint digit = first; digit < last; ++digit) {
    starts[digit] = sum;
    for (uint i = 0; i < SORT_SUBGROUPS; ++i) {
      const uint count = counters[i * SORT_DIGITS + digit];
      counters[i * SORT_DIGITS + digit] = sum - starts[digit];
      sum += count;
    }
  }
  // Inclusive scan of the lanes' sums, in two halves that take turns (Hillis and Steele).
  uint from = 0;
  staged[lane] = sum;
  barrier();
  for (uint reach = 1; reach < SORT_LANES; reach *= 2) {
    const uint upTo = staged[from + lane] + (lane >= reach ? staged[from + lane - reach] : 0);
    from = SORT_LANES - from;
    staged[from + lane] = upTo;
    barrier();
  }
  const uint before = staged[from + lane] - sum;
  for (uint digit = first; digit < last; ++digit) starts[digit] += before;
  if (lane == SORT_LANES - 1) keptCount = before + sum;
  barrier();
}

void main() {
  const uint strand = params.firstStrand + groupIndex();
  const bool inRange = strand < params.endStrand;
  const uint lane = gl_LocalInvocationIndex;
  for (uint i = lane; i < SORT_SUBGROUPS * SORT_DIGITS; i += SORT_LANES) counters[i] = 0;
  barrier();

  // Read and rank.
  const uint firstKey = strand * params.strandKeys + subgroupIndex() * (BALLOT_WIDTH * SORT_ROWS);
  const uint end = inRange ? min((strand + 1) * params.strandKeys, keyCount) : 0;
  uint rowKeys[SORT_ROWS], places[SORT_ROWS];
  for (uint row = 0; row < SORT_ROWS; ++row) {
    const uint i = firstKey + row * BALLOT_WIDTH + laneIndex();
    rowKeys[row] = i < end ? keys[i - params.firstKey] : SORT_DISCARD;
    const bool kept = i < end && (rowKeys[row] != SORT_DISCARD || params.discards == 0);
    const uint rank = rankInSubgroup(digitOf(rowKeys[row]), kept);
    places[row] = kept ? rank : kNowhere;
  }
  barrier();
  scanCounters(lane);
  for (uint row = 0; row < SORT_ROWS; ++row) {
    const uint digit = digitOf(rowKeys[row]);
    if (places[row] != kNowhere)
      places[row] += starts[digit] + counters[subgroupIndex() * SORT_DIGITS + digit];
  }
  barrier();  // starts are about to change, and staged has been read

  // Sort within the strand; then neighbors write neighbors.
  for (uint row = 0; row < SORT_ROWS; ++row)
    if (places[row] != kNowhere) staged[places[row]] = rowKeys[row];
  if (inRange) {
    for (uint digit = lane; digit < SORT_DIGITS; digit += SORT_LANES)
      starts[digit] = table[digit * params.strandCount + strand] - starts[digit];
  }
  barrier();
  uint targets[SORT_ROWS];
  for (uint row = 0; row < SORT_ROWS; ++row) {
    const uint i = row * SORT_LANES + lane;
    targets[row] = kNowhere;
    if (inRange && i < keptCount) {
      const uint key = staged[i];
      targets[row] = starts[digitOf(key)] + i - params.firstSorted;
      if (targets[row] < params.sortedCount) sorted[targets[row]] = key;
    }
  }
#if SORT_PAYLOADS
  barrier();  // all keys are out of staged
  for (uint row = 0; row < SORT_ROWS; ++row) {
    const uint i = firstKey + row * BALLOT_WIDTH + laneIndex() - params.firstKey;
    if (places[row] != kNowhere) staged[places[row]] = payloads[i];
  }
  barrier();
  for (uint row = 0; row < SORT_ROWS; ++row)
    if (targets[row] < params.sortedCount) sortedPayloads[targets[row]] = staged[row * SORT_LANES + lane];
#endif
}
