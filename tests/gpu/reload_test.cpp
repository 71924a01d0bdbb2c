// SPDX-License-Identifier: BSD-3-Clause
// Hot reload: a changed shader is compiled again, and one that fails leaves the old program
// running.
#include "app/engine/gpu/pass.h"
#include "tests/support/gpu_test.h"

namespace fathom::gpu {
namespace {

class Reload : public test::GpuTest {
 protected:
  // Its own context, so that no other test sees shaders whose files are gone.
  Reload() : shader_(write("1")) {}
  void SetUp() override {
    GpuTest::SetUp();
    own_.makeCurrent();
    ASSERT_EQ(run(), 1u);
  }

  /// A shader that writes VALUE by way of an included file.
  std::filesystem::path write(const std::string& value) {
    const auto include = save("value.glsl", "#define VALUE " + value + "\n");
    if (const auto path = folder_ / "write.comp"; std::filesystem::exists(path)) return path;
    return save("write.comp", "#include \"" + include.string() +
                                  "\"\n"
                                  "layout(local_size_x = 1) in;\n"
                                  "layout(std430, binding = 0) buffer Out { uint word; };\n"
                                  "void main() { word = VALUE; }\n");
  }
  /// Every save is seconds later than the one before, whatever the file system can tell.
  std::filesystem::path save(const std::string& name, const std::string& text) {
    const auto path = folder_.write(name, text);
    std::filesystem::last_write_time(path, time_ += std::chrono::seconds(2));
    return path;
  }
  std::uint32_t run() {
    Buffer<std::uint32_t> word(own_, "word", 1);
    Pass& pass = own_.pass({"write", shader_.string(), {}});
    pass.storage(0, word);
    pass.dispatch(1, {});
    return word.download()[0];
  }

  Context own_;
  TempFolder folder_;
  std::filesystem::file_time_type time_ = std::filesystem::file_time_type::clock::now();
  std::filesystem::path shader_;
};

TEST_F(Reload, DoesNothingWhenNothingChanged) {
  EXPECT_TRUE(own_.reloadShaders().empty());
  EXPECT_EQ(own_.shaderGeneration(), 0u);
}

TEST_F(Reload, TakesUpAChangedInclude) {
  write("2");
  EXPECT_TRUE(own_.reloadShaders().empty());
  EXPECT_EQ(own_.shaderGeneration(), 1u);
  EXPECT_EQ(run(), 2u);
}

TEST_F(Reload, KeepsTheOldProgramOnFailure) {
  write("nonsense");
  for (int attempt = 0; attempt < 2; ++attempt) {
    const auto failures = own_.reloadShaders();
    ASSERT_EQ(failures.size(), 1u);
    EXPECT_EQ(failures[0].find(shader_.string() + ":4: error"), 0u) << failures[0];
  }
  EXPECT_EQ(own_.shaderGeneration(), 0u);
  EXPECT_EQ(run(), 1u);
  write("3");
  EXPECT_TRUE(own_.reloadShaders().empty());
  EXPECT_EQ(run(), 3u);
}

TEST_F(Reload, KeepsTheOldProgramWhenAFileIsGone) {
  std::filesystem::remove(shader_);
  EXPECT_EQ(own_.reloadShaders().size(), 1u);
  EXPECT_EQ(run(), 1u);
}

}  // namespace
}  // namespace fathom::gpu
