// SPDX-License-Identifier: BSD-3-Clause
// Making models, the same on every machine; taking their files apart; drawing pictures to fit.
#include "tests/smoe/models.h"

#include "app/engine/core/error.h"
#include "app/engine/core/random.h"
#include "app/engine/io/deflate.h"
#include "app/engine/smoe/model/file.h"
#include "tests/support/temp_folder.h"

namespace fathom::smoe {
namespace {

/// A symmetric, positive definite R of n x n: A A^T of a random lower triangle with this diagonal.
void fillCovariance(Random& random, Gaussian& g, const std::vector<double>& diagonal) {
  const std::size_t n = diagonal.size();
  double a[7][7] = {};
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      a[i][j] = i == j ? diagonal[i] : diagonal[i] * double(random.uniform(-0.4f, 0.4f));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k <= std::min(i, j); ++k) g.covariance[i][j] += a[i][k] * a[j][k];
}

}  // namespace

Record disc(glm::dvec2 center, double sigma, glm::dvec3 color) {
  Record r;
  r.center = center;
  r.w11 = r.w22 = 1 / sigma;
  r.color = color;
  r.c = 2 * std::log(1 / sigma);
  return r;
}

Model modelOf(std::span<const Record> records, glm::ivec2 size, int dims) {
  Model model;
  model.dims = dims;
  model.width = size.x, model.height = size.y;
  if (dims == 3) model.frames = 10;
  if (dims == 4) model.views = {9, 9}, model.viewOrigin = {4, 4};
  model.centerFractionBits = fractionBitsFor(size.x, size.y);
  for (const Record& record : records) model.components.push_back(rounded(record, model));
  return model;
}

std::vector<Gaussian> randomMixture(std::uint64_t seed, int dims, int count, glm::ivec2 size) {
  Random random(seed);
  const double sigma = 0.5 * std::sqrt(double(size.x) * size.y / count);
  std::vector<Gaussian> mixture(static_cast<std::size_t>(count));
  double total = 0;
  for (Gaussian& g : mixture) {
    total += g.prior = double(random.uniform(0.2f, 1));
    std::vector<double> diagonal;
    int i = 0;
    if (dims == 3) g.mean[i++] = double(random.uniform(0, 10)), diagonal.push_back(3);
    if (dims == 4)
      for (int k = 0; k < 2; ++k)
        g.mean[i++] = double(random.uniform(-4, 4)), diagonal.push_back(2.5);
    for (int k = 0; k < 2; ++k) {
      g.mean[i++] = (double(random.uniform()) * 1.1 - 0.05) * size[k];
      diagonal.push_back(sigma * double(random.uniform(0.5f, 2)));
    }
    for (int k = 0; k < 3; ++k) g.mean[i++] = double(random.uniform()), diagonal.push_back(0.15);
    fillCovariance(random, g, diagonal);
  }
  for (Gaussian& g : mixture) g.prior /= total;
  return mixture;
}

Model randomModel(std::uint64_t seed, int dims, int count, glm::ivec2 size) {
  std::vector<Record> records;
  for (const Gaussian& g : randomMixture(seed, dims, count, size))
    records.push_back(whiten(g, dims, "random"));
  return modelOf(records, size, dims);
}

double largestDifference(std::span<const glm::dvec3> a, std::span<const glm::dvec3> b) {
  double largest = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    for (int k = 0; k < 3; ++k) {
      const double difference = std::abs(a[i][k] - b[i][k]);
      largest = std::isnan(difference) ? INFINITY : std::max(largest, difference);
    }
  return largest;
}

double reachOf(std::span<const glm::dvec3> colors) {
  double reach = 0.6;
  for (const glm::dvec3& color : colors)
    for (int k = 0; k < 3; ++k) reach = std::max(reach, std::abs(color[k] - 0.5));
  return reach;
}

FileParts FileParts::of(const std::string& file) {
  std::uint32_t length = 0;
  std::memcpy(&length, file.data() + 8, sizeof length);
  const std::size_t start = (12 + length + 15) / 16 * 16;
  return {file.substr(12, length), file.substr(start)};
}

std::string FileParts::bytes() const {
  std::string header = json;
  if (const std::size_t at = header.find("\"crc32\": \""); at != std::string::npos)
    header.replace(at + 10, 8, fmt::format("{:08x}", crc32(std::as_bytes(std::span(payload)))));
  std::string file = "SMOEMDL1";
  const auto length = std::uint32_t(header.size());
  file.append(reinterpret_cast<const char*>(&length), sizeof length);
  file += header;
  file.resize((file.size() + 15) / 16 * 16, '\0');
  return file + payload;
}

FileParts& FileParts::edit(const std::string& from, const std::string& to) {
  const std::size_t at = json.find(from);
  FATHOM_CHECK(at != std::string::npos && json.find(from, at + 1) == std::string::npos);
  json.replace(at, from.size(), to);
  return *this;
}

FileParts& FileParts::setFloat(std::size_t array, std::size_t count, std::size_t component,
                               float value) {
  const std::size_t at = 4 * (array * count + component);
  FATHOM_CHECK(at + 4 <= payload.size());
  std::memcpy(payload.data() + at, &value, sizeof value);
  return *this;
}

