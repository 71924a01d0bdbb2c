// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/active_pixel/tuning.h"

#include "app/techniques/active_pixel/bench_parts.h"
#include "app/techniques/active_pixel/rank_frame.h"
#include "app/techniques/active_pixel/reference.h"

#include <chrono>

namespace fathom::active_pixel {
namespace {

constexpr const char* kWorkload = "frame";
constexpr int kRanks = 2;  // the station is dealt out to

class RankWorkload : public TuneWorkload {
 public:
  RankWorkload(gpu::Context& gpu, glm::ivec2 size, Progress& progress)
      : gpu_(gpu), source_(openInput("station", progress)), size_(size) {
    const auto share = source_->take(0, kRanks, Split::Objects, progress);
    rank_ = std::make_unique<RankFrame>(gpu, share, viewOf(source_->whole(), size, 0), size,
                                        Method::Fused);
    onWhole_ = hostTrial(*rank_, rank_->frame);
    onRegion_ = hostTrial(*rank_, rank_->part);
  }
  const gpu::Space& space() const override { return kSpace; }

  Checked check(const gpu::Variant& variant) override try {
    run(variant);
    const RankFrame& r = *rank_;
    if (Mode(variant[kMode]) == Mode::Gpu)
      return sameAsReference(r.drawn, r.format, r.size, rank_->compressor.result(r.slot).words);
    return checkHost(Mode(variant[kMode]) == Mode::Roi ? r.part : r.frame);
  } catch (const Error& error) {
    return {false, "compiles and runs", error.what()};
  }

  /// By the clock on GPUs: two of three ways are half the processor's.
  double timeMs(const gpu::Variant& variant) override {
    if (gpu_.device().software) return timedMs(gpu_, [&] { run(variant); });
    gpu_.finish();
    const auto start = std::chrono::steady_clock::now();
    run(variant);
    gpu_.finish();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
  }

 private:
  /// From the drawn picture to compressed bytes on the host.
  void run(const gpu::Variant& variant) {
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

  gpu::Context& gpu_;
  std::shared_ptr<const ShareSource> source_;
  glm::ivec2 size_;
  std::unique_ptr<RankFrame> rank_;
  std::function<void()> onWhole_, onRegion_;
};

TuneKey keyFor(glm::ivec2 size) {
  return {kWorkload, size, hashOfShaders({"shaders/active_pixel"}), ""};
}

}  // namespace

Way tunedWay(const gpu::Context& gpu, const Settings& settings, glm::ivec2 size,
             TunedChoice& choice) {
  gpu::Variant variant = defaultVariant(gpu.device().software);
  if (settings.mode != Mode::Auto && settings.method != Method::Auto)
    choice.forget();
  else if (const auto tuned = choice.choose(gpu, [&] { return keyFor(size); }))
    variant = *tuned;
  return wayOf(settings, variant);
}

Way tunedWay(const gpu::Context& gpu, const Settings& settings, glm::ivec2 size) {
  TunedChoice choice("active-pixel", kSpace);
  return tunedWay(gpu, settings, size, choice);
}

const std::vector<Tunable>& tunables() {
  static const std::vector<Tunable> list = [] {
    Tunable tunable;
    tunable.technique = "active-pixel";
    tunable.about = "who compresses, and how";
    tunable.space = &kSpace;
    tunable.workloads = tunable.defaultWorkloads = {kWorkload};
    tunable.defaultId = [](const gpu::Context& gpu, const std::string&) {
      return kSpace.id(defaultVariant(gpu.device().software));
    };
    tunable.size = [](const gpu::Context& gpu) {
      return gpu.device().software ? glm::ivec2(1280, 720) : glm::ivec2(1920, 1080);
    };
    tunable.make = [](gpu::Context& gpu, const TuneRequest& request,
                      Progress& progress) -> std::unique_ptr<TuneWorkload> {
      return std::make_unique<RankWorkload>(gpu, request.size, progress);
    };
    tunable.key = [](gpu::Context&, const TuneRequest& request) { return keyFor(request.size); };
    return std::vector<Tunable>{tunable};
  }();
  return list;
}

}  // namespace fathom::active_pixel
