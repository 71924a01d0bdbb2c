// SPDX-License-Identifier: BSD-3-Clause
// One dispatch by decoupled look-back for the prefix sum; reduce-by-key is marks, a prefix sum and
// a scatter.
#include "app/engine/gpu/sort/scan.h"

#include "app/engine/gpu/compiler.h"
#include "app/engine/gpu/pass.h"
#include "shaders/common/shared.h"

namespace fathom::gpu {

PassKey scanKey(const Context& gpu) {
  // Lanes of a CPU are few and take long chunks.
  const int lanes = gpu.device().software ? SCAN_SIZE_DEFAULT : 256;
  return {"scan", "shaders/common/scan.comp", {{"SCAN_SIZE", lanes}}};
}

void Scanner::exclusive(const BufferRange& in, const BufferRange& out, std::size_t count) {
  FATHOM_CHECK_OP(count, <=, std::size_t(in.bytes) / sizeof(std::uint32_t));
  FATHOM_CHECK_OP(count + 1, <=, std::size_t(out.bytes) / sizeof(std::uint32_t));
  FATHOM_CHECK_OP(count, <, std::size_t(UINT32_MAX));
  const auto blocks = std::uint32_t(count / SCAN_BLOCK + 1);
  const std::size_t words = 4 + 4 * std::size_t(blocks);
  const bool fresh = states_.count() < words;
  if (fresh) states_ = Words(context_, "scan states", std::max(words, 2 * states_.count()));
  if (fresh || epoch_ == SCAN_EPOCHS) {
    states_.clear();
    epoch_ = 0;
  }
  ++epoch_;
  PassKey key = scanKey(context_);
  if (mute_ > 0) key.defines.emplace_back("SCAN_MUTE", mute_);
  Pass& pass = context_.pass(key);
  const auto lanes = std::uint32_t(pass.groupSize());
  pass.storage(SCAN_BIND_IN, in)
      .storage(SCAN_BIND_STATES, states_)
      .storage(SCAN_BIND_OUT, out)
      .params(SCAN_BIND_PARAMS,
              shared::ScanParams{std::uint32_t(count), blocks, epoch_, SCAN_BLOCK / 4 / lanes,
                                 lanes, SCAN_WINDOW, 0, 0});
  // A word is read, added thrice and written; a block asks those before it, some polls long.
  pass.dispatchGroups(blocks, DispatchCost{4.0 * double(count), 200});
  barrier(Access::Storage);  // the caller
}

void KeyReducer::reduce(const Words& keys, const Words* values, std::size_t count, Words& runKeys,
                        Words& runSums) {
  FATHOM_CHECK_OP(count, <=, keys.count());
  FATHOM_CHECK_OP(count, <=, runKeys.count());
  FATHOM_CHECK_OP(count, <=, runSums.count());
  FATHOM_CHECK_OP(count, <, std::size_t(UINT32_MAX));
  const auto fit = [&](Words& buffer, const char* name) {
    if (buffer.count() < count + 1) buffer = Words(context_, name, count + 1);
  };
  fit(runs_, "runs");
  fit(starts_, "run starts");
  count_ = count;
  const shared::ReduceParams params{std::uint32_t(count), 0, 0, 0};

  Pass& find = context_.pass({"find runs", "shaders/common/find_runs.comp", {}});
  find.storage(REDUCE_BIND_KEYS, keys)
      .storage(REDUCE_BIND_RUNS, runs_)
      .params(REDUCE_BIND_PARAMS, params);
  constexpr Each kKey{6};  // each of the three passes compares, reads or writes some words
  find.dispatch(count, kKey);
  barrier(Access::Storage);  // the scan
  scanner_.exclusive(runs_, runs_, count);

  Pass& list = context_.pass({"list runs", "shaders/common/list_runs.comp", {}});
  list.storage(REDUCE_BIND_KEYS, keys)
      .storage(REDUCE_BIND_RUNS, runs_)
      .storage(REDUCE_BIND_RUN_KEYS, runKeys)
      .storage(REDUCE_BIND_STARTS, starts_)
      .params(REDUCE_BIND_PARAMS, params);
  list.dispatch(count + 1, kKey);
  if (values) {
    FATHOM_CHECK_OP(count, <=, values->count());
    fit(prefix_, "prefix sums of values");
    scanner_.exclusive(*values, prefix_, count);
  }
  barrier(Access::Storage);  // sum runs

  Pass& sum = context_.pass(
      {"sum runs", "shaders/common/sum_runs.comp", {{"REDUCE_VALUES", values ? 1 : 0}}});
  sum.storage(REDUCE_BIND_RUNS, runs_)
      .storage(REDUCE_BIND_STARTS, starts_)
      .storage(REDUCE_BIND_SUMS, runSums)
      .params(REDUCE_BIND_PARAMS, params);
  if (values) sum.storage(REDUCE_BIND_PREFIX, prefix_);
  sum.dispatch(count, kKey);
  barrier(Access::Storage);  // the caller
}

}  // namespace fathom::gpu
