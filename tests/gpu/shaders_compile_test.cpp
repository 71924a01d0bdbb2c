// SPDX-License-Identifier: BSD-3-Clause
// Every shader file of the program compiles as it stands: what a define decides has a default, and
// a template names its default targets in a comment, "default targets: a b c", up to the first line
// that is no comment. The variants that a technique uses are compiled by that technique's tests;
// text that the program makes is stood in for by a small example.
#include "app/engine/gpu/compiler.h"
#include "tests/support/gpu_test.h"
#include "tests/support/temp_folder.h"

namespace fathom::gpu {
namespace {

std::vector<std::string> shaderFiles() {
  std::vector<std::string> files;
  const std::filesystem::path root = test::sourcePath("");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "shaders")) {
    const std::string ending = entry.path().extension().string();
    if (ending == ".comp" || ending == ".vert" || ending == ".frag")
      files.push_back(entry.path().lexically_relative(root).generic_string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// What a template's own comment asks for, with the files of features/ beside it.
Features defaultFeatures(const std::string& shader) {
  std::ifstream in(test::sourcePath(shader));
  const std::string mark = "default targets:";
  Features features;
  for (std::string line; std::getline(in, line) && line.starts_with("//");) {
    std::istringstream words(line.substr(2));
    if (const auto at = line.find(mark); at != std::string::npos) {
      features.folder = std::filesystem::path(shader).parent_path() / "features";
      words.str(line.substr(at + mark.size()));
    }
    if (features.folder.empty()) continue;
    for (std::string word; words >> word;) features.targets.push_back({word});
  }
  return features;
}

std::vector<GeneratedText> examples() {
  return {
      {"generated/accumulate.glsl", "#include \"shaders/flame/chaos/accumulate_atomic.glsl\"\n"},
      {"generated/display_transform.glsl", "vec4 displayTransform(vec4 color) { return color; }\n"},
      {"generated/xforms.glsl", "#include \"tests/gpu/data/one_xform.glsl\"\n"}};
}

class ShaderFiles : public test::GpuTest, public ::testing::WithParamInterface<std::string> {};

TEST_P(ShaderFiles, Compile) {
  ProgramBuild build({GetParam(), {GetParam()}, {}, examples(), defaultFeatures(GetParam())},
                     nullptr);
  EXPECT_EQ(build.finish().warnings, std::vector<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(All, ShaderFiles, ::testing::ValuesIn(shaderFiles()),
                         [](const auto& test) {
                           std::string name = test.param;
                           for (char& c : name)
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           return name;
                         });

}  // namespace
}  // namespace fathom::gpu
