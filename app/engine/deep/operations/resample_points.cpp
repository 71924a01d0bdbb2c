// SPDX-License-Identifier: BSD-3-Clause
// Tables of taps, and recomposing lists of points on all cores.
#include "app/engine/deep/operations/resample.h"

#include "app/engine/core/bytes.h"
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

// What shows
// -------------------------------------------------------------------------------------------------

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

// Lists
// -------------------------------------------------------------------------------------------------

/// Recomposes one pixel after the other; one per thread.
class PixelRecomposer {
 public:
  explicit PixelRecomposer(const ShownPoints& source)
      : source_(source), passing_(source.plan.count() + 1) {
    for (const ColorPlan::Value& value : source.plan.values)
      place_.push_back(value.alpha < 0 ? source.plan.count() : std::size_t(value.alpha));
  }

  /// The fragments of a pixel into `points` and `values`, which have the room.
  void recompose(const TapTable& taps, const TapTable::Axis& ax, const TapTable::Axis& ay,
                 std::uint32_t* points, float* values) {
    gather(taps, ax, ay);
    sort();
    const std::size_t count = source_.plan.count();
    std::fill(passing_.begin(), passing_.end(), 1.0);
    for (std::size_t k = 0; k < keys_.size(); ++k) {
      const Event& event = events_[std::uint32_t(keys_[k])];
      points[k] = event.point;
      pass(source_.values.data() + std::size_t(event.point) * count, double(event.weight),
           values + k * count);
    }
  }

 private:
  struct Event {
    std::uint32_t point;
    float weight;
  };

  void gather(const TapTable& taps, const TapTable::Axis& ax, const TapTable::Axis& ay) {
    keys_.clear(), events_.clear();
    for (std::uint32_t j = 0; j < ay.count; ++j) {
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

  /// A fragment that shows this much behind what passes all in front of it.
  void pass(const float* shown, double weight, float* v) {
    constexpr double kAllHidden = 1e-12;
    const std::size_t count = place_.size();
    for (std::size_t i = 0; i < count; ++i) {
      const double left = passing_[place_[i]];
      v[i] = left > kAllHidden ? float(weight * double(shown[i]) / left) : 0;
    }
    for (std::size_t i = 0; i < count; ++i)
      if (source_.plan.values[i].isAlpha) {
        v[i] = std::clamp(v[i], 0.0f, 1.0f);
        passing_[i] = std::max(0.0, passing_[i] - weight * double(shown[i]));
      }
  }

  const ShownPoints& source_;
  std::vector<std::size_t> place_;   // in passing_, of each value
  std::vector<double> passing_;      // per alpha value, at its place; last: of values without alpha
  std::vector<std::uint64_t> keys_;  // depth, and event
  std::vector<Event> events_;
};

/// Fragments of a pixel before they are written.
struct PixelList {
  std::span<const std::uint32_t> points;
  const float* values;
};

/// Writes fragments at their places in an image that has room for all.
class PlacedWriter {
 public:
  PlacedWriter(const ShownPoints& source, DeepImage& out) : source_(source), out_(out) {
    out.words.resize(out.fragmentCount() * kWideWords);
    if (out.format != FragmentFormat::Indexed) return;
    for (std::size_t c = 0; c < out.channels.size(); ++c)
      out.channels[c].values.resize(out.fragmentCount() * bytesPerValue(out.channels[c].type));
    for (std::size_t c = 0; c < out.channels.size(); ++c)
      if (!isValue(int(c))) copied_.push_back(c);
  }
  void write(std::size_t at, const PixelList& list) const {
    const std::size_t count = source_.plan.count();
    for (std::size_t k = 0; k < list.points.size(); ++k)
      made(at + k, source_.from[list.points[k]], list.values + k * count);
  }
  /// The fragments from .. from + count of the image as they are.
  void copy(std::size_t at, std::size_t from, std::size_t count) const {
    const std::uint32_t* words = source_.image.words.data();
    std::copy_n(words + from * kWideWords, count * kWideWords, out_.words.data() + at * kWideWords);
    if (out_.format != FragmentFormat::Indexed) return;
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t c = 0; c < out_.channels.size(); ++c)
        copyValue(c, words[(from + k) * kWideWords], at + k);
      out_.words[(at + k) * kWideWords] = std::uint32_t(at + k);
    }
  }

