// SPDX-License-Identifier: BSD-3-Clause
// The operations as flags of fathom deep, run as a user would: what is written equals the
// operations on the CPU, and malformed texts are refused in one line.
#include "app/engine/core/deep_image.h"
#include "app/engine/deep/operations/operations.h"
#include "app/engine/deep/reference.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/picture.h"
#include "tests/deep/operations/literal_tidy.h"
#include "tests/support/program.h"
#include "tests/support/synthetic_deep.h"

#include <nlohmann/json.hpp>

namespace fathom::deep {
namespace {

using nlohmann::json;
using test::deepImage;

constexpr Rect kPixel{3, 4, 1, 1};

class DeepEditCommand : public testing::Test {
 protected:
  void write(const std::vector<Fragment>& first, const std::vector<Fragment>& second) {
    for (const auto& [file, list] : {std::pair(a_, first), std::pair(b_, second)}) {
      DeepImage image = deepImage(kPixel, {list});
      for (const Fragment& f : list) image.hasZBack = image.hasZBack || f.zBack > f.z;
      if (image.hasZBack) image.channels.push_back({"ZBack", ChannelType::Float, {}});
      writeDeepExr(file, image);
    }
  }
  Outcome run(const std::string& word, const std::vector<std::string>& flags,
              const std::string& out = {}) {
    std::vector<std::string> arguments{"deep", word, a_, b_};
    if (!out.empty()) arguments.insert(arguments.end(), {"-o", folder_.file(out)});
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return runFathom(arguments);
  }
  /// Of the merged file: "Z ZBack A" of each fragment.
  std::vector<std::string> merged(const std::vector<std::string>& flags) {
    const Outcome outcome = run("merge", flags, "merged.exr");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const DeepImage image = readDeepExr(folder_ / "merged.exr");
    std::vector<std::string> found;
    for (std::size_t i = 0; i < image.fragmentCount(); ++i) {
      const Fragment f = decodeFragment(image, i);
      found.push_back(fmt::format("{:g} {:g} {:.3g}", f.z, f.zBack, f.a));
    }
    return found;
  }
  std::string stateOf(const std::string& file) {
    return describeExr(folder_ / file).parts.at(0).state;
  }
  using Lines = std::vector<std::string>;

