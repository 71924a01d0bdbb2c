// SPDX-License-Identifier: BSD-3-Clause
// Scenes into lists: one pass for linked lists, count, scan and capture for arrays.
#include "app/gpu/memory_account.h"
#include "app/techniques/deep/pipeline.h"
#include "app/techniques/deep/pipeline_parts.h"

#include <algorithm>

namespace fathom::deep {

void Pipeline::capture(SceneRenderer& renderer, std::size_t part, const Camera& camera,
                       glm::ivec2 picture, const Rect& region, const ListShape& shape,
                       FragmentLists& out) {
  FATHOM_CHECK(shape.format != FragmentFormat::Indexed);
  if (isRanked(shape)) {
    // Fragments arrive in any order and lists are sorted, both by jumping about: done before the
    // ranks make each jump dear.
    capture(renderer, part, camera, picture, region, linearized(shape), plain_);
    out.shape = shape;
    arrange(plain_, out);
    return;
  }
  const std::uint32_t before = out.shape == shape && out.region == region ? out.fragmentCount : 0;
  prepare(out, region, shape);
  if (!target_.id() || targetSize_ != picture) {
    target_ = gpu::Target(gpu_, "deep capture", picture.x, picture.y);
    targetSize_ = picture;
  }
  const auto draw = [&](gpu::RasterPass& drawn) {
    renderer.drawPart(drawn, target_, part, camera, {0, 0, picture.x, picture.y}, region);
  };
  out.fragmentCount = before;
  if (isLinked(shape))
    captureLinked(out, draw);
  else
    captureArray(out, draw);
}

namespace {

gpu::RasterPassKey captureKey(const std::string& name, const std::string& file,
                              const ListShape& shape) {
  gpu::RasterPassKey key{
      name,
      "shaders/scene/scene.vert",
      "shaders/deep/" + file,
      {{"LAYOUT", int(shape.layout)}, {"SLOTS", int(shape.slots)}, {"WORDS", shape.words()}}};
  if (isBlocked(shape)) key.defines.emplace_back("BLOCK", shape.block);
  return key;
}

}  // namespace

/// One pass into a pool of nodes. The counter keeps counting when the pool is full, so the second
/// try fits.
void Pipeline::captureLinked(FragmentLists& out,
                             const std::function<void(gpu::RasterPass&)>& draw) {
  gpu::RasterPass& captured =
      gpu_.rasterPass(captureKey("capture fragments", "capture_fragments.frag", out.shape));
  const std::uint64_t limit =
      std::uint64_t(gpu_.memory().blockLimit()) / kWord / std::uint64_t(out.shape.words()) - 1;
  const auto slack = [](std::uint64_t fragments) { return fragments + fragments / 5 + 64; };
  // What was enough the last time is tried again.
  const std::uint64_t room = out.data ? out.data.count() / std::uint64_t(out.shape.words()) : 0;
  std::uint64_t pool = out.fragmentCount == 0     ? std::uint64_t(out.region.area()) * 4
                       : room > out.fragmentCount ? room - 1
                                                  : slack(out.fragmentCount);
  if (!nodes_) nodes_ = gpu::Buffer<std::uint32_t>(gpu_, "node counter", 1);
  for (int attempt = 0;; ++attempt) {
    reserve(out, std::min(pool, limit));
    out.table.clear(0);
    out.counts.clear(0);
    nodes_.clear(1);
    bind(captured, out)
        .storage(DEEP_BIND_SUMMARY, summary_)
        .counter(DEEP_BIND_NODES, nodes_)
        .params(DEEP_BIND_PARAMS, params(out));
    draw(captured);
    gpu::barrier(gpu::Reader::Storage | gpu::Reader::Transfer);  // summarize groups; the host
    const std::uint64_t needed = nodes_.download().front() - 1;
    out.fragmentCount = std::uint32_t(needed);
    if (needed < out.capacity) break;
    if (needed > limit)
      throw DoesNotFit(fmt::format("fragments: needs {} in one buffer, this GPU allows {}",
                                   gpu::bytesText(std::int64_t(needed) * out.shape.words() * 4),
                                   gpu::bytesText(gpu_.memory().blockLimit())),
                       double(needed), double(limit));
    FATHOM_CHECK_OP(attempt, <, 1);  // the same scene needs the same nodes
    pool = slack(needed);
  }
  const shared::Summary summary = summarize(out);
  FATHOM_CHECK_OP(summary.fragmentsLow, ==, out.fragmentCount);
  sort(out, summary);
}

/// Count, scan, capture: the three passes over arrays.
void Pipeline::captureArray(FragmentLists& out, const std::function<void(gpu::RasterPass&)>& draw) {
  const bool linear = isLinear(out.shape);
  Words& counted = linear ? out.table : out.counts;
  counted.clear(0);
  gpu::RasterPass& count =
      gpu_.rasterPass(captureKey("count fragments", "count_fragments.frag", out.shape));
  count.storage(linear ? DEEP_BIND_TABLE : DEEP_BIND_COUNTS, counted)
      .params(DEEP_BIND_PARAMS, params(out));
  draw(count);
  gpu::barrier(gpu::Reader::Storage);  // summarize groups
  const shared::Summary summary = summarize(out);
  out.fragmentCount = summary.fragmentsLow;
  reserve(out, out.fragmentCount);
  scanner_.exclusive(counted, out.table, out.slotCount);

  if (!linear) out.counts.clear(0);  // becomes the write cursor and ends equal to the count
  gpu::RasterPass& captured =
      gpu_.rasterPass(captureKey("capture fragments", "capture_fragments.frag", out.shape));
  bind(captured, out).storage(DEEP_BIND_SUMMARY, summary_).params(DEEP_BIND_PARAMS, params(out));
  draw(captured);
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Transfer);  // sort lists; the host
  sort(out, summary);
  const std::uint32_t refused = readSummary().refused;
  if (refused > 0)
    fail("deep capture: {} fragments were drawn in one pass and not in the other", refused);
}

}  // namespace fathom::deep
