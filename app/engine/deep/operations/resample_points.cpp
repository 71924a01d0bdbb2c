// SPDX-License-Identifier: BSD-3-Clause
// Tables of taps, and recomposing lists of points on all cores.
#include "app/engine/deep/operations/resample.h"

#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"
#include "app/engine/deep/operations/light_curve.h"

#include <half.h>

namespace fathom::deep {
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
  int low, high;  // pixels of the image: low <= p < high
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
      own_.push_back(weightOf(filter_, (p + 0.5 - place.middle) / place.stretch));
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
    return FilterPlace{at.middle.x, at.stretch.x, window.x, window.right()};
  };
  const auto alongY = [&](const FilterAt& at) {
    return FilterPlace{at.middle.y, at.stretch.y, window.y, window.bottom()};
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
