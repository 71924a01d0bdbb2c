// SPDX-License-Identifier: BSD-3-Clause
// What can be blurred and what cannot: the forms of depth, and one line for each input that does
// not fit.
#include "app/engine/dof/input.h"

#include "app/engine/dof/engine.h"
#include "app/engine/io/flat_formats.h"
#include "tests/support/synthetic_deep.h"

namespace fathom::dof {
namespace {

class DofInput : public ::testing::Test {
 protected:
  std::string exr(const std::string& name, const std::vector<float>& depth, int width = 3) {
    const FlatExrOptions options{.asFloat = true, .depth = depth};
    const int height = depth.empty() ? 1 : int(depth.size()) / width;
    writeFlatExr(folder_.file(name), Image(width, height, glm::vec4(0.5f, 0.25f, 0.125f, 1)),
                 options);
    return folder_.file(name);
  }
  Input opened(const std::vector<std::string>& inputs) {
    return ownInputs<Input>(*read(inputs, progress_));
  }
  std::string complaint(const std::vector<std::string>& inputs) {
    return messageOf([&] { read(inputs, progress_); });
  }
  static FlatPicture flat(std::vector<float> depth, int width) {
    FlatPicture picture;
    picture.image = Image(width, int(depth.size()) / width, glm::vec4(0.5f));
    picture.depth = std::move(depth);
    return picture;
  }
  TempFolder folder_;
  Progress progress_;
};

TEST_F(DofInput, ColorAndZOfAnExr) {
  const Input input = opened({exr("a.exr", {1, 2, 3})});
  ASSERT_TRUE(input.flat);
  const Image image = colorAndDepth(*input.flat, {}, 0);
  EXPECT_EQ(image.at(1, 0), glm::vec4(0.5f, 0.25f, 0.125f, 2));
}

TEST_F(DofInput, WithoutZIsRefused) {
  const std::string file = exr("flat.exr", {});
  EXPECT_EQ(
      complaint({file}),
      file + ": expected a Z channel, or a depth image as second input, found channels A, B, G, R");
}

TEST_F(DofInput, APictureAndItsDepthPicture) {
  writePng(folder_.file("c.png"), Image(2, 1, glm::vec4(0.5f)));
  const std::uint8_t gray[] = {0, 0, 0, 255, 255, 255};
  writePngBytes(folder_.file("d.png"), 2, 1, 3, gray);
  const Input input = opened({folder_.file("c.png"), folder_.file("d.png")});
  const Settings settings{.near = 2, .far = 10};
  const Image image = colorAndDepth(*input.flat, settings, 0);
  EXPECT_FLOAT_EQ(image.at(0, 0).a, 2);
  EXPECT_FLOAT_EQ(image.at(1, 0).a, 10);
}

TEST_F(DofInput, ADepthPictureOfAnotherSizeIsRefused) {
  writePng(folder_.file("c.png"), Image(2, 1, glm::vec4(0.5f)));
  writePng(folder_.file("d.png"), Image(3, 1, glm::vec4(0.5f)));
  EXPECT_THAT(complaint({folder_.file("c.png"), folder_.file("d.png")}),
              HasSubstr("expected a depth image of 2x1 pixels"));
}

TEST_F(DofInput, NearBehindFarIsRefused) {
  FlatPicture picture = flat({0.5f}, 1);
  picture.depthIsPicture = true;
  const Settings settings{.near = 10, .far = 1};
  EXPECT_THROW(colorAndDepth(picture, settings, 0), UsageError);
}

TEST_F(DofInput, ThreeInputsAndScenesBesidePicturesAreRefused) {
  for (const std::vector<std::string>& inputs :
       {std::vector<std::string>{"a", "b", "c"}, {"atrium", "b.png"}, {}})
    EXPECT_THROW(read(inputs, progress_), Error);
}

TEST_F(DofInput, NotAPictureIsRefused) {
  const std::string file = folder_.write("a.exr", "not an EXR").string();
  EXPECT_THAT(complaint({file}), HasSubstr(file + ": expected"));
}

TEST_F(DofInput, ADeepExr) {
  writeDeepExr(folder_.file("deep.exr"), test::sphereField({.width = 8, .height = 6}));
  const Input input = opened({folder_.file("deep.exr")});
  ASSERT_TRUE(input.deep);
  EXPECT_EQ(colorAndDepth(*input.deep).width, 8);
}

TEST_F(DofInput, DeepExrsAreMerged) {
  const DeepImage a = test::sphereField({.width = 8, .height = 6, .seed = 1});
  DeepImage b = test::sphereField({.width = 6, .height = 9, .seed = 2});
  b.dataWindow.x = 4;
  writeDeepExr(folder_.file("a.exr"), a);
  writeDeepExr(folder_.file("b.exr"), b);
  const Input input = opened({folder_.file("a.exr"), folder_.file("b.exr") + "#0"});
  ASSERT_TRUE(input.deep);
  EXPECT_EQ(input.deep->dataWindow, (Rect{0, 0, 10, 9}));
  EXPECT_EQ(input.deep->fragmentCount(), a.fragmentCount() + b.fragmentCount());
  EXPECT_EQ(input.deep->list(5, 3).size(), a.list(5, 3).size() + b.list(5, 3).size());
}

TEST_F(DofInput, APartThatIsNotThereIsNamed) {
  writeDeepExr(folder_.file("a.exr"), test::sphereField({.width = 8, .height = 6}));
  EXPECT_THAT(complaint({folder_.file("a.exr") + "#left"}), HasSubstr("expected a part \"left\""));
}

/// As compositing programs and renderers name their channels.
TEST_F(DofInput, DepthIsFoundByItsName) {
  const auto fileOf = [](const std::vector<std::vector<std::string>>& parts) {
    ExrFileInfo file;
    for (const std::vector<std::string>& channels : parts) {
      ExrPartInfo part;
      part.index = int(file.parts.size());
      part.name = part.index == 0 ? "rgba" : "depth";
      part.dataWindow = {0, 0, 4, 4};
      for (const std::string& channel : channels)
        part.channels.push_back({channel, ChannelType::Float});
      file.parts.push_back(part);
    }
    return file;
  };
  const auto depth = [&](const std::vector<std::vector<std::string>>& parts) {
    const FlatLayers found = findLayers(fileOf(parts), "");
    return fmt::format("{}{}#{}", found.prefix, found.depth, found.depthPart);
  };
  EXPECT_EQ(depth({{"A", "B", "G", "R", "Z"}}), "Z#0");
  EXPECT_EQ(depth({{"B", "G", "R", "depth.Z"}}), "depth.Z#0");
  EXPECT_EQ(depth({{"ViewLayer.Combined.A", "ViewLayer.Combined.B", "ViewLayer.Combined.G",
                    "ViewLayer.Combined.R", "ViewLayer.Depth.Z", "ViewLayer.Normal.X",
                    "ViewLayer.Normal.Y", "ViewLayer.Normal.Z"}}),
            "ViewLayer.Combined.ViewLayer.Depth.Z#0");
  EXPECT_EQ(depth({{"B", "G", "R"}, {"Z"}}), "Z#1");
  EXPECT_EQ(depth({{"B", "G", "N.X", "N.Y", "N.Z", "R"}}), "#-1");  // normals
  EXPECT_EQ(findLayers(fileOf({{"B", "G", "R", "Z", "depth.Z"}}), "").others, "depth.Z");
}

TEST_F(DofInput, OddDepthsAreBackground) {
  const Image image = colorAndDepth(flat({NAN, INFINITY, -1, 0, 1e10f, 7}, 6), {}, 0);
  for (int x = 0; x < 5; ++x) EXPECT_EQ(image.at(x, 0).a, 0) << x;
  EXPECT_EQ(image.at(5, 0).a, 7);
}

TEST_F(DofInput, RadialDepthIsTurnedPlanar) {
  const Settings settings{.depthForm = DepthForm::Radial};
  const double tangent = 0.5;
  const Image image = colorAndDepth(flat({3, 3, 3}, 3), settings, tangent);
  EXPECT_FLOAT_EQ(image.at(1, 0).a, 3);
  EXPECT_FLOAT_EQ(image.at(0, 0).a, float(3 / std::sqrt(1 + 0.25)));
}

/// The GL depth of z is (1/n - 1/z) / (1/n - 1/f).
TEST_F(DofInput, GlDepthsComeBack) {
  Settings settings{.near = 0.5f, .far = 80};
  for (const float z : {0.5f, 1.0f, 7.0f, 70.0f}) {
    const float d = (1 / settings.near - 1 / z) / (1 / settings.near - 1 / settings.far);
    settings.depthForm = DepthForm::Gl;
    EXPECT_NEAR(colorAndDepth(flat({d}, 1), settings, 0).at(0, 0).a, z, 1e-4f * z * z);
    settings.depthForm = DepthForm::GlReversed;
    EXPECT_NEAR(colorAndDepth(flat({1 - d}, 1), settings, 0).at(0, 0).a, z, 1e-4f * z * z);
    settings.depthForm = DepthForm::GlInfinite;
    EXPECT_NEAR(colorAndDepth(flat({settings.near / z}, 1), settings, 0).at(0, 0).a, z, 1e-4f * z);
  }
  settings.depthForm = DepthForm::Gl;
  EXPECT_EQ(colorAndDepth(flat({1}, 1), settings, 0).at(0, 0).a, 0);  // background
}

TEST_F(DofInput, AveragedDepthIsNoticedAndSnapped) {
  std::vector<float> depth;
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x) depth.push_back(x < 4 ? 2.0f : x == 4 ? 3.0f : 20.0f);
  EXPECT_GT(averagedShare(colorAndDepth(flat(depth, 8), {}, 0)), 0.05);
  const Settings settings{.snapDepth = true};
  const Image snapped = colorAndDepth(flat(depth, 8), settings, 0);
  EXPECT_EQ(snapped.at(4, 4).a, 2);  // 1/3 is nearer to 1/2 than to 1/20
  EXPECT_EQ(averagedShare(snapped), 0);
}

TEST_F(DofInput, ASlantedPlaneIsNotTakenForAveraged) {
  std::vector<float> depth;
  for (int i = 0; i < 64; ++i) depth.push_back(1 / (1 - 0.1f * float(i % 8)));  // 1/z is affine
  EXPECT_EQ(averagedShare(colorAndDepth(flat(depth, 8), {}, 0)), 0);
}

TEST_F(DofInput, APictureWithoutDepthAloneIsForOthers) {
  writePng(folder_.file("c.png"), Image(2, 1, glm::vec4(0.5f)));
  EXPECT_TRUE(lacksDepth(folder_.file("c.png")));
  EXPECT_FALSE(lacksDepth("atrium"));
  EXPECT_FALSE(accepts({folder_.file("c.png")}));
  EXPECT_TRUE(accepts({folder_.file("c.png"), folder_.file("c.png")}));
}

}  // namespace
}  // namespace fathom::dof