 private:
  bool isValue(int channel) const {
    return std::any_of(source_.plan.values.begin(), source_.plan.values.end(),
                       [&](const ColorPlan::Value& v) { return v.channel == channel; });
  }
  void copyValue(std::size_t channel, std::uint32_t from, std::size_t at) const {
    const std::size_t bytes = bytesPerValue(out_.channels[channel].type);
    std::memcpy(out_.channels[channel].values.data() + at * bytes,
                source_.image.channels[channel].values.data() + from * bytes, bytes);
  }
  void made(std::size_t at, std::size_t from, const float* v) const {
    const std::uint32_t* words = source_.image.words.data() + from * kWideWords;
    std::uint32_t* to = out_.words.data() + at * kWideWords;
    to[2] = words[2], to[3] = words[3];
    if (out_.format == FragmentFormat::Half) {
      to[0] = packHalves(v[0], v[1]), to[1] = packHalves(v[2], v[3]);
      return;
    }
    to[0] = std::uint32_t(at), to[1] = 0;
    for (const std::size_t channel : copied_) copyValue(channel, words[0], at);
    for (std::size_t i = 0; i < source_.plan.count(); ++i) {
      const ColorPlan::Value& value = source_.plan.values[i];
      std::byte* plane = out_.channels[std::size_t(value.channel)].values.data();
      if (value.isHalf)
        store(plane + at * 2, half(v[i]).bits());
      else
        store(plane + at * 4, v[i]);
    }
  }

  const ShownPoints& source_;
  DeepImage& out_;
  std::vector<std::size_t> copied_;  // channels that are not computed with
};

/// The taps of a row after the other.
class RowTaps {
 public:
  /// `all`: the table of the whole output where it is separable, else null.
  RowTaps(const ShownPoints& source, const Resampling& how, const TapTable* all)
      : source_(source), how_(how), all_(all) {}
  void moveTo(int row) {
    row_ = row;
    if (all_) return;
    Rect line = how_.dataWindow;
    line.y += row, line.height = 1;
    fillTaps(how_, source_.image, line, own_);
  }
  const TapTable& table() const { return all_ ? *all_ : own_; }
  const TapTable::Axis& x(int column) const { return table().x[std::size_t(column)]; }
  const TapTable::Axis& y(int column) const { return table().y[std::size_t(all_ ? row_ : column)]; }
  /// The only pixel under this one, in the image; -1: there are others, or none.
  std::ptrdiff_t wholeAt(int column) const {
    const TapTable::Axis &ax = x(column), &ay = y(column);
    return table().isWhole(ax, ay) ? std::ptrdiff_t(source_.image.pixelIndex(ax.first, ay.first))
                                   : -1;
  }
  std::size_t countAt(int column) const {
    if (const std::ptrdiff_t whole = wholeAt(column); whole >= 0)
      return source_.image.fragmentOffsets[std::size_t(whole) + 1] -
             source_.image.fragmentOffsets[std::size_t(whole)];
    const TapTable::Axis &ax = x(column), &ay = y(column);
    std::size_t count = 0;
    for (std::uint32_t j = 0; ax.count > 0 && j < ay.count; ++j) {
      const std::size_t p = source_.image.pixelIndex(ax.first, ay.first + int(j));
      count += source_.offsets[p + ax.count] - source_.offsets[p];
    }
    return count;
  }

 private:
  const ShownPoints& source_;
  const Resampling& how_;
  const TapTable* all_;
  TapTable own_;
  int row_ = 0;
};

/// All of it, a row at a time; rows on all cores.
class PointImage {
 public:
  PointImage(const ShownPoints& source, const Resampling& how, DeepImage& out)
      : source_(source), how_(how), out_(out) {
    if (isSeparable(how)) fillTaps(how, source.image, how.dataWindow, taps_);
    countLists();
    if (inLists_)
      rows_.resize(std::size_t(how.dataWindow.height));
    else
      writer_.emplace(source, out);
  }

  void make(ThinReport* report) {
    forRows(report, [&](Worker& worker, int row) { makeRow(worker, row); });
    if (inLists_) finish();
  }

 private:
  struct Worker {
    Worker(const ShownPoints& source, const Resampling& how, const TapTable* all)
        : taps(source, how, all), recomposer(source) {}
    RowTaps taps;
    PixelRecomposer recomposer;
    std::vector<std::uint32_t> points;  // of a pixel: the shown point each fragment comes from
    std::vector<float> values;          // float[..][plan.count()]: of fragments as they are stored
    SampleList samples;
    ThinReport report;
  };

