// SPDX-License-Identifier: BSD-3-Clause
// What there is to see besides the picture: fragments under the cursor, legend, facts.
#include "app/techniques/deep/technique.h"

#include "app/core/deep_channels.h"
#include "app/gpu/memory_account.h"
#include "app/techniques/deep/reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include <glm/gtc/matrix_transform.hpp>

namespace fathom::deep {

Image DeepTechnique::reference() const {
  if (!images_.empty()) {
    if (hasEdits(false)) return flattened(editedInputs(), window_);
    DeepImage merged = reference::merge(images_);
    if (merged.format == FragmentFormat::Indexed) gather(images_, merged);
    return reference::flatten(merged, window_, settings_.seeing.peeled());
  }
  FATHOM_CHECK(scene_ && pipeline_ && renderer_);
  Image picture(size_.x, size_.y);
  if (bands_.empty()) referenceOf({0, 0, size_.x, size_.y}, picture);
  for (std::size_t i = 0; i < bands_.size(); ++i) referenceOf(bands_[i].region, picture);
  return picture;
}

/// Rasterizing is the device's; merging and compositing what it captured is done again by the
/// reference. Captured anew, because bands that were shown may have gone; what is still there goes
/// when it is in the way.
void DeepTechnique::referenceOf(const Rect& region, Image& picture) const {
  try {
    const DeepImage like = emptyMerged();
    std::vector<DeepImage> parts;
    FragmentLists lists;
    for (std::size_t i = 0; i < inputCount(); ++i) {
      fill(lists, region, i);
      parts.push_back(pipeline_->download(lists, {0, 0}, like));
    }
    const Image flat = flattened(ordered(withEdits(parts, edits())), region);
    for (int y = 0; y < flat.height; ++y)
      for (int x = 0; x < flat.width; ++x) picture.at(x + region.x, y + region.y) = flat.at(x, y);
  } catch (const DoesNotFit& reason) {
    bool freed = false;
    for (Band& band : bands_)
      if (!band.inputs.empty()) release(band), freed = true;
    if (freed) return referenceOf(region, picture);
    for (const Rect& part : cut(region, reason)) referenceOf(part, picture);
  }
}

std::vector<DeepTechnique::Sourced> DeepTechnique::listAt(int x, int y) {
  if (hasEdits(true)) return editedAt(x, y);
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
  if (x < 0 || y < 0 || x >= size_.x || y >= size_.y || (!scene_ && images_.empty()) ||
      showsPoints())
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
    if (inputCount() > 1) row.push_back(inputName(std::size_t(source)));
    report.rows.push_back(std::move(row));
    const float a = f.a > 0 ? f.a : 1;
    report.marks.push_back({f.z, f.zBack, f.a, f.r / a, f.g / a, f.b / a, source});
  }
  return report;
}

std::optional<glm::vec3> DeepTechnique::pick(int x, int y) {
  if (!scene_ || size_.x <= 0 || showsPoints()) return std::nullopt;
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

std::vector<LegendEntry> DeepTechnique::entries() const {
  std::vector<LegendEntry> entries;
  if (showsPoints() && points_.stage >= PointStage::Draw) return pointLegend();
  if (settings_.show != Show::HeatMap) return entries;
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

std::vector<LegendEntry> DeepTechnique::pointLegend() const {
  std::vector<LegendEntry> entries;
  const Seeing& seeing = settings_.seeing;
  const auto add = [&](glm::vec3 c, std::string label) {
    entries.push_back({c.r, c.g, c.b, std::move(label)});
  };
  if (seeing.pointColor == PointColor::Input && pointSources() == std::vector{kAllInputs}) {
    add(inputColors()[inputCount() % inputColors().size()], "all inputs, after the operations");
  } else if (seeing.pointColor == PointColor::Input) {
    for (std::size_t i = 0; i < inputCount(); ++i)
      add(inputColors()[i % inputColors().size()], inputName(i));
  } else if (seeing.pointColor != PointColor::Color) {
    const bool alpha = seeing.pointColor == PointColor::Alpha;
    for (std::size_t i = 0; i < scaleColors().size(); ++i) {
      const float share = float(i) / float(scaleColors().size() - 1);
      const float z =
          points_.space.nearest + share * (points_.space.farthest - points_.space.nearest);
      add(scaleColors()[i],
          alpha ? fmt::format("alpha {:.2f}", share) : fmt::format("Z {:.4g}", z));
    }
  }
  return entries;
}

std::string DeepTechnique::inputName(std::size_t input) const {
  return scene_ ? scene_->parts[input].name
                : std::filesystem::path(inputs_[input]).filename().string();
}

std::vector<std::pair<std::string, std::string>> DeepTechnique::facts() const {
  std::vector<std::pair<std::string, std::string>> facts;
  if (!scene_ && images_.empty()) return facts;
  const double pixels = double(size_.x) * double(size_.y);
  facts.emplace_back("picture", fmt::format("{} x {}", size_.x, size_.y));
  facts.emplace_back("inputs", std::to_string(inputCount()));
  facts.emplace_back("fragments", fmt::format("{} ({:.2f} per pixel)", fragmentsIn_,
                                              double(fragmentsIn_) / std::max(1.0, pixels)));
  if (!tuned_.note().empty()) facts.emplace_back("profile", tuned_.note());
  if (settings_.method == Method::Auto && gpu_)
    facts.emplace_back(
        "method in use",
        resolve(settled_.method, gpu_->device().software) == Method::Stepwise ? "stepwise" : "rbm");
  std::int64_t used = 0, allocated = 0;
  for (const Band& band : bands_)
    for (const FragmentLists& lists : band.inputs)
      used += lists.usedBytes(), allocated += lists.allocatedBytes();
  if (used > 0)
    facts.emplace_back("inputs on the GPU",
                       allocated > used ? fmt::format("{} used, {} allocated", gpu::bytesText(used),
                                                      gpu::bytesText(allocated))
                                        : gpu::bytesText(used));
  if (showsPoints() && points_.stage >= PointStage::Draw)
    facts.emplace_back("points", pointsText());
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
