// SPDX-License-Identifier: BSD-3-Clause
// The share of one of two ranks, drawn once; each variant brings it to the host compressed.
#include "app/lab/active_pixel/tuning.h"

#include "app/engine/core/stopwatch.h"
#include "app/lab/active_pixel/rank_frame.h"
#include "app/lab/active_pixel/workloads.h"
#include "app/engine/active_pixel/image/reference.h"

namespace fathom::active_pixel {
namespace {

constexpr int kRanks = 2;  // the station is dealt out to

class RankWorkload : public RunWorkload {
 public:
  RankWorkload(gpu::Context& gpu, const TuneRequest& request, Progress& progress)
      : RunWorkload(gpu, kSpace), source_(openInput("station", progress)) {
    const auto share = source_->take(0, kRanks, Split::Objects, progress);
    rank_ = std::make_unique<RankFrame>(gpu, share, viewOf(source_->whole(), request.size, 0),
                                        request.size, Method::Fused);
    onWhole_ = hostTrial(*rank_, rank_->frame);
    onRegion_ = hostTrial(*rank_, rank_->regionFrame);
  }

  /// Wall time on GPUs: two of the three modes are half the processor's work.
  double timeMs(const Variant& variant) override {
    if (gpu_.device().software) return RunWorkload::timeMs(variant);
    gpu_.finish();
    const Stopwatch watch;
    run(variant);
    gpu_.finish();
    return watch.ms();
  }

 private:
  /// From the drawn picture to compressed bytes on the host.
  void run(const Variant& variant) override {
    RankFrame& r = *rank_;
    const Mode mode = Mode(variant[kMode]);
    if (mode == Mode::Gpu) {
      r.method = Method(variant[kMethod]);
      r.compressor.setSpread(variant[kSpread] != 0);
      r.slot = r.compress();
      r.compressor.result(r.slot);
      return;
    }
    const Region whole{0, 0, r.size.x, r.size.y};
    readBack(r.drawn, r.format, r.size, mode == Mode::Roi ? r.drawn.region : whole, r.target);
    (mode == Mode::Roi ? onRegion_ : onWhole_)();
  }
  CheckResult runAndCompare(const Variant& variant) override {
    run(variant);
    RankFrame& r = *rank_;
    if (Mode(variant[kMode]) == Mode::Gpu)
      return sameAsReference(r.drawn, r.format, r.size, r.compressor.result(r.slot).words);
    return checkHost(Mode(variant[kMode]) == Mode::Roi ? r.regionFrame : r.frame);
  }

  std::shared_ptr<const ShareSource> source_;
  std::unique_ptr<RankFrame> rank_;
  std::function<void()> onWhole_, onRegion_;
};

}  // namespace

CompressionConfig tunedConfig(const gpu::Context& gpu, const Settings& settings, glm::ivec2 size,
                              TunedChoice& choice) {
  Variant variant = defaultVariant(gpu.device().software);
  if (settings.mode != Mode::Auto && settings.method != Method::Auto)
    choice.forget();
  else if (const auto tuned = choice.choose(gpu, tunables()[0], size))
    variant = *tuned;
  return compressionConfig(settings, variant);
}

CompressionConfig tunedConfig(const gpu::Context& gpu, const Settings& settings, glm::ivec2 size) {
  TunedChoice choice("active-pixel", kSpace);
  return tunedConfig(gpu, settings, size, choice);
}

const std::vector<Tunable>& tunables() {
  static const std::vector<Tunable> list{{"active-pixel",
                                          "who compresses, and how",
                                          &kSpace,
                                          {{"frame", defaultVariant(true), defaultVariant(false)}},
                                          {1280, 720},
                                          {1920, 1080},
                                          "shaders/active_pixel",
                                          makeTuneWorkload<RankWorkload>}};
  return list;
}

}  // namespace fathom::active_pixel
