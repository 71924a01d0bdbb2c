// SPDX-License-Identifier: BSD-3-Clause
// The paper's operator ("over"), coverage and slabs, pixel by pixel; sorting and binning by brute
// force; gathering beside them.
#include "app/engine/dof/splats/reference.h"

#include "app/engine/core/error.h"
#include "app/engine/dof/splats/source.h"

namespace fathom::dof::reference {
namespace {

constexpr double kSlab = 1.005;  // a slab ends at this multiple of its first depth

/// Place of a pixel in an ordered dither of 16 x 16: digits of base 4, from 2 x 2 blocks upward.
int tieRank(glm::ivec2 pixel) {
  int rank = 0;
  for (int block = 1, weight = 64; block < 16; block *= 2, weight /= 4) {
    const int x = (pixel.x & 15) / block % 2, y = (pixel.y & 15) / block % 2;
    rank += weight * (x == y ? y : 2 + y);
  }
  return rank;
}

/// A pixel of `sum` with this much light left, and what waits to fill that. Where the front closes
/// but for errors of its sum, nothing shows through.
Sum closed(glm::dvec4 sum, glm::dvec4 left, const glm::dvec4& restSum, const glm::dvec4& rest) {
  const glm::dvec4 open = glm::smoothstep(glm::dvec4(DOF_CLOSED), glm::dvec4(DOF_OPEN), left);
  const glm::dvec4 fills = open * glm::min(rest, left);
  sum += fills * restSum / glm::max(rest, glm::dvec4(1e-20));
  const glm::dvec4 covered = 1.0 - (left - fills);
  Sum result{glm::dvec4(0), covered.g};
  for (int c = 0; c < 4; ++c)
    if (covered[c] > 0) result.mean[c] = sum[c] / covered[c];
  return result;
}

/// What is known about a pixel while splats arrive front to back. Weights are those of red, green,
/// blue and alpha, which goes with green.
class Pixel {
 public:
  void add(Operator op, const glm::dvec4& color, const glm::dvec4& weight, double z) {
    if (op == Operator::Slabs) return addToSlab(color, weight, z);
    // Over: the share of what is left. Coverage: of the whole, as far as it is left.
    take(color, op == Operator::Over ? left_ * weight : glm::min(weight, left_));
  }
  /// Coverage, of what an opaque splat of its pixel hides from the middle of the lens. What is seen
  /// from there was counted as if nothing lay between, so this takes half of the share that is an
  /// independent surface's, and stands by for what is left in the end. What stands by hides what
  /// lies behind it.
  void addHidden(const glm::dvec4& color, const glm::dvec4& weight) {
    const glm::dvec4 none(0), taken = 0.5 * weight * glm::max(none, left_ - rest_);
    take(color, taken);
    const glm::dvec4 more = glm::max(none, glm::min(weight - taken, left_ - rest_));
    restSum_ += more * color;
    rest_ += more;
  }
  Sum result() {
    endSlab();
    return closed(sum_, left_, restSum_, rest_);
  }

 private:
  void take(const glm::dvec4& color, const glm::dvec4& weight) {
    sum_ += weight * color;
    left_ -= weight;
  }
  /// Splats of like depth are one surface: they add up before it covers what lies behind.
  void addToSlab(const glm::dvec4& color, const glm::dvec4& weight, double z) {
    if (slabWeight_ != glm::dvec4(0) && z > slabEnd_) endSlab();
    if (slabWeight_ == glm::dvec4(0)) slabEnd_ = kSlab * z;
    slabSum_ += weight * color;
    slabWeight_ += weight;
  }
  void endSlab() {
    const glm::dvec4 taken = left_ * glm::min(slabWeight_, glm::dvec4(1));
    take(slabSum_ / glm::max(slabWeight_, glm::dvec4(1e-20)), taken);
    slabSum_ = slabWeight_ = glm::dvec4(0);
  }

