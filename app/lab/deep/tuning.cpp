// SPDX-License-Identifier: BSD-3-Clause
// Random deep images as a workload whose answer is known, and taking the tuned variant.
#include "app/lab/deep/tuning.h"

#include "app/engine/core/random.h"
#include "app/engine/deep/lists/pipeline.h"
#include "app/engine/deep/reference.h"
#include "app/engine/deep/settings/variant_space.h"
#include "app/lab/deep/bench_workload.h"

#include <glm/packing.hpp>

#include <bit>
#include <cmath>

namespace fathom::deep {
namespace {

constexpr double kMeanPerPixel = 12;  // of each image

class MergeWorkload : public RunWorkload {
 public:
  MergeWorkload(gpu::Context& gpu, const TuneRequest& request, Progress&)
      : RunWorkload(gpu, kVariants),
        pipeline_(gpu),
        region_{0, 0, request.size.x, request.size.y},
        front_(randomDeepImage(request.size, request.seed)),
        back_(randomDeepImage(request.size, request.seed + 1)),
        expected_(reference::flatten(reference::merge(front_, back_), region_)),
        picture_(gpu, "tuned picture", gpu::TextureFormat::Rgba32f, request.size.x,
                 request.size.y) {}

 private:
  void run(const Variant& variant) override {
    Settings settings;
    settings.layout = Layout(variant[kLayout]), settings.method = Method(variant[kMethod]);
    settings.blockSize = BlockSize(variant[kBlockSize]), settings.slots = Slots(variant[kSlots]);
    settings.earlyOut = EarlyOut::Off;
    const ListShape shape = shapeOf(settings, FragmentFormat::Half);
    uploadLists(pipeline_.store, front_, {0, 0}, region_, shape, lists_[0]);
    uploadLists(pipeline_.store, back_, {0, 0}, region_, shape, lists_[1]);
    compositePair(pipeline_.store, lists_[0], lists_[1], settings, picture_);
  }
  CheckResult runAndCompare(const Variant& variant) override {
    picture_.clear(glm::vec4(-1));
    run(variant);
    gpu::barrier(gpu::Reader::Transfer);
    return checkPicture(expected_, picture_.downloadImage());
  }

  Pipeline pipeline_;
  Rect region_;
  DeepImage front_, back_;
  Image expected_;
  gpu::Texture picture_;
  FragmentLists lists_[2];
};

/// Without tuning: the default settings, with the method that suits the device.
Variant standardVariant(bool software) { return variantOf({}, resolve(Method::Auto, software)); }

}  // namespace

DeepImage randomDeepImage(glm::ivec2 size, std::uint64_t seed) {
  Random random(seed);
  DeepImage image;
  image.dataWindow = image.displayWindow = {0, 0, size.x, size.y};
  for (const char* name : {"A", "B", "G", "R"})
    image.channels.push_back({name, ChannelType::Half, {}});
  image.channels.push_back({"Z", ChannelType::Float, {}});
  image.fragmentOffsets = {0};
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x) {
      const double wave = 1 + std::sin(x * 0.02) * std::cos(y * 0.03);
      const int count = int(kMeanPerPixel * wave * random.uniform(0.8f, 1.2f));
      float z = 1;
      for (int i = 0; i < count; ++i) {
        z += random.uniform(0.01f, 1);
        const glm::vec3 color(random.uniform(), random.uniform(), random.uniform());
        const float alpha = 0.3f;
        const std::uint32_t depth = std::bit_cast<std::uint32_t>(z);
        image.words.insert(image.words.end(),
                           {glm::packHalf2x16(glm::vec2(color) * alpha),
                            glm::packHalf2x16({color.b * alpha, alpha}), depth, depth});
      }
      image.fragmentOffsets.push_back(image.words.size() / 4);
    }
  return image;
}

const std::vector<Tunable>& tunables() {
  static const std::vector<Tunable> list{
      {"deep",
       "layout, method, block size and slots",
       &kVariants,
       {{kTunedWork, standardVariant(true), standardVariant(false)}},
       {320, 180},
       {1920, 1080},
       kTunedShaders,
       makeTuneWorkload<MergeWorkload>}};
  return list;
}

}  // namespace fathom::deep
