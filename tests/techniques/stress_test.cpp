// SPDX-License-Identifier: BSD-3-Clause
// Pictures, edits and drags of every technique on a device in trouble: whose programs are late,
// whose memory is refused, whose dispatches may take next to no time. They end as the same
// pictures; those of an engine with a fault of each kind do not.
#include "app/engine/gpu/stress.h"

#include "app/engine/engine.h"
#include "tests/support/gpu_test.h"
#include "tests/techniques/tiny/shared.h"
#include "tests/techniques/tiny/technique.h"

namespace fathom {
namespace {

/// What is done with a technique: a picture of the inputs, then one after each edit ("drag": the
/// camera moves).
struct Story {
  std::string technique;
  std::vector<std::string> inputs;
  std::vector<std::string> edits;
  float tolerance = 0;  // of a channel; what is summed in another order differs
  double slower = 1e4;  // where dispatches may take next to no time
};
void PrintTo(const Story& story, std::ostream* out) { *out << story.technique; }

const std::vector<Story>& stories() {
  static const std::vector<Story> all = {
      {"deep",
       {"planes:count=40,spheres=2"},
       {"layout=la", "drag", "layout=bia", "strategy=kway", "show=points"}},
      {"dof",
       {"planes:count=2,spheres=3"},
       {"drag", "f-number=2", "operator=coverage", "drag", "operator=slabs", "operator=over",
        "operator=gather", "lens-points=64", "operator=lens", "drag"},
       1e-3f},
      {"smoe",
       {FATHOM_SOURCE_DIR "/assets/smoe/light-field.smoe"},
       {"view=0.5,0.25", "view=-1,1", "relevance=budget", "show=certificate"},
       1e-3f},
      {"flame",
       {"small.flame"},
       {"quality=4", "supersample=2", "accumulate=deferred", "estimator=exact"},
       0.05f,
       100},  // a group of trajectories finds to the attractor in one piece
      {"active-pixel",
       {"planes:count=2,spheres=3"},
       {"drag", "mode=gpu", "drag", "method=five-step", "color=rgba32f", "show=active"}},
  };
  return all;
}

/// Programs of a first picture that the stages of a technique do not name before they begin: each
/// is waited for by itself. Radix sorts have programs of many forms.
const std::map<std::string, std::set<std::string>>& unnamed() {
  static const std::map<std::string, std::set<std::string>> all = {
      {"deep", {"flatten lists"}},
      {"dof",
       {"draw picture", "sort count", "sort scatter", "sort starts", "sort histogram",
        "sort sweep"}},
      {"smoe", {"slice"}},
      {"flame",
       {"iterate", "show flame", "replay log", "sort count", "sort scatter", "sort starts",
        "sort histogram", "sort sweep", "scan"}},
      {"active-pixel", {"draw share"}},
  };
  return all;
}

enum class Trouble { None, Late, Refuses, Short };

/// A ramp with one fault, which shows in this trouble alone.
class FaultyRamp : public tiny::RampTechnique {
 public:
  explicit FaultyRamp(Trouble fault) : fault_(fault) {}

 private:
  void fill() override {
    gpu::ensure(*gpu_, ramp_, "ramp", gpu::TextureFormat::Rgba32f, size_);
    gpu::PassKey key{"fill ramp", "tests/techniques/tiny/fill_ramp.comp", {}};
    if (fault_ == Trouble::Short) key.defines.emplace_back("TINY_LOSES_PIECES", 1);
    std::vector<float> own;
    // Late: what a missing program leaves half made is in use already.
    std::vector<float>& grays = fault_ == Trouble::Late ? published_ : own;
    for (bool whole = false; !whole;) {
      try {
        for (const float gray : {settings_.left, settings_.right}) {
          const gpu::Buffer<float> room(*gpu_, fmt::format("gray {}", gray), 1);
          grays.push_back(gray);
          gpu_->pass(key);
        }
        whole = true;
      } catch (const gpu::DoesNotFit&) {
        if (fault_ != Trouble::Refuses) grays.clear();  // else the half that was made stays
      }
    }
    gpu::Pass& pass = gpu_->pass(key);
    pass.image(TINY_IMAGE_RAMP, ramp_)
        .params(TINY_BIND_PARAMS,
                tiny::shared::FillParams{grays[0], grays[1], std::uint32_t(settings_.steps),
                                         std::uint32_t(size_.x)});
    pass.dispatch(std::uint64_t(size_.x) * std::uint64_t(size_.y), gpu::Each{10});
    gpu::barrier(gpu::Access::Transfer);  // the test
    published_.clear();
  }

