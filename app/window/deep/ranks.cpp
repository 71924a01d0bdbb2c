// SPDX-License-Identifier: BSD-3-Clause
// Rows are dealt and streams encoded as RankComposite does it; pictures come from the operations on
// the host. One rank's share of one region per step; at most two regions wait for the other thread.
#include "app/window/deep/ranks.h"

#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"
#include "app/engine/deep/distribute/rank_composite.h"
#include "app/engine/deep/operations/packed_rows.h"

namespace fathom::deep {
namespace {

constexpr int kFlatPixelBytes = 4, kFlatRunBytes = 8;

/// Bytes of the rows that other ranks merge.
std::uint64_t bytesToOthers(const PackedRows& rows, std::uint32_t input, std::size_t rank,
                            const std::vector<int>& dealt) {
  std::uint64_t bytes = 0;
  for (std::size_t to = 0; to + 1 < dealt.size(); ++to)
    if (to != rank) bytes += encodeRows(rows, dealt[to], dealt[to + 1], {input, 1}).size();
  return bytes;
}

/// Runs and pixels of a picture that have something, in the rows that other ranks composite.
std::uint64_t flatBytesToOthers(const Image& picture, std::size_t rank,
                                const std::vector<int>& dealt) {
  std::uint64_t bytes = 0;
  for (int y = 0; y < picture.height; ++y) {
    if (y >= dealt[rank] && y < dealt[rank + 1]) continue;
    bool before = false;
    for (int x = 0; x < picture.width; ++x) {
      const bool active = picture.at(x, y).a > 0;
      bytes += active ? kFlatPixelBytes + (before ? 0 : kFlatRunBytes) : 0;
      before = active;
    }
  }
  return bytes;
}

std::vector<int> dealOf(const Rect& area, const std::vector<std::vector<PackedInput>>& packed) {
  std::vector<std::uint64_t> rows(std::size_t(area.height));
  for (const std::vector<PackedInput>& rank : packed)
    for (const PackedInput& input : rank)
      for (std::size_t y = 0; y < rows.size(); ++y)
        rows[y] += input.rows.rows[y + 1].fragment - input.rows.rows[y].fragment;
  return dealRows(rows, area.width, int(packed.size()));
}

double sumOfDepths(const DeepImage& image) {
  const std::size_t stride = std::size_t(image.stride()), zWord = stride == 2 ? 1 : 2;
  double sum = 0;
  for (std::size_t w = 0; w < image.words.size(); w += stride)
    sum += double(std::bit_cast<float>(image.words[w + zWord]));
  return sum;
}

DeepImage thinnedTo(const DeepImage& image, int thin) {
  const EditedInput one{&image, {}};
  MergeEdit edit;
  edit.maxCount = thin;
  return mergeEdited(std::span(&one, 1), edit, nullptr, image.dataWindow);
}

/// One rank's share of a region: its numbers and images.
struct StudiedShare {
  RankNumbers numbers;
  std::vector<DeepImage> images, thinned;
  Image alone;
};

StudiedShare studyShare(const Rect& area, const std::vector<PackedInput>& packed, std::size_t rank,
                        const std::vector<int>& dealt, int thin) {
  StudiedShare share;
  RankNumbers& n = share.numbers;
  n.rawBytes = 4 * std::uint64_t(area.area());
  for (const PackedInput& input : packed) {
    const std::uint64_t count = input.rows.fragmentCount();
    n.fragments += count;
    n.rawBytes += 4 * std::uint64_t(wordsPerFragment(input.rows.format)) * count;
    n.sentBytes += bytesToOthers(input.rows, input.input, rank, dealt);
    if (input.rows.format == FragmentFormat::Indexed) continue;
    share.images.push_back(unpacked(input.rows));
    n.depth += sumOfDepths(share.images.back());
    share.thinned.push_back(thinnedTo(share.images.back(), thin));
    const PackedRows rows = packRows(share.thinned.back(), input.rows.region);
    n.thinnedFragments += rows.fragmentCount();
    n.thinnedBytes += bytesToOthers(rows, input.input, rank, dealt);
  }
  share.alone = Image(area.width, area.height);
  if (share.images.empty()) return share;
  share.alone =
      flattenEdited(withEdits(share.images), MergeEdit{}, share.images.front().dataWindow);
  n.flatBytes = flatBytesToOthers(share.alone, rank, dealt);
  return share;
}

Image flatOf(std::vector<DeepImage>&& images, const Rect& area) {
  if (images.empty()) return Image(area.width, area.height);
  return flattenEdited(withEdits(images), MergeEdit{}, images.front().dataWindow);
}

WayOfCompositing against(const Image& exact, const Image& other, std::uint64_t bytes) {
  WayOfCompositing way;
  way.bytes = bytes;
  way.difference = Image(exact.width, exact.height);
  double sum = 0;
  for (std::size_t i = 0; i < exact.pixels.size(); ++i) {
    const glm::vec4 off = glm::abs(other.pixels[i] - exact.pixels[i]);
    sum += double(off.r) + double(off.g) + double(off.b) + double(off.a);
    way.largest =
        std::max({way.largest, double(off.r), double(off.g), double(off.b), double(off.a)});
    way.difference.pixels[i] = {off.r, off.g, off.b, 1};
  }
  way.mean = sum / (4.0 * double(std::max<std::size_t>(1, exact.pixels.size())));
  return way;
}

/// The ranks from front to back, by the mean depth of what they hold.
std::vector<std::size_t> frontToBack(const std::vector<RankNumbers>& ranks) {
  std::vector<std::size_t> order(ranks.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  const auto mean = [&](std::size_t i) {
    return ranks[i].depth / double(std::max<std::uint64_t>(1, ranks[i].fragments));
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return mean(a) < mean(b); });
  return order;
}

Image flatOver(const RankStudy& whole) {
  Image flat(whole.area.width, whole.area.height);
  for (const std::size_t rank : frontToBack(whole.ranks))
    for (std::size_t i = 0; i < flat.pixels.size(); ++i)
      flat.pixels[i] += (1 - flat.pixels[i].a) * whole.alone[rank].pixels[i];
  return flat;
}

void addRows(Image& whole, const Image& rows, int y) {
  if (rows.pixels.empty()) return;
  std::copy(rows.pixels.begin(), rows.pixels.end(),
            whole.pixels.begin() + std::ptrdiff_t(y) * whole.width);
}

}  // namespace

void RankNumbers::add(const RankNumbers& other) {
  fragments += other.fragments, thinnedFragments += other.thinnedFragments;
  rawBytes += other.rawBytes, sentBytes += other.sentBytes;
  thinnedBytes += other.thinnedBytes, flatBytes += other.flatBytes;
  depth += other.depth;
}

DeepImage unpacked(const PackedRows& packed) {
  FATHOM_CHECK(packed.format != FragmentFormat::Indexed);
  DeepImage image;
  image.dataWindow = packed.region;
  image.format = packed.format, image.hasZBack = packed.hasZBack;
  image.words = packed.words;
  image.fragmentOffsets.assign(image.pixelCount() + 1, 0);
  std::size_t pixel = 0;
  for (int y = 0; y < packed.region.height; ++y)
    for (std::size_t run = packed.rows[std::size_t(y)].run;
         run < packed.rows[std::size_t(y) + 1].run; ++run)
      for (std::uint32_t x = packed.runs[2 * run]; x < packed.runs[2 * run + 1]; ++x)
        image.fragmentOffsets[std::size_t(y) * std::size_t(packed.region.width) + x + 1] =
            packed.counts[pixel++];
  std::partial_sum(image.fragmentOffsets.begin(), image.fragmentOffsets.end(),
                   image.fragmentOffsets.begin());
  return image;
}

RankStudy studyRegion(const Rect& area, const std::vector<std::vector<PackedInput>>& packed,
                      int thin) {
  const std::vector<int> dealt = dealOf(area, packed);
  std::vector<StudiedShare> shares(packed.size());
  parallelFor(packed.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t rank = first; rank < last; ++rank)
      shares[rank] = studyShare(area, packed[rank], rank, dealt, thin);
  });
  RankStudy study;
  study.area = area;
  std::vector<DeepImage> all, thinned;
  for (StudiedShare& share : shares) {
    study.ranks.push_back(share.numbers);
    study.alone.push_back(std::move(share.alone));
    std::move(share.images.begin(), share.images.end(), std::back_inserter(all));
    std::move(share.thinned.begin(), share.thinned.end(), std::back_inserter(thinned));
  }
  study.deep = flatOf(std::move(all), area);
  study.thinned = flatOf(std::move(thinned), area);
  return study;
}

