// SPDX-License-Identifier: BSD-3-Clause
// The 320 sources: every feature resolves in every configuration, no two sources are alike.
#include "app/engine/core/error.h"
#include "app/engine/dof/variants/accumulate.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace fathom::dof {
namespace {

/// Without the lines that name the variant.
std::string codeOf(const Variant& variant, WarpBackEnd backEnd) {
  std::string source = variantSource(variant, backEnd), code;
  for (std::size_t start = 0; start < source.size();) {
    const std::size_t end = source.find('\n', start);
    const std::string line = source.substr(start, end - start);
    if (!line.starts_with("//")) code += line + "\n";
    start = end + 1;
  }
  return code;
}

TEST(VariantSources, EveryFeatureResolvesAndNoTwoAreAlike) {
  for (const WarpBackEnd backEnd : {WarpBackEnd::Khr, WarpBackEnd::Arb, WarpBackEnd::Emulated}) {
    std::map<std::string, std::string> ids;
    for (const Variant& variant : allVariants(kSpace)) {
      const std::string id = kSpace.id(variant);
      const auto [other, isNew] = ids.emplace(codeOf(variant, backEnd), id);
      EXPECT_TRUE(isNew) << id << " and " << other->second << " have one source";
    }
    EXPECT_EQ(ids.size(), 560u);
  }
}

TEST(VariantSources, OpenWithIdAndTargets) {
  const Variant variant = kSpace.parse("warp.check.b.copy.each.l1.compute.ftb.float");
  const std::string source = variantSource(variant, WarpBackEnd::Arb);
  EXPECT_TRUE(source.starts_with("// warp.check.b.copy.each.l1.compute.ftb.float\n")) << source;
  for (const char* part : {"// target chunk-warp\n", "// target early-each\n", "// target arb\n",
                           "// shaders/dof/features/exit.early-each+arb.glsl\n"})
    EXPECT_NE(source.find(part), std::string::npos) << part;
}

TEST(VariantSources, TheHashIsThatOfTheFiles) {
  EXPECT_EQ(templateHash().size(), 16u);
  EXPECT_EQ(templateHash(), templateHash());
}

TEST(VariantSources, TheDefaultIsOneOfThem) {
  EXPECT_EQ(kSpace.id(kSpace.parse(kDefaultVariant)), kDefaultVariant);
}

TEST(VariantSources, NodeLayoutsFollowTheVariant) {
  EXPECT_EQ(nodeKind(kSpace.parse(kDefaultVariant)), DOF_NODE_A_FLOAT);
  EXPECT_EQ(nodeKind(kSpace.parse("block.peel.a.copy.block.direct.load.ftb.int")), DOF_NODE_A_INT);
  EXPECT_EQ(nodeKind(kSpace.parse("block.peel.b.copy.block.direct.compute.ftb.float")), DOF_NODE_B);
}

}  // namespace
}  // namespace fathom::dof
