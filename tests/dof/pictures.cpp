// SPDX-License-Identifier: BSD-3-Clause
// Discs, slopes, random lists; running a variant over lists made on the CPU.
#include "tests/dof/pictures.h"

#include "app/engine/core/random.h"
#include "app/engine/dof/splats/reference.h"

namespace fathom::test {

Image discPicture(int width, int height, std::uint64_t seed) {
  Random random(seed);
  Image picture(width, height, glm::vec4(0.2f, 0.3f, 0.4f, 25));
  const int discs = 12 + width * height / 600;
  for (int i = 0; i < discs; ++i) {
    const float x = random.uniform(0, float(width)), y = random.uniform(0, float(height));
    const float radius = random.uniform(1, 14), z = random.uniform(1, 20);
    const glm::vec3 color(random.uniform(), random.uniform(), random.uniform());
    for (int py = 0; py < height; ++py)
      for (int px = 0; px < width; ++px) {
        const float dx = float(px) - x, dy = float(py) - y;
        if (dx * dx + dy * dy <= radius * radius && picture.at(px, py).a > z)
          picture.at(px, py) = glm::vec4(color * (0.6f + 0.4f * random.uniform()), z);
      }
  }
  return picture;
}

Image planePicture(int width, int height, float z) {
  Random random(7);
  Image picture(width, height);
  for (glm::vec4& p : picture.pixels) p = {random.uniform(), random.uniform(), random.uniform(), z};
  return picture;
}

double discInPixel(double r, int x, int y, int lines) {
  double area = 0;
  for (int i = 0; i < lines; ++i) {
    const double line = y - 0.5 + (i + 0.5) / lines;
    if (std::abs(line) >= r) continue;
    const double half = std::sqrt(r * r - line * line);
    area += std::max(0.0, std::min(x + 0.5, half) - std::max(x - 0.5, -half)) / lines;
  }
  return area;
}

dof::Lens lensWith(double farRadius, double focus, int maxRadius) {
  // K = 0.5 f/N f/(S - f) W/w, solved for N.
  dof::Lens lens;
  lens.focalLength = 50;
  lens.sensorWidth = 36;
  lens.pictureWidth = 1280;
  lens.focus = focus;
  lens.maxRadius = maxRadius;
  lens.fNumber = 1;
  lens.fNumber = lens.farRadius() / farRadius;
  return lens;
}

Image twoDepths(float left, float right) {
  Image image(32, 32, glm::vec4(0.5f, 0.5f, 0.5f, left));
  for (int y = 0; y < 32; ++y)
    for (int x = 16; x < 32; ++x) image.at(x, y).a = right;
  return image;
}

dof::SplatList splatsOf(const Image& picture, const dof::Lens& lens, const dof::FocusMask* mask) {
  dof::SplatList list;
  list.size = {picture.width, picture.height};
  const auto sane = [](float v) {
    return std::isnan(v) ? 0.0f : dof::throughHalf(std::clamp(v, 0.0f, 65504.0f));
  };
  for (int ty = 0; ty < dof::tilesOver(picture.height); ++ty)
    for (int tx = 0; tx < dof::tilesOver(picture.width); ++tx)
      for (int i = 0; i < DOF_TILE_PIXELS; ++i) {
        const int x = tx * DOF_TILE + i % DOF_TILE, y = ty * DOF_TILE + i / DOF_TILE;
        if (x >= picture.width || y >= picture.height) continue;
        const glm::vec4& p = picture.at(x, y);
        const double factor = mask ? double(mask->at(x, y)) : 1;
        const double r =
            std::clamp(factor * lens.unclampedRadius(p.a), -lens.maxRadius, lens.maxRadius);
        dof::Splat splat;
        splat.pixel = {x, y};
        splat.z = dof::isBackground(p.a) ? INFINITY : p.a;
        splat.r = float(r), splat.r2 = dof::throughHalf(float(r * r));
        splat.color = {sane(p.r), sane(p.g), sane(p.b)};
        splat.alpha = dof::isBackground(p.a) && splat.color == glm::vec3(0) ? 0 : 1;
        list.splats.push_back(splat);
      }
  return list;
}

}  // namespace fathom::test

