// SPDX-License-Identifier: BSD-3-Clause
// Of points, one walk over the fragments of all taps in order of depth: each takes its weight,
// times what it shows in its own pixel, from what passes all. Where there are volumes, between two
// places that anything begins or ends at, one volume with what passes at both ends.
#include "app/engine/deep/operations/resample.h"

#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"
#include "app/engine/deep/operations/light_curve.h"

#include <half.h>

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
  const Rect &data = image.dataWindow, ends = boundsOf(corners, -1e-6);
  glm::ivec2 low(how.dataWindow.x, how.dataWindow.y),
      high(how.dataWindow.right(), how.dataWindow.bottom());
  const auto end = [](bool reached, int& known, int edge, int& window, int at) {
    if (reached) known = edge, window = at;
  };
  end(data.x <= frame.x, how.knownFrom.x, data.x, low.x, ends.x);
  end(data.y <= frame.y, how.knownFrom.y, data.y, low.y, ends.y);
  end(data.right() >= frame.right(), how.knownTo.x, data.right(), high.x, ends.right());
  end(data.bottom() >= frame.bottom(), how.knownTo.y, data.bottom(), high.y, ends.bottom());
  how.dataWindow = {low.x, low.y, high.x - low.x, high.y - low.y};
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
  const auto weights = [&](int axis, int& first) {
    const double middle = at[axis], far = reach[axis], most = INT32_MAX / 2;
    first = int(std::floor(std::clamp(middle - far, -most, most)));
    const int last = int(std::ceil(std::clamp(middle + far, -most, most)));
    std::vector<double> all;
    for (int i = first; i <= last; ++i)
      all.push_back(i < how.knownFrom[axis] || i >= how.knownTo[axis]
                        ? 0
                        : weightOf(how.filter, (i + 0.5 - middle) / stretch[axis]));
    return all;
  };
  // Weights add up to 1 over all pixels there could be; those outside of the window have nothing.
  int firstX = 0, firstY = 0;
  const std::vector<double> wx = weights(0, firstX), wy = weights(1, firstY);
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

// ---- Tables of taps, and recomposing lists of points on all cores

namespace {

/// The pixels under every pixel of an output, and their weights, as tables: of each column and row
/// where the picture is only resized or moved, else of each pixel of a row.
struct TapTable {
  /// The pixels first .. first + count along one axis, inside the image; their weights are at
  /// weights[at]. Along x with every weight 1 pixel, the same along y.
  struct Axis {
    std::int32_t first = 0;
    std::uint32_t count = 0, at = 0;
  };
  std::vector<Axis> x, y;
  std::vector<float> weights;

  /// One pixel of the image is all that lies under this one.
  bool isWhole(const Axis& ax, const Axis& ay) const {
    return ax.count == 1 && ay.count == 1 && weights[ax.at] == 1 && weights[ay.at] == 1;
  }
};

/// Where a filter lies along one axis of the image.
struct FilterPlace {
  double middle, stretch;
  int low, high;           // pixels of the image: low <= p < high
  int knownFrom, knownTo;  // as in Resampling
};

/// Appends the weights of an axis.
class AxisTaps {
 public:
  AxisTaps(PixelFilter filter, std::vector<float>& weights)
      : filter_(filter), reach_(reachOf(filter)), weights_(weights) {}

  /// Pixels of the image that may be under the filter: first <= p < end.
  std::pair<int, int> rangeOf(const FilterPlace& place) const {
    const double far = reach_ * place.stretch;
    if (!std::isfinite(place.middle) || place.middle + far < place.low - 2.0 ||
        place.middle - far > place.high + 2.0)
      return {0, 0};
    return {std::max(place.low, int(std::floor(place.middle - far))),
            std::min(place.high, int(std::ceil(place.middle + far)) + 1)};
  }