  glm::dvec4 sum_{0}, left_{1}, slabSum_{0}, slabWeight_{0}, restSum_{0}, rest_{0};
  double slabEnd_ = 0;
};

/// The radius of depth z at a place of the picture with its margin.
double maskedRadius(const Lens& lens, double z, const FocusMask* mask, glm::ivec2 place) {
  const double factor = mask ? double(mask->at(place.x, place.y)) : 1;
  return std::clamp(factor * lens.unclampedRadius(z), -lens.maxRadius, lens.maxRadius);
}

/// Whether the disc holds one of the tile's pixels; tries them all.
bool touches(const Splat& s, glm::ivec2 tile, glm::ivec2 size) {
  if (s.opacity <= 0) return false;
  const glm::ivec2 low = tile * DOF_TILE, end = glm::min(low + DOF_TILE, size);
  // Tiles outside of the square around the disc need no trying.
  const glm::ivec2 reach(int(std::sqrt(std::abs(s.r2))) + 1);
  if (glm::any(glm::lessThan(s.pixel + reach, low)) ||
      glm::any(glm::greaterThanEqual(s.pixel - reach, end)))
    return false;
  for (int y = low.y; y < end.y; ++y)
    for (int x = low.x; x < end.x; ++x) {
      const int dx = x - s.pixel.x, dy = y - s.pixel.y;
      if (float(dx * dx + dy * dy) <= std::abs(s.r2)) return true;
    }
  return false;
}

/// The splat's weights in the pixel at `offset` from its own, without its opacity.
glm::dvec3 weightsOf(const Splat& s, glm::ivec2 offset, const Discs& discs) {
  const double d2 = double(offset.x) * offset.x + double(offset.y) * offset.y;
  if (!discs.smooth) return glm::dvec3(d2 <= s.r2 ? discAlpha(s.r2) : 0);
  if (discs.map) return discs.map->shares(offset, s.r, s.pixel, discs.frame);
  return glm::dvec3(discShare(std::abs(s.r), d2));
}

/// What the weights of a smooth splat are divided by; `weighted`: its opacity is, by that of green.
glm::dvec3 lightOf(const Splat& s, bool weighted, const Discs& discs) {
  if (!discs.smooth || (weighted && !discs.map->aperture().colored())) return glm::dvec3(1);
  if (!discs.map) return glm::dvec3(discSum(std::abs(s.r)));
  const glm::dvec3 light = discs.map->lightOf(s.r, s.pixel, discs.frame);
  return weighted ? light / light.g : light;
}

/// Calls body(x, y) for the pixels of the square that holds all of the splat's light.
template <class Body>
void forPixelsOf(const Splat& s, glm::ivec2 size, const Body& body) {
  const int reach = int(std::sqrt(s.r2)) + 1;
  for (int y = std::max(0, s.pixel.y - reach); y <= std::min(size.y - 1, s.pixel.y + reach); ++y)
    for (int x = std::max(0, s.pixel.x - reach); x <= std::min(size.x - 1, s.pixel.x + reach); ++x)
      body(x, y);
}

}  // namespace

CellPixel::CellPixel(const ApertureMap& map, glm::dvec2 field) : map_(&map) {
  for (int k = 0; k < kCells; ++k) uncut_.push_back(map.uncutCell(k, field));
  for (const bool near : {false, true}) {
    light_[near] = map.cellLight(near);
    for (std::size_t k = 0; k < uncut_.size(); ++k) all_[near] += light_[near][k] *= uncut_[k];
  }
  seen_.assign(light_[0].size(), 1);
  waiting_.assign(light_[0].size(), 0);
}

CellPixel::Taken CellPixel::add(const Splat& s, const glm::dvec4& weight,
                                const ApertureMap::LensPoint& through) {
  const double mean = (weight.r + weight.g + weight.b) / 3;
  if (mean <= 0) return {};
  const std::vector<double>& light = light_[s.r < 0];
  std::vector<double> overlap(light.size());
  double open = 0, taken = 0, waits = 0;
  for (std::size_t k = 0; k < light.size(); ++k)
    open += uncut_[k] * (overlap[k] = map_->cellOverlap(int(k), through));
  const auto asks = map_->cellAsks(s.r);
  const double all = all_[s.r < 0], each = open > 0 ? mean * all / open : 0;
  for (std::size_t k = 0; k < light.size(); ++k) {
    const double share = each * overlap[k] * asks[k];
    const double free = std::max(seen_[k] - waiting_[k], 0.0);
    const double takes =
        s.hidden ? DOF_CELL_HIDDEN * std::min(share, 1.0) * free : std::min(share, seen_[k]);
    const double stands = s.hidden ? std::min(share - takes, free - takes) : 0;
    seen_[k] -= takes, waiting_[k] += stands;
    taken += takes * light[k] / all, waits += stands * light[k] / all;
  }
  const glm::dvec4 color(glm::dvec3(s.color), s.alpha);
  const glm::dvec4 takes = glm::min(taken / mean * weight, left_);
  sum_ += takes * color, left_ -= takes;
  restSum_ += waits / mean * weight * color, rest_ += waits / mean * weight;
  return {takes.g, waits / mean * weight.g,
          int(std::max_element(overlap.begin(), overlap.end()) - overlap.begin())};
}

Sum CellPixel::result() const { return closed(sum_, left_, restSum_, rest_); }
double CellPixel::filled() const {
  const double open = glm::smoothstep(DOF_CLOSED, DOF_OPEN, left_.g);
  return rest_.g > 0 ? open * std::min(1.0, left_.g / rest_.g) : 0;
}

std::vector<std::uint32_t> depthOrder(const SplatList& list) {
  std::vector<std::uint32_t> order(list.splats.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Splat &x = list.splats[a], &y = list.splats[b];
    if (x.z != y.z) return x.z < y.z;
    return tieRank(x.pixel) < tieRank(y.pixel);
  });
  return order;
}

