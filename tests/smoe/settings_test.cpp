// SPDX-License-Identifier: BSD-3-Clause
// From the texts of the settings to what is decoded: windows, views, sizes.
#include "app/engine/smoe/settings.h"

#include "app/cli/command.h"

namespace fathom::smoe {
namespace {

Model modelOf(int dims, int width, int height) {
  Model model;
  model.dims = dims, model.width = width, model.height = height;
  if (dims == 4) model.views = {9, 9}, model.viewOrigin = {4, 4};
  return model;
}

TEST(SmoeFraming, WholeModelHasItsOwnSize) {
  const ViewWindow window = windowFor(modelOf(2, 451, 300), Settings{}, {0, 0});
  EXPECT_EQ(window.size, glm::ivec2(451, 300));
  EXPECT_EQ(window.corner, glm::dvec2(0));
  EXPECT_EQ(window.step, 1);
  EXPECT_EQ(window.samples, 1);
}

TEST(SmoeFraming, ZoomingOutTakesMoreSamples) {
  const Model model = modelOf(2, 512, 512);
  EXPECT_EQ(windowFor(model, Settings{}, {256, 256}).samples, 2);
  EXPECT_EQ(windowFor(model, Settings{}, {200, 200}).samples, 3);
  EXPECT_EQ(windowFor(model, Settings{}, {1024, 1024}).samples, 1);
  const Settings one{.samples = 1};
  EXPECT_EQ(windowFor(model, one, {200, 200}).samples, 1);
}

TEST(SmoeFraming, WhatTheSizeHasRoomForIsInTheMiddle) {
  const Settings settings{.window = "100,50,200,100"};
  const ViewWindow window = windowFor(modelOf(2, 512, 512), settings, {400, 400});
  EXPECT_EQ(window.step, 0.5);
  EXPECT_EQ(window.corner, glm::dvec2(100, 0));  // 200 x 200 px around 200, 100
}

TEST(SmoeFraming, AWindowWithoutASizeKeepsPixels) {
  const Settings settings{.window = "10.5,20,33,44.2"};
  const ViewWindow window = windowFor(modelOf(2, 512, 512), settings, {0, 0});
  EXPECT_EQ(window.size, glm::ivec2(33, 44));
  EXPECT_EQ(window.step, 1);
  EXPECT_EQ(window.corner, glm::dvec2(10.5, 20));
}

TEST(SmoeFraming, WindowsAreReadBack) {
  const ModelRect part{{-3.25, 100.125}, {40, 0.5}};
  const auto read = parseWindow(windowText(part));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->corner, part.corner);
  EXPECT_EQ(read->extent, part.extent);
  EXPECT_FALSE(parseWindow(""));
  // Wrong windows are refused.
  for (const char* text : {"1,2,3", "1,2,3,4,5", "0,0,0,10", "0,0,10,-1", "a,0,1,1", "0,0,1e9,1",
                           "nan,0,1,1", "0,0,1,1,", "0 0 1 1"})
    EXPECT_THROW(parseWindow(text), UsageError) << text;
}

TEST(SmoeFraming, ViewsAreReadBack) {
  EXPECT_EQ(parseView("1.5,-2", 2), glm::dvec2(1.5, -2));
  EXPECT_EQ(parseView("7.25", 1), glm::dvec2(7.25, 0));
  EXPECT_EQ(parseView("", 2), glm::dvec2(0));
  EXPECT_EQ(parseView("1,2", 0), glm::dvec2(0));  // pictures have no views
  EXPECT_EQ(viewText({1.5, -2}, 2), "1.5,-2");
  EXPECT_EQ(viewText({-0.0001, 0}, 2), "");
  for (const char* text : {"1", "1,2,3", "x,1"})
    EXPECT_THROW(parseView(text, 2), UsageError) << text;
  EXPECT_THROW(parseView("1,2", 1), UsageError);
}

TEST(SmoeFraming, GridsHaveLimits) {
  EXPECT_EQ(parseGrid("9x13"), glm::ivec2(9, 13));
  for (const char* text : {"9", "0x9", "65x1", "9x", "x"})
    EXPECT_THROW(parseGrid(text), UsageError) << text;
}

TEST(SmoeSettings, MasksBelongToTilesOfSixteen) {
  Settings settings;
  EXPECT_TRUE(optionsOf(settings).masks);
  settings.tile = TileSize::Eight;
  EXPECT_FALSE(optionsOf(settings).masks);
  settings.tile = TileSize::Sixteen, settings.relevance = Relevance::Window;
  EXPECT_FALSE(optionsOf(settings).masks);
  EXPECT_EQ(optionsOf(settings).bits, 10);
}

}  // namespace
}  // namespace fathom::smoe
