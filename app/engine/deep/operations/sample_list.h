// SPDX-License-Identifier: BSD-3-Clause
// The fragments of one pixel with their colors in double, out of a DeepImage of any format and into
// one, and the operations on such a list, sorted by (Z, ZBack) unless said otherwise.
#pragma once

#include "app/engine/core/deep_image.h"
#include "app/engine/core/jobs.h"
#include "app/engine/deep/operations/operations.h"

namespace fathom::deep {

/// What channels mean, by their names without the layer.
inline bool isAlphaName(std::string_view base) {
  return base == "A" || base == "AR" || base == "AG" || base == "AB";
}
inline bool isColorName(std::string_view base) {
  return base == "R" || base == "G" || base == "B" || base == "Y";
}

/// Two values as halves in one word, the first in the low bits.
std::uint32_t packHalves(float low, float high);

/// Which channels are computed with, and which alpha belongs to each color: A of the same layer,
/// else A; AR to R where there is one.
struct ColorPlan {
  struct Value {
    int channel;         // in DeepImage::channels of an Indexed image
    int alpha;           // among the values; -1: none, the fragment is opaque
    bool isAlpha;        // then `alpha` is its own place
    bool isHalf = true;  // as it is stored, float otherwise
  };
  std::vector<Value> values;
  std::vector<int> alphas;    // the fragment's alpha is the mean of these values
  double alphaOtherwise = 0;  // or this, when there are none
  std::vector<int> copied;    // channels that are no values; Z and ZBack are not among them
  int z = -1, zBack = -1;     // channels
  std::array<int, 3> rgb{-1, -1, -1};        // values that are seen; Y in place of all three
  bool hasIds = false;                       // some of what is copied are IDs (uint)
  std::span<const EditedInput> inputs = {};  // where the IDs are read

  double alphaOf(const double* v) const;
  /// The alpha that belongs to value i.
  double alphaOf(const double* v, std::size_t i) const {
    return values[i].alpha < 0 ? 1 : v[values[i].alpha];
  }
  /// Premultiplied, as it is composited.
  glm::dvec4 colorOf(const double* v) const {
    const auto at = [&](int i) { return i < 0 ? 0.0 : v[i]; };
    return {at(rgb[0]), at(rgb[1]), at(rgb[2]), alphaOf(v)};
  }
  std::size_t count() const { return values.size(); }
  /// Both fragments have the same IDs, if any.
  bool sameIds(const struct Sample& a, const struct Sample& b) const;
};
ColorPlan colorPlanOf(const DeepImage& image);

struct Sample {
  float z = 0, zBack = 0;
  bool made = false;      // its colors or depths are not those of the fragment it came from
  int input = 0;          // the input it came from ...
  std::size_t index = 0;  // ... and the fragment there
  std::size_t at = 0;     // of its values
  bool isVolume() const { return zBack > z; }
};

struct SampleList {
  std::vector<Sample> items;
  std::vector<double> values;  // double[..][plan.count()]: alphas within 0..1

  double* of(const Sample& sample) { return values.data() + sample.at; }
  const double* of(const Sample& sample) const { return values.data() + sample.at; }
  /// Room for a sample's values, all 0; moves those of others.
  std::size_t add(std::size_t count) {
    values.resize(values.size() + count);
    return values.size() - count;
  }
  void clear() { items.clear(), values.clear(); }
};

/// Appends fragment `index` of inputs[input].
void decode(const ColorPlan& plan, std::span<const EditedInput> inputs, int input,
            std::size_t index, SampleList& list);

/// Lists written one after the other; the parts of an image that threads make.
struct WrittenLists {
  std::vector<std::uint32_t> words;
  std::vector<std::vector<std::byte>> planes;  // per channel, of Indexed images
};
void encode(const ColorPlan& plan, std::span<const EditedInput> inputs, const SampleList& list,
            WrittenLists& out);
/// Puts rows of lists together, behind what the image holds.
void join(std::vector<WrittenLists>& rows, DeepImage& out);

/// Makes the lists of a whole image, rows on all cores. Each thread has a worker of its own:
/// at(x, y) gives a list, good until the next call, and `report` what thinning did.
template <class MakeWorker>
void writeLists(const ColorPlan& plan, std::span<const EditedInput> inputs, DeepImage& out,
                ThinReport* report, const MakeWorker& makeWorker) {
  const Rect window = out.dataWindow;
  std::vector<WrittenLists> rows(std::size_t(window.height));
  out.fragmentOffsets.assign(out.pixelCount() + 1, 0);
  std::mutex reporting;
  parallelFor(rows.size(), 1, [&](std::size_t first, std::size_t last) {
    auto worker = makeWorker();
    for (std::size_t row = first; row < last; ++row) {
      if (out.format == FragmentFormat::Indexed) rows[row].planes.resize(out.channels.size());
      std::size_t* const counts = &out.fragmentOffsets[row * std::size_t(window.width) + 1];
      for (int column = 0; column < window.width; ++column) {
        const SampleList& list = worker.at(window.x + column, window.y + int(row));
        encode(plan, inputs, list, rows[row]);
        counts[column] = list.items.size();
      }
    }
    const std::lock_guard lock(reporting);
    if (report) report->add(worker.report);
  });
  std::partial_sum(out.fragmentOffsets.begin(), out.fragmentOffsets.end(),
                   out.fragmentOffsets.begin());
  join(rows, out);
}

/// Every Z and ZBack of the lists, ascending, each once.
std::vector<float> placesOf(std::span<const SampleList* const> lists);

/// From `first` on by (Z, ZBack); equal ones stay in their order.
void sortSamples(SampleList& list, std::size_t first = 0);
/// Moves and cuts those from `first` on, which need not be sorted and are afterwards.
void moveAndCut(const ColorPlan& plan, const InputEdit& edit, std::size_t first, SampleList& list);
void tidy(const ColorPlan& plan, SampleList& list);
/// `matte`: the lists of all inputs of one role, merged. `list` is tidy, or of points.
void hold(const ColorPlan& plan, Role role, HoldRule rule, const SampleList& matte,
          SampleList& list);
void dropHidden(const ColorPlan& plan, float alpha, SampleList& list);
/// Returns how far light that shows was moved.
float thin(const ColorPlan& plan, int maxCount, SampleList& list);

/// How far alpha and light in front of any depth may move: absolute, or in parts of the pixel's
/// whole.
struct ThinBound {
  double error = 0;
  bool relative = false;
  double depth = 0;  // how far points may move, in parts of their depth
};
/// As few fragments as the bound allows; tidy when there are volumes. How far they have moved is
/// said in front of where points went; of the whole list it is absolute.
ThinReport thinToError(const ColorPlan& plan, const ThinBound& bound, SampleList& list);

}  // namespace fathom::deep
