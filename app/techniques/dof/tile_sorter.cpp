// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/dof/tile_sorter.h"

#include <array>

namespace fathom::dof {
namespace {

constexpr std::array<int, DOF_CLASSES> kMostKeys{512, 1024, 2048, 4096, 0};  // 0: any

}  // namespace

void TileSorter::classify(const shared::Params& params, const gpu::Buffer<std::uint32_t>& tileBegin,
                          const gpu::RawBuffer& stats) {
  const std::uint64_t tiles = std::uint64_t(params.tilesX) * params.tileRowCount;
  if (classes_.count() < DOF_CLASSES * tiles)
    classes_ = gpu::Buffer<std::uint32_t>(gpu_, "dof length classes", DOF_CLASSES * tiles);
  if (!commands_)
    commands_ = gpu::Buffer<std::uint32_t>(gpu_, "dof sort commands", 4 * DOF_CLASSES);
  std::array<std::uint32_t, 4 * DOF_CLASSES> none{};
  for (int c = 0; c < DOF_CLASSES; ++c) none[4 * c + 1] = none[4 * c + 2] = 1;
  commands_.upload(none);

  gpu::Pass& pass = gpu_.pass({"sort by length", "shaders/dof/sort_by_length.comp", {}});
  pass.storage(DOF_BIND_TILE_BEGIN, tileBegin)
      .storage(DOF_BIND_STATS, stats)
      .storage(DOF_BIND_CLASSES, classes_)
      .storage(DOF_BIND_COMMANDS, commands_)
      .params(DOF_BIND_PARAMS, params);
  pass.dispatch(tiles);
  // sort lists; its group counts; the host
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Indirect | gpu::Reader::Transfer);
}

void TileSorter::sortLists(const shared::Params& params,
                           const gpu::Buffer<std::uint32_t>& tileBegin,
                           const gpu::RawBuffer& keys) {
  for (int c = 0; c < DOF_CLASSES; ++c) {
    int most = kMostKeys[std::size_t(c)];
    if (8 * most > gpu_.limits().sharedBytes) most = 0;
    gpu::Pass& pass =
        gpu_.pass({"sort lists", "shaders/dof/sort_lists.comp", {{"SORT_MOST", most}}});
    shared::Params p = params;
    p.listClass = std::uint32_t(c);
    pass.storage(DOF_BIND_TILE_BEGIN, tileBegin)
        .storage(DOF_BIND_CLASSES, classes_)
        .storage(DOF_BIND_KEYS, keys)
        .params(DOF_BIND_PARAMS, p);
    pass.dispatchIndirect(commands_, 16 * c);
  }
  gpu::barrier(gpu::Reader::Storage);  // emit
}

}  // namespace fathom::dof
