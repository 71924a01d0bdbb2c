// SPDX-License-Identifier: BSD-3-Clause
// A region after the other: the rows of the image under it and its taps are uploaded, two passes
// gather, the sorter sorts, one pass recomposes.
#include "app/engine/deep/lists/resample_lists.h"

#include "app/engine/core/error.h"
#include "app/engine/deep/lists/arrange_lists.h"
#include "shaders/deep/resample/resample_shared.h"

namespace fathom::deep {
namespace {

/// Fragments of a region as they are counted from the first pixel of the whole call on.
std::vector<std::uint32_t> placesFrom(std::span<const std::size_t> offsets) {
  std::vector<std::uint32_t> places;
  for (const std::size_t offset : offsets) places.push_back(std::uint32_t(offset - offsets[0]));
  return places;
}

/// Of gathering: each pixel goes over its columns and rows of taps, and reads, weighs and writes
/// points.
gpu::DispatchCost gatherCost(const TapTable& taps, const FragmentLists& lists, std::size_t points) {
  const auto most = [](const std::vector<TapTable::Axis>& axes) {
    std::uint32_t count = 0;
    for (const TapTable::Axis& axis : axes) count = std::max(count, axis.count);
    return double(count);
  };
  const double pixels = most(taps.x) * most(taps.y);  // under an output pixel
  return {(30 + 8 * pixels) * lists.slotCount + 20.0 * double(points), pixels + lists.longest};
}

std::string placesText(const ColorPlan& plan) {
  std::string text;
  for (const ColorPlan::Value& value : plan.values)
    text += fmt::format("{}{}", text.empty() ? "" : ", ",
                        value.alpha < 0 ? int(plan.count()) : value.alpha);
  return text;
}

}  // namespace

void ListResampler::recompose(const ShownPoints& source, const Resampling& how, const Rect& rows,
                              std::span<const std::size_t> offsets, RecomposedLists& out) {
  regions_ = 0;
  cutOrRun(source, how, {rows, offsets}, 0, out);
}

/// Halves in raster order: by rows, a single row by columns.
void ListResampler::cutOrRun(const ShownPoints& source, const Resampling& how, const Part& part,
                             std::size_t first, RecomposedLists& out) {
  const bool single = part.region.area() == 1;
  try {
    if (part.count() > limit_ && !single)
      throw gpu::DoesNotFit("fragments of a region", double(part.count()), double(limit_));
    return run(source, how, part, first, out);
  } catch (const gpu::DoesNotFit&) {
    if (single) throw;
  }
  Rect a = part.region, b = a;
  if (a.height > 1) {
    a.height /= 2;
    b.y += a.height, b.height -= a.height;
  } else {
    a.width /= 2;
    b.x += a.width, b.width -= a.width;
  }
  const auto middle = std::size_t(a.area());
  cutOrRun(source, how, {a, part.offsets.first(middle + 1)}, first, out);
  cutOrRun(source, how, {b, part.offsets.subspan(middle)},
           first + part.offsets[middle] - part.offsets[0], out);
}

void ListResampler::run(const ShownPoints& source, const Resampling& how, const Part& part,
                        std::size_t first, RecomposedLists& out) {
  ++regions_;
  if (part.count() == 0) return;
  fillTaps(how, source.image, part.region, taps_);
  const std::size_t firstPoint = uploadSource(source, taps_);
  dispatch(source, part, firstPoint);
  store_.expectWhole();
  const std::size_t values = source.plan.count();
  points_.read(out.points.data() + first, std::int64_t(part.count() * 4));
  values_.read(out.values.data() + first * values, std::int64_t(part.count() * values * 4));
}

void ListResampler::words(gpu::Words& buffer, const char* name,
                          std::span<const std::uint32_t> values) {
  store_.ensure(buffer, name, std::max<std::size_t>(1, values.size()));
  buffer.upload(values);
}

std::size_t ListResampler::uploadSource(const ShownPoints& source, TapTable& taps) {
  const Rect& window = source.image.dataWindow;
  int first = window.bottom(), end = window.y;
  for (const TapTable::Axis& axis : taps.y)
    if (axis.count > 0)
      first = std::min(first, axis.first), end = std::max(end, axis.first + int(axis.count));
  if (first >= end) first = window.y, end = window.y + 1;
  const auto width = std::size_t(window.width);
  const auto begin = std::size_t(first - window.y) * width,
             pixels = std::size_t(end - first) * width;
  const std::size_t firstPoint = source.offsets[begin],
                    points = source.offsets[begin + pixels] - firstPoint;
  std::vector<std::uint32_t> offsets(source.offsets.begin() + std::ptrdiff_t(begin),
                                     source.offsets.begin() + std::ptrdiff_t(begin + pixels + 1));
  for (std::uint32_t& offset : offsets) offset -= std::uint32_t(firstPoint);
  words(offsets_, "resampled offsets", offsets);
  words(depths_, "resampled depths", std::span(source.depths).subspan(firstPoint, points));
  const std::size_t values = source.plan.count();
  store_.ensure(shown_, "what points show", std::max<std::size_t>(1, points * values));
  shown_.write(source.values.data() + firstPoint * values, std::int64_t(points * values * 4));
  uploadTaps(taps, window, first);
  return firstPoint;
}

void ListResampler::uploadTaps(const TapTable& taps, const Rect& sourceWindow, int firstRow) {
  const auto packed = [](const std::vector<TapTable::Axis>& axes, int origin) {
    std::vector<std::uint32_t> all;
    all.reserve(axes.size() * 3);
    for (const TapTable::Axis& axis : axes)
      all.insert(all.end(),
                 {axis.count > 0 ? std::uint32_t(axis.first - origin) : 0, axis.count, axis.at});
    return all;
  };
  words(tapsX_, "taps along x", packed(taps.x, sourceWindow.x));
  words(tapsY_, "taps along y", packed(taps.y, firstRow));
  store_.ensure(weights_, "weights of taps", std::max<std::size_t>(1, taps.weights.size()));
  weights_.write(taps.weights.data(), std::int64_t(taps.weights.size() * 4));
}

void ListResampler::dispatch(const ShownPoints& source, const Part& part, std::size_t firstPoint) {
  const Rect region{0, 0, part.region.width, part.region.height};
  store_.prepare(lists_, region, {Layout::Linearized, 4, Slots::Raster, FragmentFormat::Indexed});
  const gpu::Define separable("SEPARABLE", taps_.separable ? 1 : 0);
  shared::Params params = paramsOf(lists_);
  params.first = std::uint32_t(firstPoint);
  params.count = std::uint32_t(source.image.dataWindow.width);
  const auto gather = [&](int output) -> gpu::Pass& {
    gpu::Pass& p = store_.pass(output ? "gather taps" : "count taps", "resample/gather_taps.comp",
                               lists_.shape, {{"OUTPUT", output}, separable});
    p.storage(DEEP_BIND_TAPS_X, tapsX_)
        .storage(DEEP_BIND_TAPS_Y, tapsY_)
        .storage(DEEP_BIND_WEIGHTS, weights_)
        .storage(DEEP_BIND_SCRATCH, offsets_)
        .storage(DEEP_BIND_TABLE, lists_.table)
        .params(DEEP_BIND_PARAMS, params);
    return p;
  };
  gather(0).dispatch(lists_.slotCount, gatherCost(taps_, lists_, 0));
  gpu::barrier(gpu::Access::Storage);  // summarize groups, scan
  const shared::Summary summary = store_.summarize(lists_);
  lists_.fragmentCount = summary.fragmentsLow;
  FATHOM_CHECK_OP(lists_.fragmentCount, <=, part.count());
  store_.reserve(lists_, std::max(1u, lists_.fragmentCount));
  store_.tabulate(lists_);
  gpu::Pass& write = gather(1);
  bind(write, lists_).storage(DEEP_BIND_ORDER, depths_);
  write.dispatch(lists_.slotCount, gatherCost(taps_, lists_, part.count()));
  gpu::barrier(gpu::Access::Storage);  // sort lists
  sortLists(store_, lists_, summary);

  words(places_, "places of lists", placesFrom(part.offsets));
  store_.ensure(points_, "points of fragments", part.count());
  store_.ensure(values_, "values of fragments", part.count() * source.plan.count());
  gpu::Pass& p =
      store_.pass("recompose lists", "resample/recompose_lists.comp", lists_.shape,
                  {{"VALUES", int(source.plan.count())}, {"PLACES", placesText(source.plan)}});
  bind(p, lists_)
      .storage(DEEP_BIND_ORDER, places_)
      .storage(DEEP_BIND_SCRATCH, shown_)
      .storage(DEEP_BIND_MADE_FROM, points_)
      .storage(DEEP_BIND_MADE_VALUES, values_)
      .params(DEEP_BIND_PARAMS, params);
  const gpu::Each point{10 + 20.0 * double(source.plan.count()), 2};
  p.dispatch(lists_.slotCount, walkCost(lists_, point));
  gpu::barrier(gpu::Access::Transfer);  // the host
}

}  // namespace fathom::deep
