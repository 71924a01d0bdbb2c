// SPDX-License-Identifier: BSD-3-Clause
// What a variant of the space means for the sampler, and how one is run and checked.
#include "app/lab/flame/tuning.h"

#include "app/lab/flame/bench_checks.h"
#include "app/lab/flame/space.h"
#include "app/window/flame/random.h"

#include <limits>
#include <map>

namespace fathom::flame {
namespace {

constexpr Replay kReplays[] = {Replay::Groups, Replay::Invocations, Replay::Host};

SamplerForms formsOf(const Variant& variant) {
  SamplerForms forms;
  forms.accumulate = variant[kAccumulate] == 0 ? Accumulate::Atomic : Accumulate::Deferred;
  forms.selection = variant[kSelection] == 0 ? Selection::Own : Selection::Shared;
  forms.replay = kReplays[variant[kReplay]];
  return forms;
}

class GameWorkload : public RunWorkload {
 public:
  GameWorkload(gpu::Context& gpu, const TuneRequest& request, Progress&)
      : RunWorkload(gpu, kSpace),
        genome_(randomGenome(request.seed, request.size)),
        seed_(request.seed),
        samples_(gpu.device().software ? 2e6 : 4e8) {}

 private:
  struct Game {
    std::unique_ptr<Sampler> sampler;
    double wanted = 0;
  };

  void run(const Variant& variant) override {
    Game& game = games_[kSpace.index(variant)];
    if (!game.sampler) {
      game.sampler = std::make_unique<Sampler>(gpu_, formsOf(variant));
      game.sampler->start(genome_, benchShape(genome_), Settings{}, seed_);
    }
    game.wanted += samples_;
    while (!game.sampler->step(std::numeric_limits<double>::infinity(), game.wanted)) {
    }
  }
  CheckResult runAndCompare(const Variant& variant) override {
    run(variant);
    return checkShare(*games_.at(kSpace.index(variant)).sampler, genome_);
  }

  Genome genome_;
  std::uint64_t seed_;
  double samples_;
  std::map<int, Game> games_;
};

}  // namespace

SamplerForms tunedForms(const gpu::Context& gpu, glm::ivec2 size, TunedChoice& choice) {
  const auto tuned = choice.choose(gpu, tunables()[0], size);
  return tuned ? formsOf(*tuned) : SamplerForms{};
}

const std::vector<Tunable>& tunables() {
  static const std::vector<Tunable> list{
      {"flame",
       "how hits are added up, who chooses xforms, who replays the log",
       &kSpace,
       {{"chaos-game", defaultVariant(true), defaultVariant(false)}},
       {640, 360},
       {1920, 1080},
       "shaders/flame",
       makeTuneWorkload<GameWorkload>}};
  return list;
}

}  // namespace fathom::flame
