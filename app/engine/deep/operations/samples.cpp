// SPDX-License-Identifier: BSD-3-Clause
// Which channels are colors and alphas, by their names; fragments to doubles and back.
#include "app/engine/deep/operations/samples.h"

#include "app/engine/core/bytes.h"
#include "app/engine/core/error.h"

#include <half.h>

namespace fathom::deep {
namespace {

/// "diffuse." of "diffuse.R", empty of "R".
std::string layerOf(const std::string& name) { return name.substr(0, name.rfind('.') + 1); }

bool isAlphaName(const std::string& base) {
  return base == "A" || base == "AR" || base == "AG" || base == "AB";
}
bool isColorName(const std::string& base) {
  return base == "R" || base == "G" || base == "B" || base == "Y";
}

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

double readValue(const DeepChannel& channel, std::size_t index) {
  if (channel.type == ChannelType::Float) return load<float>(channel.values.data() + index * 4);
  half value;
  value.setBits(load<std::uint16_t>(channel.values.data() + index * 2));
  return double(float(value));
}

void appendValue(std::vector<std::byte>& plane, ChannelType type, float value) {
  plane.resize(plane.size() + bytesPerValue(type));
  if (type == ChannelType::Half)
    store(plane.data() + plane.size() - 2, half(value).bits());
  else
    store(plane.data() + plane.size() - 4, value);
}

std::uint32_t halves(double low, double high) {
  return half(float(low)).bits() | std::uint32_t(half(float(high)).bits()) << 16;
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
    words.insert(words.end(), {halves(v[0], v[1]), halves(v[2], v[3]), z, zBack});
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
      v[i] = readValue(image.channels[std::size_t(plan.values[i].channel)],
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

}  // namespace fathom::deep
