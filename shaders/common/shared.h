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

struct CopyParams {
  uint count;  // rows of four words
  uint spare0, spare1, spare2;
};

#ifdef __cplusplus
static_assert(sizeof(ScanParams) == 32 && sizeof(CopyParams) == 16);
static_assert(SCAN_BLOCK == SCAN_SIZE * SCAN_QUADS * 4);
}  // namespace fathom::gpu::shared
#endif
#endif
