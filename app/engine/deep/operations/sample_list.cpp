// SPDX-License-Identifier: BSD-3-Clause
// Which channels are colors and alphas, by their names; fragments to doubles and back; the formulas
// of light_curve.h applied to lists: cutting, tidying, holding out and in, dropping.
#include "app/engine/deep/operations/sample_list.h"

#include "app/engine/core/bytes.h"
#include "app/engine/deep/operations/light_curve.h"

#include <half.h>

namespace fathom::deep {
namespace {

/// "diffuse." of "diffuse.R", empty of "R".
std::string layerOf(const std::string& name) { return name.substr(0, name.rfind('.') + 1); }

/// The place among the values of the alpha that the color `name` was multiplied by; -1: none.
int alphaFor(const ColorPlan& plan, const std::vector<DeepChannel>& channels,
             const std::string& name) {
  const std::string layer = layerOf(name), base = name.substr(layer.size());
  const auto valueNamed = [&](const std::string& wanted) {
    for (std::size_t v = 0; v < plan.values.size(); ++v)
      if (channels[std::size_t(plan.values[v].channel)].name == wanted) return int(v);
    return -1;
  };
  for (const std::string& candidate :
       {layer + "A" + base, layer + "A", "A" + base, std::string("A")})
    if (const int place = valueNamed(candidate); place >= 0) return place;
  return -1;
}

ColorPlan indexedPlan(const DeepImage& image) {
  ColorPlan plan;
  for (std::size_t c = 0; c < image.channels.size(); ++c) {
    const std::string& name = image.channels[c].name;
    const std::string base = name.substr(layerOf(name).size());
    const bool isValue =
        image.channels[c].type != ChannelType::Uint && (isAlphaName(base) || isColorName(base));
    if (name == "Z")
      plan.z = int(c);
    else if (name == "ZBack")
      plan.zBack = int(c);
    else if (isValue)
      plan.values.push_back(
          {int(c), -1, isAlphaName(base), image.channels[c].type == ChannelType::Half});
    else
      plan.copied.push_back(int(c));
    plan.hasIds = plan.hasIds || image.channels[c].type == ChannelType::Uint;
  }
  for (std::size_t v = 0; v < plan.values.size(); ++v) {
    const std::string& name = image.channels[std::size_t(plan.values[v].channel)].name;
    plan.values[v].alpha = plan.values[v].isAlpha ? int(v) : alphaFor(plan, image.channels, name);
    if (name == "A") plan.alphas = {int(v)};
    for (std::size_t c = 0; c < 3; ++c)
      if (name == std::string(1, "RGB"[c]) || (name == "Y" && plan.rgb[c] < 0))
        plan.rgb[c] = int(v);
  }
  if (plan.alphas.empty())
    for (std::size_t v = 0; v < plan.values.size(); ++v)
      if (plan.values[v].isAlpha &&
          image.channels[std::size_t(plan.values[v].channel)].name.size() == 2)  // AR, AG, AB
        plan.alphas.push_back(int(v));
  plan.alphaOtherwise = hasColor(image.channels) ? 1 : 0;
  return plan;
}

void appendValue(std::vector<std::byte>& plane, ChannelType type, float value) {
  plane.resize(plane.size() + bytesPerValue(type));
  if (type == ChannelType::Half)
    store(plane.data() + plane.size() - 2, half(value).bits());
  else
    store(plane.data() + plane.size() - 4, value);
}

std::uint32_t rgba8(const double* v) {
  const double a = v[3];
  const auto byte = [&](double c) {
    return std::uint32_t(std::lround(std::clamp(a > 0 ? c / a : 0.0, 0.0, 1.0) * 255));
  };
  return byte(v[0]) | byte(v[1]) << 8 | byte(v[2]) << 16 |
         std::uint32_t(std::lround(a * 255)) << 24;
}

/// The words of what an operation made, but for index words.
void encodeMade(const DeepImage& image, const Sample& sample, const double* v,
                std::vector<std::uint32_t>& words) {
  const auto z = std::bit_cast<std::uint32_t>(sample.z);
  const auto zBack = std::bit_cast<std::uint32_t>(sample.zBack);
  if (image.format == FragmentFormat::Rgba8)
    words.insert(words.end(), {rgba8(v), z});
  else if (image.format == FragmentFormat::Half)
    words.insert(words.end(), {packHalves(float(v[0]), float(v[1])),
                               packHalves(float(v[2]), float(v[3])), z, zBack});
  else
    words.insert(words.end(), {0, 0, z, zBack});
}

/// Every channel of one fragment of an Indexed image; `from` is its place in the planes.
void encodePlanes(const ColorPlan& plan, const DeepImage& image, std::size_t from,
                  const Sample& sample, const double* v, WrittenLists& out) {
  const auto copy = [&](int channel) {
    const std::size_t bytes = bytesPerValue(image.channels[std::size_t(channel)].type);
    const std::byte* value = image.channels[std::size_t(channel)].values.data() + from * bytes;
    std::vector<std::byte>& plane = out.planes[std::size_t(channel)];
    plane.insert(plane.end(), value, value + bytes);
  };
  const auto put = [&](int channel, float value) {
    appendValue(out.planes[std::size_t(channel)], image.channels[std::size_t(channel)].type, value);
  };
  for (const int channel : plan.copied) copy(channel);
  for (std::size_t i = 0; i < plan.count(); ++i)
    sample.made ? put(plan.values[i].channel, float(v[i])) : copy(plan.values[i].channel);
  if (plan.z >= 0) sample.made ? put(plan.z, sample.z) : copy(plan.z);
  if (plan.zBack >= 0) sample.made ? put(plan.zBack, sample.zBack) : copy(plan.zBack);
}

}  // namespace

std::uint32_t packHalves(float low, float high) {
  return half(low).bits() | std::uint32_t(half(high).bits()) << 16;
}

ColorPlan colorPlanOf(const DeepImage& image) {
  if (image.format == FragmentFormat::Indexed) return indexedPlan(image);
  ColorPlan plan;
  for (int i = 0; i < 4; ++i) plan.values.push_back({-1, 3, i == 3});
  plan.alphas = {3};
  plan.rgb = {0, 1, 2};
  return plan;
}

bool ColorPlan::sameIds(const Sample& a, const Sample& b) const {
  if (!hasIds) return true;
  const auto idOf = [this](const Sample& s, int channel) {
    const EditedInput& input = inputs[std::size_t(s.input)];
    const DeepImage& image = *input.image;
    const std::size_t at = image.words[s.index * std::size_t(image.stride())] - input.firstIndex;
    return load<std::uint32_t>(image.channels[std::size_t(channel)].values.data() + at * 4);
  };
  return std::all_of(copied.begin(), copied.end(), [&](int c) {
    return inputs[0].image->channels[std::size_t(c)].type != ChannelType::Uint ||
           idOf(a, c) == idOf(b, c);
  });
}

double ColorPlan::alphaOf(const double* v) const {
  if (alphas.empty()) return alphaOtherwise;
  double sum = 0;
  for (const int place : alphas) sum += v[place];
  return sum / double(alphas.size());
}

void decode(const ColorPlan& plan, std::span<const EditedInput> inputs, int input,
            std::size_t index, SampleList& list) {
  const DeepImage& image = *inputs[std::size_t(input)].image;
  const std::uint32_t* words = image.words.data() + index * std::size_t(image.stride());
  const std::size_t stride = std::size_t(image.stride());
  Sample sample;
  sample.input = input, sample.index = index;
  sample.z = std::bit_cast<float>(words[stride == 2 ? 1 : 2]);
  sample.zBack = std::bit_cast<float>(words[stride - 1]);
  sample.at = list.add(plan.count());
  double* v = list.of(sample);
  if (image.format == FragmentFormat::Indexed) {
    for (std::size_t i = 0; i < plan.count(); ++i)
      v[i] = channelValue(image.channels[std::size_t(plan.values[i].channel)],
                          words[0] - inputs[std::size_t(input)].firstIndex);
  } else {
    const Fragment f = decodeWords(image, words);
    v[0] = f.r, v[1] = f.g, v[2] = f.b, v[3] = f.a;
  }
  for (std::size_t i = 0; i < plan.count(); ++i)
    if (plan.values[i].isAlpha) v[i] = v[i] > 0 ? std::min(v[i], 1.0) : 0;  // NaN: 0
  list.items.push_back(sample);
}

void encode(const ColorPlan& plan, std::span<const EditedInput> inputs, const SampleList& list,
            WrittenLists& out) {
  for (const Sample& sample : list.items) {
    const EditedInput& input = inputs[std::size_t(sample.input)];
    const DeepImage& image = *input.image;
    const auto stride = std::size_t(image.stride());
    const std::uint32_t* words = image.words.data() + sample.index * stride;
    if (sample.made)
      encodeMade(image, sample, list.of(sample), out.words);
    else
      out.words.insert(out.words.end(), words, words + stride);
    if (image.format != FragmentFormat::Indexed) continue;
    encodePlanes(plan, image, words[0] - input.firstIndex, sample, list.of(sample), out);
  }
}

void join(std::vector<WrittenLists>& rows, DeepImage& out) {
  for (WrittenLists& row : rows) {
    out.words.insert(out.words.end(), row.words.begin(), row.words.end());
    for (std::size_t c = 0; c < row.planes.size(); ++c)
      out.channels[c].values.insert(out.channels[c].values.end(), row.planes[c].begin(),
                                    row.planes[c].end());
    row = {};
  }
  if (out.format == FragmentFormat::Indexed)
    for (std::size_t i = 0; i < out.words.size(); i += 4) out.words[i] = std::uint32_t(i / 4);
}

namespace {

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
    if (plan_.count() == 0) return factor > 0;
    double size = 0;
    for (const double value : held_) size = std::max(size, std::abs(value));
    if (lost_ + size >= double(kNothingLeft)) return true;
    lost_ += size;
    return false;
  }

