// SPDX-License-Identifier: BSD-3-Clause
// Lists, count, collect, draw: the stages of a picture of points, each a slice per band; and the
// legend.
#include "app/engine/deep/view/point_scene.h"

#include "app/engine/core/error.h"
#include "app/engine/deep/lists/arrange_lists.h"

namespace fathom::deep {

PointScene::PointScene(const Inputs& inputs, BandStore& bands) : inputs_(inputs), bands_(bands) {
  addStages();
}

void PointScene::addStages() {
  stages_.add(
      "lists", [this] { return key_; }, [this](double) { return loadStep(); }, [this] { at_ = 0; });
  const auto whatPointsAre = [this] {
    const DepthView& view = setup_.settings.view;
    return std::tuple(withoutView(setup_.settings), view.region, view.pointLimit);
  };
  stages_.add(
      "count", whatPointsAre, [this](double) { return countStep(); }, [this] { beginCount(); });
  stages_.add(
      "collect", [] { return 0; }, [this](double) { return collectStep(); },
      [this] { at_ = 0, collected_ = 0; });
  stages_.add(
      "draw", [this] { return std::tuple(camera_, size_, setup_.settings.view); },
      [this](double leftMs) {
        drawn_ = true;
        return renderer_->drawSome(cloud_, leftMs);
      },
      [this] { beginDrawing(); });
}

bool PointScene::proceed(double budgetMs) {
  // A call takes no longer, whatever it is granted: what is there is shown while the rest follows.
  constexpr double kMaxMsSoftware = 45, kMaxMsDevice = 12;
  gpu::Context& gpu = bands_.gpu();
  const double limit = gpu.device().software ? kMaxMsSoftware : kMaxMsDevice;
  return stages_.run(std::min(budgetMs, limit), [&gpu] { gpu.pace(); });
}

void PointScene::drop() {
  stages_.invalidateAll();
  cloud_ = {};
  images_.clear();
  renderer_.reset();
  drawn_ = false;
}

bool PointScene::isCollected() const {
  const std::string current = stages_.current();
  return renderer_ && (current.empty() || current == "draw");
}

std::string PointScene::text() const {
  const PointPlan& plan = cloud_.plan;
  if (plan.every == 1) return fmt::format("{} fragments", plan.points);
  return fmt::format("{} of {} fragments, one in {}", plan.points, plan.fragments, plan.every);
}

// ---- Lists

bool PointScene::loadStep() {
  if (bands_.step(at_, [](Band&) {}) == BandStore::Step::Done) ++at_;
  return at_ >= bands_.count();
}

bool PointScene::nextBand(const std::function<void(Band&)>& work) {
  while (at_ < bands_.count() && intersect(bands_[at_].region, cloud_.region).empty()) ++at_;
  if (at_ >= bands_.count()) return false;
  const BandStore::Step done = bands_.step(at_, work);
  if (done == BandStore::Step::Done) ++at_;
  if (done == BandStore::Step::Cut) stages_.invalidate("count");
  return true;
}

// ---- Count

void PointScene::beginCount() {
  at_ = 0;
  fragments_ = 0;
  cloud_.region = parseRegion(setup_.settings.view.region, key_.size.x, key_.size.y);
}

bool PointScene::countStep() {
  EditedMerge merge(bands_.pipeline(), setup_);
  const auto count = [&](Band& band) {
    std::uint64_t found = 0;
    for (const std::size_t source : setup_.sources())
      found += countPoints(bands_.pipeline(), merge.source(band, source), cloud_.region);
    fragments_ += found;
  };
  if (setup_.isIndexed()) {
    images_ = hostImages();
    for (const HostImage& points : images_)
      fragments_ += fragmentsIn(*points.image, inputs_.windowOf(cloud_.region));
  } else if (nextBand(count)) {
    return false;
  }
  makeRoom();
  return true;
}

/// Inputs as they are, or what operations leave of them in the region.
std::vector<PointScene::HostImage> PointScene::hostImages() const {
  std::vector<HostImage> images;
  const Edits edits = setup_.edits(Purpose::File);
  const std::vector<EditedInput> inputs = editedInputs(inputs_.images(), edits);
  const bool edited = std::any_of(inputs.begin(), inputs.end(), [](const EditedInput& input) {
    return input.edit.movesOrCuts() || (input.edit.visible && input.edit.role != Role::Add);
  });
  for (const std::size_t source : setup_.sources()) {
    const bool all = source == kAllInputs;
    std::vector<EditedInput> parts;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const bool isOwn = edits.order[i] == source;
      if (isOwn && !edited)
        images.push_back({inputs[i].image, inputs[i].firstIndex, setup_.numberOf(source), nullptr});
      if (isOwn || all || inputs[i].edit.role != Role::Add) parts.push_back(inputs[i]);
    }
    if (!all && !edited) continue;
    auto made = std::make_unique<DeepImage>(mergeEdited(parts, all ? edits.merged : MergeEdit{},
                                                        nullptr, inputs_.windowOf(cloud_.region)));
    const DeepImage* image = made.get();
    images.push_back({image, 0, setup_.numberOf(source), std::move(made)});
  }
  return images;
}

