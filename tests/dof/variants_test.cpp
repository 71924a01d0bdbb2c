// SPDX-License-Identifier: BSD-3-Clause
// All variants: each gives the picture of the reference, and its generated source has what its
// choices say.
#include "app/engine/dof/variants/accumulate.h"
#include "tests/dof/pictures.h"
#include "tests/support/gpu_test.h"

namespace fathom::dof {
namespace {

/// Some variants and where they are tried.
struct Group {
  std::string name;
  ChunkChoice chunk;
  WarpBackEnd backEnd;  // matters for chunks of a subgroup
  bool extension;       // the coverage operator, which is not of the 320
  NodeChoice node = kNodeA;
  DistChoice dist = kFloatDist;
  AlphaChoice alpha = kComputedAlpha;
  bool has(const Variant& v) const {
    return v[kNode] == node && v[kDist] == dist && v[kAlpha] == alpha && v[kChunk] == chunk &&
           kSpace.extension(v) == extension;
  }
};

/// Scenes that show every line of a variant at work; the others are about nodes and chunks.
bool showsEveryLine(const std::string& scene) {
  return scene == "borders" || scene == "six-layers" || scene == "list-lengths";
}

void PrintTo(const Group& group, std::ostream* out) { *out << group.name; }

std::vector<Group> groups() {
  std::vector<Group> list;
  for (const Group& g : {Group{"Block", kBlockChunk, WarpBackEnd::Emulated, false},
                         Group{"WarpArb", kWarpChunk, WarpBackEnd::Arb, false},
                         Group{"WarpKhr", kWarpChunk, WarpBackEnd::Khr, false},
                         Group{"WarpEmulated", kWarpChunk, WarpBackEnd::Emulated, false},
                         Group{"CoverageBlock", kBlockChunk, WarpBackEnd::Emulated, true},
                         Group{"CoverageWarpArb", kWarpChunk, WarpBackEnd::Arb, true}}) {
    Group b = g;
    b.name += "B", b.node = kNodeB;
    list.push_back(b);
    for (const DistChoice dist : {kFloatDist, kIntDist})
      for (const AlphaChoice alpha : {kComputedAlpha, kLoadedAlpha}) {
        Group a = g;
        a.name += fmt::format("A{}{}", dist == kIntDist ? "Int" : "Float",
                              alpha == kLoadedAlpha ? "Loaded" : "Computed");
        a.dist = dist, a.alpha = alpha;
        list.push_back(a);
      }
  }
  return list;
}

class Variants : public ::fathom::test::GpuTest, public ::testing::WithParamInterface<Group> {};

TEST_P(Variants, GiveThePictureOfTheirLists) {
  const Group& group = GetParam();
  const std::vector<WarpBackEnd> offered = offeredBackEnds(context());
  if (std::find(offered.begin(), offered.end(), group.backEnd) == offered.end())
    GTEST_SKIP() << "this device does not offer " << nameOf(group.backEnd);
  std::vector<Variant> variants = allVariants(kSpace);
  std::erase_if(variants, [&](const Variant& v) { return !group.has(v); });
  EXPECT_EQ(variants.size(), group.extension ? 24u : 32u);
  // Each of the 320 with the device's own back end; of the extension, the other back ends and the
  // scenes that show no further line, every fifth: all values of every choice.
  const bool own = group.chunk == kBlockChunk || group.backEnd == offered.front();
  VariantRunner runner(context(), group.backEnd);
  for (const test::AccumulateScene& scene : test::accumulateScenes()) {
    const bool everyLine = showsEveryLine(scene.name);
    if (!everyLine && (group.extension || !own || scene.name == "discs")) continue;
    test::UploadedLists uploaded(context(), scene, nodeKind(variants[0]));
    const std::size_t step = everyLine && own && !group.extension ? 1 : 5;
    for (std::size_t i = 0; i < variants.size(); i += step)
      for (const float epsilon : {0.0f, 0.01f}) {
        const Variant& variant = variants[i];
        // Of the scenes tried in full, six layers are those that are left early.
        if (epsilon > 0 && (variant[kEarly] == kNoEarlyOut || scene.name != "six-layers")) continue;
        const Image found = test::renderVariant(context(), runner, variant, uploaded, epsilon);
        EXPECT_TRUE(test::matchesLists(found, uploaded, variant, epsilon))
            << kSpace.id(variant) << " on " << scene.name << " with epsilon " << epsilon;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Variants, ::testing::ValuesIn(groups()),
                         [](const auto& test) { return test.param.name; });

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
    EXPECT_THAT(source, HasSubstr(part)) << part;
}

TEST(VariantSources, TheHashIsThatOfTheFiles) {
  EXPECT_EQ(templateHash().size(), 16u);
  EXPECT_EQ(templateHash(), templateHash());
}

TEST(VariantSources, NodeLayoutsFollowTheVariant) {
  EXPECT_EQ(nodeKind(kSpace.parse(kDefaultVariant)), DOF_NODE_A_FLOAT);
  EXPECT_EQ(nodeKind(kSpace.parse("block.peel.a.copy.block.direct.load.ftb.int")), DOF_NODE_A_INT);
  EXPECT_EQ(nodeKind(kSpace.parse("block.peel.b.copy.block.direct.compute.ftb.float")), DOF_NODE_B);
}

TEST(VariantSources, TwoVariantsDifferInWhatTheyChoose) {
  const std::string computed = "#define NODE_ALPHA(j) dofAlpha(NODE_RADIUS2(j))",
                    loaded = "#define NODE_ALPHA(j) unpackHalf2x16(NODE_Y(j)).y";
  for (const auto& [id, own, other] :
       {std::tuple(kDefaultVariant, computed, loaded),
        {"block.peel.a.copy.block.direct.load.ftb.float", loaded, computed}}) {
    const std::string source = variantSource(kSpace.parse(id), WarpBackEnd::Emulated);
    EXPECT_THAT(source, HasSubstr(own));
    EXPECT_THAT(source, testing::Not(HasSubstr(other)));
  }
}

}  // namespace
}  // namespace fathom::dof