 private:
  double ratio(std::size_t i) const {
    if (rule_ == HoldRule::Fragments || was_.of(i) == is_.of(i)) return 1;
    return was_.of(i) / is_.of(i);
  }
  const ColorPlan& plan_;
  HoldRule rule_;
  Transmittance was_, is_;
  double lost_ = 0;  // what was left of all that was dropped
  std::vector<double> own_, held_ = std::vector<double>(plan_.count());
};

/// What the matte does to light: how much passes from z to the eye, and the optical depth of it
/// between two depths (infinite where it turns opaque). Asked from front to back.
class Matte {
 public:
  Matte(const ColorPlan& plan, const SampleList& list) : plan_(plan), list_(list) {}

  /// Nothing in front of z is asked for any more: what ends before it is left behind.
  void advance(float z) {
    for (; first_ < list_.items.size() && std::max(at(first_).z, at(first_).zBack) <= z; ++first_)
      passing_ *= 1 - plan_.alphaOf(list_.of(at(first_)));
  }
  double passing(float z) const {
    double passing = passing_;
    for (std::size_t i = first_; i < list_.items.size() && at(i).z <= z; ++i) {
      const Sample& s = at(i);
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
    for (std::size_t i = first_; i < list_.items.size() && at(i).z <= from; ++i)
      if (const Sample& s = at(i); s.isVolume() && s.zBack >= to)
        if (const double u = opticalDepth(plan_.alphaOf(list_.of(s))); u > 0)
          depth += std::isinf(u) ? u : u * partOf(s.z, s.zBack, from, to);
    return depth;
  }
  /// The next depth behind z where something changes, but not behind `end`.
  float next(float z, float end) const {
    for (std::size_t i = first_; i < list_.items.size(); ++i) {
      if (at(i).z > z) return std::min(end, at(i).z);
      if (at(i).zBack > z) end = std::min(end, at(i).zBack);
    }
    return end;
  }

 private:
  const Sample& at(std::size_t i) const { return list_.items[i]; }
  const ColorPlan& plan_;
  const SampleList& list_;
  std::size_t first_ = 0;  // not left behind
  double passing_ = 1;     // what those before it let through
};

}  // namespace

std::vector<float> placesOf(std::span<const SampleList* const> lists) {
  std::vector<float> places;
  for (const SampleList* list : lists)
    for (const Sample& s : list->items) {
      places.push_back(s.z);
      if (s.isVolume()) places.push_back(s.zBack);
    }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

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
  const SampleList* const own[] = {&list};
  const std::vector<float> places = placesOf(own);
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
  Matte matte(plan, matteList);
  HeldList left(plan, rule);
  std::vector<Sample> held;
  const auto keep = [&](Sample s, double passing) {
    if (left.dim(role == Role::HoldIn ? 1 - passing : passing, list, s)) held.push_back(s);
  };
  const std::vector<Sample> whole = std::move(list.items);
  for (const Sample& s : whole) {
    matte.advance(s.z);
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
    if (passing <= double(1 - alpha)) return list.items.resize(i + 1);
  }
}

}  // namespace fathom::deep
