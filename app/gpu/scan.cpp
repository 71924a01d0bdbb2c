// SPDX-License-Identifier: BSD-3-Clause
// Blocks are reduced, their sums scanned by the next level up, then each block is scanned with its
// offset.
#include "app/gpu/scan.h"

#include "app/gpu/pass.h"
#include "shaders/common/shared.h"

namespace fathom::gpu {
namespace {

shared::ScanParams scanParams(std::size_t count, std::uint32_t firstBlock,
                              std::uint32_t blockCount) {
  return {std::uint32_t(count), blockCount, firstBlock, SCAN_QUADS, SCAN_SIZE, 0, 0, 0};
}

}  // namespace

void Scanner::exclusive(const BufferRange& in, const BufferRange& out, std::size_t count) {
  FATHOM_CHECK_OP(count, <=, std::size_t(in.bytes) / sizeof(std::uint32_t));
  FATHOM_CHECK_OP(count + 1, <=, std::size_t(out.bytes) / sizeof(std::uint32_t));
  FATHOM_CHECK_OP(count, <, std::size_t(UINT32_MAX));
  scan(in, out, count, 0);
}

void Scanner::scan(const BufferRange& in, const BufferRange& out, std::size_t count,
                   std::size_t level) {
  const auto whole = std::uint32_t(count / SCAN_BLOCK);
  BufferRange sums = in;  // not read when there is no block before
  if (whole > 0) {
    if (sums_.size() <= level) sums_.resize(level + 1);
    Buffer<std::uint32_t>& levelSums = sums_[level];
    if (levelSums.count() < whole + 1)
      levelSums = Buffer<std::uint32_t>(context_, "scan sums", whole + 1);
    sums = levelSums;
    Pass& reduce = context_.pass({"scan reduce", "shaders/common/scan_reduce.comp", {}});
    reduce.storage(SCAN_BIND_IN, in)
        .storage(SCAN_BIND_SUMS, levelSums)
        .params(SCAN_BIND_PARAMS, scanParams(count, 0, whole));
    reduce.dispatchGroups(whole);
    barrier(Reader::Storage);  // the scan of the sums
    scan(levelSums, levelSums, whole, level + 1);
  }
  const auto write = [&](bool tail, std::uint32_t firstBlock, std::uint32_t blockCount) {
    Pass& pass = context_.pass(
        {"scan write", "shaders/common/scan_write.comp", {{"SCAN_TAIL", tail ? 1 : 0}}});
    pass.storage(SCAN_BIND_IN, in)
        .storage(SCAN_BIND_SUMS, sums)
        .storage(SCAN_BIND_OUT, out)
        .params(SCAN_BIND_PARAMS, scanParams(count, firstBlock, blockCount));
    pass.dispatchGroups(blockCount);
  };
  write(false, 0, whole);
  write(true, whole, 1);
  barrier(Reader::Storage);  // the caller, or the level above
}

}  // namespace fathom::gpu
