// SPDX-License-Identifier: BSD-3-Clause
// A pixel after the other in double; rows on all cores.
#include "app/engine/deep/operations/flatten_channels.h"

#include "app/engine/core/bytes.h"
#include "app/engine/core/deep_image.h"
#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"
#include "app/engine/deep/operations/sample_list.h"

namespace fathom::deep {
namespace {

std::string depthName(const FlatPlan& plan, FlatDepth depth) {
  return plan.depths.size() == 1 ? "Z" : std::string(nameOf(depth)) + ".Z";
}

const DeepChannel& channelOf(const DeepImage& image, const std::string& name) {
  if (const DeepChannel* channel = channelNamed(image.channels, name)) return *channel;
  fail("channel \"{}\": expected one of the image's, found none", name);
}

/// How one channel of the picture comes from the fragments of a pixel.
class FlatValue {
 public:
  virtual ~FlatValue() = default;
  virtual void start() = 0;
  /// A fragment of which `shown` of its alpha is seen, `passing` of its light.
  virtual void add(std::size_t index, float z, double passing, double shown) = 0;
  virtual double value() const = 0;
};

/// By over, with its own alpha.
class OverValue : public FlatValue {
 public:
  OverValue(const DeepChannel& channel, const DeepChannel* alpha)
      : channel_(channel), alpha_(alpha) {}
  void start() override { sum_ = 0, left_ = 1; }
  void add(std::size_t i, float, double passing, double) override {
    sum_ += (alpha_ ? left_ : passing) * channelValue(channel_, i);
    if (alpha_) left_ -= left_ * std::clamp(channelValue(*alpha_, i), 0.0, 1.0);
  }
  double value() const override { return sum_; }

 private:
  const DeepChannel& channel_;
  const DeepChannel* alpha_;  // null: the fragment's
  double sum_ = 0, left_ = 1;
};

class IdValue : public FlatValue {
 public:
  explicit IdValue(const DeepChannel& channel) : channel_(channel) {}
  void start() override { shown_.clear(), best_ = 0, most_ = 0; }
  void add(std::size_t i, float, double, double shown) override {
    const auto id = load<std::uint32_t>(channel_.values.data() + 4 * i);
    const double sum = shown_[id] += shown;
    if (sum > most_) most_ = sum, best_ = id;
  }
  double value() const override { return best_; }

 private:
  const DeepChannel& channel_;
  std::map<std::uint32_t, double> shown_;
  std::uint32_t best_ = 0;
  double most_ = 0;
};

class DepthValue : public FlatValue {
 public:
  explicit DepthValue(FlatDepth depth) : depth_(depth) {}
  void start() override { front_ = back_ = INFINITY, sum_ = weight_ = 0; }
  void add(std::size_t, float z, double, double shown) override {
    if (!(shown > 0)) return;
    if (std::isinf(front_)) front_ = z;
    back_ = z;
    const double weight = depth_ == FlatDepth::Mean ? 1 : shown;
    sum_ += weight * double(z), weight_ += weight;
  }
  double value() const override {
    if (depth_ == FlatDepth::Front) return front_;
    if (depth_ == FlatDepth::Back) return back_;
    return weight_ > 0 ? sum_ / weight_ : double(INFINITY);
  }

