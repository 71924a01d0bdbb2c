// SPDX-License-Identifier: BSD-3-Clause
// Sizes are signed radii in pixels, above 0 in front of the focus. What is in front is gathered as
// a layer with an alpha, over what is behind; pixels in front themselves see that inpainted.
#include "app/lab/dof/quality.h"

#include "app/engine/core/jobs.h"
#include "app/engine/core/progress.h"

namespace fathom::dof {
namespace {

constexpr int kInpaintReach = 4;  // px

struct Texel {
  glm::vec3 color{0};
  float size = 0;
};

/// A picture of texels; what lies beyond it is its border.
struct Layer {
  int width = 0, height = 0;
  std::vector<Texel> texels;
  const Texel& at(int x, int y) const {
    return texels[std::size_t(std::clamp(y, 0, height - 1)) * std::size_t(width) +
                  std::size_t(std::clamp(x, 0, width - 1))];
  }
};

float smooth(float x) {
  x = std::clamp(x, 0.0f, 1.0f);
  return x * x * (3 - 2 * x);
}

/// How much counts as blurred; below that the sharp picture shows.
float blurredShare(float size) { return smooth(0.75f * std::abs(size)); }

Texel mix(const Texel& a, const Texel& b, float t) {
  return {glm::mix(a.color, b.color, t), a.size * (1 - t) + b.size * t};
}

/// The texel that lookUp() begins with: the nearest of a sampler whose texels begin at whole
/// numbers.
const Texel& baseOf(const Layer& layer, glm::vec2 at) {
  return layer.at(int(std::floor(at.x)), int(std::floor(at.y)));
}

/// Bilinear, but for neighbors whose size is another by a pixel.
Texel lookUp(const Layer& layer, glm::vec2 at, float size) {
  const glm::vec2 base = glm::floor(at), part = at - base;
  const int x = int(base.x), y = int(base.y);
  const auto alike = [](float a, float b) { return 1 - std::min(std::abs(a - b), 1.0f); };
  const Texel &right = layer.at(x + 1, y), &down = layer.at(x, y + 1),
              &both = layer.at(x + 1, y + 1);
  const Texel above = mix(layer.at(x, y), right, part.x * alike(right.size, size));
  const Texel below = mix(down, both, part.x * alike(down.size, both.size));
  return mix(above, below, part.y * alike(below.size, size));
}

Layer layerOf(const Image& picture, const Lens& lens) {
  Layer layer{picture.width, picture.height, {}};
  for (const glm::vec4& p : picture.pixels)
    layer.texels.push_back({glm::vec3(p), float(-lens.cocRadius(p.a))});
  return layer;
}

/// What is not behind the focus is filled inward from what is. Theirs is Telea's method; this one
/// weighs by distance alone.
Layer inpainted(Layer layer) {
  std::vector<char> known;
  for (const Texel& t : layer.texels) known.push_back(t.size < 0);
  const auto index = [&](int x, int y) {
    return std::size_t(y) * std::size_t(layer.width) + std::size_t(x);
  };
  const auto fill = [&](int x, int y, std::vector<std::pair<std::size_t, Texel>>& filled) {
    Texel sum;
    float weight = 0;
    bool beside = false;
    for (int v = std::max(0, y - kInpaintReach); v <= std::min(layer.height - 1, y + kInpaintReach);
         ++v)
      for (int u = std::max(0, x - kInpaintReach);
           u <= std::min(layer.width - 1, x + kInpaintReach); ++u) {
        const int d2 = (u - x) * (u - x) + (v - y) * (v - y);
        if (!known[index(u, v)] || d2 > kInpaintReach * kInpaintReach) continue;
        beside = beside || d2 == 1;
        const Texel& t = layer.texels[index(u, v)];
        sum.color += t.color / float(d2), sum.size += t.size / float(d2), weight += 1 / float(d2);
      }
    if (beside) filled.push_back({index(x, y), {sum.color / weight, sum.size / weight}});
  };
  for (;;) {  // a pixel inward each time
    std::vector<std::pair<std::size_t, Texel>> filled;
    for (int y = 0; y < layer.height; ++y)
      for (int x = 0; x < layer.width; ++x)
        if (!known[index(x, y)]) fill(x, y, filled);
    if (filled.empty()) return layer;
    for (const auto& [i, texel] : filled) layer.texels[i] = texel, known[i] = 1;
  }
}

/// Points of a ring; more than its circumference asks for, which their weight makes up for.
int pointsOf(int ring, int rings) {
  return ring == 0 ? 1 : int(0.1f * float(rings * (20 + 2 * ring)));
}
float thinnedBy(int ring, int rings) {
  const int needed = int(0.1f * float(rings * 2 * ring));
  return ring == 0 || needed == 0 ? 1.0f : float(needed) / float(pointsOf(ring, rings));
}

/// One over the points of a disc, by its size in whole pixels.
std::vector<float> discWeights(int largest, int rings, float apart) {
  std::vector<float> weights;
  for (int size = 0; size <= largest + 1; ++size) {
    int points = 1, ring = 0;
    for (float left = float(size); left > 0; left -= apart) points += pointsOf(ring++, rings);
    weights.push_back(1.0f / float(points));
  }
  return weights;
}

struct Gathered {
  glm::vec3 color{0};
  float kernel = 0, alpha = 0, masked = 0;
  float size = 0, radius = 1;  // of the last ring: mean size, how far out
  int found = 0;