void addRegion(RankStudy& whole, RankStudy&& region) {
  const Image empty(whole.area.width, whole.area.height);
  whole.ranks.resize(region.ranks.size());
  whole.alone.resize(region.ranks.size(), empty);
  if (whole.deep.pixels.empty()) whole.deep = whole.thinned = empty;
  for (std::size_t i = 0; i < region.ranks.size(); ++i) {
    whole.ranks[i].add(region.ranks[i]);
    addRows(whole.alone[i], region.alone[i], region.area.y);
  }
  addRows(whole.deep, region.deep, region.area.y);
  addRows(whole.thinned, region.thinned, region.area.y);
}

std::array<WayOfCompositing, 3> compare(const RankStudy& whole) {
  RankNumbers sum;
  for (const RankNumbers& rank : whole.ranks) sum.add(rank);
  return {against(whole.deep, flatOver(whole), sum.flatBytes),
          WayOfCompositing{sum.sentBytes, 0, 0, {}},
          against(whole.deep, whole.thinned, sum.thinnedBytes)};
}

namespace {

constexpr double kPixelLimit = 64e6;  // 1 GiB on the host

}  // namespace

RankPreview::Key RankPreview::key() const {
  const Inputs& inputs = engine_.opened();
  return {inputs.generation(), inputs.size(), inputs.scene() ? inputs.camera() : Camera{},
          engine_.setup().settings.captureFormat, options};
}