std::vector<std::vector<std::uint32_t>> tileLists(const SplatList& list) {
  std::vector<std::vector<std::uint32_t>> lists;
  const std::vector<std::uint32_t> order = depthOrder(list);
  for (int y = 0; y < tilesOver(list.size.y); ++y)
    for (int x = 0; x < tilesOver(list.size.x); ++x) {
      std::vector<std::uint32_t>& tile = lists.emplace_back();
      for (const std::uint32_t i : order)
        if (touches(list.splats[i], {x, y}, list.size)) tile.push_back(i);
    }
  return lists;
}

NodeLists nodeLists(const SplatList& list, int kind) {
  NodeLists made{list.size, kind, {0}, {}};
  const int tilesX = tilesOver(list.size.x);
  for (const std::vector<std::uint32_t>& tile : tileLists(list)) {
    const int t = int(made.tileBegin.size()) - 1;
    for (const std::uint32_t i : tile)
      made.nodes.push_back(encodeNode(list.splats[i], {t % tilesX, t / tilesX}, kind));
    made.tileBegin.push_back(std::uint32_t(made.nodes.size()));
  }
  return made;
}

namespace {
std::vector<Sum> accumulateCells(const SplatList& list, const Discs& discs) {
  FATHOM_CHECK(discs.smooth);
  const ApertureMap round{Aperture()};
  const ApertureMap& map = discs.map ? *discs.map : round;
  std::vector<CellPixel> pixels;
  for (int i = 0; i < list.size.x * list.size.y; ++i)
    pixels.emplace_back(map, discs.frame.fieldAt({i % list.size.x, i / list.size.x}));
  for (const std::uint32_t i : depthOrder(list)) {
    const Splat& s = list.splats[i];
    if (s.opacity <= 0) continue;
    const glm::dvec3 scale = double(s.opacity) / lightOf(s, list.weighted, discs);
    // A plain disc is sharp below half a pixel.
    const double r = discs.map ? double(s.r) : std::copysign(std::max(std::abs(s.r), 0.5f), s.r);
    forPixelsOf(s, list.size, [&](int x, int y) {
      const glm::ivec2 offset = glm::ivec2(x, y) - s.pixel;
      const glm::dvec3 w = weightsOf(s, offset, discs) * scale;
      pixels[std::size_t(y) * std::size_t(list.size.x) + std::size_t(x)].add(
          s, glm::dvec4(w, w.g), map.lensPoint(offset, r, discs.frame.fieldAt(s.pixel)));
    });
  }
  std::vector<Sum> picture;
  for (const CellPixel& pixel : pixels) picture.push_back(pixel.result());
  return picture;
}
}  // namespace

std::vector<Sum> accumulate(const SplatList& list, Operator op, const Discs& discs) {
  if (op == Operator::LensCells) return accumulateCells(list, discs);
  FATHOM_CHECK(op == Operator::Over || op == Operator::Coverage || op == Operator::Slabs);
  std::vector<Pixel> pixels(std::size_t(list.size.x) * std::size_t(list.size.y));
  for (const std::uint32_t i : depthOrder(list)) {
    const Splat& s = list.splats[i];
    if (s.opacity <= 0) continue;
    const glm::dvec4 color(glm::dvec3(s.color), s.alpha);
    const glm::dvec3 scale = double(s.opacity) / lightOf(s, list.weighted, discs);
    forPixelsOf(s, list.size, [&](int x, int y) {
      const glm::dvec3 w = weightsOf(s, glm::ivec2(x, y) - s.pixel, discs) * scale;
      if (w == glm::dvec3(0)) return;
      Pixel& pixel = pixels[std::size_t(y) * std::size_t(list.size.x) + std::size_t(x)];
      if (s.hidden && op == Operator::Coverage)
        pixel.addHidden(color, glm::dvec4(w, w.g));
      else
        pixel.add(op, color, glm::dvec4(w, w.g), s.z);
    });
  }
  std::vector<Sum> picture;
  for (Pixel& pixel : pixels) picture.push_back(pixel.result());
  return picture;
}

