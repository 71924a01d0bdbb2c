// SPDX-License-Identifier: BSD-3-Clause
// Of points, one walk over the fragments of all taps in order of depth: each takes its weight,
// times what it shows in its own pixel, from what passes all. Where there are volumes, between two
// places that anything begins or ends at, one volume with what passes at both ends.
#include "app/engine/deep/operations/resample.h"

#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"
#include "app/engine/deep/operations/light_curve.h"

namespace fathom::deep {
namespace {

constexpr double kPassesNothing = 1e-12;

glm::dvec2 mapped(const glm::dmat3& m, double x, double y) {
  const glm::dvec3 p = m * glm::dvec3(x, y, 1);
  return {p.x / p.z, p.y / p.z};
}

/// How far apart neighbors of the output lie in the image, per axis of the image; at least 1.
glm::dvec2 stretchAt(const glm::dmat3& m, double x, double y) {
  if (m[0][2] == 0 && m[1][2] == 0)  // the same everywhere
    return glm::max(glm::dvec2(1),
                    (glm::abs(glm::dvec2(m[0])) + glm::abs(glm::dvec2(m[1]))) / std::abs(m[2][2]));
  const glm::dvec2 at = mapped(m, x, y), right = mapped(m, x + 1, y) - at,
                   down = mapped(m, x, y + 1) - at;
  return {std::max(1.0, std::abs(right.x) + std::abs(down.x)),
          std::max(1.0, std::abs(right.y) + std::abs(down.y))};
}

Rect boundsOf(const std::vector<glm::dvec2>& points, double margin) {
  glm::dvec2 low = points[0], high = low;
  for (const glm::dvec2& p : points) low = glm::min(low, p), high = glm::max(high, p);
  const int x = int(std::floor(low.x - margin)), y = int(std::floor(low.y - margin));
  return {x, y, int(std::ceil(high.x + margin)) - x, int(std::ceil(high.y + margin)) - y};
}

std::vector<glm::dvec2> cornersOf(const Rect& r) {
  return {{r.x, r.y}, {r.right(), r.y}, {r.right(), r.bottom()}, {r.x, r.bottom()}};
}

/// All fragments of the image in double, each once: pixels are under several others.
struct DecodedImage {
  DecodedImage(const DeepImage& from)
      : image(from), inputs(withEdits(std::span(&from, 1))), plan(colorPlanOf(from)) {
    plan.inputs = inputs;
    lists.resize(from.pixelCount());
    shown.resize(from.pixelCount());
    const auto width = std::size_t(from.dataWindow.width);
    parallelFor(std::size_t(from.dataWindow.height), 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t p = first * width; p < last * width; ++p) {
        for (std::size_t i = from.fragmentOffsets[p]; i < from.fragmentOffsets[p + 1]; ++i)
          decode(plan, inputs, 0, i, lists[p]);
        if (std::ranges::any_of(lists[p].items, [](const Sample& s) { return s.isVolume(); }))
          tidy(plan, lists[p]);
        shown[p] = shownOf(lists[p]);
      }
    });
  }
  const SampleList& at(int x, int y) const { return lists[image.pixelIndex(x, y)]; }
  /// What each fragment of a pixel shows, at the places of its values.
  const std::vector<double>& shownAt(int x, int y) const { return shown[image.pixelIndex(x, y)]; }

  const DeepImage& image;
  std::vector<EditedInput> inputs;
  ColorPlan plan;
  std::vector<SampleList> lists;
  std::vector<std::vector<double>> shown;

 private:
  std::vector<double> shownOf(const SampleList& list) const {
    std::vector<double> all(list.values.size());
    Transmittance left(plan);
    for (const Sample& s : list.items) {
      const double* v = list.of(s);
      for (std::size_t i = 0; i < plan.count(); ++i) all[s.at + i] = left.of(i) * v[i];
      left.pass(v);
    }
    return all;
  }
};

