// SPDX-License-Identifier: BSD-3-Clause
// Bindings, sizes and structs that C++ and the passes of shaders/common share.
#ifndef SHADERS_COMMON_SHARED_H
#define SHADERS_COMMON_SHARED_H

// Exclusive prefix sum: scan.comp. Buffers hold whole rows of 16 bytes, so words are read and
// written four at a time, a quad.
#define SCAN_BIND_IN 0      // storage  uint[count], as uvec4       caller
#define SCAN_BIND_STATES 1  // storage  uint[4 + 4 * blockCount]    scan, for itself
#define SCAN_BIND_OUT 2     // storage  uint[count + 1], as uvec4   scan
#define SCAN_BIND_PARAMS 0  // uniform  ScanParams                  host
#define SCAN_SIZE_DEFAULT 32  // invocations per work group, if not given
#define SCAN_BLOCK 4096       // words per work group
#define SCAN_WINDOW 32        // blocks that are looked at together
#define SCAN_POLLS 64         // looks at a block that has not published, then it is summed here
#define SCAN_EPOCHS 65535     // scans until the states must be cleared

// Radix sort by strands, one pass over one digit: sort_count, scan (above), sort_scatter,
// sort_starts. A strand is a run of keys that one invocation sorts; the table has a row per digit
// and in it a word per strand. Inputs and outputs larger than a storage block are bound part by
// part.
#define SORT_BIND_KEYS 0      // storage  uint[keyCount]                    caller
#define SORT_BIND_COUNT 1     // storage  uint[1]: keys in all parts        host, or an earlier pass
#define SORT_BIND_TABLE 2     // storage  uint[digitCount][strandCount], 1  sort_count, then scanned
#define SORT_BIND_SORTED 3    // storage  uint[sortedCount]                 sort_scatter
#define SORT_BIND_PAYLOADS 4  // storage  uint[keyCount]                    caller
#define SORT_BIND_SORTED_PAYLOADS 5  // storage  uint[sortedCount]                 sort_scatter
#define SORT_BIND_STARTS 6           // storage  uint[digitCount + 1]              sort_starts
#define SORT_BIND_PARAMS 0           // uniform  SortParams, SweepParams           host
#define SORT_LANES_DEFAULT \
  8  // invocations per work group of sort_count and sort_scatter, if not given
#define SORT_DIGITS_DEFAULT 256   // digits that shared memory has room for, if not given
#define SORT_STARTS_SIZE 64       // invocations per work group of sort_starts
#define SORT_DISCARD 0xFFFFFFFFu  // the key that means: no entry

// Radix sort in sweeps: sort_histogram once, then sort_sweep for each digit. A tile is what one work
// group sorts.
#define SORT_BIND_STATES 2   // storage  uint[passes][tileCount + 1][SORT_DIGITS]  both
#define SORT_BIND_KEPT 3     // storage  uint[1]: keys that are kept               sort_histogram
#define SORT_BIND_SHARED 7   // storage  done, tickets, totals                     both
#define SORT_BIND_TRAFFIC 8  // storage  uint[2]: words moved, in place of others  both, SORT_TRAFFIC
#define SORT_MAX_PASSES 4    // digits of one histogram
#define SORT_COUNTER_WORDS 4096      // counters of a tile's subgroups
#define SORT_ROUNDS 4                // rounds of waiting for a tile that has not published,
#define SORT_POLLS 16                // each of so many looks
#define SORT_LOCAL 0x40000000u       // the state is the tile's own count
#define SORT_PREFIX 0x80000000u      // the state is the count of all tiles up to it
#define SORT_COUNT_MASK 0x3FFFFFFFu  // how many keys can be sorted by sweeps

// Reduce by key: find_runs.comp, scan, list_runs.comp, sum_runs.comp.
#define REDUCE_BIND_KEYS 0      // storage  uint[count]                          caller
#define REDUCE_BIND_RUNS 1      // storage  uint[count + 1]: heads, scanned      find_runs
#define REDUCE_BIND_RUN_KEYS 2  // storage  uint[runCount]                       list_runs
#define REDUCE_BIND_STARTS 3    // storage  uint[runCount + 1]                   list_runs
#define REDUCE_BIND_PREFIX 4    // storage  uint[count + 1]: values, scanned     caller
#define REDUCE_BIND_SUMS 5      // storage  uint[runCount]                       sum_runs
#define REDUCE_BIND_PARAMS 0    // uniform  ReduceParams                         host
#define REDUCE_SIZE 64          // invocations per work group

// Copy, to measure what memory gives: copy_words.comp.
#define COPY_BIND_FROM 0    // storage  uvec4[count]                host
#define COPY_BIND_TO 1      // storage  uvec4[count]                copy_words
#define COPY_BIND_PARAMS 0  // uniform  CopyParams                  host
#define COPY_SIZE 256       // invocations per work group

#ifdef __cplusplus
#include <glm/vec4.hpp>

#include <cstdint>
namespace fathom::gpu::shared {
using glm::uvec4;
using uint = std::uint32_t;
#endif

struct ScanParams {
  uint count;       // words of the input
  uint blockCount;  // blocks, the last of which receives the total
  uint epoch;       // of this scan, 1 to SCAN_EPOCHS: states of others say nothing
  // The shader's constants once more, as bounds of loops: Mesa unrolls loops of constant length,
  // takes 0.6 s to compile them and gains nothing.
  uint quadCount;
  uint laneCount;
  uint window;  // SCAN_WINDOW
  uint spare0, spare1;
};

struct SortParams {
  uint firstKey;     // of the part of the keys that is bound
  uint firstStrand;  // the strands of this part: [firstStrand, endStrand)
  uint endStrand;
  uint strandCount;  // of all parts
  uint strandKeys;   // keys per strand; the last has less
  uint shift;        // the digit's lowest bit
  uint digitCount;   // a power of two
  uint discards;     // 1: keys that are SORT_DISCARD are left out
  uint firstSorted;  // the part of the sorted keys that is bound: [firstSorted, firstSorted +
                     // sortedCount)
  uint sortedCount;
  uint spare0, spare1;
};

struct SweepParams {
  uint pass, passCount;
  uint tileCount;
  uint keyLimit;    // no more keys than this, whatever the count in the buffer
  uvec4 shift;      // per pass: the digit's lowest bit,
  uvec4 digitMask;  // its values less 1,
  uvec4 digitBits;  // and its bits
  uint groupKeys;   // keys per work group of sort_histogram
  uint laneCount;   // its invocations, as the bound of a loop
  uint rows;        // SORT_ROWS likewise
  uint discards;    // 1: keys that are SORT_DISCARD are left out
};

struct ReduceParams {
  uint count;  // keys
  uint spare0, spare1, spare2;
};

struct CopyParams {
  uint count;  // rows of four words
  uint spare0, spare1, spare2;
};

#ifdef __cplusplus
static_assert(sizeof(ScanParams) == 32 && sizeof(CopyParams) == 16);
static_assert(sizeof(SortParams) == 48 && sizeof(SweepParams) == 80 && sizeof(ReduceParams) == 16);
}  // namespace fathom::gpu::shared
#endif
#endif