/// Room for the points besides everything else.
void PointScene::makeRoom() {
  if (fragments_ > UINT32_MAX)
    fail("points: expected at most 2^32 fragments in the region, found {}", fragments_);
  gpu::Context& gpu = bands_.gpu();
  const gpu::MemoryAccount& memory = gpu.memory();
  cloud_.words = {};
  const std::int64_t room =
      std::min(memory.blockLimit(), (memory.budget() - memory.totalBytes()) / 2);
  const auto limit =
      std::min<std::int64_t>(setup_.settings.view.pointLimit, room / (DEEP_POINT_WORDS * 4));
  cloud_.plan = PointPlan::of(fragments_, std::uint64_t(std::max<std::int64_t>(limit, 1)));
  cloud_.words =
      gpu::Words(gpu, "points", std::size_t(std::max(cloud_.plan.points, 1u)) * DEEP_POINT_WORDS);
  cloud_.volumes = setup_.hasVolumes;
}

// ---- Collect

bool PointScene::collectStep() {
  EditedMerge merge(bands_.pipeline(), setup_);
  const auto collect = [&](Band& band) {
    std::uint64_t added = 0;
    for (const std::size_t source : setup_.sources())
      added += collectPoints(bands_.pipeline(), merge.source(band, source), setup_.numberOf(source),
                             collected_ + added, cloud_);
    collected_ += added;
  };
  if (setup_.isIndexed()) {
    std::vector<std::uint32_t> words(cloud_.words.count());
    for (const HostImage& points : images_)
      collected_ += collectPoints(*points.image, points.firstIndex, inputs_.origin(), points.source,
                                  collected_, cloud_, words);
    cloud_.words.upload(words);
    images_.clear();
  } else if (nextBand(collect)) {
    return false;
  }
  takeBox();
  return true;
}

/// Where the box begins and ends, from an even sample.
void PointScene::takeBox() {
  constexpr std::uint32_t kBoxSample = 16384;  // points
  const std::uint32_t count = std::min(kBoxSample, cloud_.plan.points);
  const std::vector<std::uint32_t> sample =
      cloud_.words.download(0, std::size_t(count) * DEEP_POINT_WORDS);
  std::vector<float> depths;
  for (std::size_t i = 0; i < count; ++i)
    for (const std::size_t end : {1, 2})  // Z, ZBack
      depths.push_back(std::bit_cast<float>(sample[i * DEEP_POINT_WORDS + end]));
  const ZRange range = boxRange(depths);
  space_.region = cloud_.region;
  space_.nearest = range.nearest, space_.farthest = range.farthest;
}

// ---- Draw

void PointScene::beginDrawing() {
  const DepthView& view = setup_.settings.view;
  PointLook look;
  look.color = view.pointColor;
  look.size = view.pointSize;
  look.alpha = view.pointAlpha;
  look.range = view.peeled().range;
  look.colors = view.pointColor == PointColor::Input ? inputColors() : scaleColors();
  space_.depth = 2 * view.pointDepth;
  if (!renderer_) renderer_ = std::make_unique<PointRenderer>(bands_.gpu());
  renderer_->begin(size_, camera_, space_, look);
  drawn_ = false;
}

namespace {

std::vector<LegendEntry> pointEntries(const Settings& settings, const Inputs& inputs,
                                      const PointScene& points) {
  std::vector<LegendEntry> entries;
  const auto add = [&](glm::vec3 c, std::string label) {
    entries.push_back({c.r, c.g, c.b, std::move(label)});
  };
  const PointColor color = settings.view.pointColor;
  const std::size_t count = inputs.count();
  if (color == PointColor::Input &&
      MergeSetup(settings, inputs).sources() == std::vector{kAllInputs}) {
    add(inputColors()[count % inputColors().size()], "all inputs, after the operations");
  } else if (color == PointColor::Input) {
    for (std::size_t i = 0; i < count; ++i)
      add(inputColors()[i % inputColors().size()], inputs.nameOf(i));
  } else if (color != PointColor::Color) {
    const PointSpace& space = points.space();
    for (std::size_t i = 0; i < scaleColors().size(); ++i) {
      const float share = float(i) / float(scaleColors().size() - 1);
      const float z = space.nearest + share * (space.farthest - space.nearest);
      add(scaleColors()[i], color == PointColor::Alpha ? fmt::format("alpha {:.2f}", share)
                                                       : fmt::format("Z {:.4g}", z));
    }
  }
  return entries;
}

}  // namespace

std::vector<LegendEntry> legendEntries(const Settings& settings, const Inputs& inputs,
                                       const PointScene& points) {
  if (settings.show == Show::Points && inputs.isOpen() && points.isCollected())
    return pointEntries(settings, inputs, points);
  std::vector<LegendEntry> entries;
  if (settings.show != Show::HeatMap) return entries;
  std::uint32_t min = 0;
  for (const HeatClass& c : heatClasses()) {
    const std::string label = c.max == UINT32_MAX ? fmt::format("{} and more", min)
                              : min == c.max      ? fmt::format("{}", min)
                                                  : fmt::format("{} to {}", min, c.max);
    entries.push_back({c.color.r, c.color.g, c.color.b, label});
    min = c.max + 1;
  }
  return entries;
}

}  // namespace fathom::deep
