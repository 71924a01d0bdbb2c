// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/flame/tuning.h"

#include "app/techniques/flame/bench_checks.h"
#include "app/techniques/flame/random.h"
#include "app/techniques/flame/space.h"

#include <limits>
#include <map>

namespace fathom::flame {
namespace {

constexpr const char* kWorkload = "chaos-game";
constexpr Replay kReplays[] = {Replay::Groups, Replay::Invocations, Replay::Host};

SamplerForms formsOf(const gpu::Variant& variant) {
  SamplerForms forms;
  forms.accumulate = variant[kAccumulate] == 0 ? Accumulate::Atomic : Accumulate::Deferred;
  forms.selection = variant[kSelection] == 0 ? Selection::Own : Selection::Shared;
  forms.replay = kReplays[variant[kReplay]];
  return forms;
}

class GameWorkload : public TuneWorkload {
 public:
  GameWorkload(gpu::Context& gpu, glm::ivec2 size, std::uint64_t seed)
      : gpu_(gpu), genome_(randomGenome(seed, size)), seed_(seed) {
    samples_ = gpu.device().software ? 2e6 : 4e8;
  }
  const gpu::Space& space() const override { return kSpace; }

  Checked check(const gpu::Variant& variant) override try {
    run(variant);
    Checked checked = checkShare(*games_.at(kSpace.index(variant)).sampler, genome_);
    checked.detail = kSpace.id(variant) + " " + checked.detail;
    return checked;
  } catch (const Error& error) {
    return {false, "compiles and runs", error.what()};
  }
  double timeMs(const gpu::Variant& variant) override {
    return timedMs(gpu_, [&] { run(variant); });
  }

 private:
  struct Game {
    std::unique_ptr<Sampler> sampler;
    double wanted = 0;
  };

  void run(const gpu::Variant& variant) {
    Game& game = games_[kSpace.index(variant)];
    if (!game.sampler) {
      game.sampler = std::make_unique<Sampler>(gpu_, formsOf(variant));
      game.sampler->start(genome_, benchShape(genome_), Settings{}, seed_);
    }
    game.wanted += samples_;
    while (!game.sampler->step(std::numeric_limits<double>::infinity(), game.wanted)) {
    }
  }

  gpu::Context& gpu_;
  Genome genome_;
  std::uint64_t seed_;
  double samples_;
  std::map<int, Game> games_;
};

TuneKey keyFor(glm::ivec2 size) { return {kWorkload, size, hashOfShaders({"shaders/flame"}), ""}; }

}  // namespace

SamplerForms tunedForms(const gpu::Context& gpu, glm::ivec2 size, TunedChoice& choice) {
  const auto tuned = choice.choose(gpu, [&] { return keyFor(size); });
  return tuned ? formsOf(*tuned) : SamplerForms{};
}

const std::vector<Tunable>& tunables() {
  static const std::vector<Tunable> list = [] {
    Tunable flame;
    flame.technique = "flame";
    flame.about = "how hits are added up, who chooses xforms, who replays the log";
    flame.space = &kSpace;
    flame.workloads = flame.defaultWorkloads = {kWorkload};
    flame.defaultId = [](const gpu::Context& gpu, const std::string&) {
      return kSpace.id(defaultVariant(gpu.device().software));
    };
    flame.size = [](const gpu::Context& gpu) {
      return gpu.device().software ? glm::ivec2(640, 360) : glm::ivec2(1920, 1080);
    };
    flame.make = [](gpu::Context& gpu, const TuneRequest& request,
                    Progress&) -> std::unique_ptr<TuneWorkload> {
      return std::make_unique<GameWorkload>(gpu, request.size, request.seed);
    };
    flame.key = [](gpu::Context&, const TuneRequest& request) { return keyFor(request.size); };
    return std::vector<Tunable>{flame};
  }();
  return list;
}

}  // namespace fathom::flame