  void finish() {
    for (std::size_t p = 0; p < out_.pixelCount(); ++p)
      out_.fragmentOffsets[p + 1] = out_.fragmentOffsets[p] + left_[p];
    join(rows_, out_);
  }
  template <class Row>
  void forRows(ThinReport* report, const Row& row) {
    std::mutex reporting;
    const auto count = std::size_t(out_.dataWindow.height);
    parallelFor(count, evenGrain(count, 16), [&](std::size_t from, std::size_t to) {
      Worker worker(source_, how_, isSeparable(how_) ? &taps_ : nullptr);
      for (std::size_t r = from; r < to; ++r) {
        worker.taps.moveTo(int(r));
        row(worker, int(r));
      }
      const std::lock_guard lock(reporting);
      if (report) report->add(worker.report);
    });
  }
  void countLists() {
    out_.fragmentOffsets.assign(out_.pixelCount() + 1, 0);
    forRows(nullptr, [&](Worker& worker, int row) {
      for (int x = 0; x < width_; ++x)
        out_.fragmentOffsets[std::size_t(row) * std::size_t(width_) + std::size_t(x) + 1] =
            worker.taps.countAt(x);
    });
    std::partial_sum(out_.fragmentOffsets.begin(), out_.fragmentOffsets.end(),
                     out_.fragmentOffsets.begin());
    if (inLists_) left_.resize(out_.pixelCount());
  }
  void makeRow(Worker& worker, int row) {
    if (inLists_ && out_.format == FragmentFormat::Indexed)
      rows_[std::size_t(row)].planes.resize(out_.channels.size());
    for (int x = 0; x < width_; ++x) {
      const std::size_t pixel = std::size_t(row) * std::size_t(width_) + std::size_t(x),
                        begin = out_.fragmentOffsets[pixel],
                        count = out_.fragmentOffsets[pixel + 1] - begin;
      if (count == 0) continue;
      worker.points.resize(count), worker.values.resize(count * source_.plan.count());
      const std::ptrdiff_t whole = worker.taps.wholeAt(x);
      const std::size_t from = whole < 0 ? 0 : source_.image.fragmentOffsets[std::size_t(whole)];
      if (whole < 0)
        worker.recomposer.recompose(worker.taps.table(), worker.taps.x(x), worker.taps.y(x),
                                    worker.points.data(), worker.values.data());
      const PixelList list{worker.points, worker.values.data()};
      if (inLists_)
        left_[pixel] = writeThinned(worker, list, whole >= 0, from, rows_[std::size_t(row)]);
      else if (whole >= 0)
        writer_->copy(begin, from, count);
      else
        writer_->write(begin, list);
    }
  }
  /// Returns how many fragments are left.
  std::size_t writeThinned(Worker& worker, const PixelList& list, bool whole, std::size_t from,
                           WrittenLists& out) const {
    SampleList& samples = worker.samples;
    samples.clear();
    for (std::size_t k = 0; k < list.points.size(); ++k) {
      decode(source_.plan, source_.inputs, 0, whole ? from + k : source_.from[list.points[k]],
             samples);
      if (whole) continue;
      samples.items.back().made = true;
      std::copy_n(list.values + k * source_.plan.count(), source_.plan.count(),
                  samples.of(samples.items.back()));
    }
    if (how_.thinError > 0)
      worker.report.add(
          thinToError(source_.plan, {how_.thinError, false, how_.thinDepth}, samples));
    encode(source_.plan, source_.inputs, samples, out);
    return samples.items.size();
  }

  const ShownPoints& source_;
  const Resampling& how_;
  DeepImage& out_;
  int width_ = how_.dataWindow.width;
  TapTable taps_;  // of all, where it is separable
  // Lists become shorter, or have no places known before.
  bool inLists_ = how_.thinError > 0 || out_.format == FragmentFormat::Rgba8;
  std::optional<PlacedWriter> writer_;
  std::vector<WrittenLists> rows_;
  std::vector<std::size_t> left_;  // fragments per pixel
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
  DeepImage out = emptyOutput(image, how);
  PointImage(source, how, out).make(report);
  return out;
}

}  // namespace fathom::deep