/// One output pixel after the other; one per thread.
class PixelResampler {
 public:
  PixelResampler(const DecodedImage& source, const Resampling& how) : source_(source), how_(how) {}

  const SampleList& at(int x, int y) {
    out_.clear();
    taps_.clear();
    bool volumes = false;
    for (const Tap& tap : tapsAt(how_, source_.image.dataWindow, x, y)) {
      const SampleList& list = source_.at(tap.x, tap.y);
      if (list.items.empty()) continue;
      taps_.push_back({&list, &source_.shownAt(tap.x, tap.y), tap.weight});
      for (const Sample& s : list.items) volumes = volumes || s.isVolume();
    }
    if (taps_.size() == 1 && taps_[0].weight == 1)
      out_ = *taps_[0].list;
    else
      volumes ? addVolumes() : addPoints();
    if (how_.thinError > 0)
      report.add(thinToError(source_.plan, {how_.thinError, false, how_.thinDepth}, out_));
    return out_;
  }
  ThinReport report;

 private:
  struct WeightedList {
    const SampleList* list;
    const std::vector<double>* shown;
    double weight;
  };
  struct Next {
    float z;
    std::uint32_t order;  // of equal depths the first tap's
    const Sample* sample;
    std::size_t tap;
    bool operator<(const Next& other) const {
      return z < other.z || (z == other.z && order < other.order);
    }
  };

  /// A fragment that shows this much behind what passes in front of it.
  void emit(const Sample& from, float z, float zBack, const std::vector<double>& shown,
            std::vector<double>& passing) {
    const ColorPlan& plan = source_.plan;
    bool any = false;
    for (std::size_t i = 0; i < plan.count(); ++i) any = any || shown[i] != 0;
    if (!any) return;
    Sample sample = from;
    sample.made = true;
    sample.z = z, sample.zBack = zBack;
    sample.at = out_.add(plan.count());
    double* v = out_.of(sample);
    for (std::size_t i = 0; i < plan.count(); ++i) {
      const int alpha = plan.values[i].alpha;
      const double left = alpha < 0 ? passing.back() : passing[std::size_t(alpha)];
      v[i] = left > kPassesNothing ? shown[i] / left : 0;
      if (plan.values[i].isAlpha) v[i] = std::clamp(v[i], 0.0, 1.0);
    }
    for (std::size_t i = 0; i < plan.count(); ++i)
      if (plan.values[i].isAlpha) passing[i] = std::max(0.0, passing[i] - shown[i]);
    out_.items.push_back(sample);
  }

  void addPoints() {
    const ColorPlan& plan = source_.plan;
    next_.clear();
    for (std::size_t t = 0; t < taps_.size(); ++t)
      for (const Sample& s : taps_[t].list->items)
        next_.push_back({s.z, std::uint32_t(next_.size()), &s, t});
    std::sort(next_.begin(), next_.end());
    passing_.assign(plan.count() + 1, 1);
    showing_.resize(plan.count());
    for (const Next& next : next_) {
      const WeightedList& tap = taps_[next.tap];
      const double* v = tap.shown->data() + next.sample->at;
      for (std::size_t i = 0; i < plan.count(); ++i) showing_[i] = tap.weight * v[i];
      emit(*next.sample, next.z, next.sample->zBack, showing_, passing_);
    }
  }

  /// Sums of all taps at both ends of the depths between two places.
  void sumBetween(std::vector<LightCurve>& curves, double from, double to,
                  std::vector<double>& begin, std::vector<double>& end) {
    std::fill(begin.begin(), begin.end(), 0), std::fill(end.begin(), end.end(), 0);
    for (std::size_t t = 0; t < taps_.size(); ++t) {
      curves[t].moveTo(from, to);
      for (std::size_t i = 0; i < begin.size(); ++i) {
        begin[i] += taps_[t].weight * curves[t].begin(i);
        end[i] += taps_[t].weight * curves[t].end(i);
      }
    }
  }