std::vector<glm::dvec4> accumulate(const NodeLists& lists, bool alphaLoaded, Operator op) {
  FATHOM_CHECK(op == Operator::Over || op == Operator::Coverage);
  std::vector<glm::dvec4> picture(std::size_t(lists.size.x) * std::size_t(lists.size.y));
  std::vector<Node> nodes;
  for (std::size_t tile = 0; tile + 1 < lists.tileBegin.size(); ++tile) {
    nodes.clear();
    for (std::uint32_t i = lists.tileBegin[tile]; i < lists.tileBegin[tile + 1]; ++i)
      nodes.push_back(decodeNode(lists.nodes[i], lists.kind));
    if (!alphaLoaded)
      for (Node& node : nodes) node.alpha = discAlpha(node.r2);
    const glm::ivec2 first =
        glm::ivec2(int(tile) % lists.tiles().x, int(tile) / lists.tiles().x) * DOF_TILE;
    const glm::ivec2 end = glm::min(lists.size - first, glm::ivec2(DOF_TILE));
    for (int y = 0; y < end.y; ++y)
      for (int x = 0; x < end.x; ++x) {
        Pixel pixel;
        for (const Node& node : nodes) {
          const glm::ivec2 way = node.offset - glm::ivec2(x, y);
          if (way.x * way.x + way.y * way.y <= node.r2)
            pixel.add(op, glm::dvec4(node.color, 1), glm::dvec4(node.alpha), 0);
        }
        const Sum sum = pixel.result();
        picture[std::size_t(first.y + y) * std::size_t(lists.size.x) + std::size_t(first.x + x)] =
            glm::dvec4(glm::dvec3(sum.mean), sum.covered);
      }
  }
  return picture;
}

Image blur(const SplatList& list, Operator op, const Discs& discs) {
  Image picture(list.size.x, list.size.y);
  const std::vector<Sum> sums = accumulate(list, op, discs);
  for (std::size_t i = 0; i < sums.size(); ++i) picture.pixels[i] = glm::vec4(sums[i].mean);
  return picture;
}

Image average(const Image& picture, int n) {
  if (n == 1) return picture;
  Image mean(picture.width / n, picture.height / n);
  for (int y = 0; y < mean.height; ++y)
    for (int x = 0; x < mean.width; ++x) {
      glm::dvec4 sum(0);
      for (int i = 0; i < n * n; ++i) sum += glm::dvec4(picture.at(x * n + i % n, y * n + i / n));
      mean.at(x, y) = glm::vec4(sum / double(n * n));
    }
  return mean;
}

Image gather(const Image& picture, const Lens& lens, int margin, const FocusMask* mask) {
  constexpr int kTaps = 64;
  Image out(picture.width - 2 * margin, picture.height - 2 * margin);
  const auto place = [&](int x, int y) {
    return glm::clamp(glm::ivec2(x, y) + margin, glm::ivec2(0),
                      glm::ivec2(picture.width, picture.height) - 1);
  };
  const auto at = [&](int x, int y) {
    glm::vec4 p = picture.at(place(x, y).x, place(x, y).y);
    if (isBackground(p.a)) p.a = kFarthest;
    for (int c = 0; c < 3; ++c) p[c] = std::isnan(p[c]) ? 0.0f : std::clamp(p[c], 0.0f, 65504.0f);
    return p;
  };
  const auto colored = [](const glm::vec4& p) {
    const bool nothing = p.a >= kFarthest && glm::vec3(p) == glm::vec3(0);
    return glm::dvec4(glm::dvec3(p), nothing ? 0 : 1);
  };
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x) {
      const glm::vec4 center = at(x, y);
      const double radius = std::abs(maskedRadius(lens, center.a, mask, place(x, y)));
      glm::dvec4 sum = colored(center);
      double weight = 1;
      for (int i = 0; i < kTaps && radius >= 1; ++i) {
        const glm::dvec2 offset = vogelPoint(i, kTaps) * radius;
        const glm::ivec2 from(x + int(std::round(offset.x)), y + int(std::round(offset.y)));
        const glm::vec4 tap = at(from.x, from.y);
        if (tap.a < 0.98f * center.a &&
            std::abs(maskedRadius(lens, tap.a, mask, place(from.x, from.y))) <
                std::hypot(offset.x, offset.y))
          continue;
        sum += colored(tap);
        weight += 1;
      }
      out.at(x, y) = glm::vec4(sum / weight);
    }
  return out;
}

}  // namespace fathom::dof::reference