  TapTable::Axis add(const FilterPlace& place) {
    TapTable::Axis axis;
    const auto [first, end] = rangeOf(place);
    if (first >= end) return axis;
    // All there could be, those outside of the image too.
    const double far = reach_ * place.stretch, begin = std::floor(place.middle - far),
                 last = std::ceil(place.middle + far);
    double sum = 0;
    own_.clear();
    for (double p = begin; p <= last; ++p) {
      own_.push_back(p < place.knownFrom || p >= place.knownTo
                         ? 0
                         : weightOf(filter_, (p + 0.5 - place.middle) / place.stretch));
      sum += own_.back();
    }
    if (!(sum > 0)) return axis;
    axis.at = std::uint32_t(weights_.size());
    for (int p = first; p < end; ++p) {
      const auto weight = float(own_[std::size_t(p - begin)] / sum);
      if (axis.count == 0 && !(weight > 0)) continue;
      if (axis.count == 0) axis.first = p;
      weights_.push_back(weight);
      ++axis.count;
    }
    while (axis.count > 0 && !(weights_.back() > 0)) weights_.pop_back(), --axis.count;
    return axis;
  }

 private:
  PixelFilter filter_;
  double reach_;
  std::vector<float>& weights_;
  std::vector<double> own_;
};

bool holdsFragments(const DeepImage& image, std::pair<int, int> x, std::pair<int, int> y) {
  for (int row = y.first; x.first < x.second && row < y.second; ++row) {
    const std::size_t at = image.pixelIndex(x.first, row);
    if (image.fragmentOffsets[at] < image.fragmentOffsets[at + std::size_t(x.second - x.first)])
      return true;
  }
  return false;
}

/// Fills the table for a region: all of the output where it is separable, else one row. The vectors
/// of `out` are used again. Entries per pixel with no fragments of the image under them are left
/// empty.
void fillTaps(const Resampling& how, const DeepImage& image, const Rect& region, TapTable& out) {
  const Rect& window = image.dataWindow;
  out.x.clear(), out.y.clear(), out.weights.clear();
  AxisTaps taps(how.filter, out.weights);
  const auto alongX = [&](const FilterAt& at) {
    return FilterPlace{at.middle.x,    at.stretch.x,    window.x,
                       window.right(), how.knownFrom.x, how.knownTo.x};
  };
  const auto alongY = [&](const FilterAt& at) {
    return FilterPlace{at.middle.y,     at.stretch.y,    window.y,
                       window.bottom(), how.knownFrom.y, how.knownTo.y};
  };
  if (isSeparable(how)) {
    for (int x = region.x; x < region.right(); ++x)
      out.x.push_back(taps.add(alongX(filterAt(how, x, region.y))));
    for (int y = region.y; y < region.bottom(); ++y)
      out.y.push_back(taps.add(alongY(filterAt(how, region.x, y))));
    return;
  }
  for (int x = region.x; x < region.right(); ++x) {
    const FilterAt at = filterAt(how, x, region.y);
    const bool any = holdsFragments(image, taps.rangeOf(alongX(at)), taps.rangeOf(alongY(at)));
    out.x.push_back(any ? taps.add(alongX(at)) : TapTable::Axis());
    out.y.push_back(any ? taps.add(alongY(at)) : TapTable::Axis());
  }
}

// ---- What shows

/// The fragments of an image that show something; those behind what is opaque do not.
struct ShownPoints {
  explicit ShownPoints(const DeepImage& image);  // every fragment is a point; fewer than 2^32

  const DeepImage& image;
  std::vector<EditedInput> inputs;
  ColorPlan plan;
  std::vector<std::uint32_t> offsets;  // uint[pixels + 1]
  std::vector<std::uint32_t> from;     // fragment of the image
  std::vector<std::uint32_t> depths;   // depthKey() of Z
  std::vector<float> values;           // float[points][plan.count()]: what shows
};

/// The values of one fragment after the other.
class ValueReader {
 public:
  explicit ValueReader(const ShownPoints& source) : source_(source) {}
  const double* at(std::size_t fragment) {
    const DeepImage& image = source_.image;
    if (image.format != FragmentFormat::Half) {
      list_.clear();
      decode(source_.plan, source_.inputs, 0, fragment, list_);
      return list_.values.data();
    }
    for (std::size_t i = 0; i < 4; ++i) {
      half value;
      value.setBits(std::uint16_t(image.words[fragment * kWideWords + i / 2] >> 16 * (i % 2)));
      rgba_[i] = double(float(value));
    }
    rgba_[3] = rgba_[3] > 0 ? std::min(rgba_[3], 1.0) : 0;  // NaN: 0
    return rgba_.data();
  }