  Trouble fault_;
  std::vector<float> published_;  // grays of the ends
};

class StressModes : public test::GpuTest {
 protected:
  static constexpr glm::ivec2 kSize{37, 29};
  using Make = std::function<std::unique_ptr<Engine>()>;  // with its inputs

  /// Asks again as the window does, and as a user does after an error.
  Image complete(Engine& engine, gpu::Context& gpu) {
    for (int attempt = 0; attempt < 20'000; ++attempt) {
      try {
        const gpu::Context::CompilesBeside beside(gpu);
        const Frame frame = engine.step(gpu, 5);
        if (!frame.partial) return download(*frame.picture);
      } catch (const gpu::Compiling&) {
        ++troubles_;
      } catch (const Error& error) {
        if (!isNewRefusal()) throw;
        engine.restart();
      }
    }
    throw Error("no complete picture after 20,000 steps");
  }

  /// The picture as it was made: refused room for it is no reason to make it again.
  Image download(const gpu::Texture& picture) {
    for (;;) {
      try {
        return picture.downloadImage();
      } catch (const Error&) {
        if (!isNewRefusal()) throw;
      }
    }
  }

  bool isNewRefusal() {
    const std::size_t before = std::exchange(refused_, gpu::stress().refused.size());
    troubles_ += refused_ > before ? 1 : 0;
    return refused_ > before;
  }

  /// The picture of the inputs, then one after each edit.
  std::vector<Image> play(const Make& make, const std::vector<std::string>& edits,
                          gpu::Context& gpu) {
    const std::unique_ptr<Engine> engine = make();
    engine->setSize(kSize.x, kSize.y);
    std::vector<Image> pictures{complete(*engine, gpu)};
    for (const std::string& edit : edits) {
      const std::size_t equals = edit.find('=');
      if (equals != std::string::npos)
        assign(engine->settings(), edit.substr(0, equals), edit.substr(equals + 1));
      else if (Camera* camera = engine->camera())
        camera->orbit(0.1f, 0.05f);
      pictures.push_back(complete(*engine, gpu));
    }
    return pictures;
  }

  /// How far a channel of each picture is at most from that of a device without trouble.
  std::vector<float> differences(const Make& make, const std::vector<std::string>& edits,
                                 Trouble trouble, double slower) {
    context().makeCurrent();
    const std::vector<Image> right = play(make, edits, context());
    gpu::Context own({.debug = true});
    troubles_ = 0, refused_ = 0;
    gpu::stress().late = trouble == Trouble::Late;
    gpu::stress().refuses = trouble == Trouble::Refuses;
    if (trouble == Trouble::Short) gpu::stress().slower = slower;
    const std::vector<Image> found = play(make, edits, own);
    gpu::stress() = {};
    EXPECT_EQ(own.takeDebugMessages(), std::vector<std::string>{});
    std::vector<float> all;
    for (std::size_t i = 0; i < right.size(); ++i) {
      float most = found[i].pixels.size() == right[i].pixels.size() ? 0 : INFINITY;
      for (std::size_t p = 0; most < INFINITY && p < right[i].pixels.size(); ++p)
        for (int c = 0; c < 4; ++c)
          most = std::max(most, std::abs(found[i].pixels[p][c] - right[i].pixels[p][c]));
      all.push_back(most);
    }
    return all;
  }