  /// The fragment that is nearest to a depth: whose IDs a made one gets.
  const Sample& sampleNear(float z) const {
    const Sample* best = nullptr;
    for (const WeightedList& tap : taps_)
      for (const Sample& s : tap.list->items)
        if (!best || (s.z <= z && s.z > best->z)) best = &s;
    return *best;
  }

  void addVolumes() {
    const std::size_t count = source_.plan.count();
    std::vector<LightCurve> curves;
    std::vector<const SampleList*> lists;
    std::vector<double> begin(count), end(count), before(count, 0), shown(count),
        passing(count + 1, 1);
    for (const WeightedList& tap : taps_) {
      curves.emplace_back(source_.plan, *tap.list);
      lists.push_back(tap.list);
    }
    std::vector<float> places = placesOf(lists);
    if (!places.empty() && std::isfinite(places.back())) places.push_back(INFINITY);
    for (std::size_t p = 0; p + 1 < places.size(); ++p) {
      const float z = places[p], zBack = places[p + 1];
      sumBetween(curves, z, zBack, begin, end);
      for (std::size_t i = 0; i < count; ++i) shown[i] = begin[i] - before[i];
      emit(sampleNear(z), z, z, shown, passing);
      for (std::size_t i = 0; i < count; ++i) shown[i] = end[i] - begin[i];
      emit(sampleNear(z), z, zBack, shown, passing);
      before = end;
    }
  }

  const DecodedImage& source_;
  const Resampling& how_;
  std::vector<WeightedList> taps_;
  std::vector<Next> next_;
  std::vector<double> passing_, showing_;
  SampleList out_;
};

}  // namespace

Resampling resizing(const DeepImage& image, glm::ivec2 size, PixelFilter filter) {
  const Rect& frame = image.displayWindow;
  const glm::dvec2 scale = glm::dvec2(size) / glm::dvec2(frame.width, frame.height);
  Resampling how;
  how.filter = filter;
  how.displayWindow = {frame.x, frame.y, size.x, size.y};
  how.toSource = glm::dmat3(1 / scale.x, 0, 0, 0, 1 / scale.y, 0, frame.x - frame.x / scale.x,
                            frame.y - frame.y / scale.y, 1);
  const glm::dmat3 toOutput = glm::inverse(how.toSource);
  std::vector<glm::dvec2> corners;
  for (const glm::dvec2& c : cornersOf(image.dataWindow))
    corners.push_back(mapped(toOutput, c.x, c.y));
  // Enlarging, a pixel of the image reaches as far as the filter does there.
  how.dataWindow = boundsOf(corners, reachOf(filter) * std::max({1.0, scale.x, scale.y}) - 0.5);
  return how;
}

Resampling transforming(const DeepImage& image, const glm::dmat3& toOutput, PixelFilter filter) {
  Resampling how;
  how.filter = filter;
  how.displayWindow = image.displayWindow;
  if (!std::isnormal(glm::determinant(toOutput)))
    fail("transform: expected one that can be undone, found one that flattens the image");
  how.toSource = glm::inverse(toOutput);
  std::vector<glm::dvec2> corners;
  double stretch = 1;
  for (const glm::dvec2& c : cornersOf(image.dataWindow)) {
    if ((toOutput * glm::dvec3(c, 1)).z <= 0)
      fail("transform: expected all of the image in front of the eye, found {},{} behind it", c.x,
           c.y);
    corners.push_back(mapped(toOutput, c.x, c.y));
    const glm::dvec2 s = stretchAt(toOutput, c.x, c.y);
    stretch = std::max({stretch, s.x, s.y});
  }
  how.dataWindow = boundsOf(corners, reachOf(filter) * stretch);
  constexpr std::int64_t kMaxPixels = std::int64_t(1) << 28;
  if (how.dataWindow.area() > kMaxPixels)
    fail("transform: expected an image of at most {} pixels, found {}x{}", kMaxPixels,
         how.dataWindow.width, how.dataWindow.height);
  return how;
}

