// SPDX-License-Identifier: BSD-3-Clause
// Heads of runs by comparing neighbors, one scan to number them, one scan over the values: a run's
// sum is the difference of two prefix sums.
#include "app/engine/gpu/sort/reduce_by_key.h"

#include "app/engine/gpu/dispatch_cost.h"
#include "app/engine/gpu/pass.h"
#include "shaders/common/shared.h"

namespace fathom::gpu {

void KeyReducer::reduce(const Buffer<std::uint32_t>& keys, const Buffer<std::uint32_t>* values,
                        std::size_t count, Buffer<std::uint32_t>& runKeys,
                        Buffer<std::uint32_t>& runSums) {
  FATHOM_CHECK_OP(count, <=, keys.count());
  FATHOM_CHECK_OP(count, <=, runKeys.count());
  FATHOM_CHECK_OP(count, <=, runSums.count());
  FATHOM_CHECK_OP(count, <, std::size_t(UINT32_MAX));
  const auto fit = [&](Buffer<std::uint32_t>& buffer, const char* name) {
    if (buffer.count() < count + 1) buffer = Buffer<std::uint32_t>(context_, name, count + 1);
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
  dispatch(find, count, kKey);
  barrier(Reader::Storage);  // the scan
  scanner_.exclusive(runs_, runs_, count);

  Pass& list = context_.pass({"list runs", "shaders/common/list_runs.comp", {}});
  list.storage(REDUCE_BIND_KEYS, keys)
      .storage(REDUCE_BIND_RUNS, runs_)
      .storage(REDUCE_BIND_RUN_KEYS, runKeys)
      .storage(REDUCE_BIND_STARTS, starts_)
      .params(REDUCE_BIND_PARAMS, params);
  dispatch(list, count + 1, kKey);
  if (values) {
    FATHOM_CHECK_OP(count, <=, values->count());
    fit(prefix_, "prefix sums of values");
    scanner_.exclusive(*values, prefix_, count);
  }
  barrier(Reader::Storage);  // sum runs

  Pass& sum = context_.pass(
      {"sum runs", "shaders/common/sum_runs.comp", {{"REDUCE_VALUES", values ? 1 : 0}}});
  sum.storage(REDUCE_BIND_RUNS, runs_)
      .storage(REDUCE_BIND_STARTS, starts_)
      .storage(REDUCE_BIND_SUMS, runSums)
      .params(REDUCE_BIND_PARAMS, params);
  if (values) sum.storage(REDUCE_BIND_PREFIX, prefix_);
  dispatch(sum, count, kKey);
  barrier(Reader::Storage);  // the caller
}

}  // namespace fathom::gpu
