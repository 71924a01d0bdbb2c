// SPDX-License-Identifier: BSD-3-Clause
// Lists by themselves: length classes, then a bitonic network for each class. All splats at once:
// radix sort by order of ties, by depth, and of their entries by tile.
#include "app/engine/dof/splats/tile_sorter.h"

#include "app/engine/gpu/stress.h"

namespace fathom::dof {
namespace {

constexpr std::array<int, DOF_CLASSES> kMaxKeys{512, 1024, 2048, 4096, 0};  // 0: DOF_SORT_LONGEST

/// Of lists of up to `longest` keys: every step of a bitonic network compares pairs of keys.
gpu::DispatchCost networkCost(std::uint32_t keys, std::uint32_t longest) {
  const double levels = std::bit_width(longest - 1), steps = levels * (levels + 1) / 2;
  return {8 * steps * keys, 2 * steps * std::max(1.0, longest / 2.0 / DOF_SORT_SIZE)};
}

gpu::PassKey classifyKey() { return {"sort by length", "shaders/dof/sort_by_length.comp", {}}; }

}  // namespace

std::vector<gpu::PassKey> TileSorter::programs() const {
  std::vector<gpu::PassKey> keys{classifyKey()};
  for (const int longest : kMaxKeys) {
    const int most = 8 * longest > gpu_.limits().sharedBytes ? 0 : longest;
    keys.push_back({"sort lists", "shaders/dof/sort_lists.comp", {{"SORT_MAX", most}}});
  }
  return keys;
}

std::vector<gpu::PassKey> TileSorter::splatPrograms() {
  std::vector<gpu::PassKey> keys;
  for (const int i : {0, 1}) {
    keys.push_back({"order splats", "shaders/dof/order_splats.comp", {{"STEP", i}}});
    keys.push_back({"expand splats", "shaders/dof/expand_splats.comp", {{"EXPAND", i}}});
  }
  keys.push_back(classifyKey());
  return keys;
}

bool TileSorter::sortsListsOf(std::uint32_t keys) {
  return gpu::stressed(networkCost(keys, DOF_SORT_LONGEST)).ms() <= gpu::kMaxDispatchMs;
}

void TileSorter::classify(const shared::Params& params, const gpu::Words& tileBegin,
                          const gpu::RawBuffer& stats) {
  const std::uint64_t tiles = std::uint64_t(params.tilesX) * params.tileRowCount;
  gpu::ensure(gpu_, classes_, "dof length classes", DOF_CLASSES * tiles);
  gpu::ensure(gpu_, commands_, "dof sort commands", 4 * DOF_CLASSES);
  std::array<std::uint32_t, 4 * DOF_CLASSES> none{};
  for (int c = 0; c < DOF_CLASSES; ++c) none[4 * c + 1] = none[4 * c + 2] = 1;
  commands_.upload(none);

  shared::Params p = params;
  p.choice = longest_;
  gpu::Pass& pass = gpu_.pass(classifyKey());
  pass.storage(DOF_BIND_TILE_BEGIN, tileBegin)
      .storage(DOF_BIND_STATS, stats)
      .storage(DOF_BIND_CLASSES, classes_)
      .storage(DOF_BIND_COMMANDS, commands_)
      .params(DOF_BIND_PARAMS, p);
  pass.dispatch(tiles, gpu::Each{40});
  // sort lists; its group counts; the host
  gpu::barrier(gpu::Access::Storage | gpu::Access::Indirect | gpu::Access::Transfer);
}

void TileSorter::sortLists(const shared::Params& params, const gpu::Words& tileBegin,
                           const gpu::RawBuffer& keys) {
  const std::vector<gpu::PassKey> all = programs();
  for (int c = 0; c < DOF_CLASSES; ++c) {
    gpu::Pass& pass = gpu_.pass(all[std::size_t(c) + 1]);
    shared::Params p = params;
    p.choice = std::uint32_t(c);
    pass.storage(DOF_BIND_TILE_BEGIN, tileBegin)
        .storage(DOF_BIND_CLASSES, classes_)
        .storage(DOF_BIND_KEYS, keys)
        .params(DOF_BIND_PARAMS, p);
    const int longest = kMaxKeys[std::size_t(c)];
    pass.dispatchIndirect(commands_, 16 * c,
                          networkCost(params.capacity, longest ? longest : DOF_SORT_LONGEST));
  }
  gpu::barrier(gpu::Access::Storage);  // emit
}

gpu::SortedBuffers TileSorter::radixSort(std::size_t count, int bits, bool discard) {
  const gpu::SortedBuffers sorted =
      radix_.sort({&keys_[0], &keys_[1], &splats_[0], &splats_[1]}, count,
                  {.firstBit = 0, .lastBit = bits, .discard = discard});
  // Whatever comes next reads from the first of each pair.
  if (sorted.keys == &keys_[1]) std::swap(keys_[0], keys_[1]);
  if (sorted.payloads == &splats_[1]) std::swap(splats_[0], splats_[1]);
  return {&keys_[0], &splats_[0]};
}

const gpu::Words& TileSorter::sortSplats(const shared::Params& params, const gpu::RawBuffer& places,
                                         const gpu::RawBuffer& depths, std::uint32_t entryCount) {
  shared::Params p = params;  // splatCount: those in lists, once known
  const std::size_t room = std::max({params.splatCount, entryCount, 1u});  // nothing may be seen
  for (gpu::Words* buffer : {&keys_[0], &keys_[1], &splats_[0], &splats_[1]})
    if (buffer->count() < room) gpu::ensure(gpu_, *buffer, "dof sort", room + room / 4);
  gpu::ensure(gpu_, counts_, "dof tiles per splat", params.splatCount + 1);

  const std::vector<gpu::PassKey> programs = splatPrograms();
  for (const int step : {0, 1}) {
    gpu::Pass& order = gpu_.pass(programs[std::size_t(2 * step)]);
    order.storage(DOF_BIND_PLACES, places)
        .storage(DOF_BIND_DEPTHS, depths)
        .storage(DOF_BIND_KEYS, keys_[0])
        .storage(DOF_BIND_ORDER, splats_[0])
        .params(DOF_BIND_PARAMS, p);
    order.dispatch(p.splatCount, gpu::Each{30});
    gpu::barrier(gpu::Access::Storage);  // radix sort
    radixSort(p.splatCount, step == 0 ? 8 : 31, step == 0);
    if (step == 0) p.splatCount = radix_.keptCount();
  }

  const auto expand = [&](int writes) {
    gpu::Pass& pass = gpu_.pass(programs[std::size_t(2 * writes + 1)]);
    pass.storage(DOF_BIND_PLACES, places)
        .storage(DOF_BIND_ORDER, splats_[0])
        .storage(DOF_BIND_COUNTS, counts_)
        .params(DOF_BIND_PARAMS, p);
    if (writes) pass.storage(DOF_BIND_KEYS, keys_[0]).storage(DOF_BIND_ENTRIES, splats_[1]);
    // Counting or writing an entry costs about the same, whichever tile it is in.
    pass.dispatch(p.splatCount, gpu::DispatchCost{40.0 * p.splatCount + 20.0 * entryCount});
    gpu::barrier(gpu::Access::Storage);  // scan, radix sort
  };
  expand(0);
  scanner_.exclusive(counts_, counts_, p.splatCount);
  expand(1);
  std::swap(splats_[0], splats_[1]);
  const std::uint32_t tiles = params.tilesX * params.tileRowCount;
  return *radixSort(entryCount, std::max(1, int(std::bit_width(tiles - 1))), false).payloads;
}

}  // namespace fathom::dof
