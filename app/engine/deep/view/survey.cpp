// SPDX-License-Identifier: BSD-3-Clause
// The heaviest pixels, the histogram and a sample of depths; two passes over the bands fill them
// in.
#include "app/engine/deep/view/survey.h"

#include "app/engine/deep/bands/merge.h"
#include "app/engine/deep/lists/arrange_lists.h"
#include "shaders/deep/view/depth_view_shared.h"

namespace fathom::deep {
namespace {

constexpr std::size_t kHeaviest = 8;
constexpr int kApart = 16;  // pixels between places

/// The pixel with the most fragments of each square of kApart pixels.
std::vector<Survey::Heavy> candidates(const Rect& region, std::span<const std::uint32_t> counts) {
  const int columns = (region.width + kApart - 1) / kApart;
  std::vector<Survey::Heavy> best(
      std::size_t(columns) * std::size_t((region.height + kApart - 1) / kApart), {{0, 0}, 0});
  for (int y = 0; y < region.height; ++y)
    for (int x = 0; x < region.width; ++x) {
      const std::uint32_t count =
          counts[std::size_t(y) * std::size_t(region.width) + std::size_t(x)];
      Survey::Heavy& heavy = best[std::size_t(y / kApart * columns + x / kApart)];
      if (count > heavy.count) heavy = {{x + region.x, y + region.y}, count};
    }
  return best;
}

/// The heaviest of these, greedily, none near another.
std::vector<Survey::Heavy> heaviestOf(std::vector<Survey::Heavy> all) {
  std::ranges::stable_sort(all, [](const auto& a, const auto& b) { return a.count > b.count; });
  std::vector<Survey::Heavy> chosen;
  for (const Survey::Heavy& heavy : all) {
    if (heavy.count == 0 || chosen.size() == kHeaviest) break;
    const bool apart = std::none_of(chosen.begin(), chosen.end(), [&](const auto& other) {
      return std::abs(other.pixel.x - heavy.pixel.x) < kApart &&
             std::abs(other.pixel.y - heavy.pixel.y) < kApart;
    });
    if (apart) chosen.push_back(heavy);
  }
  return chosen;
}

}  // namespace

void addCounts(Survey& survey, const Rect& region, std::span<const std::uint32_t> counts) {
  for (const std::uint32_t count : counts) {
    if (count >= survey.pixelsWith.size()) survey.pixelsWith.resize(std::size_t(count) + 1);
    ++survey.pixelsWith[count];
    survey.fragments += count;
    survey.max = std::max(survey.max, count);
  }
  survey.pixels += counts.size();
  std::vector<Survey::Heavy> all = candidates(region, counts);
  all.insert(all.begin(), survey.heaviest.begin(), survey.heaviest.end());
  survey.heaviest = heaviestOf(std::move(all));
}

std::vector<Bar> barsOf(const Survey& survey, int maxBars) {
  std::vector<Bar> bars;
  const auto add = [&](std::uint32_t first, std::uint32_t last) {
    Bar bar{first, last, 0};
    for (std::uint32_t n = first; n <= last && n < survey.pixelsWith.size(); ++n)
      bar.pixels += survey.pixelsWith[n];
    bars.push_back(bar);
  };
  if (survey.max < std::uint32_t(maxBars)) {
    for (std::uint32_t n = 0; n <= survey.max; ++n) add(n, n);
    return bars;
  }
  add(0, 0);
  const double ratio = std::pow(double(survey.max) + 1, 1.0 / (maxBars - 1));
  double edge = 1;
  for (std::uint32_t first = 1; first <= survey.max;) {
    edge = std::max(edge * ratio, double(first) + 1);
    const auto last = std::min(survey.max, std::uint32_t(std::ceil(edge - 1e-9)) - 1);
    add(first, std::max(last, first));
    first = bars.back().last + 1;
  }
  return bars;
}

float DepthSample::depthAt(float share) const {
  if (depths.empty()) return 0;
  const float at = std::clamp(share, 0.0f, 1.0f) * float(depths.size() - 1);
  const auto below = std::min(std::size_t(at), depths.size() - 1);
  const auto above = std::min(below + 1, depths.size() - 1);
  return depths[below] + (depths[above] - depths[below]) * (at - float(below));
}

float DepthSample::shareAt(float z) const {
  if (depths.size() < 2) return z <= (depths.empty() ? 0 : depths[0]) ? 0.0f : 1.0f;
  const auto above = std::lower_bound(depths.begin(), depths.end(), z);
  if (above == depths.begin()) return 0;
  if (above == depths.end()) return 1;
  const float low = *(above - 1), high = *above;
  const float inside = high > low ? (z - low) / (high - low) : 0;
  return (float(above - depths.begin()) - 1 + inside) / float(depths.size() - 1);
}

DepthSample sampleOf(std::span<const std::uint32_t> words, int colorCount) {
  using Item = std::pair<float, std::uint32_t>;  // Z, color
  std::vector<Item> items;
  for (std::size_t i = 0; i + DEEP_POINT_WORDS <= words.size(); i += DEEP_POINT_WORDS)
    if (const auto z = std::bit_cast<float>(words[i + 1]); std::isfinite(z))
      items.emplace_back(z, words[i + 3]);
  std::ranges::stable_sort(items, {}, &Item::first);
  DepthSample sample;
  std::vector<glm::vec4> sums(std::size_t(colorCount), glm::vec4(0));
  for (std::size_t i = 0; i < items.size(); ++i) {
    sample.depths.push_back(items[i].first);
    const auto part = [&](int byte) { return float(items[i].second >> (8 * byte) & 255) / 255; };
    const float alpha = std::max(part(3), 1e-3f);
    sums[i * std::size_t(colorCount) / items.size()] +=
        glm::vec4(part(0) * part(0), part(1) * part(1), part(2) * part(2), 1) * alpha;
  }
  for (const glm::vec4& sum : sums)
    sample.colors.push_back(sum.w > 0 ? glm::vec3(sum) / sum.w : glm::vec3(0));
  return sample;
}

Surveyor::Surveyor(BandStore& bands, const MergeSetup& setup, std::function<bool()> isIdle)
    : bands_(bands), setup_(setup), isIdle_(std::move(isIdle)) {
  const auto whatIsSurveyed = [this] {
    return std::tuple(bands_.key(), withoutView(setup_.settings), bands_.count());
  };
  stages_.add(
      "counts", whatIsSurveyed, [this](double) { return countStep(); },
      [this] {
        at_ = 0;
        found_ = {};
        fragments_ = sampled_ = 0;
        complete_ = false;
      });
  stages_.add(
      "depths", [] { return 0; }, [this](double) { return depthStep(); },
      [this] {
        at_ = 0;
        sample_ = {};
      });
  stages_.add(
      "finish", [] { return 0; }, [this](double) { return finish(); });
}

bool Surveyor::step(gpu::Context& gpu) {
  const bool ready = std::exchange(wanted_, false) && bands_.isAttached() &&
                     &bands_.gpu() == &gpu && bands_.count() > 0 && isIdle_();
  return ready && !stages_.run(0);
}

bool Surveyor::countStep() {
  Band& band = bands_[at_];
  bands_.ensureLoaded(band);
  EditedMerge merge(bands_.pipeline(), setup_);
  addCounts(found_, band.region, countPixels(bands_.pipeline(), merge.counted(band)));
  for (const std::size_t source : setup_.sources())
    fragments_ += countPoints(bands_.pipeline(), merge.source(band, source), band.region);
  return ++at_ >= bands_.count();
}

bool Surveyor::depthStep() {
  constexpr std::uint64_t kMaxDepths = 65536;  // sampled to show how depths are distributed
  if (!sample_.words) {
    if (fragments_ > UINT32_MAX) return true;
    sample_.plan = PointPlan::of(fragments_, kMaxDepths);
    sample_.region = {0, 0, bands_.key().size.x, bands_.key().size.y};
    sample_.words = gpu::Words(bands_.gpu(), "depths",
                               std::size_t(std::max(sample_.plan.points, 1u)) * DEEP_POINT_WORDS);
  }
  Band& band = bands_[at_];
  bands_.ensureLoaded(band);
  EditedMerge merge(bands_.pipeline(), setup_);
  for (const std::size_t source : setup_.sources())
    sampled_ += collectPoints(bands_.pipeline(), merge.source(band, source),
                              setup_.numberOf(source), sampled_, sample_);
  return ++at_ >= bands_.count();
}

bool Surveyor::finish() {
  constexpr int kStripColors = 96;  // from front to back
  survey_ = std::move(found_);
  std::vector<std::uint32_t> words;
  if (sample_.words)
    words = sample_.words.download(0, std::size_t(sample_.plan.points) * DEEP_POINT_WORDS);
  depths_ = sampleOf(words, kStripColors);
  if (setup_.isIndexed()) depths_.colors.assign(kStripColors, glm::vec3(0.2f));  // not in the lists
  sample_ = {};
  complete_ = true;
  return true;
}

}  // namespace fathom::deep
