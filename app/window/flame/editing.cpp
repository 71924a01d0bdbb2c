// SPDX-License-Identifier: BSD-3-Clause
// The geometry of dragged triangles and cameras, and edits of xforms and palettes.
#include "app/window/flame/editing.h"

#include "app/engine/flame/genome/palettes.h"
#include "app/engine/flame/genome/variations.h"
#include "app/engine/flame/render/tone_mapper.h"

namespace fathom::flame {
namespace {

constexpr double kMinScale = 1e-3, kMaxScale = 1e9;
constexpr double kPointDistance = 0.01;  // of points of a curve, along x

glm::dvec2 turned(glm::dvec2 v, double cosine, double sine) {
  return {v.x * cosine - v.y * sine, v.x * sine + v.y * cosine};
}

}  // namespace

Triangle triangleOf(const Affine& m) { return {m({0, 0}), m({1, 0}), m({0, 1})}; }

Affine affineOf(const Triangle& t) {
  Affine m;
  m.a = t.x.x - t.o.x, m.d = t.x.y - t.o.y;
  m.b = t.y.x - t.o.x, m.e = t.y.y - t.o.y;
  m.c = t.o.x, m.f = t.o.y;
  return m;
}

Affine dragged(const Affine& from, Corner corner, glm::dvec2 to, DragMode mode) {
  Affine m = from;
  if (corner == Corner::O) {
    m.c = to.x, m.f = to.y;
    return m;
  }
  const std::complex<double> wanted(to.x - m.c, to.y - m.f);
  const std::complex<double> arm =
      corner == Corner::X ? std::complex(m.a, m.d) : std::complex(m.b, m.e);
  if (mode == DragMode::Free) {
    (corner == Corner::X ? m.a : m.b) = wanted.real();
    (corner == Corner::X ? m.d : m.e) = wanted.imag();
    return m;
  }
  if (std::abs(arm) == 0 || std::abs(wanted) == 0) return m;
  const std::complex<double> factor = wanted / arm;
  return turnedBy(m, mode == DragMode::Scale ? std::abs(factor) : factor / std::abs(factor));
}

Affine turnedBy(const Affine& from, std::complex<double> factor) {
  const std::complex<double> x = factor * std::complex(from.a, from.d);
  const std::complex<double> y = factor * std::complex(from.b, from.e);
  return {x.real(), x.imag(), y.real(), y.imag(), from.c, from.f};
}

Affine followed(const Affine& other, const Affine& before, const Affine& after) {
  const bool byX = std::hypot(before.a, before.d) > 0;
  const auto arm = [&](const Affine& m) {
    return byX ? std::complex(m.a, m.d) : std::complex(m.b, m.e);
  };
  const bool turns = std::abs(arm(before)) > 0 && std::abs(arm(after)) > 0;
  Affine m = turns ? turnedBy(other, arm(after) / arm(before)) : other;
  m.c += after.c - before.c, m.f += after.f - before.f;
  return m;
}

PictureMap::PictureMap(const Genome& g)
    : center_(g.center),
      half_(glm::dvec2(g.size) / 2.0),
      scale_(pixelsPerUnit(g)),
      cosine_(std::cos(g.rotate * std::numbers::pi / 180)),
      sine_(std::sin(g.rotate * std::numbers::pi / 180)) {}

glm::dvec2 PictureMap::toPicture(glm::dvec2 plane) const {
  return turned(plane - center_, cosine_, sine_) * scale_ + half_;
}

glm::dvec2 PictureMap::toPlane(glm::dvec2 picture) const {
  return turned((picture - half_) / scale_, cosine_, -sine_) + center_;
}

Genome panned(Genome g, glm::dvec2 pixels) {
  const PictureMap map(g);
  g.center += map.toPlane({0, 0}) - map.toPlane(pixels);
  return g;
}

Genome zoomedAt(Genome g, glm::dvec2 pixel, double factor) {
  const glm::dvec2 fixed = PictureMap(g).toPlane(pixel);
  g.scale = std::clamp(g.scale * factor, kMinScale, kMaxScale);
  g.center += fixed - PictureMap(g).toPlane(pixel);
  return g;
}

void addXform(Genome& g) {
  Xform xform;
  xform.weight = 0.5;
  xform.color = double(g.xforms.size() % 2);
  variationIn(xform, kLinear).weight = 1;
  g.xforms.push_back(std::move(xform));
}

void duplicateXforms(Genome& g, const std::vector<std::size_t>& indices) {
  const std::size_t count = g.xforms.size();
  for (const std::size_t index : indices) {
    if (index >= count) continue;
    for (std::size_t i = 0; i < g.xforms.size(); ++i)  // who led there leads to the copy as well
      setChaos(g, i, g.xforms.size(), g.xforms[i].chaosTo(index));
    Xform copy = g.xforms[index];
    g.xforms.push_back(std::move(copy));
  }
}

void removeXforms(Genome& g, const std::vector<std::size_t>& indices) {
  for (auto it = indices.rbegin(); it != indices.rend(); ++it) {
    const std::size_t index = *it;
    if (index >= g.xforms.size()) {
      g.finalXform.reset();
      continue;
    }
    if (g.xforms.size() < 2) return;
    g.xforms.erase(g.xforms.begin() + std::ptrdiff_t(index));
    for (Xform& xform : g.xforms)
      if (index < xform.chaos.size())
        xform.chaos.erase(xform.chaos.begin() + std::ptrdiff_t(index));
    if (g.soloXform == int(index)) g.soloXform = -1;
    if (g.soloXform > int(index)) --g.soloXform;
  }
}

Xform& xformAt(Genome& g, std::size_t index) {
  return index < g.xforms.size() ? g.xforms[index] : g.finalXform.value();
}

std::string titleOf(const Xform& xform) {
  for (const auto& [name, text] : xform.other)
    if (name == "name") return text;
  return {};
}

void setTitle(Xform& xform, const std::string& title) {
  std::erase_if(xform.other, [](const auto& attribute) { return attribute.first == "name"; });
  if (!title.empty()) xform.other.emplace_back("name", title);
}

void addSymmetry(Genome& g, int kind) {
  double total = 0;
  for (const Xform& xform : g.xforms) total += xform.weight;
  const double mean = g.xforms.empty() || total == 0 ? 1 : total / double(g.xforms.size());
  for (Xform& xform : symmetryXforms(kind)) {
    xform.weight = mean;
    g.xforms.push_back(std::move(xform));
  }
}

void setChaos(Genome& g, std::size_t from, std::size_t to, double factor) {
  std::vector<double>& row = g.xforms.at(from).chaos;
  if (to >= row.size()) {
    if (factor == 1) return;
    row.resize(to + 1, 1);
  }
  row[to] = factor;
}

Palette reversed(const Palette& palette) {
  Palette result = palette;
  std::ranges::reverse(result);
  return result;
}

namespace {

/// Run through several times, moved along, blurred around the circle.
Palette arranged(const Palette& palette, const PaletteChange& change) {
  constexpr int kCount = 256;
  const auto at = [&](const Palette& of, int i) -> const glm::vec4& {
    return of[std::size_t(((i % kCount) + kCount) % kCount)];
  };
  const int shift = int(std::lround(change.rotation * kCount));
  Palette moved;
  for (int i = 0; i < kCount; ++i)
    moved[std::size_t(i)] = at(palette, (i - shift) * std::max(1, change.frequency));
  if (!(change.blur > 0)) return moved;
  const int reach = std::min(int(std::ceil(3 * change.blur)), kCount / 2);
  Palette blurred;
  for (int i = 0; i < kCount; ++i) {
    glm::vec4 sum(0);
    float weights = 0;
    for (int d = -reach; d <= reach; ++d) {
      const auto weight = float(std::exp(-0.5 * d * d / (change.blur * change.blur)));
      sum += weight * at(moved, i + d);
      weights += weight;
    }
    blurred[std::size_t(i)] = sum / weights;
  }
  return blurred;
}

}  // namespace

Palette adjusted(const Palette& palette, const PaletteChange& change) {
  Palette result = arranged(palette, change);
  for (glm::vec4& entry : result) {
    glm::dvec3 hsv = hsvFromRgb(glm::dvec3(entry));
    hsv.x = std::fmod(hsv.x + 6 * change.hue, 6.0);
    if (hsv.x < 0) hsv.x += 6;
    hsv.y = std::clamp(hsv.y * change.saturation, 0.0, 1.0);
    hsv.z = std::clamp(hsv.z * change.value, 0.0, 1.0);
    const glm::dvec3 rgb = (rgbFromHsv(hsv) - 0.5) * change.contrast + 0.5;
    entry = glm::vec4(glm::vec3(glm::clamp(rgb, 0.0, 1.0)), entry.a);
  }
  return result;
}

Palette paletteFrom(std::vector<PaletteNode> nodes) {
  std::ranges::sort(nodes, [](const PaletteNode& a, const PaletteNode& b) { return a.at < b.at; });
  Palette palette{};
  for (std::size_t i = 0; i < palette.size(); ++i) {
    const double at = double(i) / 255;
    const auto after =
        std::ranges::find_if(nodes, [&](const PaletteNode& node) { return node.at >= at; });
    glm::dvec3 color = after == nodes.end() ? nodes.back().color : after->color;
    if (after != nodes.end() && after != nodes.begin() && after->at > at) {
      const PaletteNode& before = *(after - 1);
      color = glm::mix(before.color, after->color, (at - before.at) / (after->at - before.at));
    }
    palette[i] = glm::vec4(glm::vec3(color), 1);
  }
  return palette;
}

std::vector<PaletteNode> nodesOf(const Palette& palette, int count) {
  std::vector<PaletteNode> nodes;
  for (int i = 0; i < count; ++i) {
    const double at = double(i) / double(count - 1);
    nodes.push_back({at, glm::dvec3(palette[std::size_t(std::lround(at * 255))])});
  }
  return nodes;
}

Palette retouched(const Palette& palette, const std::vector<PaletteNode>& before,
                  const std::vector<PaletteNode>& after) {
  const Palette from = paletteFrom(before), to = paletteFrom(after);
  Palette next = palette;
  for (std::size_t i = 0; i < next.size(); ++i)
    if (from[i] != to[i])
      for (int c = 0; c < 3; ++c)
        next[i][c] = std::clamp(palette[i][c] + to[i][c] - from[i][c], 0.0f, 1.0f);
  return next;
}

std::vector<glm::dvec2> pointsOf(const ToneCurve& curve) {
  if (curve.spline.size() >= 2) return curve.spline;
  if (curve.isStraight()) return {{0, 0}, {1, 1}};
  std::vector<glm::dvec2> points;
  constexpr int kPoints = 7;
  for (int i = 0; i < kPoints; ++i) {
    const double x = double(i) / (kPoints - 1);
    points.emplace_back(x, std::clamp(evaluate(curve, x), 0.0, 1.0));
  }
  return points;
}

ToneCurve curveThrough(const std::vector<glm::dvec2>& points) {
  ToneCurve curve;
  if (std::ranges::any_of(points, [](glm::dvec2 p) { return p.x != p.y; })) curve.spline = points;
  return curve;
}

std::size_t addPoint(std::vector<glm::dvec2>& points, glm::dvec2 at) {
  at = glm::clamp(at, 0.0, 1.0);
  const auto near = std::ranges::find_if(
      points, [&](const glm::dvec2& p) { return std::abs(p.x - at.x) < kPointDistance; });
  if (near != points.end()) {
    near->y = at.y;
    return std::size_t(near - points.begin());
  }
  const auto behind = std::ranges::find_if(points, [&](const glm::dvec2& p) { return p.x > at.x; });
  const auto index = std::size_t(behind - points.begin());
  points.insert(behind, at);
  return index;
}

void movePoint(std::vector<glm::dvec2>& points, std::size_t index, glm::dvec2 to) {
  const double low = index > 0 ? points[index - 1].x + kPointDistance : 0;
  const double high = index + 1 < points.size() ? points[index + 1].x - kPointDistance : 1;
  points[index] = {std::max(low, std::min(to.x, high)), std::clamp(to.y, 0.0, 1.0)};
}

void addLayer(Genome& g) {
  g.layers.push_back(Layer(g));
  g.layers.back().layerSettings.name = fmt::format("{}", g.layers.size() + 1);
}

}  // namespace fathom::flame
