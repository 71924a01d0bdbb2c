// SPDX-License-Identifier: BSD-3-Clause
// Procedural pictures and views (a lit wall with discs before it), the models fitted to them, parts
// of models of the sizes that the paper names; error measures over colors, and reading back what
// the decoder computed.
#include "app/lab/smoe/workloads.h"

#include "app/engine/core/jobs.h"
#include "app/engine/scene/built_in/mesh_builder.h"

namespace fathom::smoe {
namespace {

constexpr int kDiscs = 24;

struct Disc {
  glm::vec2 center;  // 0..1
  float radius;
  glm::vec3 color;
  float depth;  // 0 at the wall, 1 nearest
};

std::vector<Disc> discsOf(std::uint32_t seed) {
  std::vector<Disc> discs;
  for (int i = 0; i < kDiscs; ++i) {
    const auto hash = [&](int k) { return cellHash(i, k, seed); };
    discs.push_back({{hash(0), hash(1)},
                     0.02f + 0.1f * hash(2) * hash(2),
                     {hash(3), hash(4), hash(5)},
                     hash(6)});
  }
  // Painted from the wall to the front.
  std::ranges::sort(discs, {}, &Disc::depth);
  return discs;
}

/// Light that falls off across the wall, and its texture.
glm::vec3 wallColor(glm::vec2 p, float grain, std::uint32_t seed) {
  const float light = 0.35f + 0.4f * tileFractal(p, 3, 3, seed);
  const float fine = tileFractal(p, 48, 3, seed + 1) - 0.5f;
  const glm::vec3 tint = glm::mix(glm::vec3(1, 0.85f, 0.7f), glm::vec3(0.6f, 0.8f, 1), p.x);
  return light * tint * (1 + 1.2f * grain * fine);
}

/// One pixel: the wall, then each disc with an edge one pixel wide. `shift(depth)` moves things,
/// px.
template <class Shift>
glm::vec3 colorAt(glm::vec2 pixel, glm::ivec2 size, const std::vector<Disc>& discs, float grain,
                  std::uint32_t seed, const Shift& shift) {
  const auto scale = float(std::min(size.x, size.y));
  glm::vec3 color = wallColor((pixel + shift(0.0f)) / scale, grain, seed);
  for (const Disc& disc : discs) {
    const glm::vec2 away = pixel + shift(disc.depth) - disc.center * glm::vec2(size);
    const float inside = std::clamp(disc.radius * scale - glm::length(away) + 0.5f, 0.0f, 1.0f);
    const float shade = 0.8f - 0.4f * glm::dot(away, glm::vec2(0.7f)) / (disc.radius * scale);
    if (inside > 0) color = glm::mix(color, disc.color * shade, inside);
  }
  return glm::clamp(color, 0.0f, 1.0f);
}

template <class Shift>
Image paint(glm::ivec2 size, float grain, std::uint32_t seed, const Shift& shift) {
  Image image(size.x, size.y);
  const std::vector<Disc> discs = discsOf(seed);
  parallelFor(std::size_t(size.y), 8, [&](std::size_t first, std::size_t last) {
    for (std::size_t y = first; y < last; ++y)
      for (int x = 0; x < size.x; ++x) {
        const glm::vec2 pixel(float(x) + 0.5f, float(y) + 0.5f);
        image.at(x, int(y)) = glm::vec4(colorAt(pixel, size, discs, grain, seed, shift), 1);
      }
  });
  return image;
}

/// Views of discs before a textured wall, with parallax and occlusion.
TrainingSet benchViews(glm::ivec2 size, glm::ivec2 views, std::uint32_t seed) {
  TrainingSet training;
  training.dims = 4;
  training.size = size;
  training.views = views;
  training.viewOrigin = glm::dvec2(views - 1) / 2.0;
  training.name = "views made by code";
  training.pictures.resize(std::size_t(views.x) * std::size_t(views.y));
  for (std::size_t i = 0; i < training.pictures.size(); ++i) {
    const glm::vec2 a(training.coordinatesOf(i));
    // -0.6 px per view step at the wall, 1 px for the nearest disc.
    training.pictures[i] =
        paint(size, 0.3f, seed, [&](float depth) { return a * (0.6f - 1.6f * depth); });
  }
  return training;
}

bool isQuick(const BenchRun& run) { return run.scale() == BenchScale::Quick; }

Model fitted(BenchRun& run, TrainingSet training, FitRequest request) {
  request.seed = run.seed();
  Fitter fitter(run.gpu(), std::make_shared<const TrainingSet>(std::move(training)), request);
  while (!fitter.step(std::numeric_limits<double>::infinity(), run.progress())) {
  }
  return fitter.model();
}

Model fitViews(BenchRun& run, int components, std::uint32_t seed) {
  glm::ivec2 size{48, 36}, views{3, 3};
  FitRequest request;
  if (run.scale() == BenchScale::Normal) size = {256, 192}, views = {9, 9};
  if (run.scale() == BenchScale::Paper) size = {626, 434}, views = {13, 13};
  request.components = isQuick(run) ? components / 64 : components;
  request.emIterations = isQuick(run) ? 3 : 20;
  request.steps = isQuick(run) ? 0 : 200;
  return fitted(run, benchViews(size, views, seed), request);
}

/// Quick: a quarter of the side, and as many components per pixel.
glm::ivec2 pictureSize(const BenchRun& run) { return glm::ivec2(isQuick(run) ? 128 : 512); }

}  // namespace

TrainingSet benchPicture(glm::ivec2 size, float grain, std::uint32_t seed) {
  TrainingSet training;
  training.size = size;
  training.name = "an image made by code";
  training.pictures = {paint(size, grain, seed, [](float) { return glm::vec2(0); })};
  return training;
}

Model fitPicture(BenchRun& run, const TrainingSet& training, int components, int steps) {
  FitRequest request{.components = components, .steps = isQuick(run) ? 0 : steps};
  if (isQuick(run)) request.emIterations = 5, request.refitIterations = 10;
  return fitted(run, training, request);
}

Model lenaLike(BenchRun& run) {
  return fitPicture(run, benchPicture(pictureSize(run), 0.15f, 3), isQuick(run) ? 131 : 2095, 300);
}
Model carLike(BenchRun& run) {
  return fitPicture(run, benchPicture(pictureSize(run), 0.8f, 5), isQuick(run) ? 1363 : 21'802,
                    100);
}
Model bikesLike(BenchRun& run) { return fitViews(run, 8960, 7); }
Model friendsLike(BenchRun& run) { return fitViews(run, 10'080, 11); }

Model restricted(const Model& model, const std::vector<std::uint32_t>& components) {
  Model part = model;
  part.components.clear();
  for (const std::uint32_t j : components) part.components.push_back(model.components[j]);
  return part;
}

std::vector<std::uint32_t> nearestTo(const Model& model, glm::dvec2 place, std::size_t count) {
  const std::vector<Record> records = reference::recordsOf(model, {});
  const auto distance = [&](std::uint32_t j) {
    const glm::dvec2 d = glm::abs(records[j].center - place);
    return std::max(d.x, d.y);
  };
  std::vector<std::uint32_t> order(records.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return distance(a) != distance(b) ? distance(a) < distance(b) : a < b;
  });
  order.resize(std::min(count, order.size()));
  std::sort(order.begin(), order.end());
  return order;
}

std::vector<Gaussian> mixtureOf(const Model& model) {
  const auto median = double(medianC(model.components));
  std::vector<Gaussian> mixture;
  for (const Component& component : model.components) {
    Record r = exact(component, model);
    r.c -= median;
    mixture.push_back(unwhiten(r, model.dims));
  }
  return mixture;
}

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kSpot = 16;  // px
constexpr int kSpots = 3;  // along each axis

/// The largest of 8, 10, ... 16 bits for which the test holds; 0: not even 8.
template <class Test>
int maxBits(const Test& holds) {
  int largest = 0;
  for (int bits = 8; bits <= 16; bits += 2)
    if (holds(bits)) largest = bits;
  return largest;
}

}  // namespace

int Accuracy::paperBits() const {
  return maxBits([&](int bits) { return maxPixelMse < std::exp2(-bits); });
}

int Accuracy::strictBits() const {
  return maxBits([&](int bits) { return maxClamped < std::exp2(-(bits + 1)); });
}

std::string shortNumber(double value) { return fmt::format("{:.1e}", value); }

std::string Accuracy::text() const {
  return fmt::format("MSE {} max {} paper {}-bit strict {}-bit", shortNumber(luminanceMse),
                     shortNumber(max), paperBits(), strictBits());
}

Accuracy accuracyOf(std::span<const glm::dvec3> found, std::span<const glm::dvec3> truth) {
  FATHOM_CHECK_OP(found.size(), ==, truth.size());
  Accuracy a;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const glm::dvec3 d = found[i] - truth[i];
    const glm::dvec3 clamped = glm::clamp(found[i], 0.0, 1.0) - glm::clamp(truth[i], 0.0, 1.0);
    const double luminance = glm::dot(d, glm::dvec3(0.2126, 0.7152, 0.0722));
    a.luminanceMse += luminance * luminance / double(found.size());
    a.maxPixelMse = std::max(a.maxPixelMse, glm::dot(d, d) / 3);
    for (int k = 0; k < 3; ++k) {
      a.max = std::isnan(d[k]) ? kInfinity : std::max(a.max, std::abs(d[k]));
      a.maxClamped = std::isnan(d[k]) ? kInfinity : std::max(a.maxClamped, std::abs(clamped[k]));
    }
  }
  return a;
}