  /// Makes an engine with the inputs of a story.
  Make makerOf(const Story& story) {
    std::vector<std::string> inputs = story.inputs;
    if (inputs[0] == "small.flame") inputs[0] = smallFlame();
    return [inputs, &entry = *techniqueNamed(story.technique)] {
      std::unique_ptr<Engine> engine = entry.make();
      Progress progress;
      engine->adopt(entry.read(inputs, progress));
      return engine;
    };
  }

  std::string smallFlame() {
    std::ifstream in(FATHOM_SOURCE_DIR "/assets/flame/rosette.flame");
    std::string text{std::istreambuf_iterator<char>(in), {}};
    text.replace(text.find("800 600"), 7, "80 60");
    return folder_.write("small.flame", text).string();
  }

  void TearDown() override {
    gpu::stress() = {};
    context().makeCurrent();
    GpuTest::TearDown();
  }

  test::TempFolder folder_;
  std::size_t refused_ = 0;
  int troubles_ = 0;
};

class StressTest : public StressModes,
                   public ::testing::WithParamInterface<std::tuple<Story, Trouble>> {};

TEST_P(StressTest, EndsAsTheSamePictures) {
  const auto& [story, trouble] = GetParam();
  if (trouble == Trouble::Short && context().device().software)
    GTEST_SKIP() << "no watchdog looks after a software renderer";
  const std::vector<float> apart = differences(makerOf(story), story.edits, trouble, story.slower);
  EXPECT_GT(troubles_, trouble == Trouble::Late ? 2 : -1);
  for (std::size_t i = 0; i < apart.size(); ++i)
    EXPECT_LE(apart[i], story.tolerance) << (i == 0 ? "at first" : "after " + story.edits[i - 1]);
}

// A stage that comes upon a program which it has not asked for keeps the others waiting.
TEST_F(StressModes, FirstPicturesAskForProgramsBeforeTheyWork) {
  for (const Story& story : stories()) {
    gpu::Context own({.debug = true});
    gpu::stress().watches = true;
    play(makerOf(story), {}, own);
    const std::set<std::string> found = std::exchange(gpu::stress(), {}).unrequested;
    EXPECT_THAT(found, ::testing::IsSubsetOf(unnamed().at(story.technique))) << story.technique;
    EXPECT_GT(own.timings().compileMs, 0) << story.technique;
  }
}

// Each mode finds the fault that is of its kind, and takes nothing else for one.
TEST_F(StressModes, FindPlantedFaults) {
  const std::string file = folder_.write("a.ramp", "RAMP 37 29").string();
  static constexpr Trouble kAll[] = {Trouble::None, Trouble::Late, Trouble::Refuses,
                                     Trouble::Short};
  for (const Trouble fault : kAll)
    for (const Trouble trouble : kAll) {
      const auto make = [&] {
        auto engine = std::make_unique<FaultyRamp>(fault);
        Progress progress;
        engine->adopt(tiny::read({file}, progress));
        return engine;
      };
      // 17 groups, of which a dispatch may have 5.
      const auto apart = differences(make, {"left=0.5", "right=0.25"}, trouble, 1e7);
      const bool isFound = *std::max_element(apart.begin(), apart.end()) > 0;
      EXPECT_EQ(isFound, fault == trouble && fault != Trouble::None)
          << "fault " << int(fault) << ", trouble " << int(trouble);
    }
}

std::string nameOf(const ::testing::TestParamInfo<std::tuple<Story, Trouble>>& test) {
  static const std::array<std::string, 4> troubles{"None", "Late", "Refuses", "Short"};
  std::string name = std::get<0>(test.param).technique;
  std::erase(name, '-');
  return name + troubles[std::size_t(std::get<1>(test.param))];
}

INSTANTIATE_TEST_SUITE_P(All, StressTest,
                         ::testing::Combine(::testing::ValuesIn(stories()),
                                            ::testing::Values(Trouble::Late, Trouble::Refuses,
                                                              Trouble::Short)),
                         nameOf);

}  // namespace
}  // namespace fathom