 private:
  FlatDepth depth_;
  double front_ = 0, back_ = 0, sum_ = 0, weight_ = 0;
};

/// The alpha of a color's layer: AR of R, A of the layer; null: the fragment's own.
const DeepChannel* alphaOfLayer(const DeepImage& image, const std::string& name) {
  const std::string layer = name.substr(0, name.rfind('.') + 1), base = name.substr(layer.size());
  if (!isColorName(base) && !isAlphaName(base)) return nullptr;
  for (const std::string& wanted : {base.starts_with('A') ? name : layer + "A" + base, layer + "A"})
    if (const DeepChannel* channel = channelNamed(image.channels, wanted);
        channel && channel->type != ChannelType::Uint)
      return channel;
  return nullptr;
}

std::vector<std::unique_ptr<FlatValue>> valuesFor(const DeepImage& image, const FlatPlan& plan,
                                                  const std::vector<DeepChannel>& flat) {
  std::vector<std::unique_ptr<FlatValue>> values;
  for (const DeepChannel& channel : flat) {
    const auto depth = std::ranges::find_if(
        plan.depths, [&](FlatDepth d) { return channel.name == depthName(plan, d); });
    if (depth != plan.depths.end()) {
      values.push_back(std::make_unique<DepthValue>(*depth));
      continue;
    }
    const DeepChannel& from = channelOf(image, channel.name);
    if (from.type == ChannelType::Uint)
      values.push_back(std::make_unique<IdValue>(from));
    else
      values.push_back(std::make_unique<OverValue>(from, alphaOfLayer(image, from.name)));
  }
  return values;
}

/// The image with its edit, every channel a plane of values.
DeepImage planesAfter(const DeepImage& image, const MergeEdit& edit) {
  DeepImage planes = edit.isNothing() ? image : mergeEdited(withEdits(std::span(&image, 1)), edit);
  makeIndexed(planes);
  return planes;
}

/// Calls `visit(fragment, z, passing, shown)` front to back.
template <class Visit>
void visitPixel(const DeepImage& image, std::size_t p, const Visit& visit) {
  double passing = 1;
  for (std::size_t i = image.fragmentOffsets[p]; i < image.fragmentOffsets[p + 1]; ++i) {
    const Fragment f = decodeFragment(image, i);
    const double alpha = f.a > 0 ? std::min(double(f.a), 1.0) : 0;
    visit(std::size_t(image.words[i * kWideWords]), f.z, passing, passing * alpha);
    passing -= passing * alpha;
  }
}

}  // namespace

const char* nameOf(FlatDepth depth) {
  static constexpr const char* kNames[] = {"front", "back", "mean", "alpha-weighted"};
  return kNames[int(depth)];
}

std::vector<DeepChannel> flatChannels(const DeepImage& header, const FlatPlan& plan) {
  std::vector<DeepChannel> channels;
  for (const std::string& name : plan.channels) {
    const ChannelType type = channelOf(header, name).type;
    channels.push_back(
        {name, plan.asFloat && type == ChannelType::Half ? ChannelType::Float : type, {}});
  }
  for (const FlatDepth depth : plan.depths)
    channels.push_back({depthName(plan, depth), ChannelType::Float, {}});
  std::ranges::sort(channels, {}, &DeepChannel::name);
  return channels;
}

std::vector<DeepChannel> flattenChannels(const DeepImage& image, const MergeEdit& edit,
                                         const FlatPlan& plan) {
  const DeepImage planes = planesAfter(image, edit);
  std::vector<DeepChannel> flat = flatChannels(planes, plan);
  for (DeepChannel& channel : flat)
    channel.values.resize(planes.pixelCount() * bytesPerValue(channel.type));
  const auto width = std::size_t(planes.dataWindow.width);
  parallelFor(std::size_t(planes.dataWindow.height), 4, [&](std::size_t first, std::size_t last) {
    const std::vector<std::unique_ptr<FlatValue>> values = valuesFor(planes, plan, flat);
    for (std::size_t p = first * width; p < last * width; ++p) {
      for (const auto& value : values) value->start();
      visitPixel(planes, p, [&](std::size_t i, float z, double passing, double shown) {
        for (const auto& value : values) value->add(i, z, passing, shown);
      });
      for (std::size_t c = 0; c < flat.size(); ++c) setChannelValue(flat[c], p, values[c]->value());
    }
  });
  return flat;
}

std::vector<Coverage> idCoverage(const DeepImage& image, const MergeEdit& edit,
                                 const std::string& channel) {
  const DeepImage planes = planesAfter(image, edit);
  const DeepChannel& ids = channelOf(planes, channel);
  std::vector<Coverage> pixels(planes.pixelCount());
  parallelFor(pixels.size(), 4096, [&](std::size_t first, std::size_t last) {
    std::map<std::uint32_t, double> sums;
    for (std::size_t p = first; p < last; ++p) {
      sums.clear();
      visitPixel(planes, p, [&](std::size_t i, float, double, double shown) {
        if (shown > 0) sums[load<std::uint32_t>(ids.values.data() + 4 * i)] += shown;
      });
      for (const auto& [id, sum] : sums) pixels[p].emplace_back(id, float(sum));
      sortCoverage(pixels[p]);
    }
  });
  return pixels;
}

}  // namespace fathom::deep
