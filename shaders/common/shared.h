// SPDX-License-Identifier: BSD-3-Clause
// Bindings, sizes and structs that C++ and the passes of shaders/common share.
#ifndef SHADERS_COMMON_SHARED_H
#define SHADERS_COMMON_SHARED_H

// Exclusive prefix sum: scan_reduce.comp, scan_write.comp. Buffers hold whole rows of 16 bytes, so
// words are read and written four at a time, a quad.
#define SCAN_BIND_IN 0      // storage  uint[count], as uvec4       caller
#define SCAN_BIND_SUMS 1    // storage  uint[wholeBlockCount + 1]   scan_reduce, then scanned
#define SCAN_BIND_OUT 2     // storage  uint[count + 1], as uvec4   scan_write
#define SCAN_BIND_PARAMS 0  // uniform  ScanParams                  host
#define SCAN_SIZE 32        // invocations per work group
#define SCAN_QUADS 16       // quads per invocation
#define SCAN_BLOCK 2048     // words per work group

// Radix sort, one pass over one digit: count, scan (above), scatter. A strand is a run of keys that
// one invocation (sort_count, sort_scatter) or one work group (sort_count_group,
// sort_scatter_group) sorts; the table has a row per digit and in it a word per strand. Inputs and
// outputs larger than a storage block are bound part by part.
#define SORT_BIND_KEYS 0      // storage  uint[keyCount]                    caller
#define SORT_BIND_COUNT 1     // storage  uint[1]: keys in all parts        host, or an earlier pass
#define SORT_BIND_TABLE 2     // storage  uint[digitCount][strandCount], 1  sort_count, then scanned
#define SORT_BIND_SORTED 3    // storage  uint[sortedCount]                 sort_scatter
#define SORT_BIND_PAYLOADS 4  // storage  uint[keyCount]                    caller
#define SORT_BIND_SORTED_PAYLOADS 5  // storage  uint[sortedCount]                 sort_scatter
#define SORT_BIND_STARTS 6           // storage  uint[digitCount + 1]              sort_starts
#define SORT_BIND_PARAMS 0           // uniform  SortParams                        host
#define SORT_LANES_DEFAULT \
  8  // invocations per work group of sort_count and sort_scatter, if not given
#define SORT_DIGITS_DEFAULT 256   // digits that shared memory has room for, if not given
#define SORT_STARTS_SIZE 64       // invocations per work group of sort_starts
#define SORT_DISCARD 0xFFFFFFFFu  // the key that means: no entry

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
#include <cstdint>
namespace fathom::gpu::shared {
using uint = std::uint32_t;
#endif

struct ScanParams {
  uint count;       // words of the input
  uint blockCount;  // blocks of this dispatch
  uint firstBlock;  // the first of them
  // SCAN_QUADS and SCAN_SIZE once more, as bounds of loops: Mesa unrolls loops of constant length,
  // takes 0.6 s to compile them and gains nothing.
  uint quadCount;
  uint laneCount;
  uint spare0, spare1, spare2;
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
static_assert(sizeof(SortParams) == 48 && sizeof(ReduceParams) == 16);
static_assert(SCAN_BLOCK == SCAN_SIZE * SCAN_QUADS * 4);
}  // namespace fathom::gpu::shared
#endif
#endif