 private:
  const ShownPoints& source_;
  SampleList list_;
  std::array<double, 4> rgba_{};
};

/// Appends what shows of the list of one pixel at point `at`; returns the place behind it.
std::size_t showPixel(ValueReader& read, std::size_t pixel, Transmittance& left, std::size_t at,
                      ShownPoints& out) {
  left.restart();
  const std::size_t count = out.plan.count(), stride = std::size_t(out.image.stride());
  for (std::size_t f = out.image.fragmentOffsets[pixel]; f < out.image.fragmentOffsets[pixel + 1];
       ++f) {
    const double* v = read.at(f);
    float* shown = out.values.data() + at * count;
    bool any = false;
    for (std::size_t i = 0; i < count; ++i) any = (shown[i] = float(left.of(i) * v[i])) != 0 || any;
    left.pass(v);
    if (!any) continue;
    out.from[at] = std::uint32_t(f);
    out.depths[at] = depthKey(out.image.words[f * stride + (stride == 2 ? 1 : 2)]);
    ++at;
  }
  return at;
}

ShownPoints::ShownPoints(const DeepImage& of)
    : image(of), inputs(withEdits(std::span(&of, 1))), plan(colorPlanOf(of)) {
  plan.inputs = inputs;
  offsets.assign(image.pixelCount() + 1, 0);
  from.resize(image.fragmentCount());
  depths.resize(image.fragmentCount());
  values.resize(image.fragmentCount() * plan.count());
  const auto width = std::size_t(image.dataWindow.width),
             height = std::size_t(image.dataWindow.height);
  // Each row from where its fragments are in the image; then the rows close up.
  parallelFor(height, evenGrain(height, 16), [&](std::size_t first, std::size_t last) {
    ValueReader read(*this);
    Transmittance left(plan);
    for (std::size_t row = first; row < last; ++row) {
      std::size_t at = image.fragmentOffsets[row * width];
      for (std::size_t p = row * width; p < (row + 1) * width; ++p) {
        const std::size_t before = at;
        at = showPixel(read, p, left, at, *this);
        offsets[p + 1] = std::uint32_t(at - before);
      }
    }
  });
  std::size_t at = 0;
  for (std::size_t row = 0; row < height; ++row) {
    const std::size_t begin = image.fragmentOffsets[row * width], to = at;
    for (std::size_t p = row * width; p < (row + 1) * width; ++p)
      offsets[p + 1] = std::uint32_t(at += offsets[p + 1]);
    if (begin == to) continue;
    std::copy_n(from.begin() + std::ptrdiff_t(begin), at - to, from.begin() + std::ptrdiff_t(to));
    std::copy_n(depths.begin() + std::ptrdiff_t(begin), at - to,
                depths.begin() + std::ptrdiff_t(to));
    std::copy_n(values.begin() + std::ptrdiff_t(begin * plan.count()), (at - to) * plan.count(),
                values.begin() + std::ptrdiff_t(to * plan.count()));
  }
}

// ---- Lists

/// One output pixel after the other; one per thread.
class PointResampler {
 public:
  /// `all`: the table of the whole output where it is separable, else null.
  PointResampler(const ShownPoints& source, const Resampling& how, const TapTable* all)
      : source_(source), how_(how), all_(all), passing_(source.plan.count() + 1) {
    for (const ColorPlan::Value& value : source.plan.values)
      place_.push_back(value.alpha < 0 ? source.plan.count() : std::size_t(value.alpha));
  }

  const SampleList& at(int x, int y) {
    const Rect& window = how_.dataWindow;
    if (!all_ && row_ != y)
      fillTaps(how_, source_.image, {window.x, y, window.width, 1}, own_), row_ = y;
    const TapTable& taps = all_ ? *all_ : own_;
    const auto column = std::size_t(x - window.x);
    const TapTable::Axis &ax = taps.x[column],
                         &ay = taps.y[all_ ? std::size_t(y - window.y) : column];
    out_.clear();
    taps.isWhole(ax, ay) ? copy(source_.image.pixelIndex(ax.first, ay.first))
                         : recompose(taps, ax, ay);
    if (how_.thinError > 0)
      report.add(thinToError(source_.plan, {how_.thinError, false, how_.thinDepth}, out_));
    return out_;
  }
  ThinReport report;

 private:
  struct Event {
    std::uint32_t point;
    float weight;
  };

