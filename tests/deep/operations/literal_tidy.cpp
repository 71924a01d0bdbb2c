// SPDX-License-Identifier: BSD-3-Clause
// Every volume cut at every depth, one after the other; then neighbors merged pair by pair.
#include "tests/deep/operations/literal_tidy.h"

#include "app/engine/core/bytes.h"

#include <half.h>

#include <random>

namespace fathom::test {
namespace {

/// The part of a volume from its front to x (0..1) of its length.
Exact frontOf(const Exact& f, double x, float z, float zBack) {
  Exact part = f;
  part.z = z, part.zBack = zBack;
  if (f.a >= 1) return part;
  part.a = -std::expm1(x * std::log1p(-f.a));
  const double scale = f.a > 0 ? part.a / f.a : x;
  part.r *= scale, part.g *= scale, part.b *= scale;
  return part;
}

bool isBefore(const Exact& a, const Exact& b) {
  return a.z < b.z || (a.z == b.z && a.zBack < b.zBack);
}

Exact mergedPair(const Exact& f, const Exact& g) {
  Exact out = f;
  out.a = f.a >= 1 || g.a >= 1 ? 1 : f.a + g.a - f.a * g.a;  // 1, and not what rounding makes it
  if (f.a >= 1 && g.a >= 1) {
    out.r = (f.r + g.r) / 2, out.g = (f.g + g.g) / 2, out.b = (f.b + g.b) / 2;
  } else if (f.a >= 1 || g.a >= 1) {
    const Exact& opaque = f.a >= 1 ? f : g;
    out.r = opaque.r, out.g = opaque.g, out.b = opaque.b;
  } else {
    const double uf = -std::log1p(-f.a), ug = -std::log1p(-g.a);
    const double vf = f.a > 0 ? uf / f.a : 1, vg = g.a > 0 ? ug / g.a : 1;
    const double w = uf + ug > 0 ? out.a / (uf + ug) : 1;
    out.r = w * (f.r * vf + g.r * vg);
    out.g = w * (f.g * vf + g.g * vg);
    out.b = w * (f.b * vf + g.b * vg);
  }
  return out;
}

}  // namespace

std::vector<Exact> literallyTidy(const std::vector<Fragment>& list) {
  std::vector<Exact> pieces;
  std::set<float> places;
  for (const Fragment& f : list) {
    pieces.push_back({f.r, f.g, f.b, f.a, f.z, std::max(f.z, f.zBack)});
    places.insert(f.z);
    places.insert(std::max(f.z, f.zBack));
  }
  for (const float place : places)
    for (std::size_t i = 0, n = pieces.size(); i < n; ++i) {
      const Exact whole = pieces[i];
      if (!(whole.z < place && place < whole.zBack)) continue;
      const double x = (double(place) - whole.z) / (double(whole.zBack) - whole.z);
      pieces[i] = frontOf(whole, x, whole.z, place);
      pieces.push_back(frontOf(whole, 1 - x, place, whole.zBack));
    }
  std::stable_sort(pieces.begin(), pieces.end(), isBefore);
  std::vector<Exact> tidy;
  for (const Exact& f : pieces)
    if (!tidy.empty() && tidy.back().z == f.z && tidy.back().zBack == f.zBack)
      tidy.back() = mergedPair(tidy.back(), f);
    else
      tidy.push_back(f);
  return tidy;
}

glm::dvec4 over(const std::vector<Exact>& list) {
  glm::dvec4 sum(0);
  for (const Exact& f : list) sum += (1 - sum.a) * glm::dvec4(f.r, f.g, f.b, f.a);
  return sum;
}

std::vector<std::vector<Fragment>> mixedLists(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::vector<Fragment>> lists(count);
  const auto rounded = [](double v) { return float(half(float(v))); };
  const auto unit = [&] { return double(random()) / 4294967295.0; };
  for (std::vector<Fragment>& list : lists) {
    const std::size_t n = random() % 13;
    bool opaque = false;  // two opaque ones: the literal mean of pairs depends on their number
    for (std::size_t i = 0; i < n; ++i) {
      Fragment f;
      f.z = float(random() % 24) * 0.25f + 0.1f;
      f.zBack = random() % 2 ? f.z : f.z + float(random() % 12) * 0.25f;
      switch (random() % 8) {
        case 0:
          f.a = 0;
          break;
        case 1:
          f.a = opaque ? 0.5f : 1;
          opaque = true;
          break;
        case 2:
          f.a = rounded(1e-6 + 1e-4 * unit());
          break;
        case 3:
          f.a = rounded(0.9995 - 0.002 * unit());
          break;
        default:
          f.a = rounded(unit());
          break;
      }
      const double most = f.a > 0 ? f.a : 0.25;
      f.r = rounded(unit() * most), f.g = rounded(unit() * most), f.b = rounded(unit() * most);
      list.push_back(f);
    }
    std::ranges::stable_sort(list, {}, [](const Fragment& f) { return std::pair(f.z, f.zBack); });
  }
  return lists;
}

DeepChannel widened(const DeepChannel& channel) {
  DeepChannel wide{channel.name, ChannelType::Float, {}};
  wide.values.resize(channel.values.size() * 2);
  for (std::size_t i = 0; i * 2 < channel.values.size(); ++i) {
    half value;
    value.setBits(load<std::uint16_t>(channel.values.data() + 2 * i));
    store(wide.values.data() + 4 * i, float(value));
  }
  return wide;
}

DeepImage floatImage(const Rect& window, const std::vector<std::vector<Fragment>>& lists) {
  DeepImage image = deepImage(window, lists);
  image.hasZBack = true;
  image.channels.push_back({"ZBack", ChannelType::Float, {}});
  makeIndexed(image);
  for (DeepChannel& channel : image.channels)
    if (channel.type == ChannelType::Half) channel = widened(channel);
  return image;
}

DeepImage pointImage(const Rect& window, std::uint32_t seed) {
  std::vector<std::vector<Fragment>> lists = mixedLists(std::size_t(window.area()), seed);
  for (auto& list : lists)
    for (Fragment& f : list) f.zBack = f.z;
  DeepImage image = floatImage(window, lists);
  sortLists(image);
  return image;
}

}  // namespace fathom::test