namespace fathom::dof::test {
namespace {

glm::vec3 texture(glm::ivec2 p, int layer) {
  const auto wave = [&](float a, float b) {
    return 0.5f + 0.5f * std::sin(a * float(p.x) + b * float(p.y) + 1.7f * float(layer));
  };
  return {wave(0.9f, 0.1f), wave(0.2f, 0.7f), wave(0.05f, 0.03f)};
}

Splat splatOf(glm::ivec2 pixel, glm::vec3 color, float radius, float z) {
  return {pixel, z, throughHalf(radius * radius), 1, color, 1, radius};
}

/// Layer by layer, every pixel as a splat: look(pixel, layer).
template <class Look>
AccumulateScene layered(const std::string& name, glm::ivec2 size, int layers, const Look& look) {
  AccumulateScene scene{name, size, {}, {}};
  for (int layer = 0; layer < layers; ++layer)
    for (int y = 0; y < size.y; ++y)
      for (int x = 0; x < size.x; ++x) scene.splats.push_back(look(glm::ivec2(x, y), layer));
  return scene;
}

/// Fronto-parallel discs over a plane; the radius follows from z.
AccumulateScene discs(const std::string& name, glm::ivec2 size, int count, float most) {
  Random random(7);
  struct Disc {
    glm::vec2 center;
    float radius, z;
  };
  std::vector<Disc> all;
  for (int i = 0; i < count; ++i)
    all.push_back({{random.uniform(0, float(size.x)), random.uniform(0, float(size.y))},
                   random.uniform(3, 14),
                   random.uniform(1, 9)});
  return layered(name, size, 1, [&](glm::ivec2 p, int) {
    float z = 10;
    int front = count;
    for (int i = 0; i < count; ++i)
      if (all[std::size_t(i)].z < z &&
          glm::length(glm::vec2(p) - all[std::size_t(i)].center) < all[std::size_t(i)].radius)
        z = all[std::size_t(i)].z, front = i;
    return splatOf(p, texture(p, front), std::min(most, most * std::abs(1 - 4 / z) * 1.2f), z);
  });
}

/// Lists of exactly these lengths, a tile each.
AccumulateScene listLengths() {
  AccumulateScene scene{"list-lengths", {16, 16}, {}, {}};
  Random random(3);
  for (const int length : {0, 1, 7, 8, 9, 31, 32, 33, 64, 255, 256, 257, 512, 513}) {
    const int left = scene.size.x * int(!scene.tileSplats.empty());
    std::vector<Splat> list;
    for (int i = 0; i < length; ++i)
      list.push_back(splatOf({left + int(random.below(16)), int(random.below(16))},
                             {random.uniform(), random.uniform(), random.uniform()},
                             random.uniform(0, 4), 1.0f + float(i)));
    scene.tileSplats.push_back(std::move(list));
    scene.size.x = left + 16;
  }
  return scene;
}

/// Positions beyond 4000, where halves of whole pictures would be off by a pixel.
AccumulateScene longStrip() {
  AccumulateScene scene{"long-strip", {20, 4096}, {}, {}, 252};
  for (int y = 4032; y < 4096; ++y)
    for (int x = 0; x < 20; ++x)
      scene.splats.push_back(splatOf({x, y}, texture({x, y}, 0), 2, 4 + float(y & 3)));
  return scene;
}

}  // namespace

NodeLists AccumulateScene::lists(int kind) const {
  if (tileSplats.empty()) return reference::nodeLists({size, splats}, kind);
  NodeLists made{size, kind, {0}, {}};
  for (std::size_t tile = 0; tile < tileSplats.size(); ++tile) {
    for (const Splat& splat : tileSplats[tile])
      made.nodes.push_back(encodeNode(splat, {int(tile), 0}, kind));
    made.tileBegin.push_back(std::uint32_t(made.nodes.size()));
  }
  return made;
}

const std::vector<AccumulateScene>& accumulateScenes() {
  static const std::vector<AccumulateScene> scenes = {
      discs("discs", {70, 44}, 16, 8),
      // Most pixels are opaque long before the last layer: early out has something to skip.
      layered("six-layers", {25, 20}, 6,
              [](glm::ivec2 p, int layer) {
                return splatOf(p, 8.0f * texture(p, layer), 1.0f + 0.1f * float(layer),
                               1.0f + float(layer));
              }),
      layered(
          "all-sharp", {40, 20}, 1,
          [](glm::ivec2 p, int) { return splatOf(p, texture(p, 0), 0.9f * float(p.x % 2), 3); }),
      // Red tells about the color, green and blue about the place: they are the pixel's
      // coordinates.
      layered("uniform-plane", {31, 31}, 1,
              [](glm::ivec2 p, int) {
                return splatOf(p, {1, float(p.x), float(p.y)}, 6, 5);
              }),
      discs("borders", {37, 21}, 9, 8), listLengths(), longStrip(),
      layered("bright-spot", {40, 20}, 1,
              [](glm::ivec2 p, int) {
                return splatOf(p, glm::vec3(p == glm::ivec2(20, 11) ? 1000.0f : 0.0f), 5, 5);
              }),
      // What the splat pass makes of NaN and infinity: 0 and the largest half.
      layered("damaged-pixels", {32, 16}, 1,
              [](glm::ivec2 p, int) {
                const glm::vec3 color = p.x == 9    ? glm::vec3(0)
                                        : p.x == 20 ? glm::vec3(65504)
                                                    : texture(p, 1);
                return splatOf(p, color, 2, 2);
              }),
      // One tile, 17 layers of the largest radius: 4352 entries.
      layered("long-list", {16, 16}, 17, [](glm::ivec2 p, int layer) {
        return splatOf(p, texture(p, layer), 64, 1.0f + float(layer));
      })};
  return scenes;
}

const AccumulateScene& accumulateScene(const std::string& name) {
  for (const AccumulateScene& scene : accumulateScenes())
    if (scene.name == name) return scene;
  fail("{}: expected the name of a scene, found none such", name);
}

namespace {

/// The largest color value in the list of each tile: what early out may miss is below
/// eps / (1 - eps) of it.
std::vector<double> largestColors(const NodeLists& lists) {
  std::vector<double> largest;
  for (std::size_t tile = 0; tile + 1 < lists.tileBegin.size(); ++tile) {
    double value = 0;
    for (std::uint32_t i = lists.tileBegin[tile]; i < lists.tileBegin[tile + 1]; ++i) {
      const glm::dvec3 color = decodeNode(lists.nodes[i], lists.kind).color;
      value = std::max({value, color.r, color.g, color.b});
    }
    largest.push_back(value);
  }
  return largest;
}

}  // namespace

UploadedLists::UploadedLists(gpu::Context& gpu, const AccumulateScene& scene, int kind)
    : lists(scene.lists(kind)),
      firstTileRow(scene.firstTileRow),
      tileBegin(gpu, "tiles of " + scene.name,
                std::span(lists.tileBegin).subspan(std::size_t(firstTileRow * lists.tiles().x))),
      nodes(gpu, "nodes of " + scene.name, lists.nodes),
      largest(largestColors(lists)) {}

const std::vector<glm::dvec4>& UploadedLists::picture(const Variant& variant) {
  const bool loaded = variant[kAlpha] == kLoadedAlpha, coverage = variant[kOrder] == kCoverage;
  auto& slot = pictures_[{loaded, coverage}];
  if (slot.empty())
    slot = reference::accumulate(lists, loaded, coverage ? Operator::Coverage : Operator::Over);
  return slot;
}

Image renderVariant(gpu::Context& gpu, VariantRunner& runner, const Variant& variant,
                    const UploadedLists& scene, float epsilon, std::uint32_t part) {
  // Code generation depends on whether sizes are powers of two: no size is one.
  const auto padded = [](int n) { return std::has_single_bit(unsigned(n)) ? n + 1 : n; };
  const gpu::Texture picture(gpu, "picture", gpu::TextureFormat::Rgba32f,
                             padded(scene.lists.size.x), padded(scene.lists.size.y));
  shared::Params params{};
  params.width = unsigned(scene.lists.size.x), params.height = unsigned(scene.lists.size.y);
  params.tilesX = unsigned(scene.lists.tiles().x);
  params.tilesY = unsigned(scene.lists.tiles().y);
  params.firstTileRow = unsigned(scene.firstTileRow);
  params.tileRowCount = params.tilesY - params.firstTileRow;
  shared::Optics optics{};
  optics.epsilon = epsilon;
  optics.coverageAlpha = 1;
  params.partEntries = part;
  std::uint32_t longest = 0;
  for (std::size_t i = 1; i < scene.lists.tileBegin.size(); ++i)
    longest = std::max(longest, scene.lists.tileBegin[i] - scene.lists.tileBegin[i - 1]);
  runner.run(variant, scene.tileBegin, scene.nodes, params, optics, picture, false, longest);
  gpu::barrier(gpu::Access::Transfer);
  return picture.downloadImage();
}

::testing::AssertionResult matchesLists(const Image& found, UploadedLists& scene,
                                        const Variant& variant, float epsilon) {
  constexpr double kRounding = 2e-5;
  const std::vector<glm::dvec4>& expected = scene.picture(variant);
  const int width = scene.lists.size.x;
  const std::size_t first = std::size_t(scene.firstTileRow * DOF_TILE * width);
  for (std::size_t i = first; i < expected.size(); ++i) {
    const int x = int(i) % width, y = int(i) / width;
    const int tile = y / DOF_TILE * scene.lists.tiles().x + x / DOF_TILE;
    for (int c = 0; c < 4; ++c) {
      const double most = c == 3 ? 1 : scene.largest[std::size_t(tile)];
      const double cut = variant[kEarly] == kNoEarlyOut ? 0 : epsilon / (1 - epsilon) * most;
      const double bound = kRounding * std::max(1.0, std::abs(expected[i][c])) + cut;
      if (std::abs(found.at(x, y)[c] - expected[i][c]) <= bound) continue;
      return ::testing::AssertionFailure()
             << "pixel " << x << ", " << y << " channel " << c << ": expected " << expected[i][c]
             << " within " << bound << ", found " << found.at(x, y)[c];
    }
  }
  return ::testing::AssertionSuccess();
}

}  // namespace fathom::dof::test
