// SPDX-License-Identifier: BSD-3-Clause
// Every shader file of the program compiles as it stands (shader_variants.h says what decides),
// without a warning.
#include "app/engine/gpu/compiler.h"
#include "tests/shaders/shader_variants.h"
#include "tests/support/gpu_test.h"

namespace fathom::test {
namespace {

class ShaderFiles : public GpuTest, public ::testing::WithParamInterface<std::string> {};

TEST_P(ShaderFiles, Compile) {
  gpu::ProgramBuild build(
      {GetParam(), {GetParam()}, {}, exampleTexts(), defaultFeatures(GetParam())});
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
}  // namespace fathom::test
