// SPDX-License-Identifier: BSD-3-Clause
// Marks, two sums, tables; the host reads them, and the fragments as they lie in raster order.
#include "app/engine/deep/lists/list_packer.h"

#include "app/engine/core/error.h"

#include <algorithm>
#include <cstring>

namespace fathom::deep {

PackedRows ListPacker::pack(const FragmentLists& lists, glm::ivec2 origin, bool hasZBack) {
  FATHOM_CHECK(lists.shape.format != FragmentFormat::Indexed);
  PackedRows packed;
  packed.region = {lists.region.x + origin.x, lists.region.y + origin.y, lists.region.width,
                   lists.region.height};
  packed.format = lists.shape.format, packed.hasZBack = hasZBack;
  arranger_.toRaster(lists);
  packTables(lists, packed);
  // The barrier for the tables was one for the fragments too.
  const std::size_t words = std::size_t(lists.fragmentCount) * std::size_t(lists.shape.words());
  if (words > 0) packed.words = store_.scratch().rasterWords.download(0, words);
  return packed;
}

void ListPacker::packTables(const FragmentLists& lists, PackedRows& packed) {
  const auto pixels = std::size_t(lists.region.area()), height = std::size_t(lists.region.height);
  ListStore::Scratch& scratch = store_.scratch();
  const shared::Params params = paramsOf(lists);
  store_.ensure(pixels_, "packed pixels", pixels + 1);
  store_.ensure(starts_, "packed starts", pixels + 1);
  gpu::Context& gpu = store_.gpu();
  gpu::Pass& mark = gpu.pass({"mark runs of lists", "shaders/deep/lists/pack_marks.comp", {}});
  mark.storage(DEEP_BIND_ORDER, scratch.rasterOffsets)
      .storage(DEEP_BIND_PACK_PIXELS, pixels_)
      .storage(DEEP_BIND_PACK_STARTS, starts_)
      .params(DEEP_BIND_PARAMS, params);
  gpu::dispatch(mark, pixels, gpu::Each{20});
  gpu::barrier(gpu::Reader::Storage);  // scan
  store_.scanner().exclusive(pixels_, pixels_, pixels);
  store_.scanner().exclusive(starts_, starts_, pixels);
  const std::uint32_t active = pixels_.download(pixels, 1).front(),
                      runs = starts_.download(pixels, 1).front();

  store_.ensure(rows_, "packed rows", 4 * height);
  store_.ensure(runs_, "packed runs", std::max<std::uint64_t>(2, 2 * std::uint64_t(runs)));
  store_.ensure(counts_, "packed counts", std::max<std::uint64_t>(1, active));
  gpu::Pass& write = gpu.pass({"write runs of lists", "shaders/deep/lists/pack_runs.comp", {}});
  write.storage(DEEP_BIND_ORDER, scratch.rasterOffsets)
      .storage(DEEP_BIND_PACK_PIXELS, pixels_)
      .storage(DEEP_BIND_PACK_STARTS, starts_)
      .storage(DEEP_BIND_PACK_ROWS, rows_)
      .storage(DEEP_BIND_PACK_RUNS, runs_)
      .storage(DEEP_BIND_PACK_COUNTS, counts_)
      .params(DEEP_BIND_PARAMS, params);
  gpu::dispatch(write, pixels, gpu::Each{40});
  gpu::barrier(gpu::Reader::Transfer);  // the host
  packed.rows.resize(height + 1);
  const std::vector<std::uint32_t> rows = rows_.download(0, 4 * height);
  std::memcpy(static_cast<void*>(packed.rows.data()), rows.data(), rows.size() * 4);
  packed.rows.back() = {lists.fragmentCount, active, runs, 0};
  packed.runs = runs_.download(0, 2 * std::size_t(runs));
  packed.counts = counts_.download(0, active);
}

}  // namespace fathom::deep
