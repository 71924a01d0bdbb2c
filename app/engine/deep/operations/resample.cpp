// SPDX-License-Identifier: BSD-3-Clause
// What each fragment shows in its own pixel is computed once. Of points, one walk over the
// fragments of all taps in order of depth: each takes its weight, times that, from what passes all.
// Where there are volumes, between two places that anything begins or ends at, one volume with what
// passes at both ends.
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

/// The fragments of an image that show something, each in its own pixel; those behind what is
/// opaque do not. Of pixels with volumes this is not what shows.
struct ShownFragments {
  explicit ShownFragments(const DeepImage& image);  // fewer than 2^32

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
  explicit ValueReader(const ShownFragments& source) : source_(source) {}
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
  const ShownFragments& source_;
  SampleList list_;
  std::array<double, 4> rgba_{};
};

/// Appends what shows of the list of one pixel at point `at`; returns the place behind it.
std::size_t showPixel(ValueReader& read, std::size_t pixel, Transmittance& left, std::size_t at,
                      ShownFragments& out) {
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

ShownFragments::ShownFragments(const DeepImage& of)
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

bool isVolume(const DeepImage& image, std::size_t fragment) {
  const std::uint32_t* words = image.words.data() + fragment * kWideWords;
  return std::bit_cast<float>(words[3]) > std::bit_cast<float>(words[2]);
}

/// One output pixel after the other; one per thread.
class PixelResampler {
 public:
  PixelResampler(const ShownFragments& source, const Resampling& how)
      : source_(source), how_(how), passing_(source.plan.count() + 1) {
    for (const ColorPlan::Value& value : source.plan.values)
      place_.push_back(value.alpha < 0 ? source.plan.count() : std::size_t(value.alpha));
    const Rect& window = how.dataWindow;
    for (int x = window.x; isSeparable(how) && x < window.right(); ++x)
      columns_.push_back(axisTapsAt(how, filterAt(how, x, window.y), 0));
  }

  const SampleList& at(int x, int y) {
    const DeepImage& image = source_.image;
    out_.clear();
    pixels_.clear();
    bool volumes = false;
    for (const Tap& tap : under(x, y)) {
      const std::size_t pixel = image.pixelIndex(tap.x, tap.y);
      const std::size_t first = image.fragmentOffsets[pixel],
                        last = image.fragmentOffsets[pixel + 1];
      if (first == last) continue;
      pixels_.push_back({pixel, tap.weight});
      for (std::size_t i = first; mayHaveVolumes_ && !volumes && i < last; ++i)
        volumes = isVolume(image, i);
    }
    if (pixels_.size() == 1 && pixels_[0].weight == 1)
      decodePixel(pixels_[0].at, out_);
    else
      volumes ? addVolumes() : addPoints();
    if (how_.thinError > 0)
      report.add(thinToError(source_.plan, {how_.thinError, false, how_.thinDepth}, out_));
    return out_;
  }
  ThinReport report;

 private:
  struct WeightedPixel {
    std::size_t at;
    double weight;
  };
  struct Event {
    std::uint32_t point;
    float weight;
  };

  std::vector<Tap> under(int x, int y) {
    const Rect& window = source_.image.dataWindow;
    if (columns_.empty()) return tapsAt(how_, window, x, y);
    if (rowAt_ != y) row_ = axisTapsAt(how_, filterAt(how_, x, y), 1), rowAt_ = y;
    return tapsOf(columns_[std::size_t(x - how_.dataWindow.x)], row_, window);
  }

  void decodePixel(std::size_t pixel, SampleList& list) {
    const std::vector<std::size_t>& offsets = source_.image.fragmentOffsets;
    for (std::size_t f = offsets[pixel]; f < offsets[pixel + 1]; ++f)
      decode(source_.plan, source_.inputs, 0, f, list);
    if (mayHaveVolumes_ && std::ranges::any_of(list.items, &Sample::isVolume))
      tidy(source_.plan, list);
  }

  void addPoints() {
    keys_.clear(), events_.clear();
    for (const WeightedPixel& pixel : pixels_)
      for (std::uint32_t p = source_.offsets[pixel.at]; p < source_.offsets[pixel.at + 1]; ++p) {
        keys_.push_back(std::uint64_t(source_.depths[p]) << 32 | events_.size());
        events_.push_back({p, float(pixel.weight)});
      }
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

  /// Sums of all taps at both ends of the depths between two places.
  void sumBetween(std::vector<LightCurve>& curves, double from, double to,
                  std::vector<double>& begin, std::vector<double>& end) {
    std::fill(begin.begin(), begin.end(), 0), std::fill(end.begin(), end.end(), 0);
    for (std::size_t t = 0; t < pixels_.size(); ++t) {
      curves[t].moveTo(from, to);
      for (std::size_t i = 0; i < begin.size(); ++i) {
        begin[i] += pixels_[t].weight * curves[t].begin(i);
        end[i] += pixels_[t].weight * curves[t].end(i);
      }
    }
  }

  /// The fragment that is nearest to a depth: whose IDs a made one gets.
  const Sample& sampleNear(float z) const {
    const Sample* best = nullptr;
    for (const SampleList& list : lists_)
      for (const Sample& s : list.items)
        if (!best || (s.z <= z && s.z > best->z)) best = &s;
    return *best;
  }

  void addVolumes() {
    const std::size_t count = source_.plan.count();
    std::vector<LightCurve> curves;
    std::vector<const SampleList*> lists;
    std::vector<double> begin(count), end(count), before(count, 0), shown(count),
        passing(count + 1, 1);
    lists_.assign(pixels_.size(), {});
    for (std::size_t t = 0; t < pixels_.size(); ++t) {
      decodePixel(pixels_[t].at, lists_[t]);
      curves.emplace_back(source_.plan, lists_[t]);
      lists.push_back(&lists_[t]);
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

  const ShownFragments& source_;
  const Resampling& how_;
  const bool mayHaveVolumes_ =
      source_.image.hasZBack && source_.image.format != FragmentFormat::Rgba8;
  std::vector<AxisTaps> columns_;  // where the map is separable
  AxisTaps row_;
  std::optional<int> rowAt_;
  std::vector<WeightedPixel> pixels_;  // under the filter, with fragments
  std::vector<SampleList> lists_;      // of these
  std::vector<std::size_t> place_;     // in passing_, of each value
  std::vector<double> passing_;        // per alpha value, at its place; last: without alpha
  std::vector<std::uint64_t> keys_;    // depth, and event
  std::vector<Event> events_;
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

AxisTaps axisTapsAt(const Resampling& how, const FilterAt& filter, int axis) {
  AxisTaps taps;
  const double middle = filter.middle[axis], stretch = filter.stretch[axis],
               far = reachOf(how.filter) * stretch, most = INT32_MAX / 2;
  if (!std::isfinite(middle)) return taps;
  taps.first = int(std::floor(std::clamp(middle - far, -most, most)));
  const int last = int(std::ceil(std::clamp(middle + far, -most, most)));
  double sum = 0;
  for (int i = taps.first; i <= last; ++i) {
    const bool isKnown = i >= how.knownFrom[axis] && i < how.knownTo[axis];
    taps.weights.push_back(isKnown ? weightOf(how.filter, (i + 0.5 - middle) / stretch) : 0);
    sum += taps.weights.back();
  }
  for (double& weight : taps.weights) weight = sum > 0 ? weight / sum : 0;
  return taps;
}

std::vector<Tap> tapsOf(const AxisTaps& alongX, const AxisTaps& alongY, const Rect& sourceWindow) {
  std::vector<Tap> taps;
  for (std::size_t j = 0; j < alongY.weights.size(); ++j)
    for (std::size_t i = 0; i < alongX.weights.size(); ++i) {
      const int x = alongX.first + int(i), y = alongY.first + int(j);
      const double weight = alongX.weights[i] * alongY.weights[j];
      if (weight > 0 && sourceWindow.contains(x, y)) taps.push_back({x, y, weight});
    }
  return taps;
}

std::vector<Tap> tapsAt(const Resampling& how, const Rect& sourceWindow, int x, int y) {
  const FilterAt filter = filterAt(how, x, y);
  return tapsOf(axisTapsAt(how, filter, 0), axisTapsAt(how, filter, 1), sourceWindow);
}

DeepImage emptyOutput(const DeepImage& image, const Resampling& how) {
  DeepImage out = emptyLike(image, how.dataWindow);
  out.displayWindow = how.displayWindow;
  out.attributes = image.attributes;
  return out;
}

DeepImage resampled(const DeepImage& image, const Resampling& how, ThinReport* report) {
  FATHOM_CHECK(!how.dataWindow.empty());
  if (image.fragmentCount() > UINT32_MAX)
    fail("resampling: expected at most 2^32 fragments, found {}", image.fragmentCount());
  const ShownFragments source(image);
  DeepImage out = emptyOutput(image, how);
  writeLists(source.plan, source.inputs, out, report, [&] { return PixelResampler(source, how); });
  return out;
}

}  // namespace fathom::deep