bool RankPreview::backgroundStep(gpu::Context& gpu) {
  jobs_.deliver();
  if (std::exchange(gpu_, &gpu) != &gpu) {  // another device: what is in progress begins anew
    ++run_;
    working_.reset();
    shares_.clear(), packed_.clear();
    choice_ = shown_ = {};
  }
  if (!std::exchange(wanted_, false) || !engine_.isPictureIdle()) return false;
  const Key wanted = key();
  if (isComplete()) return false;
  if (working_ != wanted) restart(wanted);
  if (!complaint_.empty()) return false;
  constexpr std::size_t kWaiting = 2;
  if (at_ < kRegions && jobs_.pending() < kWaiting) {
    try {
      captureStep(gpu);
    } catch (const Error&) {
      fail(std::current_exception());
    }
  }
  return true;
}

void RankPreview::restart(const Key& wanted) {
  ++run_;
  working_ = wanted;
  at_ = 0;
  shares_.clear(), packed_.clear();
  complaint_.clear();
  whole_ = std::make_shared<RankStudy>();
  whole_->area = {0, 0, wanted.size.x, wanted.size.y};
  const double pixels = double(wanted.size.x) * wanted.size.y * (wanted.options.ranks + 4);
  if (pixels > kPixelLimit)
    complaint_ = fmt::format(
        "ranks: expected at most {:.0f} million pixels in the images of all, found {:.0f}",
        kPixelLimit * 1e-6, pixels * 1e-6);
}

void RankPreview::fail(std::exception_ptr reason) {
  shares_.clear(), packed_.clear();
  complaint_ = messageOf(reason);
}

/// The next rank's share of this region; with the last one's, the region goes to the other thread.
void RankPreview::captureStep(gpu::Context& gpu) {
  const auto ranks = std::size_t(working_->options.ranks), rank = packed_.size();
  if (shares_.size() <= rank)
    shares_.push_back(std::make_unique<InputsShare>(
        gpu, engine_.opened(), engine_.setup(), working_->options.deal, int(rank),
        working_->options.ranks, RankShare::Thinning{}));
  const glm::ivec2 size = working_->size;
  const int first = size.y * at_ / kRegions, end = size.y * (at_ + 1) / kRegions;
  const Rect area{0, first, size.x, end - first};
  packed_.push_back(area.empty() ? std::vector<PackedInput>() : shares_[rank]->pack(area));
  if (packed_.size() < ranks) return;
  auto packed = std::make_shared<std::vector<std::vector<PackedInput>>>(std::exchange(packed_, {}));
  ++at_;
  if (at_ == kRegions) shares_.clear();
  jobs_.submit(
      [this, area, packed, whole = whole_, last = at_ == kRegions, thin = working_->options.thin,
       run = run_]() -> JobQueue::Delivery {
        addRegion(*whole, studyRegion(area, *packed, thin));
        if (!last) return [] {};
        const auto ways = compare(*whole);
        const auto done = std::make_shared<const Done>(Done{std::move(*whole), ways});
        return [this, done, run] {
          if (run == run_ && complaint_.empty()) done_ = done, doneKey_ = *working_;
        };
      },
      [this, run = run_](std::exception_ptr reason) {
        if (run == run_) fail(reason);
      });
}

std::shared_ptr<const Image> RankPreview::chosen() const {
  if (choice_.what == Choice::Nothing || !isComplete()) return nullptr;
  const Image* image = nullptr;
  if (choice_.what == Choice::Rank && choice_.index < done_->study.alone.size())
    image = &done_->study.alone[choice_.index];
  if (choice_.what == Choice::Way && choice_.index < done_->ways.size())
    image = &done_->ways[choice_.index].difference;
  if (!image || image->pixels.empty()) return nullptr;
  return {done_, image};
}

void RankPreview::advance() {
  const std::shared_ptr<const Image> picture = chosen();
  if (!std::exchange(seen_, false) || !picture) choice_ = {};
  if (choice_ == shown_) return;
  shown_ = choice_;
  engine_.showInstead(choice_.what == Choice::Nothing ? nullptr : picture);
}

}  // namespace fathom::deep
