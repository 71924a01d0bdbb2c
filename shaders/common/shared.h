// SPDX-License-Identifier: BSD-3-Clause
// Bindings, sizes and structs that C++ and the passes of shaders/common share.
#ifndef SHADERS_COMMON_SHARED_H
#define SHADERS_COMMON_SHARED_H

// Exclusive prefix sum: scan_reduce.comp, scan_write.comp.
#define SCAN_BIND_IN 0      // storage  uint[count]                 caller
#define SCAN_BIND_SUMS 1    // storage  uint[blockCount + 1]        scan_reduce, then scanned
#define SCAN_BIND_OUT 2     // storage  uint[count + 1]             scan_write
#define SCAN_BIND_PARAMS 0  // uniform  ScanParams                  host
#define SCAN_SIZE 256       // invocations per work group
#define SCAN_ITEMS 8        // items per invocation
#define SCAN_BLOCK 2048     // items per work group

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
  uint count;    // items of the input
  uint hasSums;  // 1: add the sum of the blocks before
  uint spare0, spare1;
};

struct CopyParams {
  uint count;  // rows of four words
  uint spare0, spare1, spare2;
};

#ifdef __cplusplus
static_assert(sizeof(ScanParams) == 16 && sizeof(CopyParams) == 16);
static_assert(SCAN_BLOCK == SCAN_SIZE * SCAN_ITEMS);
}  // namespace fathom::gpu::shared
#endif
#endif
