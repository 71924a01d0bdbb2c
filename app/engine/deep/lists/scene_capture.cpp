// SPDX-License-Identifier: BSD-3-Clause
// The passes of a capture. Fragments arrive in any order and are sorted afterwards.
#include "app/engine/deep/lists/scene_capture.h"

#include "app/engine/core/bytes.h"
#include "app/engine/core/error.h"
#include "app/engine/gpu/compiler.h"
#include "app/engine/gpu/memory_account.h"

namespace fathom::deep {
namespace {

/// `verb`: "count" or "capture".
gpu::RasterPassKey captureKey(const std::string& verb, const ListShape& shape) {
  gpu::RasterPassKey key{
      verb + " fragments",
      "shaders/scene/scene.vert",
      "shaders/deep/lists/" + verb + "_fragments.frag",
      {{"LAYOUT", int(shape.layout)}, {"SLOTS", int(shape.slots)}, {"WORDS", shape.words()}}};
  if (isBlocked(shape)) key.defines.emplace_back("BLOCK", shape.block);
  return key;
}

/// All programs up to the lists' sorting.
void requestPrograms(const ListStore& store, const ListShape& shape) {
  std::vector<gpu::RasterPassKey> drawn{captureKey("capture", shape)};
  if (!isLinked(shape)) drawn.push_back(captureKey("count", shape));
  gpu::request(store.gpu(), {store.summaryKey(shape), gpu::scanKey(store.gpu())}, drawn);
}

/// What a device says that is about to be lost, or broken.
[[noreturn]] void failCounts(std::uint64_t expected, std::uint64_t found) {
  fail("deep capture: expected the device to count {} fragments again, found {}", expected, found);
}

/// A fifth more: the next frame has a few fragments more or less.
std::uint64_t withSlack(std::uint64_t fragments) { return fragments + fragments / 5 + 64; }

}  // namespace

void SceneCapture::capture(SceneRenderer& renderer, std::size_t part, const View& view,
                           const ListShape& shape, FragmentLists& out,
                           const shared::Summary* counted) {
  FATHOM_CHECK(shape.format != FragmentFormat::Indexed);
  if (isRanked(shape)) {
    // Fragments arrive in any order and lists are sorted, both by random access: done before the
    // ranks make each access expensive.
    capture(renderer, part, view, linearized(shape), store_.scratch().plain);
    out.shape = shape;
    arrangeLists(store_, store_.scratch().plain, out);
    return;
  }
  if (!counted) requestPrograms(store_, shape);
  const bool again = out.shape == shape && out.region == view.region;
  const std::uint32_t before = again ? out.fragmentCount : 0;
  if (!counted) store_.prepare(out, view.region, shape);
  openTarget(view);
  const auto draw = [&](gpu::RasterPass& drawn) {
    renderer.drawPart(drawn, target_, part, view.camera, {0, 0, view.picture.x, view.picture.y},
                      view.region);
  };
  out.fragmentCount = before;
  if (isLinked(shape))
    captureLinked(out, draw);
  else
    captureArray(out, draw, counted);
}

std::vector<shared::Summary> SceneCapture::count(SceneRenderer& renderer, const View& view,
                                                 const ListShape& shape,
                                                 std::span<FragmentLists> lists) {
  if (isLinked(shape) || isRanked(shape) || lists.size() < 2) return {};
  requestPrograms(store_, shape);
  openTarget(view);
  if (summaries_.count() < lists.size())
    summaries_ = gpu::Buffer<shared::Summary>(store_.gpu(), "deep summaries", lists.size());
  constexpr auto kBytes = std::int64_t(sizeof(shared::Summary));
  for (std::size_t part = 0; part < lists.size(); ++part) {
    store_.prepare(lists[part], view.region, shape);
    countArray(lists[part], [&](gpu::RasterPass& drawn) {
      renderer.drawPart(drawn, target_, part, view.camera, {0, 0, view.picture.x, view.picture.y},
                        view.region);
    });
    store_.queueSummary(lists[part]);
    summaries_.copyFrom(store_.summary(), kBytes, 0, std::int64_t(part) * kBytes);
  }
  const std::vector<shared::Summary> counted = summaries_.download(0, lists.size());
  expectAll();  // the captures before are done by now: nothing is waited for
  for (std::size_t part = 0; part < lists.size(); ++part) store_.accept(lists[part], counted[part]);
  return counted;
}

void SceneCapture::openTarget(const View& view) {
  if (target_.id() && targetSize_ == view.picture) return;
  target_ = gpu::Target(store_.gpu(), "deep capture", view.picture.x, view.picture.y);
  targetSize_ = view.picture;
}

std::uint64_t SceneCapture::firstPool(const FragmentLists& out) const {
  const std::uint64_t room = out.data ? out.data.count() / std::uint64_t(out.shape.words()) : 0;
  if (out.fragmentCount == 0) return std::uint64_t(out.region.area()) * 4;
  return room > out.fragmentCount ? room - 1 : withSlack(out.fragmentCount);
}

/// One pass into a pool of nodes. The counter keeps counting when the pool is full, so the second
/// try fits.
void SceneCapture::captureLinked(FragmentLists& out, const Draw& draw) {
  gpu::Context& gpu = store_.gpu();
  gpu::RasterPass& captured = gpu.rasterPass(captureKey("capture", out.shape));
  const std::uint64_t limit =
      std::uint64_t(gpu.memory().blockLimit()) / 4 / std::uint64_t(out.shape.words()) - 1;
  std::uint64_t pool = firstPool(out);
  store_.ensure(nodes_, "node counter", 1);
  for (int attempt = 0;; ++attempt) {
    store_.reserve(out, std::min(pool, limit));
    out.table.clear(0);
    out.counts.clear(0);
    nodes_.clear(1);
    bind(captured, out)
        .storage(DEEP_BIND_SUMMARY, store_.summary())
        .counter(DEEP_BIND_NODES, nodes_)
        .params(DEEP_BIND_PARAMS, paramsOf(out));
    draw(captured);
    gpu::barrier(gpu::Access::Storage | gpu::Access::Transfer);  // summarize groups; its nodes
    const shared::Summary summary = store_.summarize(out, &nodes_);
    const std::uint64_t needed = summary.nodes - 1;
    out.fragmentCount = std::uint32_t(needed);
    if (needed < out.capacity) {
      if (summary.fragmentsLow != out.fragmentCount) failCounts(needed, summary.fragmentsLow);
      return sortLists(store_, out, summary);
    }
    if (needed > limit)
      throw gpu::DoesNotFit(
          fmt::format("fragments: needs {} in one buffer, this GPU allows {}",
                      gpu::bytesText(std::int64_t(needed) * out.shape.words() * 4),
                      gpu::bytesText(gpu.memory().blockLimit())),
          double(needed), double(limit));
    if (attempt > 0) failCounts(pool, needed);  // the same scene needs the same nodes
    pool = withSlack(needed);
  }
}

void SceneCapture::countArray(FragmentLists& out, const Draw& draw) {
  gpu::Context& gpu = store_.gpu();
  const bool linear = isLinear(out.shape);
  BufferSlice& counted = linear ? out.table : out.counts;
  counted.clear(0);
  gpu::RasterPass& count = gpu.rasterPass(captureKey("count", out.shape));
  count.storage(linear ? DEEP_BIND_TABLE : DEEP_BIND_COUNTS, counted)
      .params(DEEP_BIND_PARAMS, paramsOf(out));
  draw(count);
  gpu::barrier(gpu::Access::Storage);  // summarize groups
}

void SceneCapture::captureArray(FragmentLists& out, const Draw& draw,
                                const shared::Summary* counted) {
  // Count; where that was done, the groups by length are made again, as all parts share their room.
  if (counted)
    store_.queueSummary(out);
  else
    countArray(out, draw);
  const shared::Summary summary = counted ? *counted : store_.summarize(out);
  if (!counted) expectAll();  // the capture before is done by now: nothing is waited for

  // Scan.
  gpu::Context& gpu = store_.gpu();
  const bool linear = isLinear(out.shape);
  out.fragmentCount = summary.fragmentsLow;
  store_.reserve(out, out.fragmentCount);
  store_.scanner().exclusive(linear ? out.table : out.counts, out.table, out.slotCount);

  // Capture.
  if (!linear) out.counts.clear(0);  // becomes the write cursor and ends equal to the count
  gpu::RasterPass& captured = gpu.rasterPass(captureKey("capture", out.shape));
  bind(captured, out)
      .storage(DEEP_BIND_SUMMARY, store_.summary())
      .params(DEEP_BIND_PARAMS, paramsOf(out));
  draw(captured);
  gpu::barrier(gpu::Access::Storage | gpu::Access::Transfer);  // sort lists; the host
  sortLists(store_, out, summary);
  if (refused_.size() == asked_)
    refused_.emplace_back(gpu, "refused fragments", std::int64_t(sizeof(std::uint32_t)));
  refused_[asked_++].request(store_.summary(), sizeof(std::uint32_t),
                             offsetof(shared::Summary, refused));
}

void SceneCapture::expectDone() {
  const auto asked = std::span(refused_).first(asked_);
  if (std::ranges::all_of(asked, [](const auto& one) { return one.ready(); })) expectAll();
}

void SceneCapture::expectAll() {
  std::uint64_t refused = 0;
  for (const gpu::ReadBack& one : std::span(refused_).first(std::exchange(asked_, 0))) {
    if (!one.ready()) one.wait();
    refused += load<std::uint32_t>(one.data().data());
  }
  if (refused > 0)
    fail("deep capture: {} fragments were drawn in one pass and not in the other", refused);
}

}  // namespace fathom::deep
