// SPDX-License-Identifier: BSD-3-Clause
// The tuning workload, and random models for it that need no fit.
#include "app/lab/smoe/tuning.h"

#include "app/engine/core/random.h"
#include "app/lab/smoe/accuracy.h"
#include "app/engine/smoe/decode/space.h"
#include "app/engine/smoe/settings.h"
#include "app/engine/tuning.h"

#include <cmath>
#include <map>

namespace fathom::smoe {
namespace {

constexpr int kPixelsPerComponent = 60;

/// A Gaussian along `angle`, `along` and `across` px wide, with experts that lean a little.
Gaussian steered(glm::dvec2 center, double angle, double along, double across, glm::dvec3 color) {
  Gaussian g;
  g.prior = 1;
  const double c = std::cos(angle), s = std::sin(angle);
  const double a2 = along * along, b2 = across * across;
  const double xx = a2 * c * c + b2 * s * s, yy = a2 * s * s + b2 * c * c;
  const double xy = (a2 - b2) * c * s;
  g.mean = {center.x, center.y, color.r, color.g, color.b, 0, 0};
  g.covariance[0][0] = xx, g.covariance[1][1] = yy;
  g.covariance[0][1] = g.covariance[1][0] = xy;
  for (std::size_t channel = 2; channel < 5; ++channel) {
    g.covariance[channel][channel] = 0.01;
    g.covariance[0][channel] = g.covariance[channel][0] = 0.01 * across;
  }
  return g;
}

class FrameWorkload : public RunWorkload {
 public:
  FrameWorkload(gpu::Context& gpu, const TuneRequest& request, Progress&)
      : RunWorkload(gpu, kSpace),
        model_(randomModel(request.size, request.seed)),
        records_(reference::recordsOf(model_, {})),
        picture_(gpu, "tuned frame", gpu::TextureFormat::Rgba32f, request.size.x, request.size.y) {
    window_.size = request.size;
  }

 private:
  static constexpr double kRounding = 1e-4;  // float32 records against float64

  Decoder& decoderOf(const Variant& variant) {
    std::unique_ptr<Decoder>& decoder = decoders_[variant[kFetch]];
    if (!decoder) {
      decoder = std::make_unique<Decoder>(gpu_, DecoderForms{variant[kFetch] == 0});
      decoder->setModel(model_);
    }
    return *decoder;
  }
  /// With lists: a picture that moves needs both. Consecutive runs differ by a fraction of a pixel,
  /// so that none finds its lists ready.
  void run(const Variant& variant) override {
    window_.corner.x = window_.corner.x == 0 ? 1e-3 : 0;
    decodeAll(decoderOf(variant), window_, optionsOf({}, variant), picture_);
  }
  CheckResult runAndCompare(const Variant& variant) override {
    run(variant);
    Decoder& decoder = decoderOf(variant);
    return spotCheck(decoder, records_, window_, decoder.facts().maxErrorBound + kRounding);
  }

  Model model_;
  std::vector<Record> records_;
  ViewWindow window_;
  gpu::Texture picture_;
  std::map<int, std::unique_ptr<Decoder>> decoders_;
};

}  // namespace

Model randomModel(glm::ivec2 size, std::uint64_t seed) {
  Random random(seed);
  Model model;
  model.width = size.x, model.height = size.y;
  model.centerFractionBits = fractionBitsFor(size.x, size.y);
  const int count = std::max(1, size.x * size.y / kPixelsPerComponent);
  const double spacing = std::sqrt(double(kPixelsPerComponent));
  for (int i = 0; i < count; ++i) {
    const glm::dvec2 at(random.uniform(0, float(size.x)), random.uniform(0, float(size.y)));
    const double angle = std::sin(at.x / 60) + std::cos(at.y / 45);
    const double across = spacing * random.uniform(0.25f, 0.7f);
    const double along = across * random.uniform(1, 4);
    const glm::dvec3 color(0.5 + 0.4 * std::sin(at.x / 40), 0.5 + 0.4 * std::cos(at.y / 30),
                           random.uniform());
    model.components.push_back(
        rounded(whiten(steered(at, angle, along, across, color), 2, "component"), model));
  }
  return model;
}

const std::vector<Tunable>& tunables() {
  static const std::vector<Tunable> list{{"smoe",
                                          "tiles, masks and fetching of records",
                                          &kSpace,
                                          {{"frame", defaultVariant(true), defaultVariant(false)}},
                                          {640, 360},
                                          {1920, 1080},
                                          "shaders/smoe",
                                          makeTuneWorkload<FrameWorkload>}};
  return list;
}

}  // namespace fathom::smoe
