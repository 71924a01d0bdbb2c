// SPDX-License-Identifier: BSD-3-Clause
// Display transforms of an OpenColorIO config: the GPU's colors against the library's own on the
// CPU, through a cube, a curve and a look; and configs that cannot be used.
#include "app/window/picture/display.h"
#include "tests/support/gpu_test.h"

namespace fathom::viewer {
namespace {

constexpr const char* kConfig = R"(ocio_profile_version: 2
search_path: .
roles: {default: lin, scene_linear: lin}
displays:
  Monitor:
    - !<View> {name: Film, colorspace: film}
    - !<View> {name: Curve, colorspace: curve}
active_displays: []
active_views: []
looks:
  - !<Look> {name: warm, process_space: lin, transform: !<CDLTransform> {slope: [1.3, 1, 0.7]}}
colorspaces:
  - !<ColorSpace> {name: lin, family: "", isdata: false}
  - !<ColorSpace> {name: film, from_scene_reference: !<FileTransform> {src: film.cube, interpolation: linear}}
  - !<ColorSpace> {name: curve, from_scene_reference: !<FileTransform> {src: curve.cube, interpolation: linear}}
)";

class ColorTest : public test::GpuTest {
 protected:
  void SetUp() override {
    test::GpuTest::SetUp();
    folder.write("config.ocio", kConfig);
    std::string cube = "LUT_3D_SIZE 5\n", curve = "LUT_1D_SIZE 33\n";
    for (int b = 0; b < 5; ++b)
      for (int g = 0; g < 5; ++g)
        for (int r = 0; r < 5; ++r)
          cube += fmt::format("{} {} {}\n", std::sqrt(r / 4.0), 0.8 * g / 4.0 + 0.05 * b,
                              std::pow(b / 4.0, 1.5));
    for (int i = 0; i < 33; ++i)
      curve += fmt::format("{} {} {}\n", std::sqrt(i / 32.0), i / 32.0, std::pow(i / 32.0, 2));
    folder.write("film.cube", cube);
    folder.write("curve.cube", curve);
    settings.curve = DisplaySettings::Curve::Ocio;
    settings.ocioConfig = folder.file("config.ocio");
  }
  /// Shows a picture of many colors and compares each pixel with the library's.
  void expectEqual() {
    Image image(16, 16);
    for (int y = 0; y < 16; ++y)
      for (int x = 0; x < 16; ++x)
        image.at(x, y) = {float(x) / 15, float(y) / 15, float((x * 5 + y * 3) % 16) / 15, 1};
    gpu::Texture picture(context(), "test picture", gpu::TextureFormat::Rgba32f, 16, 16);
    picture.upload(image);
    ColorView color(context());
    ASSERT_EQ(color.update(settings), std::nullopt);
    ASSERT_TRUE(color.active());
    Display display(context());
    PictureView view;
    view.place({0, 0, 16, 16}, {16, 16});
    ShownPictures pictures{&picture, nullptr, 1};
    pictures.color = &color;
    const Image shown = display.draw(pictures, view, settings).downloadImage();
    Image exact = image;
    ColorConfig(settings.ocioConfig)
        .apply(settings.ocioDisplay, settings.ocioView, settings.ocioLook, exact);
    for (int y = 0; y < 16; ++y)
      for (int x = 0; x < 16; ++x) {
        const glm::vec4 wanted = exact.at(x, y);
        for (int c = 0; c < 3; ++c)  // half a step of 8 bits, and of half floats between the passes
          ASSERT_NEAR(shown.at(x, y)[c], std::clamp(wanted[c], 0.0f, 1.0f), 0.75 / 255)
              << x << ", " << y << ", " << c;
      }
  }
  TempFolder folder;
  DisplaySettings settings;
};

TEST_F(ColorTest, CubesCurvesAndLooksAreThoseOfTheLibrary) {
  for (const auto& [view, look] : {std::pair("Film", ""), {"Curve", ""}, {"Curve", "warm"}}) {
    settings.ocioView = view, settings.ocioLook = look;
    SCOPED_TRACE(settings.ocioView + settings.ocioLook);
    expectEqual();
  }
}

TEST_F(ColorTest, ConfigsNameTheirDisplaysAndViews) {
  const ColorConfig config(settings.ocioConfig);
  EXPECT_EQ(config.displays(), std::vector<std::string>{"Monitor"});
  EXPECT_EQ(config.views(""), (std::vector<std::string>{"Film", "Curve"}));
  EXPECT_EQ(config.looks(), std::vector<std::string>{"warm"});
}

TEST_F(ColorTest, AConfigThatCannotBeReadIsToldOnceAndSrgbIsShown) {
  settings.ocioConfig = folder.write("bad.ocio", "no config").string();
  ColorView color(context());
  const auto message = color.update(settings);
  ASSERT_TRUE(message);
  EXPECT_EQ(message->find(settings.ocioConfig), 0u);
  EXPECT_EQ(message->find('\n'), std::string::npos);
  EXPECT_FALSE(color.active());
  EXPECT_EQ(color.update(settings), std::nullopt);
}

}  // namespace
}  // namespace fathom::viewer