std::string fileOf(const Model& model, int bits) {
  const Quantization quantization{bits, bits, bits, bits, bits};
  const EncodedModel encoded = encodeArrays(model, bits > 0 ? &quantization : nullptr, "model");
  return {reinterpret_cast<const char*>(encoded.bytes.data()), encoded.bytes.size()};
}

std::string mixtureFile(std::span<const Gaussian> mixture, int dims, glm::ivec2 size,
                        const std::string& covariance, const std::string& encoding) {
  FileParts parts;
  parts.json = fmt::format(
      R"({{"format": "smoe", "version": 1, "dims": {}, "count": {}, "width": {}, "height": {}, )",
      dims, mixture.size(), size.x, size.y);
  if (dims == 3) parts.json += R"("frames": 10, )";
  if (dims == 4) parts.json += R"("views": [9, 9], "viewOrigin": [4, 4], )";
  parts.json += fmt::format(R"("colour": "srgb", "encoding": "{}", "form": "gmm", )", encoding);
  parts.json += fmt::format(R"("covariance": "{}", "crc32": "00000000"}})", covariance);

  const auto put = [&](const auto& valueOf) {
    for (const Gaussian& g : mixture) {
      const double value = valueOf(g);
      const auto narrow = float(value);
      if (encoding == "f64")
        parts.payload.append(reinterpret_cast<const char*>(&value), sizeof value);
      else
        parts.payload.append(reinterpret_cast<const char*>(&narrow), sizeof narrow);
    }
  };
  const int p = dims, n = p + 3;
  const auto entry = [&](int i, int j) {
    put([=](const Gaussian& g) { return g.covariance[i][j]; });
  };
  put([](const Gaussian& g) { return g.prior; });
  for (int i = 0; i < n; ++i) put([=](const Gaussian& g) { return g.mean[i]; });
  if (covariance == "selection") {
    for (int i = 0; i < p; ++i)
      for (int j = i; j < p; ++j) entry(i, j);
    for (int i = p; i < n; ++i)
      for (int j = 0; j < p; ++j) entry(i, j);
    for (int i = p; i < n; ++i) entry(i, i);
  } else {
    for (int i = 0; i < n; ++i)
      for (int j = covariance == "full" ? 0 : i; j < n; ++j) entry(i, j);
  }
  return parts.bytes();
}

namespace {

/// A picture by its color at points of 0..1.
template <class Color>
Image drawn(glm::ivec2 size, const Color& color) {
  Image image(size.x, size.y);
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x)
      image.at(x, y) = glm::vec4(color(glm::vec2(x + 0.5f, y + 0.5f)), 1);
  return image;
}

}  // namespace

Image discs(glm::ivec2 size, glm::dvec2 shift) {
  return drawn(size, [&](glm::vec2 at) {
    const glm::vec2 unit = at / float(std::max(size.x, size.y));
    glm::vec3 color = glm::mix(glm::vec3(0.2f, 0.3f, 0.5f), glm::vec3(0.8f, 0.7f, 0.4f), unit.y);
    if (unit.x > 0.7f) color += 0.08f * std::sin(at.x * 1.1f);
    Random random(7);
    for (int i = 0; i < 9; ++i) {
      glm::vec2 center{random.uniform(), random.uniform()};
      const float radius = random.uniform(0.05f, 0.2f), depth = random.uniform(-1, 1);
      center += depth * glm::vec2(shift) / float(std::max(size.x, size.y));
      const glm::vec3 paint{random.uniform(), random.uniform(), random.uniform()};
      const float inside = radius - glm::length(unit - center);
      const float cover = glm::clamp(inside * float(size.x) + 0.5f, 0.0f, 1.0f);
      color = glm::mix(color, paint * (0.5f + 2.5f * std::max(inside, 0.0f)), cover);
    }
    return glm::clamp(color, 0.0f, 1.0f);
  });
}

Image flat(glm::ivec2 size, glm::vec3 color) {
  return drawn(size, [&](glm::vec2) { return color; });
}

Image ramp(glm::ivec2 size) {
  return drawn(size, [&](glm::vec2 at) {
    return glm::vec3(at.x / float(size.x), at.y / float(size.y), 0.5f);
  });
}

Image noise(glm::ivec2 size, std::uint64_t seed) {
  Random random(seed);
  return drawn(size, [&](glm::vec2) {
    return glm::vec3(random.uniform(), random.uniform(), random.uniform());
  });
}

std::shared_ptr<TrainingSet> trainingOf(const Image& picture) {
  auto training = std::make_shared<TrainingSet>();
  training->size = {picture.width, picture.height};
  training->name = "picture";
  training->pictures = {picture};
  return training;
}

std::shared_ptr<TrainingSet> trainingOfViews(glm::ivec2 grid, glm::ivec2 size) {
  auto training = std::make_shared<TrainingSet>();
  training->dims = 4;
  training->size = size;
  training->views = grid;
  training->viewOrigin = glm::dvec2(grid - 1) / 2.0;
  training->name = "views";
  for (int i = 0; i < grid.x; ++i)
    for (int j = 0; j < grid.y; ++j)
      training->pictures.push_back(discs(size, glm::dvec2(i, j) - training->viewOrigin));
  return training;
}

}  // namespace fathom::smoe
