// SPDX-License-Identifier: BSD-3-Clause
// Fragments as points in space: collected once per region from the lists on the GPU, drawn again
// when the camera or the look changes, in slices that keep the window fluid.
#include "app/techniques/deep/technique.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

namespace fathom::deep {
namespace {

// A call takes no longer, whatever it is granted: what is there is shown while the rest follows.
constexpr double kMaxMsSoftware = 45, kMaxMsDevice = 12;
constexpr std::uint32_t kSample = 16384;  // points that say where the box begins and ends

}  // namespace

std::string DeepTechnique::listsKey() {
  const ListShape made = shape();
  std::string key = fmt::format("{} {} {} {} {} ", inputsRead_, gpu_->shaderGeneration(),
                                int(made.layout), made.block, int(made.slots));
  for (const FieldValue& value : valuesOf(settings()))
    if (value.effect == Effect::Rebuild) key += value.text + "\n";
  if (scene_)
    key += fmt::format("{} {} {} {} {} {} {} {} {} {}", size_.x, size_.y, camera_.position.x,
                       camera_.position.y, camera_.position.z, camera_.target.x, camera_.target.y,
                       camera_.target.z, camera_.verticalFovDeg, camera_.up.y);
  return key;
}

/// One call of update() while points are shown.
bool DeepTechnique::updatePoints(Effect effect, double budgetMs) {
  if (effect != Effect::None || points_.stage == PointStage::Idle) {
    settle();
    choosePointStage();
  }
  const double most = gpu_->device().software ? kMaxMsSoftware : kMaxMsDevice;
  const double budget = std::min(budgetMs, most);
  const auto start = std::chrono::steady_clock::now();
  const auto spent = [&] {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
  };
  while (points_.stage != PointStage::Done) {
    if (points_.stage == PointStage::Draw) {
      if (points_.view->drawSome(points_.cloud, std::max(budget - spent(), 0.0)))
        points_.stage = PointStage::Done;
      points_.shown = true;
      break;
    }
    pointStep();
    gpu_->finish();  // the clock must see what the device did
    if (points_.stage != PointStage::Draw && spent() >= budget) break;
  }
  return points_.stage == PointStage::Done;
}

/// How much of what is there can be kept.
void DeepTechnique::choosePointStage() {
  applyThickness();
  const std::string lists = listsKey();
  const std::string key =
      lists + mergeKey() +
      fmt::format("{} {}", settings_.seeing.region, settings_.seeing.pointLimit);
  const bool idle = points_.stage == PointStage::Idle;
  if (resultStale_ || idle || lists != points_.lists) {
    if (!resultStale_ && lists == madeLists_) {
      startCounting();
    } else {
      plan();
      resultStale_ = false;
      points_.stage = PointStage::Lists;
    }
  } else if (key != points_.key && points_.stage != PointStage::Lists) {
    startCounting();
  } else if (points_.stage >= PointStage::Draw) {
    startDrawing();
  }
  points_.lists = lists;
  points_.key = key;
}

/// One step that is not drawing.
void DeepTechnique::pointStep() {
  if (points_.stage == PointStage::Lists) {
    step();
    if (working_) return;
    countFragments();
    madeLists_ = points_.lists;
    startCounting();
  } else if (points_.stage == PointStage::Count) {
    countBand();
  } else if (points_.stage == PointStage::Collect) {
    collectBand();
  }
}

/// Inputs as they are, or what operations leave of them in the region.
void DeepTechnique::makePointImages() {
  points_.images.clear();
  const std::vector<EditedInput> inputs = editedInputs();
  const std::vector<std::size_t> order = this->order();
  const Rect& r = points_.cloud.region;
  const auto isEdited = [](const EditedInput& input) {
    return input.edit.movesOrCuts() || (input.edit.visible && input.edit.role != Role::Add);
  };
  const bool edited = std::any_of(inputs.begin(), inputs.end(), isEdited);
  for (const std::size_t source : pointSources()) {
    std::vector<EditedInput> parts;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const bool isOwn = order[i] == source;
      if (isOwn && !edited)
        points_.images.push_back({inputs[i].image, inputs[i].firstIndex, source, nullptr});
      if (isOwn || source == kAllInputs || inputs[i].edit.role != Role::Add)
        parts.push_back(inputs[i]);
    }
    if (source != kAllInputs && !edited) continue;
    auto made = std::make_unique<DeepImage>(
        mergeEdited(parts, source == kAllInputs ? mergeEdit(true) : MergeEdit{}, nullptr,
                    {r.x + window_.x, r.y + window_.y, r.width, r.height}));
    const DeepImage* image = made.get();
    points_.images.push_back({image, 0, source, std::move(made)});
  }
}

void DeepTechnique::startCounting() {
  points_.stage = PointStage::Count;
  points_.band = 0;
  points_.fragments = 0;
  points_.cloud.region = parseRegion(settings_.seeing.region, size_.x, size_.y);
}