glm::dmat3 cornerPin(const Rect& window, const std::array<glm::dvec2, 4>& c) {
  // From the unit square (Heckbert 1989), after the window to the unit square.
  const glm::dvec2 sum = c[0] - c[1] + c[2] - c[3], a = c[1] - c[2], b = c[3] - c[2];
  const double d = a.x * b.y - b.x * a.y;
  if (!std::isnormal(d)) fail("corner pin: expected four corners, found three on one line");
  const double g = (sum.x * b.y - b.x * sum.y) / d, h = (a.x * sum.y - sum.x * a.y) / d;
  const glm::dvec2 x = c[1] - c[0] + g * c[1], y = c[3] - c[0] + h * c[3];
  const glm::dmat3 fromUnit(x.x, x.y, g, y.x, y.y, h, c[0].x, c[0].y, 1);
  const glm::dmat3 toUnit(1.0 / window.width, 0, 0, 0, 1.0 / window.height, 0,
                          -double(window.x) / window.width, -double(window.y) / window.height, 1);
  return fromUnit * toUnit;
}

bool isSeparable(const Resampling& how) {
  const glm::dmat3& m = how.toSource;
  return m[0][1] == 0 && m[1][0] == 0 && m[0][2] == 0 && m[1][2] == 0;
}

FilterAt filterAt(const Resampling& how, int x, int y) {
  return {mapped(how.toSource, x + 0.5, y + 0.5), stretchAt(how.toSource, x + 0.5, y + 0.5)};
}

std::vector<Tap> tapsAt(const Resampling& how, const Rect& sourceWindow, int x, int y) {
  const auto [at, stretch] = filterAt(how, x, y);
  std::vector<Tap> taps;
  if (!std::isfinite(at.x) || !std::isfinite(at.y)) return taps;
  const glm::dvec2 reach = reachOf(how.filter) * stretch;
  const auto weights = [&](double middle, double far, double scale, int low, int high, int& first) {
    first = int(std::floor(std::clamp(middle - far, double(low) - 2, double(high) + 1)));
    const int last = int(std::ceil(std::clamp(middle + far, double(low) - 2, double(high) + 1)));
    std::vector<double> all;
    for (int i = first; i <= last; ++i)
      all.push_back(weightOf(how.filter, (i + 0.5 - middle) / scale));
    return all;
  };
  // Weights add up to 1 over all pixels there could be; those outside of the window have nothing.
  int firstX = 0, firstY = 0;
  const std::vector<double> wx = weights(at.x, reach.x, stretch.x, INT32_MIN / 2, INT32_MAX / 2,
                                         firstX),
                            wy = weights(at.y, reach.y, stretch.y, INT32_MIN / 2, INT32_MAX / 2,
                                         firstY);
  double sumX = 0, sumY = 0;
  for (const double w : wx) sumX += w;
  for (const double w : wy) sumY += w;
  if (!(sumX > 0) || !(sumY > 0)) return taps;
  for (std::size_t j = 0; j < wy.size(); ++j)
    for (std::size_t i = 0; i < wx.size(); ++i) {
      const int sx = firstX + int(i), sy = firstY + int(j);
      if (wx[i] > 0 && wy[j] > 0 && sourceWindow.contains(sx, sy))
        taps.push_back({sx, sy, wx[i] / sumX * wy[j] / sumY});
    }
  return taps;
}

DeepImage emptyOutput(const DeepImage& image, const Resampling& how) {
  DeepImage out = emptyLike(image, how.dataWindow);
  out.displayWindow = how.displayWindow;
  out.attributes = image.attributes;
  return out;
}

DeepImage resampled(const DeepImage& image, const Resampling& how, ThinReport* report) {
  if (isPoints(image)) return resampledPoints(image, how, report);
  FATHOM_CHECK(!how.dataWindow.empty());
  const DecodedImage source(image);
  DeepImage out = emptyOutput(image, how);
  writeLists(source.plan, source.inputs, out, report, [&] { return PixelResampler(source, how); });
  return out;
}

}  // namespace fathom::deep
