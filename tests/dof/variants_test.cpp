// SPDX-License-Identifier: BSD-3-Clause
// Every variant of accumulation gives the picture that its lists mean, on every scene and every
// back end of this device, with and without early out. One test per node layout and kind of chunk,
// so that several run side by side.
#include "app/engine/dof/variants/accumulate.h"
#include "tests/dof/accumulate_scenes.h"
#include "tests/dof/render_variant.h"
#include "tests/support/gpu_test.h"

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

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
  /// The 320 go through all scenes with the device's own back end; the rest through those that show
  /// every line at work.
  bool usesScene(const std::string& scene) const {
    if (!extension && (chunk == kBlockChunk || backEnd != WarpBackEnd::Emulated)) return true;
    return scene == "borders" || scene == "six-layers" || scene == "list-lengths";
  }
};

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
  VariantRunner runner(context(), group.backEnd);
  for (const test::AccumulateScene& scene : test::accumulateScenes()) {
    if (!group.usesScene(scene.name)) continue;
    test::UploadedLists uploaded(context(), scene, nodeKind(variants[0]));
    for (const Variant& variant : variants)
      for (const float epsilon : {0.0f, 0.01f}) {
        if (epsilon > 0 && variant[kEarly] == kNoEarlyOut) continue;
        const Image found = test::renderVariant(context(), runner, variant, uploaded, epsilon);
        EXPECT_TRUE(test::matchesLists(found, uploaded, variant, epsilon))
            << kSpace.id(variant) << " on " << scene.name << " with epsilon " << epsilon;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Variants, ::testing::ValuesIn(groups()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace fathom::dof