  TempFolder folder_;
  std::string a_ = folder_.file("a.exr"), b_ = folder_.file("b.exr");
  const Fragment volume_{0.75f, 0, 0, 0.75f, 1, 3}, point_{0, 0.5f, 0, 0.5f, 2, 2},
      far_{0, 0, 1, 1, 8, 8};
};

TEST_F(DeepEditCommand, TidySplitsAndSaysSo) {
  write({volume_}, {point_});
  EXPECT_EQ(merged({}), (Lines{"1 3 0.75", "2 2 0.5"}));
  EXPECT_EQ(stateOf("merged.exr"), "sorted");
  EXPECT_EQ(merged({"--tidy", "on"}), (Lines{"1 2 0.5", "2 2 0.5", "2 3 0.5"}));
  EXPECT_EQ(stateOf("merged.exr"), "tidy");
}

TEST_F(DeepEditCommand, FlattenOfVolumesIsTidyUnlessTold) {
  write({volume_}, {point_});
  const auto green = [&](const std::vector<std::string>& flags) {
    std::vector<std::string> all{"--float"};
    all.insert(all.end(), flags.begin(), flags.end());
    const Outcome outcome = run("flatten", all, "flat.exr");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return readPicture(folder_ / "flat.exr").image.at(0, 0).g;
  };
  // Behind half of the volume, 0.5 of the point is seen; behind all of it 0.25.
  EXPECT_NEAR(green({}), 0.25f, 1e-6f);
  EXPECT_NEAR(green({"--tidy", "on"}), 0.25f, 1e-6f);
  EXPECT_NEAR(green({"--tidy", "off"}), 0.125f, 1e-6f);
}

TEST_F(DeepEditCommand, RolesHoldOutAndIn) {
  write({point_, far_}, {{0, 0, 0, 0.75f, 5, 5}});
  EXPECT_EQ(merged({"--roles", "add,hold-out"}), (Lines{"2 2 0.5", "8 8 0.25"}));
  // The point, which is not held in, has hidden half of what is at 8: 0.5 * 0.75 of it shows, and
  // 0.625 held out, together the 1 of the merge. By fragments it is no longer hidden.
  EXPECT_EQ(merged({"--roles", ",hold-in"}), (Lines{"8 8 0.375"}));
  EXPECT_EQ(merged({"--roles", ",hold-in", "--hold-rule", "exact"}), (Lines{"8 8 0.375"}));
  EXPECT_EQ(merged({"--roles", ",hold-in", "--hold-rule", "fragments"}), (Lines{"8 8 0.75"}));
  EXPECT_EQ(merged({"--roles", "add,hold-out", "--hold-rule", "fragments"}),
            (Lines{"2 2 0.5", "8 8 0.25"}));
  EXPECT_EQ(merged({"--roles", "hold-out,hold-out"}), Lines{});
  EXPECT_THAT(run("merge", {"--roles", "hold-out,hold-out"}, "merged.exr").err,
              HasSubstr("no input adds to the image, which is empty"));
  EXPECT_EQ(merged({"--roles", "hold-out"}), (Lines{"5 5 0.375"}));  // the others: add
  EXPECT_THAT(run("merge", {"--roles", "hold-out"}, "merged.exr").err,
              HasSubstr("--roles: one value for 2 inputs, so it is for the first alone"));
}

TEST_F(DeepEditCommand, PackingRefusesASize) {
  write({point_}, {far_});
  const Outcome outcome =
      runFathom({"deep", "pack", a_, "-o", folder_.file("a.fdp"), "--size", "8x8"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err,
            "fathom: --size: pack and unpack keep the size of the image; see deep resize\n");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a.fdp"));
}

TEST_F(DeepEditCommand, DepthsMoveAndAreCut) {
  write({volume_, far_}, {point_});
  EXPECT_EQ(merged({"--z-scales", "2", "--z-offsets", "-1,20"}),
            (Lines{"1 5 0.75", "15 15 1", "22 22 0.5"}));
  EXPECT_EQ(merged({"--z-ranges", "2:,:1"}), (Lines{"2 3 0.5", "8 8 1"}));
}

TEST_F(DeepEditCommand, InvisibleInputsAreLeftOut) {
  write({volume_}, {point_});
  EXPECT_EQ(merged({"--visible", "off"}), (Lines{"2 2 0.5"}));
}

TEST_F(DeepEditCommand, DropHiddenAndThin) {
  write({point_, far_}, {{1, 1, 1, 1, 9, 9}});
  EXPECT_EQ(merged({"--drop-hidden", "1"}), (Lines{"2 2 0.5", "8 8 1"}));
  const Outcome outcome = run("merge", {"--thin", "1", "--json", "-"}, "thin.exr");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json result = json::parse(outcome.out)["result"];
  EXPECT_EQ(result["fragments_in"], 3);
  EXPECT_EQ(result["fragments_out"], 1);
  EXPECT_EQ(result["largest_move"], 3);  // 2 and 8 show half each: both move to 5
}

TEST_F(DeepEditCommand, InspectShowsWhatIsMade) {
  write({point_, far_}, {{0, 0, 0, 0.75f, 5, 5}});
  const Outcome outcome = run("inspect", {"--pixel", "3,4", "--roles", "add,hold-out"});
  EXPECT_EQ(outcome.out.substr(0, outcome.out.find('\n')), "pixel 3, 4: 2 fragments");
  EXPECT_THAT(outcome.out, HasSubstr("0.2500"));
}

TEST_F(DeepEditCommand, FloatColorsAreEditedByTheCpu) {
  const std::vector<DeepImage> images{test::floatImage({0, 0, 20, 20}, test::mixedLists(400, 1)),
                                      test::floatImage({0, 0, 20, 20}, test::mixedLists(400, 2))};
  writeDeepExr(a_, images[0]);
  writeDeepExr(b_, images[1]);
  const Outcome outcome = run("merge", {"--roles", ",hold-out"}, "merged.exr");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(sameFragments(
      readDeepExr(folder_ / "merged.exr"),
      mergeEdited(withEdits(images, std::vector<InputEdit>{{}, {.role = Role::HoldOut}}), {})));
  ASSERT_EQ(run("flatten", {"--float"}, "flat.exr").code, 0);
  EXPECT_TRUE(test::rounding(readPicture(folder_ / "flat.exr").image,
                             flattenEdited(withEdits(images), {.tidy = true}, {0, 0, 20, 20}),
                             test::roundingBound(4, 1)));
}

/// Volumes that overlap and points that coincide, of halves and of floats.
TEST_F(DeepEditCommand, FewerFragmentsOrPartsOfThemAreTheSamePicture) {
  const Rect window{0, 0, 20, 20};
  const auto flattened = [&](const std::vector<std::string>& files) {
    std::vector<std::string> arguments{"deep", "flatten", "--float", "-o", folder_.file("f.exr")};
    arguments.insert(arguments.end(), files.begin(), files.end());
    outputOf(arguments);
    return readPicture(folder_ / "f.exr").image;
  };
  const auto largest = [](const Image& a, const Image& b) {
    float most = 0;
    for (std::size_t p = 0; p < a.pixels.size(); ++p)
      for (int c = 0; c < 4; ++c) most = std::max(most, std::abs(a.pixels[p][c] - b.pixels[p][c]));
    return most;
  };
  for (const bool floats : {true, false}) {
    SCOPED_TRACE(floats ? "floats" : "halves");
    for (const auto& [file, seed] : {std::pair(a_, 3), std::pair(b_, 4)}) {
      DeepImage image =
          (floats ? test::floatImage : deepImage)(window, test::mixedLists(400, seed));
      image.hasZBack = true;
      if (!floats) image.channels.push_back({"ZBack", ChannelType::Float, {}});
      writeDeepExr(file, image);
    }
    const float rounding = floats ? 2e-5f : 4e-3f;
    const Image both = flattened({a_, b_});
    for (const char* most : {"1", "3", "8"}) {
      ASSERT_EQ(run("merge", {"--thin", most}, "thin.exr").code, 0);
      EXPECT_LE(largest(flattened({folder_.file("thin.exr")}), both), rounding) << most;
    }
    const Outcome outcome = run("merge", {"--thin-error", "1/128", "--json", "-"}, "thin.exr");
    const double claimed = json::parse(outcome.out)["result"]["flat_error"];
    EXPECT_LE(largest(flattened({folder_.file("thin.exr")}), both), claimed + rounding);

    ASSERT_EQ(run("merge", {"--roles", ",hold-out"}, "out.exr").code, 0);
    ASSERT_EQ(run("merge", {"--roles", ",hold-in"}, "in.exr").code, 0);
    Image sum = flattened({folder_.file("out.exr")});
    const Image in = flattened({folder_.file("in.exr")});
    for (std::size_t p = 0; p < sum.pixels.size(); ++p) sum.pixels[p] += in.pixels[p];
    EXPECT_LE(largest(sum, flattened({a_})), rounding);
  }
}

TEST_F(DeepEditCommand, StreamingEditsAlike) {
  writeDeepExr(a_, test::sphereField({75, 50, 9, 1, true}));
  writeDeepExr(b_, test::floatImage({10, 5, 20, 20}, test::mixedLists(400, 2)));
  for (const std::vector<std::string>& flags :
       {std::vector<std::string>{"--tidy", "on", "--thin", "3"}, {"--roles", ",hold-in"}}) {
    std::vector<std::string> streaming = flags;
    streaming.push_back("--stream");
    ASSERT_EQ(run("merge", flags, "whole.exr").code, 0);
    ASSERT_EQ(run("merge", streaming, "streamed.exr").code, 0);
    EXPECT_TRUE(
        sameFragments(readDeepExr(folder_ / "streamed.exr"), readDeepExr(folder_ / "whole.exr")));
  }
}

// ---- Flat inputs

TEST_F(DeepEditCommand, AFlatFileWithDepthIsAnInput) {
  write({point_}, {});
  Image flat(2, 1);
  flat.at(0, 0) = {0.5f, 0.25f, 0, 0.5f};
  const std::vector<float> depth{1.5f, 1e30f};
  FlatExrOptions options;
  options.dataWindow = options.displayWindow = {3, 4, 2, 1};
  options.depth = depth;
  writeFlatExr(b_, flat, options);
  EXPECT_EQ(merged({}), (Lines{"1.5 1.5 0.5", "2 2 0.5"}));
  EXPECT_EQ(merged({"--thickness", "2"}), (Lines{"1.5 3.5 0.5", "2 2 0.5"}));
}

TEST_F(DeepEditCommand, AFlatFileWithoutDepthIsRefused) {
  write({point_}, {});
  writeFlatExr(b_, Image(2, 1));
  const Outcome outcome = run("merge", {}, "merged.exr");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err.rfind("fathom: " + b_ + ": ", 0), 0u) << outcome.err;
}

// ---- What is turned away

TEST_F(DeepEditCommand, MoreValuesThanInputsAreTurnedAway) {
  write({point_}, {});
  const Outcome outcome = run("merge", {"--z-offsets", "1,2,3"}, "merged.exr");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err,
              HasSubstr("--z-offsets: expected at most 2 values, one per input, found 3"));
}

}  // namespace
}  // namespace fathom::deep