void buildAll(Decoder& decoder, const ViewWindow& window, const DecodeOptions& options) {
  while (!decoder.build(window, options, kInfinity)) {
  }
}

void decodeAll(Decoder& decoder, const ViewWindow& window, const DecodeOptions& options,
               const gpu::Texture& result) {
  buildAll(decoder, window, options);
  while (!decoder.shade(result, kInfinity)) {
  }
}

std::vector<glm::dvec3> rawColors(Decoder& decoder, const ViewWindow& window) {
  std::vector<glm::dvec3> colors;
  for (const glm::vec4& color : decoder.downloadRaw(window)) colors.emplace_back(color);
  return colors;
}

reference::Grid gridOf(const ViewWindow& window) {
  return {window.size, window.corner, window.step};
}

std::vector<std::vector<std::uint32_t>> downloadLists(Decoder& decoder, const ViewWindow& window,
                                                      int tilePixels) {
  std::vector<std::vector<std::uint32_t>> lists;
  const glm::ivec2 tiles = (window.size + tilePixels - 1) / tilePixels;
  for (int y = 0; y < tiles.y; ++y)
    for (int x = 0; x < tiles.x; ++x) {
      std::vector<std::uint32_t>& list = lists.emplace_back();
      for (const Decoder::Entry& entry : decoder.downloadList({x, y}))
        list.push_back(entry.component);
    }
  return lists;
}

CheckResult spotCheck(Decoder& decoder, std::span<const Record> records, const ViewWindow& window,
                      double bound) {
  const std::vector<glm::dvec3> colors = rawColors(decoder, window);
  double worst = 0;
  for (int j = 0; j < kSpots; ++j)
    for (int i = 0; i < kSpots; ++i) {
      const glm::ivec2 size = glm::min(glm::ivec2(kSpot), window.size);
      const glm::ivec2 low = (window.size - size) * glm::ivec2(i, j) / (kSpots - 1);
      const auto truth = reference::decode(
          records, {size, window.corner + glm::dvec2(low) * window.step, window.step});
      std::vector<glm::dvec3> found;
      for (int y = low.y; y < low.y + size.y; ++y)
        for (int x = low.x; x < low.x + size.x; ++x)
          found.push_back(colors[std::size_t(y) * std::size_t(window.size.x) + std::size_t(x)]);
      worst = std::max(worst, accuracyOf(found, truth).maxClamped);
    }
  return {worst <= bound, fmt::format("max {} of 9 tiles", shortNumber(worst)),
          fmt::format("differs by {}, more than {}", worst, bound)};
}

}  // namespace fathom::smoe
