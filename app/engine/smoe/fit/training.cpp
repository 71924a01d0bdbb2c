// SPDX-License-Identifier: BSD-3-Clause
// Reading pictures and folders, encoding them for a fit, and holding some out.
#include "app/engine/smoe/fit/training.h"

#include "app/engine/core/color.h"
#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"
#include "app/engine/io/image_file.h"
#include "app/engine/io/view_folder.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include <glm/common.hpp>

namespace fathom::smoe {
namespace {

namespace fs = std::filesystem;

glm::vec3 encodedColor(glm::vec3 linear, ColorSpace space) {
  if (space == ColorSpace::Linear || space == ColorSpace::Gray)
    return glm::clamp(linear, 0.0f, 1.0f);
  glm::vec3 rgb;
  for (int c = 0; c < 3; ++c) rgb[c] = srgbFromLinear(linear[c]);
  if (space == ColorSpace::Srgb) return rgb;
  // Y' Cb Cr of BT.709, full range.
  const float y = 0.2126f * rgb.r + 0.7152f * rgb.g + 0.0722f * rgb.b;
  return {y, (rgb.b - y) / 1.8556f + 0.5f, (rgb.r - y) / 1.5748f + 0.5f};
}

glm::ivec2 sizeOf(const Image& image) { return {image.width, image.height}; }

Image readLinear(const fs::path& file) {
  Image image = readPicture(file).image;
  // Not a number would spread through every sum.
  for (const glm::vec4& p : image.pixels)
    if (!(std::isfinite(p.r) && std::isfinite(p.g) && std::isfinite(p.b) && std::isfinite(p.a)))
      fail("{}: expected finite colors, found a pixel that is not", file.string());
  return image;
}

bool hasAlpha(const Image& image) {
  return std::any_of(image.pixels.begin(), image.pixels.end(),
                     [](const glm::vec4& p) { return p.a < 1; });
}

/// Alpha in all three channels.
std::shared_ptr<const TrainingSet> alphaOf(const Image& picture, const std::string& name) {
  auto alpha = std::make_shared<TrainingSet>();
  alpha->size = sizeOf(picture);
  alpha->colorSpace = ColorSpace::Gray;
  alpha->name = name;
  Image& gray = alpha->pictures.emplace_back(picture.width, picture.height);
  for (std::size_t i = 0; i < picture.pixels.size(); ++i)
    gray.pixels[i] = glm::vec4(glm::vec3(glm::clamp(picture.pixels[i].a, 0.0f, 1.0f)), 1);
  return alpha;
}

void addNote(TrainingSet& training, const std::string& note) {
  training.note += (training.note.empty() ? "" : "; ") + note;
}

TrainingSet readFolder(const fs::path& folder, ColorSpace space, Progress& progress) {
  const ViewFolder found = readViewFolder(folder);
  TrainingSet training;
  training.dims = found.views ? 4 : 3;
  training.views = found.views ? found.grid : glm::ivec2(1);
  training.viewOrigin = found.origin;
  training.frames = found.views ? 1 : int(found.files.size());
  training.colorSpace = space;
  training.name = folder.string();
  if (!found.naming.empty())
    training.note = fmt::format("{} views of {} x {}, by the names of a {}", found.files.size(),
                                found.grid.x, found.grid.y, found.naming);

  const Image first = readLinear(found.files[0]);
  training.size = sizeOf(first);
  checkSamples(training.name, training.size, found.files.size());
  training.pictures.resize(found.files.size());
  training.pictures[0] = encoded(first, space);
  std::atomic<bool> alpha = hasAlpha(first);
  progress.begin("reading pictures", double(found.files.size()));
  parallelFor(found.files.size() - 1, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin + 1; i < end + 1; ++i) {
      const Image picture = readLinear(found.files[i]);
      if (sizeOf(picture) != training.size)
        fail("{}: expected {} x {} pixels as in {}, found {} x {}", found.files[i].string(),
             first.width, first.height, found.files[0].filename().string(), picture.width,
             picture.height);
      training.pictures[i] = encoded(picture, space);
      if (hasAlpha(picture)) alpha = true;
      progress.advance(1);
    }
  });
  if (alpha)
    addNote(training, fmt::format("{}: alpha of views and frames is left out, they are composited "
                                  "over black",
                                  folder.string()));
  return training;
}

}  // namespace

ViewCoordinates TrainingSet::coordinatesOf(std::size_t i) const {
  FATHOM_CHECK_OP(i, <, pictures.size());
  if (dims == 2) return ViewCoordinates(0);
  if (dims == 3) return {double(i), 0};
  const auto rows = std::size_t(views.y);
  return glm::dvec2(double(i / rows), double(i % rows)) - viewOrigin;
}

std::size_t TrainingSet::middle() const {
  if (dims != 4) return 0;
  const glm::ivec2 at = glm::clamp(glm::ivec2(viewOrigin + 0.5), glm::ivec2(0), views - 1);
  return std::size_t(at.x) * std::size_t(views.y) + std::size_t(at.y);
}

bool TrainingSet::isHeldOut(std::size_t i) const {
  return std::binary_search(heldOut.begin(), heldOut.end(), i);
}

std::vector<std::size_t> TrainingSet::fitted() const {
  std::vector<std::size_t> rest;
  for (std::size_t i = 0; i < pictures.size(); ++i)
    if (!isHeldOut(i)) rest.push_back(i);
  return rest;
}

TrainingSet readTraining(const fs::path& input, ColorSpace space, Progress& progress) {
  std::error_code error;
  if (fs::is_directory(input, error)) return readFolder(input, space, progress);
  return trainingFrom(readLinear(input), space, input.string());
}

TrainingSet trainingFrom(const Image& picture, ColorSpace space, const std::string& name) {
  TrainingSet training;
  training.size = sizeOf(picture);
  training.colorSpace = space;
  training.name = name;
  checkSamples(name, training.size, 1);
  training.pictures.push_back(encoded(picture, space));
  if (hasAlpha(picture)) training.alpha = alphaOf(picture, name);
  return training;
}

void checkSamples(const std::string& name, glm::ivec2 size, std::size_t pictures) {
  const std::int64_t each = std::int64_t(size.x) * size.y;
  if (each <= 0 || pictures == 0) fail("{}: expected at least one pixel, found none", name);
  if (std::int64_t(pictures) > kMaxSamples / each)
    fail("{}: expected at most {} pixels in all pictures, found {} pictures of {} x {}", name,
         kMaxSamples, pictures, size.x, size.y);
}

Image encoded(const Image& linear, ColorSpace space) {
  Image result(linear.width, linear.height);
  for (std::size_t i = 0; i < linear.pixels.size(); ++i)
    result.pixels[i] = glm::vec4(encodedColor(glm::vec3(linear.pixels[i]), space), 1);
  return result;
}

void holdOut(TrainingSet& training, int every) {
  training.heldOut.clear();
  if (every < 2) return;
  // Along a grid's columns a step that is no divisor of their length goes diagonally through it.
  auto step = std::size_t(every);
  if (training.dims == 4 && training.views.y > 1 && training.views.y % every == 0) ++step;
  for (std::size_t i = step / 2; i < training.pictures.size(); i += step)
    if (i != training.middle()) training.heldOut.push_back(i);
}

}  // namespace fathom::smoe
