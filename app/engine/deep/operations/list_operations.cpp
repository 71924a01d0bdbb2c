// SPDX-License-Identifier: BSD-3-Clause
// The formulas of volume.h applied to lists: cutting, tidying, holding out and in, dropping.
#include "app/engine/deep/operations/list_operations.h"

#include "app/engine/core/error.h"
#include "app/engine/deep/operations/light_curve.h"
#include "app/engine/deep/operations/volume.h"

namespace fathom::deep {
namespace {

bool hasVolumes(const SampleList& list) {
  return std::any_of(list.items.begin(), list.items.end(),
                     [](const Sample& s) { return s.isVolume(); });
}

/// The part [from, to) of a volume, in its place.
void cutTo(const ColorPlan& plan, float from, float to, SampleList& list, Sample& sample) {
  if (from == sample.z && to == sample.zBack) return;
  const double x = partOf(sample.z, sample.zBack, from, to);
  std::vector<double> part(plan.count());
  double* v = list.of(sample);
  for (std::size_t i = 0; i < plan.count(); ++i) {
    const double a = plan.alphaOf(v, i);
    part[i] = plan.values[i].isAlpha ? partAlpha(a, x) : v[i] * partColor(a, x);
  }
  std::copy(part.begin(), part.end(), v);
  sample.z = from, sample.zBack = to, sample.made = true;
}

/// What takes part in a merged fragment: the part x of a sample.
struct Share {
  Sample sample;
  double x = 1;
};

/// Fragments that share a place as one: optical depths add, and so does the light of each before it
/// is dimmed. Of those that are opaque, the mean color.
Sample coincident(const ColorPlan& plan, const std::vector<Share>& shares, float z, float zBack,
                  SampleList& list) {
  const Sample& first = shares[0].sample;
  if (shares.size() == 1 && (!first.isVolume() || (first.z == z && first.zBack == zBack)))
    return first;
  Sample merged = shares[0].sample;
  double deepest = -1;
  for (const Share& share : shares) {
    const double depth = opticalDepth(plan.alphaOf(list.of(share.sample))) * share.x;
    if (depth > deepest)
      deepest = depth, merged.input = share.sample.input, merged.index = share.sample.index;
  }
  merged.z = z, merged.zBack = zBack, merged.made = true;
  merged.at = list.add(plan.count());
  for (std::size_t i = 0; i < plan.count(); ++i) {
    double depth = 0, light = 0, opaqueLight = 0;
    int opaque = 0;
    for (const Share& share : shares) {
      const double* v = list.of(share.sample);
      const double a = plan.alphaOf(v, i);
      if (a >= 1) {
        ++opaque, opaqueLight += v[i];
        continue;
      }
      const double u = opticalDepth(a) * share.x;
      depth += u;
      light += plan.values[i].isAlpha ? u : v[i] * (a > 0 ? u / a : share.x);
    }
    double& value = list.of(merged)[i];
    if (opaque > 0)
      value = opaqueLight / opaque;
    else
      value = depth > 0 ? light * (alphaOfDepth(depth) / depth) : light;
  }
  return merged;
}

/// Every Z and ZBack, ascending, each once.
std::vector<float> placesOf(const SampleList& list) {
  std::vector<float> places;
  for (const Sample& s : list.items) {
    places.push_back(s.z);
    if (s.isVolume()) places.push_back(s.zBack);
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

/// What is left of a list, fragment by fragment. Holding takes from what shows of each: its light
/// through the list as it was, times what the matte leaves. As what is in front of it has become
/// thinner, it has to become so too, by what passed the list as it was over what passes now.
class HeldList {
 public:
  HeldList(const ColorPlan& plan, HoldRule rule)
      : plan_(plan), rule_(rule), was_(plan), is_(plan) {}

  /// Multiplies by what the matte leaves; false when nothing is left.
  bool dim(double factor, SampleList& list, Sample& sample) {
    const double* v = list.of(sample);
    own_.assign(v, v + plan_.count());
    bool whole = true;
    for (std::size_t i = 0; i < plan_.count(); ++i) {
      const double share = factor * ratio(i);
      whole = whole && share == 1;
      held_[i] = own_[i] * share;
    }
    was_.pass(own_.data());
    for (std::size_t i = 0; i < plan_.count(); ++i)
      if (plan_.values[i].isAlpha) held_[i] = std::min(held_[i], 1.0);
    is_.pass(held_.data());
    if (whole && plan_.count() > 0) return true;
    sample.made = true;
    std::copy(held_.begin(), held_.end(), list.of(sample));
    const auto size = [](double a, double b) { return std::max(a, std::abs(b)); };
    return plan_.count() == 0
               ? factor > 0
               : std::accumulate(held_.begin(), held_.end(), 0.0, size) >= double(kNothingLeft);
  }

 private:
  double ratio(std::size_t i) const {
    if (rule_ == HoldRule::Fragments || was_.of(i) == is_.of(i)) return 1;
    return was_.of(i) / is_.of(i);
  }
  const ColorPlan& plan_;
  HoldRule rule_;
  Transmittance was_, is_;
  std::vector<double> own_, held_ = std::vector<double>(plan_.count());
};

/// What the matte does to light: how much passes from z to the eye, and the optical depth of it
/// between two depths (infinite where it turns opaque).
class Matte {
 public:
  Matte(const ColorPlan& plan, const SampleList& list) : plan_(plan), list_(list) {}

  double passing(float z) const {
    double passing = 1;
    for (const Sample& s : list_.items) {
      if (s.z > z) break;
      const double a = plan_.alphaOf(list_.of(s));
      if (!s.isVolume() || s.zBack <= z)
        passing *= 1 - a;
      else if (s.z < z)
        passing *= 1 - partAlpha(a, partOf(s.z, s.zBack, s.z, z));
    }
    return passing;
  }
  /// Of volumes that cover [from, to).
  double depthBetween(float from, float to) const {
    double depth = 0;
    for (const Sample& s : list_.items)
      if (s.isVolume() && s.z <= from && s.zBack >= to)
        if (const double u = opticalDepth(plan_.alphaOf(list_.of(s))); u > 0)
          depth += std::isinf(u) ? u : u * partOf(s.z, s.zBack, from, to);
    return depth;
  }
  /// The next depth behind z where something changes, but not behind `end`.
  float next(float z, float end) const {
    for (const Sample& s : list_.items) {
      if (s.z > z) end = std::min(end, s.z);
      if (s.isVolume() && s.zBack > z) end = std::min(end, s.zBack);
    }
    return end;
  }

 private:
  const ColorPlan& plan_;
  const SampleList& list_;
};

}  // namespace

void sortSamples(SampleList& list, std::size_t first) {
  std::stable_sort(list.items.begin() + std::ptrdiff_t(first), list.items.end(),
                   [](const Sample& a, const Sample& b) {
                     return a.z < b.z || (a.z == b.z && a.zBack < b.zBack);
                   });
}

void moveAndCut(const ColorPlan& plan, const InputEdit& edit, std::size_t first, SampleList& list) {
  std::size_t kept = first;
  for (std::size_t i = first; i < list.items.size() && edit.movesOrCuts(); ++i) {
    Sample s = list.items[i];
    if (edit.zScale != 1 || edit.zOffset != 0) {
      // In float with two roundings, as on the GPU.
      const float scaled = edit.zScale * s.z, scaledBack = edit.zScale * s.zBack;
      s.z = scaled + edit.zOffset, s.zBack = scaledBack + edit.zOffset;
      s.made = true;
    }
    if (s.isVolume()) {
      const float from = std::max(s.z, edit.nearest), to = std::min(s.zBack, edit.farthest);
      if (from >= to) continue;
      cutTo(plan, from, to, list, s);
    } else if (s.z < edit.nearest || s.z > edit.farthest) {
      continue;
    }
    list.items[kept++] = s;
  }
  if (edit.movesOrCuts()) list.items.resize(kept);
  sortSamples(list, first);
}

void tidy(const ColorPlan& plan, SampleList& list) {
  const std::vector<float> places = placesOf(list);
  std::vector<Sample> tidied, live;  // live: volumes that cover what is behind z
  std::vector<Share> shares;
  std::size_t next = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    // Points and volumes that begin at z; volumes that end there are done.
    const float z = places[i];
    std::erase_if(live, [z](const Sample& s) { return s.zBack <= z; });
    shares.clear();
    for (; next < list.items.size() && list.items[next].z <= z; ++next)
      if (list.items[next].isVolume())
        live.push_back(list.items[next]);
      else
        shares.push_back({list.items[next]});
    // All points at z become one.
    if (!shares.empty()) tidied.push_back(coincident(plan, shares, z, z, list));
    if (live.empty()) continue;
    // So do the parts of all volumes up to the next place.
    shares.clear();
    for (const Sample& s : live) shares.push_back({s, partOf(s.z, s.zBack, z, places[i + 1])});
    tidied.push_back(coincident(plan, shares, z, places[i + 1], list));
  }
  list.items = std::move(tidied);
}

void hold(const ColorPlan& plan, Role role, HoldRule rule, const SampleList& matteList,
          SampleList& list) {
  if (hasVolumes(list)) tidy(plan, list);
  const Matte matte(plan, matteList);
  HeldList left(plan, rule);
  std::vector<Sample> held;
  const auto keep = [&](Sample s, double passing) {
    if (left.dim(role == Role::HoldIn ? 1 - passing : passing, list, s)) held.push_back(s);
  };
  const std::vector<Sample> whole = std::move(list.items);
  for (const Sample& s : whole) {
    const double depth = opticalDepth(plan.alphaOf(list.of(s)));
    // A point, or an opaque volume, is seen at its front.
    if (!s.isVolume() || std::isinf(depth)) {
      keep(s, matte.passing(s.z));
      continue;
    }
    // Other volumes are split where the matte changes, and share each part with it.
    for (float z = s.z; z < s.zBack;) {
      const float end = matte.next(z, s.zBack);
      Sample part = s;
      part.at = list.add(plan.count());
      std::copy_n(list.of(s), plan.count(), list.of(part));
      cutTo(plan, z, end, list, part);
      const double own = depth * partOf(s.z, s.zBack, z, end);
      keep(part, matte.passing(z) * shareAmong(own, matte.depthBetween(z, end)));
      z = end;
    }
  }
  list.items = std::move(held);
}

void dropHidden(const ColorPlan& plan, float alpha, SampleList& list) {
  double passing = 1;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    passing *= 1 - plan.alphaOf(list.of(list.items[i]));
    if (passing <= double(1 - alpha)) {
      list.items.resize(i + 1);
      return;
    }
  }
}

}  // namespace fathom::deep
