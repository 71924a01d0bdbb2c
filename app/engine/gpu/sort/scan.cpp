// SPDX-License-Identifier: BSD-3-Clause
// One dispatch per scan. What earlier scans have published is told apart by the number of the scan,
// so nothing is cleared in between.
#include "app/engine/gpu/sort/scan.h"

#include "app/engine/gpu/dispatch_cost.h"
#include "app/engine/gpu/pass.h"
#include "shaders/common/shared.h"

#include <algorithm>

namespace fathom::gpu {

void Scanner::exclusive(const BufferRange& in, const BufferRange& out, std::size_t count) {
  FATHOM_CHECK_OP(count, <=, std::size_t(in.bytes) / sizeof(std::uint32_t));
  FATHOM_CHECK_OP(count + 1, <=, std::size_t(out.bytes) / sizeof(std::uint32_t));
  FATHOM_CHECK_OP(count, <, std::size_t(UINT32_MAX));
  const auto blocks = std::uint32_t(count / SCAN_BLOCK + 1);
  const std::size_t words = 4 + 4 * std::size_t(blocks);
  const bool fresh = states_.count() < words;
  if (fresh)
    states_ = Buffer<std::uint32_t>(context_, "scan states", std::max(words, 2 * states_.count()));
  if (fresh || epoch_ == SCAN_EPOCHS) {
    states_.clear();
    epoch_ = 0;
  }
  ++epoch_;
  // Lanes of a CPU are few and take long chunks.
  const std::uint32_t lanes = context_.device().software ? SCAN_SIZE_DEFAULT : 256;
  std::vector<Define> defines = {{"SCAN_SIZE", int(lanes)}};
  if (mute_ > 0) defines.emplace_back("SCAN_MUTE", mute_);
  Pass& pass = context_.pass({"scan", "shaders/common/scan.comp", defines});
  pass.storage(SCAN_BIND_IN, in)
      .storage(SCAN_BIND_STATES, states_)
      .storage(SCAN_BIND_OUT, out)
      .params(SCAN_BIND_PARAMS,
              shared::ScanParams{std::uint32_t(count), blocks, epoch_, SCAN_BLOCK / 4 / lanes,
                                 lanes, SCAN_WINDOW, 0, 0});
  // A word is read, added thrice and written; a block asks those before it, some polls long.
  dispatchGroups(pass, blocks, DispatchCost{4.0 * double(count), 200});
  barrier(Reader::Storage);  // the caller
}

}  // namespace fathom::gpu
