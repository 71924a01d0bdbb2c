// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/deep/technique.h"

#include "app/core/deep_channels.h"
#include "app/core/log.h"
#include "app/gpu/memory_account.h"
#include "app/io/deep_exr.h"
#include "app/techniques/deep/reference.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>

#include <glm/gtc/matrix_transform.hpp>

namespace fathom::deep {

const Info& staticInfo() {
  static const Info info{
      "deep",
      "Deep images",
      "Capture scenes or load deep EXRs, merge them on the GPU, composite, inspect every fragment.",
      "Archer, Leach, van Schyndel, \"GPU based techniques for deep image merging\", Computational "
      "Visual Media 4(3), 2018",
      {".exr", ".obj"}};
  return info;
}

std::unique_ptr<Technique> make() { return std::make_unique<DeepTechnique>(); }

const Info& DeepTechnique::info() const { return staticInfo(); }

void DeepTechnique::describe(FieldVisitor& field) { deep::describe(settings_, field); }

bool DeepTechnique::accepts(const std::string& input) const {
  return isSceneSpec(input) || looksLikeExr(input);
}

// Inputs
// ------------------------------------------------------------------------------------------------

Technique::Adopt DeepTechnique::read(const std::vector<std::string>& inputs, Progress& progress) {
  if (inputs.empty()) throw UsageError("deep: expected a scene or deep EXR files, found no input");
  const auto scenes = std::count_if(inputs.begin(), inputs.end(), isSceneSpec);
  if (scenes > 0) {
    if (inputs.size() > 1)
      fail("{}: expected one scene, or deep EXR files alone, found {} inputs", inputs[0],
           inputs.size());
    std::shared_ptr<const Scene> scene = loadScene(inputs[0], progress);
    return [this, scene, inputs] {
      inputs_ = inputs;
      images_.clear();
      scene_ = scene;
      renderer_.reset();
      camera_ = scene->camera;
      if (size_.x <= 0) size_ = {1280, 720};
      window_ = displayWindow_ = {0, 0, size_.x, size_.y};
      fragmentsIn_ = 0;
      bands_.clear();
      resultStale_ = true;
      for (const std::string& warning : scene->warnings) log::warn("{}", warning);
    };
  }
  auto images = std::make_shared<std::vector<DeepImage>>();
  for (const std::string& input : inputs) {
    DeepReadOptions options;
    options.progress = &progress;
    images->push_back(readDeepExr(input, options));
  }
  return [this, images, inputs] { adoptImages(std::move(*images), inputs); };
}

void DeepTechnique::adoptImages(std::vector<DeepImage> images, std::vector<std::string> names) {
  unify(images);
  // The index words of all inputs count through, so that a merged list tells where each fragment
  // came from.
  std::uint64_t base = 0;
  for (DeepImage& image : images) {
    if (image.format == FragmentFormat::Indexed) {
      if (base + image.fragmentCount() > UINT32_MAX)
        fail("{}: expected at most 2^32 fragments with extra channels in all inputs, found {}",
             names.empty() ? "deep" : names[0], base + image.fragmentCount());
      for (std::size_t i = 0; i < image.words.size(); i += 4) image.words[i] += std::uint32_t(base);
    }
    base += image.fragmentCount();
  }
  for (std::size_t i = 1; i < images.size(); ++i)
    if (!(images[i].displayWindow == images[0].displayWindow))
      log::warn("{}: the display window differs from the one of {}, which is kept", names[i],
                names[0]);
  Rect window;
  for (const DeepImage& image : images) window = unite(window, image.dataWindow);

  inputs_ = std::move(names);
  images_ = std::move(images);
  scene_.reset();
  renderer_.reset();
  window_ = window;
  displayWindow_ = images_[0].displayWindow;
  size_ = {window.width, window.height};
  fragmentsIn_ = base;
  bands_.clear();
  indexedPicture_ = {};
  resultStale_ = true;
}

std::size_t DeepTechnique::inputCount() const {
  return scene_ ? scene_->parts.size() : images_.size();
}

void DeepTechnique::setSize(int width, int height) {
  if (!scene_ && !images_.empty()) return;  // files have their own size
  if (size_ == glm::ivec2(width, height)) return;
  size_ = {width, height};
  if (scene_) window_ = displayWindow_ = {0, 0, width, height};
}

ListShape DeepTechnique::shape() const {
  if (!images_.empty()) return shapeOf(settings_, images_[0].format);
  return shapeOf(settings_, settings_.captureFormat == CaptureFormat::Rgba8 ? FragmentFormat::Rgba8
                                                                            : FragmentFormat::Half);
}

DeepImage DeepTechnique::emptyMerged() const {
  DeepImage merged;
  merged.dataWindow = window_;
  merged.displayWindow = displayWindow_;
  merged.format = shape().format;
  if (images_.empty()) {
    for (const char* name : {"A", "B", "G", "R"})
      merged.channels.push_back({name, ChannelType::Half, {}});
    merged.channels.push_back({"Z", ChannelType::Float, {}});
    return merged;
  }
  merged.pixelAspect = images_[0].pixelAspect;
  merged.hasZBack = images_[0].hasZBack;
  for (const DeepChannel& channel : images_[0].channels)
    merged.channels.push_back({channel.name, channel.type, {}});
  return merged;
}

// Bands
// -------------------------------------------------------------------------------------------------

/// One band over everything; those that do not fit the device are cut while working.
void DeepTechnique::plan() {
  const Rect all{0, 0, size_.x, size_.y};
  // Bands found before are kept, with their buffers, while they still cover the picture.
  std::int64_t covered = 0;
  Rect hull;
  for (const Band& band : bands_) covered += band.region.area(), hull = unite(hull, band.region);
  if (bands_.empty() || covered != all.area() || !(hull == all)) {
    bands_.clear();
    Band band;
    band.region = all;
    bands_.push_back(std::move(band));
  }
  for (Band& band : bands_) band.resident = false;
  bandAt_ = inputAt_ = 0;
  working_ = true;
}

void DeepTechnique::acquire(Band& band, std::size_t input) {
  if (band.inputs.size() != inputCount()) {
    band.inputs.clear();
    band.inputs.resize(inputCount());
  }
  if (scene_ && !renderer_) renderer_ = std::make_unique<SceneRenderer>(*gpu_, scene_);
  fill(band.inputs[input], band.region, input);
}

void DeepTechnique::fill(FragmentLists& lists, const Rect& region, std::size_t input) const {
  pipeline_->setSort(settings_.sort);
  if (scene_) {
    Camera camera = camera_;
    camera.fitDepth(scene_->bounds);
    pipeline_->capture(*renderer_, input, camera, size_, region, shape(), lists);
  } else {
    pipeline_->upload(images_[input], {window_.x, window_.y}, region, shape(), lists);
  }
}

void DeepTechnique::ensureResident(Band& band) {
  const auto acquireAll = [&] {
    for (std::size_t i = 0; i < inputCount(); ++i) acquire(band, i);
  };
  if (band.resident) return;
  try {
    acquireAll();
  } catch (const DoesNotFit&) {
    for (Band& other : bands_) release(other);
    acquireAll();
  }
  band.resident = true;
}

void DeepTechnique::release(Band& band) {
  band.inputs.clear();
  band.merged.clear();
  band.resident = false;
}

void DeepTechnique::split(std::size_t index, const DoesNotFit& reason) {
  const std::vector<Rect> parts = cut(bands_[index].region, reason);
  release(bands_[index]);
  bands_[index].region = parts[0];
  for (std::size_t i = 1; i < parts.size(); ++i) {
    Band rest;
    rest.region = parts[i];
    bands_.insert(bands_.begin() + std::ptrdiff_t(index + i), std::move(rest));
  }
}

std::vector<FragmentLists*> DeepTechnique::mergeDown(Band& band, std::size_t least) {
  std::vector<FragmentLists*> level;
  for (FragmentLists& lists : band.inputs) level.push_back(&lists);
  if (level.size() > least) {
    if (band.merged.size() < level.size())
      band.merged.resize(level.size());  // a merge per pair, fewer in all
  }
  std::size_t used = 0;
  while (level.size() > least) {
    std::vector<FragmentLists*> next;
    for (std::size_t i = 0; i + 1 < level.size(); i += 2) {
      FragmentLists& out = band.merged[used++];
      pipeline_->merge(*level[i], *level[i + 1], settings_, out);
      next.push_back(&out);
    }
    if (level.size() % 2 == 1) next.push_back(level.back());
    level = std::move(next);
  }
  return level;
}

void DeepTechnique::show(Band& band) {
  if (settings_.show == Show::HeatMap) {
    std::vector<FragmentLists*> inputs;
    for (FragmentLists& lists : band.inputs) inputs.push_back(&lists);
    pipeline_->heatMap(inputs, next_);
    return;
  }
  if (shape().format == FragmentFormat::Indexed) return;  // showIndexed()
  const std::vector<FragmentLists*> left = mergeDown(band, settings_.saveMerged ? 1 : 2);
  if (left.size() == 2)
    pipeline_->mergeComposite(*left[0], *left[1], settings_, next_);
  else
    pipeline_->flatten(*left[0], settings_.earlyOut, next_);
}

/// Colors that do not fit the words of a fragment are composited by the CPU, once per set of
/// inputs.
void DeepTechnique::showIndexed() {
  if (indexedPicture_.pixels.empty()) {
    DeepImage merged = reference::merge(images_);
    gather(images_, merged);
    indexedPicture_ = reference::flatten(merged, window_);
  }
  next_.upload(indexedPicture_);
}

/// One step of work: an input of a band, or showing the band. A region that does not fit is cut,
/// and its parts take its place.
void DeepTechnique::step() {
  Band& band = bands_[bandAt_];
  try {
    if (!band.resident && inputAt_ < inputCount()) {
      acquire(band, inputAt_);
      ++inputAt_;
      return;
    }
    band.resident = true;
    band.fragmentCount = 0;
    for (const FragmentLists& lists : band.inputs) band.fragmentCount += lists.fragmentCount;
    show(band);
  } catch (const DoesNotFit& reason) {
    // What the bands before hold may be all that is in the way.
    bool freed = false;
    for (std::size_t i = 0; i < bands_.size(); ++i)
      if (i != bandAt_ && !bands_[i].inputs.empty()) release(bands_[i]), freed = true;
    if (freed)
      release(band);
    else
      split(bandAt_, reason);
    inputAt_ = 0;
    return;
  }
  inputAt_ = 0;
  ++bandAt_;
  working_ = bandAt_ < bands_.size();
}

bool DeepTechnique::update(gpu::Context& gpu, Effect effect, double budgetMs) {
  if (!scene_ && images_.empty()) return true;
  if (gpu_ != &gpu) {
    gpu_ = &gpu;
    pipeline_ = std::make_unique<Pipeline>(gpu);
    renderer_.reset();
    bands_.clear();
    resultStale_ = true;
  }
  if (resultStale_) effect = Effect::Rebuild;
  if (effect == Effect::Rebuild) {
    plan();
  } else if (effect == Effect::Redraw) {
    bandAt_ = inputAt_ = 0;
    working_ = true;
    if (bands_.empty()) plan();
  }
  if (!working_) return true;
  resultStale_ = false;

  if (!next_ || next_.width() != size_.x || next_.height() != size_.y)
    next_ = gpu::Texture(gpu, "merged picture", gpu::TextureFormat::Rgba32f, size_.x, size_.y);
  const auto start = std::chrono::steady_clock::now();
  while (working_) {
    step();
    if (!working_ || std::isinf(budgetMs)) continue;
    gpu.finish();  // the clock must see what the device did
    const std::chrono::duration<double, std::milli> spent =
        std::chrono::steady_clock::now() - start;
    if (spent.count() >= budgetMs) return false;
  }
  if (shape().format == FragmentFormat::Indexed && settings_.show == Show::Picture) showIndexed();
  if (scene_) {
    fragmentsIn_ = 0;
    for (const Band& band : bands_) fragmentsIn_ += band.fragmentCount;
  }
  std::swap(result_, next_);
  return true;
}

void DeepTechnique::mergeBands(gpu::Context& gpu, Progress& progress, const Consume& consume) {
  if (gpu_ != &gpu || !pipeline_) {
    gpu_ = &gpu;
    pipeline_ = std::make_unique<Pipeline>(gpu);
    renderer_.reset();
  }
  bands_.clear();
  const DeepImage like = emptyMerged();
  Band band;  // its buffers serve one region after the other
  const auto mergeOnce = [&](const Rect& region) {
    progress.throwIfCancelled();
    band.region = region;
    for (std::size_t i = 0; i < inputCount(); ++i) acquire(band, i);
    DeepImage merged = pipeline_->download(*mergeDown(band, 1)[0], {window_.x, window_.y}, like);
    if (merged.format == FragmentFormat::Indexed) gather(images_, merged);
    return merged;
  };
  // Bands span the width so that they can be written as rows: a strip that is too large by itself
  // is cut into columns and put together again here.
  const auto mergeColumns = [&](const Rect& region, const DoesNotFit& why,
                                auto&& self) -> DeepImage {
    release(band);
    DeepImage joined;
    for (const Rect& part : cut(region, why)) {
      DeepImage columns;
      try {
        columns = mergeOnce(part);
      } catch (const DoesNotFit& reason) {
        columns = self(part, reason, self);
      }
      joined = joined.dataWindow.empty() ? std::move(columns)
                                         : joinRegions(std::move(joined), std::move(columns));
    }
    return joined;
  };
  const auto mergeRows = [&](const Rect& region, auto&& self) -> void {
    DeepImage merged;
    try {
      merged = mergeOnce(region);
    } catch (const DoesNotFit& reason) {
      release(band);
      if (region.height > 8) {
        for (const Rect& part : cut(region, reason)) self(part, self);
        return;
      }
      merged = mergeColumns(region, reason, mergeColumns);
    }
    consume(std::move(merged));
    progress.advance(region.height);
  };
  progress.begin("merging", double(size_.y));
  mergeRows({0, 0, size_.x, size_.y}, mergeRows);
}

DeepImage joinRegions(DeepImage first, DeepImage second) {
  std::vector<DeepImage> regions;
  regions.push_back(std::move(first));
  regions.push_back(std::move(second));
  const bool indexed = regions[0].format == FragmentFormat::Indexed;
  if (indexed)
    for (std::size_t i = 0; i < regions[1].words.size(); i += 4)
      regions[1].words[i] += std::uint32_t(regions[0].fragmentCount());
  DeepImage joined = reference::merge(regions);
  if (indexed) gather(regions, joined);
  return joined;
}

std::vector<std::uint32_t> DeepTechnique::counts(gpu::Context& gpu) {
  update(gpu, Effect::Rebuild, INFINITY);
  std::vector<std::uint32_t> all(std::size_t(size_.x) * std::size_t(size_.y));
  for (Band& band : bands_) {
    ensureResident(band);
    std::vector<FragmentLists*> lists;
    for (FragmentLists& input : band.inputs) lists.push_back(&input);
    const std::vector<std::uint32_t> counts = pipeline_->downloadCounts(lists);
    for (int y = 0; y < band.region.height; ++y)
      std::copy_n(counts.begin() + std::ptrdiff_t(y) * band.region.width, band.region.width,
                  all.begin() + std::ptrdiff_t(y + band.region.y) * size_.x + band.region.x);
  }
  return all;
}

// What is there
// -----------------------------------------------------------------------------------------

Image DeepTechnique::reference() const {
  if (!images_.empty()) {
    DeepImage merged = reference::merge(images_);
    if (merged.format == FragmentFormat::Indexed) gather(images_, merged);
    return reference::flatten(merged, window_);
  }
  FATHOM_CHECK(scene_ && pipeline_);
  // Rasterizing is the device's; merging and compositing what it captured is done again by the
  // reference.
  Image picture(size_.x, size_.y);
  const DeepImage like = emptyMerged();
  for (const Band& band : bands_) {
    std::vector<DeepImage> parts;
    FragmentLists again;  // for a band that gave its room to another
    for (std::size_t i = 0; i < inputCount(); ++i) {
      if (!band.resident) fill(again, band.region, i);
      parts.push_back(pipeline_->download(band.resident ? band.inputs[i] : again, {0, 0}, like));
    }
    const Image flat = reference::flatten(reference::merge(parts), band.region);
    for (int y = 0; y < flat.height; ++y)
      for (int x = 0; x < flat.width; ++x)
        picture.at(x + band.region.x, y + band.region.y) = flat.at(x, y);
  }
  return picture;
}

std::vector<DeepTechnique::Sourced> DeepTechnique::listAt(int x, int y) {
  std::vector<Sourced> list;
  const auto append = [&](const DeepImage& image, std::span<const std::uint32_t> words,
                          std::uint32_t firstIndex, int source) {
    const auto stride = std::size_t(image.stride());
    for (std::size_t i = 0; i < words.size(); i += stride) {
      std::array<std::uint32_t, 4> fragment{};
      std::copy_n(words.begin() + std::ptrdiff_t(i), stride, fragment.begin());
      if (image.format == FragmentFormat::Indexed) fragment[0] -= firstIndex;
      list.push_back({decodeWords(image, fragment.data()), source});
    }
  };
  if (!scene_) {
    std::uint32_t firstIndex = 0;  // the index words count through all inputs
    for (std::size_t s = 0; s < images_.size(); ++s) {
      append(images_[s], images_[s].list(x + window_.x, y + window_.y), firstIndex, int(s));
      firstIndex += std::uint32_t(images_[s].fragmentCount());
    }
  } else {
    const DeepImage like = emptyMerged();
    for (Band& band : bands_) {
      if (!band.region.contains(x, y)) continue;
      if (!working_) ensureResident(band);
      if (!band.resident) continue;
      for (std::size_t s = 0; s < band.inputs.size(); ++s)
        append(like, pipeline_->readList(band.inputs[s], x, y), 0, int(s));
    }
  }
  std::stable_sort(list.begin(), list.end(), [](const Sourced& a, const Sourced& b) {
    return a.fragment.z < b.fragment.z ||
           (a.fragment.z == b.fragment.z && a.fragment.zBack < b.fragment.zBack);
  });
  return list;
}

std::optional<PixelReport> DeepTechnique::inspect(int x, int y) {
  if (x < 0 || y < 0 || x >= size_.x || y >= size_.y || (!scene_ && images_.empty()))
    return std::nullopt;
  const std::vector<Sourced> list = listAt(x, y);
  const bool volumes = std::any_of(
      list.begin(), list.end(), [](const Sourced& s) { return s.fragment.zBack > s.fragment.z; });
  PixelReport report;
  report.headline = fmt::format("pixel {}, {}: {} fragment{}", x + window_.x, y + window_.y,
                                list.size(), list.size() == 1 ? "" : "s");
  report.columns = {"Z"};
  if (volumes) report.columns.push_back("ZBack");
  for (const char* name : {"R", "G", "B", "A", "A over"}) report.columns.push_back(name);
  if (inputCount() > 1) report.columns.push_back("input");
  double covered = 0;
  for (const auto& [f, source] : list) {
    covered += (1 - covered) * f.a;
    std::vector<std::string> row{fmt::format("{:.6g}", f.z)};
    if (volumes) row.push_back(f.zBack > f.z ? fmt::format("{:.6g}", f.zBack) : "");
    for (const double v : {double(f.r), double(f.g), double(f.b), double(f.a), covered})
      row.push_back(fmt::format("{:.4f}", v));
    if (inputCount() > 1)
      row.push_back(scene_
                        ? scene_->parts[std::size_t(source)].name
                        : std::filesystem::path(inputs_[std::size_t(source)]).filename().string());
    report.rows.push_back(std::move(row));
    const float a = f.a > 0 ? f.a : 1;
    report.marks.push_back({f.z, f.zBack, f.a, f.r / a, f.g / a, f.b / a, source});
  }
  return report;
}

std::optional<glm::vec3> DeepTechnique::pick(int x, int y) {
  if (!scene_ || size_.x <= 0) return std::nullopt;
  const std::vector<Sourced> list = listAt(x, y);
  if (list.empty()) return std::nullopt;
  // The first surface that hides half of what is behind, else the first at all.
  double covered = 0;
  float z = list[0].fragment.z;
  for (const Sourced& s : list) {
    covered += (1 - covered) * s.fragment.a;
    if (covered >= 0.5) {
      z = s.fragment.z;
      break;
    }
  }
  const glm::mat4 world = glm::inverse(camera_.view());
  const float tangent = std::tan(glm::radians(camera_.verticalFovDeg) / 2);
  const float aspect = float(size_.x) / float(size_.y);
  const glm::vec4 inView(((float(x) + 0.5f) / float(size_.x) * 2 - 1) * tangent * aspect * z,
                         (1 - (float(y) + 0.5f) / float(size_.y) * 2) * tangent * z, -z, 1);
  return glm::vec3(world * inView);
}

std::vector<LegendEntry> DeepTechnique::legend() const {
  if (settings_.show != Show::HeatMap) return {};
  std::vector<LegendEntry> entries;
  std::uint32_t least = 0;
  for (const HeatClass& c : heatClasses()) {
    const std::string label = c.most == UINT32_MAX ? fmt::format("{} and more", least)
                              : least == c.most    ? fmt::format("{}", least)
                                                   : fmt::format("{} to {}", least, c.most);
    entries.push_back({c.color.r, c.color.g, c.color.b, label});
    least = c.most + 1;
  }
  return entries;
}

std::vector<std::pair<std::string, std::string>> DeepTechnique::facts() const {
  std::vector<std::pair<std::string, std::string>> facts;
  if (!scene_ && images_.empty()) return facts;
  const double pixels = double(size_.x) * double(size_.y);
  facts.emplace_back("picture", fmt::format("{} x {}", size_.x, size_.y));
  facts.emplace_back("inputs", std::to_string(inputCount()));
  facts.emplace_back("fragments", fmt::format("{} ({:.2f} per pixel)", fragmentsIn_,
                                              double(fragmentsIn_) / std::max(1.0, pixels)));
  if (settings_.method == Method::Auto && gpu_)
    facts.emplace_back("method in use",
                       resolve(settings_.method, gpu_->device().software) == Method::Stepwise
                           ? "stepwise"
                           : "rbm");
  std::int64_t used = 0, allocated = 0;
  for (const Band& band : bands_)
    for (const FragmentLists& lists : band.inputs)
      used += lists.usedBytes(), allocated += lists.allocatedBytes();
  if (used > 0)
    facts.emplace_back("inputs on the GPU",
                       allocated > used ? fmt::format("{} used, {} allocated", gpu::bytesText(used),
                                                      gpu::bytesText(allocated))
                                        : gpu::bytesText(used));
  if (bands_.size() > 1) facts.emplace_back("bands", std::to_string(bands_.size()));
  for (std::size_t i = 0; i < images_.size(); ++i) {
    const DeepRepairs& r = images_[i].repairs;
    if (r.total() + r.unsortedPixels > 0)
      facts.emplace_back(
          std::filesystem::path(inputs_[i]).filename().string(),
          fmt::format("{} values mended, {} pixels sorted", r.total(), r.unsortedPixels));
  }
  return facts;
}

}  // namespace fathom::deep