  void copy(std::size_t pixel) {
    const std::vector<std::size_t>& offsets = source_.image.fragmentOffsets;
    for (std::size_t f = offsets[pixel]; f < offsets[pixel + 1]; ++f)
      decode(source_.plan, source_.inputs, 0, f, out_);
  }

  void recompose(const TapTable& taps, const TapTable::Axis& ax, const TapTable::Axis& ay) {
    gather(taps, ax, ay);
    sort();
    std::fill(passing_.begin(), passing_.end(), 1.0);
    for (const std::uint64_t key : keys_) {
      const Event& event = events_[std::uint32_t(key)];
      decode(source_.plan, source_.inputs, 0, source_.from[event.point], out_);
      Sample& sample = out_.items.back();
      sample.made = true;
      pass(source_.values.data() + std::size_t(event.point) * source_.plan.count(),
           double(event.weight), out_.of(sample));
    }
  }

  void gather(const TapTable& taps, const TapTable::Axis& ax, const TapTable::Axis& ay) {
    keys_.clear(), events_.clear();
    for (std::uint32_t j = 0; ax.count > 0 && j < ay.count; ++j) {
      const float wy = taps.weights[ay.at + j];
      const std::uint32_t* ends =
          source_.offsets.data() + source_.image.pixelIndex(ax.first, ay.first + int(j));
      for (std::uint32_t i = 0; i < ax.count; ++i) {
        const float weight = taps.weights[ax.at + i] * wy;
        for (std::uint32_t p = ends[i]; p < ends[i + 1]; ++p) {
          keys_.push_back(std::uint64_t(source_.depths[p]) << 32 | events_.size());
          events_.push_back({p, weight});
        }
      }
    }
  }

  /// By depth; of equal depths the first tap's.
  void sort() {
    constexpr std::size_t kFew = 48;
    if (keys_.size() > kFew) return std::sort(keys_.begin(), keys_.end());
    for (std::size_t i = 1; i < keys_.size(); ++i) {
      const std::uint64_t key = keys_[i];
      std::size_t j = i;
      for (; j > 0 && keys_[j - 1] > key; --j) keys_[j] = keys_[j - 1];
      keys_[j] = key;
    }
  }

  /// A fragment that shows this much behind what passes all in front of it; values as floats.
  void pass(const float* shown, double weight, double* v) {
    constexpr double kAllHidden = 1e-12;
    const std::size_t count = place_.size();
    for (std::size_t i = 0; i < count; ++i) {
      const double left = passing_[place_[i]];
      v[i] = left > kAllHidden ? double(float(weight * double(shown[i]) / left)) : 0;
    }
    for (std::size_t i = 0; i < count; ++i)
      if (source_.plan.values[i].isAlpha) {
        v[i] = std::clamp(v[i], 0.0, 1.0);
        passing_[i] = std::max(0.0, passing_[i] - weight * double(shown[i]));
      }
  }

  const ShownPoints& source_;
  const Resampling& how_;
  const TapTable* all_;
  TapTable own_;                     // of a row ...
  std::optional<int> row_;           // ... which is this
  std::vector<std::size_t> place_;   // in passing_, of each value
  std::vector<double> passing_;      // per alpha value, at its place; last: of values without alpha
  std::vector<std::uint64_t> keys_;  // depth, and event
  std::vector<Event> events_;
  SampleList out_;
};

}  // namespace

bool isPoints(const DeepImage& image) {
  if (image.fragmentCount() > UINT32_MAX) return false;
  if (!image.hasZBack || image.format == FragmentFormat::Rgba8) return true;
  for (std::size_t i = 0; i < image.fragmentCount(); ++i) {
    const std::uint32_t* words = image.words.data() + i * kWideWords;
    if (std::bit_cast<float>(words[3]) > std::bit_cast<float>(words[2])) return false;
  }
  return true;
}

DeepImage resampledPoints(const DeepImage& image, const Resampling& how, ThinReport* report) {
  FATHOM_CHECK(!how.dataWindow.empty());
  const ShownPoints source(image);
  TapTable all;
  const bool separable = isSeparable(how);
  if (separable) fillTaps(how, image, how.dataWindow, all);
  DeepImage out = emptyOutput(image, how);
  writeLists(source.plan, source.inputs, out, report,
             [&] { return PointResampler(source, how, separable ? &all : nullptr); });
  return out;
}

}  // namespace fathom::deep