void DeepTechnique::workOnPoints(std::size_t index, const std::function<void(Band&)>& work) {
  try {
    ensureResident(bands_[index]);
    work(bands_[index]);
    points_.band = index + 1;
  } catch (const DoesNotFit& reason) {
    bool freed = false;
    for (std::size_t i = 0; i < bands_.size(); ++i)
      if (i != index && !bands_[i].inputs.empty()) release(bands_[i]), freed = true;
    if (freed) return;  // tried again at the next step
    split(index, reason);
    startCounting();
  }
}

void DeepTechnique::countBand() {
  const Rect& r = points_.cloud.region;
  if (points_.band < bands_.size() && !indexed()) {
    if (intersect(bands_[points_.band].region, r).empty()) {
      ++points_.band;
      return;
    }
    workOnPoints(points_.band, [&](Band& band) {
      std::uint64_t found = 0;
      for (const std::size_t source : pointSources())
        found += pipeline_->countPoints(pointList(band, source), r);
      points_.fragments += found;
    });
    return;
  }
  if (indexed()) {
    makePointImages();
    for (const PointImage& points : points_.images)
      points_.fragments +=
          deep::fragmentsIn(*points.image, {r.x + window_.x, r.y + window_.y, r.width, r.height});
  }
  if (points_.fragments > UINT32_MAX)
    fail("points: expected at most 2^32 fragments in the region, found {}", points_.fragments);
  // Room for the points beside everything else.
  const gpu::MemoryAccount& memory = gpu_->memory();
  points_.cloud.words = {};
  const std::int64_t room =
      std::min(memory.blockLimit(), (memory.budget() - memory.totalBytes()) / 2);
  const auto most =
      std::min<std::int64_t>(settings_.seeing.pointLimit, room / (DEEP_POINT_WORDS * 4));
  points_.cloud.plan =
      PointPlan::of(points_.fragments, std::uint64_t(std::max<std::int64_t>(most, 1)));
  points_.cloud.words = gpu::Buffer<std::uint32_t>(
      *gpu_, "points", std::size_t(std::max(points_.cloud.plan.points, 1u)) * DEEP_POINT_WORDS);
  points_.cloud.volumes = hasVolumes();
  points_.stage = PointStage::Collect;
  points_.band = 0;
  points_.base = 0;
}

void DeepTechnique::collectBand() {
  PointCloud& cloud = points_.cloud;
  if (indexed()) {
    std::vector<std::uint32_t> words(cloud.words.count());
    for (const PointImage& points : points_.images)
      points_.base += collectPoints(*points.image, points.firstIndex, {window_.x, window_.y},
                                    sourceNumber(points.source), points_.base, cloud, words);
    cloud.words.upload(words);
    points_.images.clear();
  } else if (points_.band < bands_.size()) {
    if (intersect(bands_[points_.band].region, cloud.region).empty()) {
      ++points_.band;
      return;
    }
    workOnPoints(points_.band, [&](Band& band) {
      std::uint64_t added = 0;
      for (const std::size_t source : pointSources())
        added += pipeline_->collectPoints(pointList(band, source), sourceNumber(source),
                                          points_.base + added, cloud);
      points_.base += added;
    });
    return;
  }
  takeBox();
  startDrawing();
}

/// Where the box begins and ends, from an even sample.
void DeepTechnique::takeBox() {
  PointCloud& cloud = points_.cloud;
  const std::uint32_t count = std::min(kSample, cloud.plan.points);
  const std::vector<std::uint32_t> sample =
      cloud.words.download(0, std::size_t(count) * DEEP_POINT_WORDS);
  points_.depths.clear();
  for (std::size_t i = 0; i < count; ++i)
    for (const std::size_t end : {1, 2}) {  // Z, ZBack
      float z;
      std::memcpy(&z, &sample[i * DEEP_POINT_WORDS + end], sizeof z);
      points_.depths.push_back(z);
    }
  const ZRange range = boxRange(points_.depths);
  points_.space.region = cloud.region;
  points_.space.nearest = range.nearest, points_.space.farthest = range.farthest;
}

void DeepTechnique::startDrawing() {
  const Seeing& seeing = settings_.seeing;
  PointLook look;
  look.color = seeing.pointColor;
  look.size = seeing.pointSize;
  look.alpha = seeing.pointAlpha;
  look.range = seeing.peeled().range;
  look.colors = seeing.pointColor == PointColor::Input ? inputColors() : scaleColors();
  points_.space.depth = 2 * seeing.pointDepth;
  if (!points_.view) points_.view = std::make_unique<PointView>(*gpu_);
  points_.view->begin(points_.size, points_.camera, points_.space, look);
  points_.stage = PointStage::Draw;
}

}  // namespace fathom::deep
