// SPDX-License-Identifier: BSD-3-Clause
// What Mesa compiles may not be GLSL to others. glslang, Khronos' own front end, takes every shader
// and a good part of their variants; as SPIR-V, spirv-val finds nothing against the files as they
// stand.
#include "tests/races/glsl_front_end.h"
#include "tests/shaders/shader_variants.h"

namespace fathom::test {
namespace {

void expectTaken(const std::vector<ShaderVariant>& variants, std::size_t least) {
  EXPECT_GE(variants.size(), least);
  for (const ShaderVariant& variant : variants) {
    const races::FrontEndResult result =
        races::compileGlsl(variant.text.name, variant.text.text,
                           {.spirv = variant.isDefault, .validated = variant.isDefault});
    EXPECT_EQ(gpu::mapMessages(variant.text, result.messages), "") << variant.name;
    EXPECT_TRUE(result.ok()) << variant.name;
  }
}

TEST(FrontEnd, TakesEveryFileWithEachOfItsDefines) { expectTaken(fileVariants(), 200); }
TEST(FrontEnd, TakesTheVariantsOfAccumulation) { expectTaken(accumulateVariants(16), 60); }
TEST(FrontEnd, TakesWhatIsGeneratedForFlames) { expectTaken(iterateVariants(), 150); }

// The test can fail: what glslang says comes through, in terms of our files.
TEST(FrontEnd, RefusesWhatIsNoConstant) {
  gpu::ShaderText text;
  text.name = "shaders/wrong.comp";
  text.files = {"shaders/wrong.comp"};
  text.text =
      "#version 450 core\nlayout(local_size_x = 1) in;\n"
      "const float kInfinity = uintBitsToFloat(0x7f800000u);\nvoid main() {}\n";
  text.origins = {{-1, 1}, {0, 1}, {0, 2}, {0, 3}};
  const races::FrontEndResult result = races::compileGlsl(text.name, text.text);
  EXPECT_TRUE(gpu::mapMessages(text, result.messages).starts_with("shaders/wrong.comp:2: error"))
      << result.messages;
}

}  // namespace
}  // namespace fathom::test
