// SPDX-License-Identifier: BSD-3-Clause
// Views steered by drags and by time.
#include "app/window/smoe/tools.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fathom::smoe {
namespace {

Model lightField() {
  Model model;
  model.dims = 4, model.width = 200, model.height = 100;
  model.views = {9, 5}, model.viewOrigin = {4, 2};
  return model;
}

Model video() {
  Model model;
  model.dims = 3, model.width = 200, model.height = 100, model.frames = 48;
  return model;
}

void expectAt(ViewCoordinates found, ViewCoordinates expected) {
  EXPECT_NEAR(found.x, expected.x, 1e-12);
  EXPECT_NEAR(found.y, expected.y, 1e-12);
}

TEST(Navigation, RangeIsTheGridAndHalfAStep) {
  const ViewRange range = viewRangeOf(lightField(), false);
  expectAt(range.low, {-4.5, -2.5});
  expectAt(range.high, {4.5, 2.5});
  expectAt(range.clamped({-9, 1}), {-4.5, 1});
  expectAt(viewRangeOf(lightField(), true).high, {7, 5});
  expectAt(viewRangeOf(video(), true).high, {47, 0});
}

TEST(Navigation, PictureWidthIsTheWholeGrid) {
  const Model model = lightField();
  const ViewRange range = viewRangeOf(model, false);
  expectAt(draggedView(model, {4.5, 2.5}, {1, 1}, range), {-4.5, -2.5});
  expectAt(draggedView(model, {0, 0}, {-1.0 / 9, 0}, range), {1, 0});
  expectAt(draggedView(model, {4, 0}, {-1, 0}, range), {4.5, 0});
}

TEST(Navigation, DragAndBackComesBack) {
  const Model model = lightField();
  const ViewRange range = viewRangeOf(model, false);
  const ViewCoordinates there = draggedView(model, {0.3, -0.7}, {0.1, 0.07}, range);
  expectAt(draggedView(model, there, {-0.1, -0.07}, range), {0.3, -0.7});
}

TEST(Navigation, VideoGoesForwardToTheRight) {
  const Model model = video();
  const ViewRange range = viewRangeOf(model, false);
  expectAt(draggedView(model, {4, 0}, {0.5, 0.9}, range), {28, 0});
  expectAt(draggedView(model, {4, 0}, {2, 0}, range), {47, 0});
}

TEST(Navigation, OrbitStaysInTheGridAndComesRound) {
  const Model model = lightField();
  expectAt(orbitView(model, 0), {3.2, 0});
  expectAt(orbitView(model, kOrbitSeconds / 4), {0, 1.6});
  expectAt(orbitView(model, 2.5 + kOrbitSeconds), orbitView(model, 2.5));
}

TEST(Navigation, VideoPlaysAndStartsAgain) {
  expectAt(orbitView(video(), 0.5), {12, 0});
  expectAt(orbitView(video(), 2.5), {12, 0});
  EXPECT_LE(orbitView(video(), 1.99).x, 47);
}

TEST(Navigation, ImagesStay) {
  Model image;
  expectAt(orbitView(image, 3), {0, 0});
  expectAt(viewRangeOf(image, true).clamped({3, 3}), {0, 0});
}

}  // namespace
}  // namespace fathom::smoe
