// SPDX-License-Identifier: BSD-3-Clause
// Gates of the records, the list builder, and the passes that join its bands and turn them round.
#include "app/engine/smoe/fit/list_maker.h"

#include "app/engine/gpu/dispatch_cost.h"
#include "app/engine/gpu/pass.h"

#include <algorithm>
#include <bit>

namespace fathom::smoe {
namespace {

constexpr double kBitsPerNat = 1.4426950408889634;

}  // namespace

FitListMaker::FitListMaker(gpu::Context& gpu)
    : gpu_(gpu), model_(gpu), builder_(gpu), scanner_(gpu), sorter_(gpu) {}

shared::FitBand FitListMaker::band(const FitRegion& region) const {
  shared::FitBand band{};
  band.maxSlots = std::uint32_t(region.tileCount());  // a component is listed once per tile
  band.componentCount = model_.count();
  return band;
}

void FitListMaker::make(FitPasses& passes, FitRegion& region, double tau) {
  build(passes, region, tau);
  std::size_t slots = 0;
  for (const TileBand& band : builder_.bands()) slots += band.entryCount;
  FitRegion::DeviceLists& lists = region.roomFor(slots, passes.componentCount());
  join(lists, region);
  turnRound(lists, region);
}

void FitListMaker::build(FitPasses& passes, const FitRegion& region, double tau) {
  model_.reserve(std::uint32_t(passes.componentCount()), passes.fractionBits());
  gpu::Pass& gates = gpu_.pass({"fit gates", "shaders/smoe/fit/gates.comp", {}});
  gates.texels(FIT_TEXELS_RECORDS, passes.recordsFor(region))
      .params(FIT_BIND_PARAMS, passes.params(region))
      .storage(FIT_BIND_GATES, model_.cull())
      .storage(FIT_BIND_REACH, model_.reach());
  gpu::dispatch(gates, passes.componentCount(), gpu::Each{60});
  gpu::barrier(gpu::Reader::Storage);  // the list builder

  ViewWindow window;
  window.size = region.box().size();
  window.corner = glm::dvec2(region.box().low);
  DecodeOptions options;
  options.tilePixels = FIT_TILE;
  options.tau = float(tau * kBitsPerNat);
  // Lists that outgrow the room of the last ones are measured.
  do {
    builder_.begin(model_, window, options, ListBuilder::Sizes::Expected);
    while (!builder_.step()) {
    }
  } while (builder_.fit(true) != ListBuilder::Fit::Fits);
}

/// The bands one after the other; their slots in the order of tiles.
void FitListMaker::join(FitRegion::DeviceLists& lists, const FitRegion& region) {
  gpu::ensure(gpu_, keys_, "fit list keys", std::max(region.slotCount(), std::size_t(model_.count())));
  lists.ends.clear();
  shared::FitBand part = band(region);
  gpu::Pass& join = gpu_.pass({"fit join", "shaders/smoe/fit/join.comp", {}});
  for (const TileBand& tiles : builder_.bands()) {
    part.firstTile = tiles.params.firstTile;
    part.tileCount = tiles.params.tileCount;
    part.last = &tiles == &builder_.bands().back();
    join.params(FIT_BIND_PARAMS, part)
        .storage(FIT_BIND_BAND_STARTS, tiles.starts)
        .storage(FIT_BIND_BAND_ENTRIES, tiles.entries)
        .storage(FIT_BIND_BAND_TILES, tiles.tiles)
        .storage(FIT_BIND_TILE_STARTS, lists.starts)
        .storage(FIT_BIND_OFFSETS, lists.offsets)
        .storage(FIT_BIND_COMPONENTS, lists.components)
        .storage(FIT_BIND_TILES, lists.slotTiles)
        .storage(FIT_BIND_SLOTS, lists.slots)
        .storage(FIT_BIND_KEYS, keys_)
        .storage(FIT_BIND_COUNTS, lists.ends);
    gpu::dispatchGroups(join, part.tileCount, gpu::DispatchCost{20.0 * double(tiles.entries.count())});
    part.firstSlot += tiles.entryCount;
  }
  gpu::barrier(gpu::Reader::Storage);  // scan, sort, the passes of the fit
}

/// Slots by component, and components by falling number of slots.
void FitListMaker::turnRound(FitRegion::DeviceLists& lists, const FitRegion& region) {
  const std::size_t count = model_.count();
  scanner_.exclusive(lists.ends, lists.ends, count);
  sort(lists.slots, region.slotCount(), std::uint32_t(count - 1));

  const shared::FitBand all = band(region);
  gpu::Pass& order = gpu_.pass({"fit order", "shaders/smoe/fit/order.comp", {}});
  order.params(FIT_BIND_PARAMS, all)
      .storage(FIT_BIND_COMPONENT_ENDS, lists.ends)
      .storage(FIT_BIND_ORDER, lists.order)
      .storage(FIT_BIND_KEYS, keys_);
  gpu::dispatch(order, count, gpu::Each{10});
  gpu::barrier(gpu::Reader::Storage);  // sort
  sort(lists.order, count, all.maxSlots);

  gpu::Pass& bounds = gpu_.pass({"fit bounds", "shaders/smoe/fit/bounds.comp", {}});
  bounds.params(FIT_BIND_PARAMS, all)
      .storage(FIT_BIND_COMPONENT_ENDS, lists.ends)
      .storage(FIT_BIND_ORDER, lists.order)
      .storage(FIT_BIND_BOUNDS, lists.bounds);
  gpu::dispatch(bounds, (count + FIT_GROUP - 1) / FIT_GROUP, gpu::Each{10 * FIT_GROUP, FIT_GROUP});
  gpu::barrier(gpu::Reader::Storage);  // fit_sum.comp
}

/// Orders the values by the keys; stable.
void FitListMaker::sort(gpu::Buffer<std::uint32_t>& values, std::size_t count,
                        std::uint32_t largestKey) {
  gpu::ensure(gpu_, otherKeys_, "fit list keys", keys_.count());
  gpu::ensure(gpu_, otherValues_, "fit list values", values.count());
  gpu::SortOptions options;
  options.lastBit = std::max(1, int(std::bit_width(largestKey)));
  const gpu::SortedBuffers sorted =
      sorter_.sort({&keys_, &otherKeys_, &values, &otherValues_}, count, options);
  if (sorted.payloads != &values) std::swap(values, otherValues_);
}

}  // namespace fathom::smoe
