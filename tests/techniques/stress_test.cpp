// SPDX-License-Identifier: BSD-3-Clause
// Pictures, edits and drags of every technique on a device in trouble: whose programs are late,
// whose memory is refused, whose dispatches may take next to no time. They end as the same
// pictures.
#include "app/engine/gpu/stress.h"

#include "app/engine/engine.h"
#include "tests/support/gpu_test.h"

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

enum class Trouble { None, Late, Refuses, Short };

class StressTest : public test::GpuTest,
                   public ::testing::WithParamInterface<std::tuple<Story, Trouble>> {
 protected:
  static constexpr glm::ivec2 kSize{37, 29};

  /// Asks again as the window does, and as a user does after an error.
  Image complete(Engine& engine, gpu::Context& gpu) {
    for (int attempt = 0; attempt < 20'000; ++attempt) {
      try {
        const gpu::Context::CompilesBeside beside(gpu);
        const Frame frame = engine.step(gpu, 5);
        if (!frame.partial) return frame.picture->downloadImage();
      } catch (const gpu::Compiling&) {
        ++troubles_;
      } catch (const Error& error) {
        if (!gpu::stress().refuses || gpu::stress().refused.size() == refused_) throw;
        refused_ = gpu::stress().refused.size();
        engine.restart();
        ++troubles_;
      }
    }
    throw Error("no complete picture after 20,000 steps");
  }

  std::vector<Image> play(const Story& story, gpu::Context& gpu) {
    const TechniqueEntry& entry = *techniqueNamed(story.technique);
    const std::unique_ptr<Engine> engine = entry.make();
    std::vector<std::string> inputs = story.inputs;
    if (inputs[0] == "small.flame") inputs[0] = smallFlame();
    Progress progress;
    engine->adopt(entry.read(inputs, progress));
    engine->setSize(kSize.x, kSize.y);
    std::vector<Image> pictures{complete(*engine, gpu)};
    for (const std::string& edit : story.edits) {
      const std::size_t equals = edit.find('=');
      if (equals != std::string::npos)
        assign(engine->settings(), edit.substr(0, equals), edit.substr(equals + 1));
      else if (Camera* camera = engine->camera())
        camera->orbit(0.1f, 0.05f);
      pictures.push_back(complete(*engine, gpu));
    }
    return pictures;
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

  TempFolder folder_;
  std::size_t refused_ = 0;
  int troubles_ = 0;
};

TEST_P(StressTest, EndsAsTheSamePictures) {
  const auto& [story, trouble] = GetParam();
  if (trouble == Trouble::Short && context().device().software)
    GTEST_SKIP() << "no watchdog looks after a software renderer";
  const std::vector<Image> right = play(story, context());
  gpu::Context own({.debug = true});
  gpu::stress().late = trouble == Trouble::Late;
  gpu::stress().refuses = trouble == Trouble::Refuses;
  if (trouble == Trouble::Short) gpu::stress().slower = story.slower;
  const std::vector<Image> found = play(story, own);
  EXPECT_EQ(own.takeDebugMessages(), std::vector<std::string>{});
  EXPECT_GT(troubles_, trouble == Trouble::Late ? 3 : -1);
  for (std::size_t i = 0; i < right.size(); ++i) {
    ASSERT_EQ(found[i].pixels.size(), right[i].pixels.size()) << i;
    float most = 0;
    for (std::size_t p = 0; p < right[i].pixels.size(); ++p)
      for (int c = 0; c < 4; ++c)
        most = std::max(most, std::abs(found[i].pixels[p][c] - right[i].pixels[p][c]));
    EXPECT_LE(most, story.tolerance) << (i == 0 ? "at first" : "after " + story.edits[i - 1]);
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