  void add(glm::vec3 c, float weight, float shown, bool covers) {
    color += weight * shown * c;
    kernel += weight;
    if (covers) alpha += weight, masked += weight * shown;
    ++found;
  }
  void scale(float by) { color *= by, kernel *= by, alpha *= by, masked *= by; }
  void append(const Gathered& ring) {
    color += ring.color, kernel += ring.kernel, alpha += ring.alpha, masked += ring.masked;
    size = ring.size, radius = ring.radius, found = ring.found;
  }
};

class RingGather {
 public:
  RingGather(const Image& picture, const Lens& lens, int rings)
      : picture_(layerOf(picture, lens)),
        behind_(inpainted(picture_)),
        largest_(float(lens.maxRadius)),
        apart_(largest_ / float(rings)),
        rings_(rings),
        weights_(discWeights(int(std::ceil(largest_)), rings, apart_)) {
    for (int ring = 0; ring <= rings; ++ring) {
      const int points = pointsOf(ring, rings);
      for (int i = 0; i < points; ++i) {
        const float angle = 2 * std::numbers::pi_v<float> * float(i) / float(points);
        ways_.push_back(float(ring) * apart_ * glm::vec2(std::cos(angle), std::sin(angle)));
      }
      firstWays_.push_back(ways_.size() - std::size_t(points));
    }
  }

  glm::vec4 at(int x, int y) const {
    Gathered front, back;
    for (int ring = rings_; ring >= 0; --ring) {
      Gathered frontRing, backRing;
      gather(ring, {x, y}, frontRing, backRing);
      front.append(frontRing);
      occlude(back, backRing);
      back.append(backRing);
    }
    if (front.kernel > 0) front.scale(1 / front.kernel);
    if (back.kernel > 0) back.scale(1 / back.kernel);
    const float through = 1 - front.alpha;
    const float covered = std::clamp(front.masked + back.masked * through, 0.0f, 1.0f);
    const glm::vec3 sharp = picture_.at(x, y).color;
    return {front.color + through * back.color + (1 - covered) * sharp, 1};
  }

 private:
  float weightOf(float size) const {
    const float s = std::min(std::abs(size), largest_), low = std::floor(s);
    const auto i = std::size_t(low);
    return weights_[i] + (weights_[i + 1] - weights_[i]) * (s - low);
  }
  /// A disc with a rim of a pixel.
  static float kernelOf(float size, float away) {
    return std::clamp(std::max(std::abs(size), 0.5f) + 0.5f - away, 0.0f, 1.0f);
  }
  void gather(int ring, glm::vec2 center, Gathered& front, Gathered& back) const {
    const glm::vec2* const ways = &ways_[firstWays_[std::size_t(ring)]];
    const int points = pointsOf(ring, rings_);
    const float away = float(ring) * apart_, thinned = thinnedBy(ring, rings_);
    const float own = picture_.at(int(center.x), int(center.y)).size;
    front.radius = back.radius = away;
    for (int i = 0; i < points; ++i) {
      const glm::vec2 at = center + ways[i];
      const float size = lookUp(picture_, at, baseOf(picture_, at).size).size;
      const float asFront = size >= 0 ? size : own > 0 ? -own : -largest_;
      const float weight = thinned * weightOf(asFront) * kernelOf(asFront, away);
      const glm::vec3 color = asFront > 0 ? lookUp(picture_, at, asFront).color : glm::vec3(0);
      front.add(color, weight, blurredShare(asFront), asFront >= 0);
      addBehind(at, away, own, size, thinned, back);
    }
    if (back.found > 0) back.size /= float(back.found);
  }
  void addBehind(glm::vec2 at, float away, float own, float size, float thinned,
                 Gathered& back) const {
    const bool filled = own >= 0;
    const Layer& layer = filled ? behind_ : picture_;
    if (filled) size = baseOf(layer, at).size;
    if (size >= 0 || away > std::ceil(-size)) return;
    back.add(lookUp(layer, at, size).color, thinned * weightOf(size) * kernelOf(size, away),
             filled ? 1 : blurredShare(size), true);
    back.size -= size;
  }
  /// An inner ring of sharper discs hides what lies farther out.
  void occlude(Gathered& outer, const Gathered& inner) const {
    const float before = outer.radius * weightOf(outer.size) * float(outer.found);
    const float now = inner.radius * weightOf(inner.size) * float(inner.found);
    outer.scale(1 - smooth(now == 0 ? 0 : (now - before) / now));
  }

  Layer picture_, behind_;
  float largest_, apart_;
  int rings_;
  std::vector<float> weights_;
  std::vector<glm::vec2> ways_;  // from a pixel to the points of its rings, ring by ring
  std::vector<std::size_t> firstWays_;
};

}  // namespace

Image ringGather(const Image& colorAndDepth, const Lens& lens, int margin, int rings) {
  const RingGather gather(colorAndDepth, lens, rings);
  Image out(colorAndDepth.width - 2 * margin, colorAndDepth.height - 2 * margin);
  parallelFor(std::size_t(out.height), 4, [&](std::size_t from, std::size_t to) {
    for (std::size_t y = from; y < to; ++y) {
      if (Progress::interrupted()) throw Cancelled();
      for (int x = 0; x < out.width; ++x)
        out.at(x, int(y)) = gather.at(x + margin, int(y) + margin);
    }
  });
  return out;
}

}  // namespace fathom::dof
