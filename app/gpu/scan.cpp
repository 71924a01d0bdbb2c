// SPDX-License-Identifier: BSD-3-Clause
#include "app/gpu/scan.h"

#include "app/gpu/pass.h"
#include "shaders/common/shared.h"

namespace fathom::gpu {
namespace {

constexpr std::size_t kBlock = SCAN_BLOCK;

}  // namespace

void Scanner::exclusive(const Buffer<std::uint32_t>& in, Buffer<std::uint32_t>& out,
                        std::size_t count) {
  FATHOM_CHECK_OP(count, <=, in.count());
  FATHOM_CHECK_OP(count + 1, <=, out.count());
  FATHOM_CHECK_OP(count, <, std::size_t(UINT32_MAX));
  scan(in, out, count, 0);
}

void Scanner::scan(const Buffer<std::uint32_t>& in, Buffer<std::uint32_t>& out, std::size_t count,
                   std::size_t level) {
  // The total is an item of its own at the end, so that every group writes what it has read.
  const std::size_t blockCount = (count + 1 + kBlock - 1) / kBlock;
  const shared::ScanParams params{std::uint32_t(count), blockCount > 1 ? 1u : 0u, 0, 0};
  if (blockCount > 1) {
    if (sums_.size() <= level) sums_.resize(level + 1);
    if (sums_[level].count() < blockCount + 1)
      sums_[level] = Buffer<std::uint32_t>(context_, "scan sums", blockCount + 1);
    Pass& reduce = context_.pass({"scan reduce", "shaders/common/scan_reduce.comp", {}});
    reduce.storage(SCAN_BIND_IN, in)
        .storage(SCAN_BIND_SUMS, sums_[level])
        .params(SCAN_BIND_PARAMS, params);
    reduce.dispatchGroups(blockCount);
    barrier(Reader::Storage);  // the scan of the sums, below
    scan(sums_[level], sums_[level], blockCount, level + 1);
  }
  Pass& write = context_.pass({"scan write", "shaders/common/scan_write.comp", {}});
  write.storage(SCAN_BIND_IN, in)
      .storage(SCAN_BIND_SUMS, blockCount > 1 ? sums_[level] : in)
      .storage(SCAN_BIND_OUT, out)
      .params(SCAN_BIND_PARAMS, params);
  write.dispatchGroups(blockCount);
  barrier(Reader::Storage);  // whoever called, and scan_write.comp one level up
}

}  // namespace fathom::gpu
