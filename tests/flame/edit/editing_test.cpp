// SPDX-License-Identifier: BSD-3-Clause
// Editing without a window: triangles, the camera under the mouse, palettes, history, gestures.
#include "app/window/flame/editing.h"
#include "app/engine/flame/motion/exposure.h"
#include "app/engine/flame/random.h"
#include "app/engine/flame/render/tone_mapper.h"
#include "app/window/flame/editor.h"
#include "app/window/flame/thumbnails.h"
#include "app/window/flame/triangle_tool.h"

namespace fathom::flame {
namespace {

Genome twoXforms() {
  Genome g;
  g.size = {400, 300};
  g.center = {0.3, -0.2};
  g.scale = 100;
  g.rotate = 30;
  for (int i = 0; i < 2; ++i) addXform(g);
  g.xforms[0].coefs = {0.7, 0.3, -0.4, 0.6, 0.35, -0.25};
  for (std::size_t i = 0; i < g.palette.size(); ++i)
    g.palette[i] = glm::vec4(float(i) / 255, 0.5f, 1 - float(i) / 255, 1);
  return g;
}

void expectNear(glm::dvec2 a, glm::dvec2 b) {
  EXPECT_NEAR(a.x, b.x, 1e-9);
  EXPECT_NEAR(a.y, b.y, 1e-9);
}

TEST(Triangle, IsTheAffineMapOfTheUnitTriangle) {
  const Affine m{0.7, 0.3, -0.4, 0.6, 0.35, -0.25};
  const Triangle t = triangleOf(m);
  expectNear(t.o, {0.35, -0.25});
  expectNear(t.x, {1.05, 0.05});
  expectNear(t.y, {-0.05, 0.35});
  const Affine back = affineOf(t);
  expectNear(back({2, 3}), m({2, 3}));
}

TEST(Triangle, CornerFollowsTheMouseAndLeavesTheOthers) {
  const Affine m{0.7, 0.3, -0.4, 0.6, 0.35, -0.25};
  const Triangle t = triangleOf(dragged(m, Corner::X, {2, 1}, DragMode::Free));
  expectNear(t.x, {2, 1});
  expectNear(t.o, triangleOf(m).o);
  expectNear(t.y, triangleOf(m).y);
}

TEST(Triangle, CornerOMovesTheWhole) {
  const Affine m{0.7, 0.3, -0.4, 0.6, 0.35, -0.25};
  const Triangle t = triangleOf(dragged(m, Corner::O, {1, 1}, DragMode::Free));
  expectNear(t.x - t.o, triangleOf(m).x - triangleOf(m).o);
  expectNear(t.o, {1, 1});
}

TEST(Triangle, RotateKeepsLengthsAndScaleKeepsDirections) {
  const Affine m{1, 0, 0, 2, 0, 0};
  const Affine turned = dragged(m, Corner::X, {0, 5}, DragMode::Rotate);
  expectNear(triangleOf(turned).x, {0, 1});
  expectNear(triangleOf(turned).y, {-2, 0});
  const Affine stretched = dragged(m, Corner::Y, {0, 6}, DragMode::Scale);
  expectNear(triangleOf(stretched).x, {3, 0});
  expectNear(triangleOf(stretched).y, {0, 6});
}

TEST(PictureMap, CenterIsTheMiddleAndRotateIsClockwise) {
  const Genome g = twoXforms();
  const PictureMap map(g);
  expectNear(map.toPicture(g.center), {200, 150});
  // y points down: clockwise turns +x toward +y.
  const glm::dvec2 right = map.toPicture(g.center + glm::dvec2(1, 0));
  expectNear(right, {200 + 100 * std::cos(std::numbers::pi / 6),
                     150 + 100 * std::sin(std::numbers::pi / 6)});
  expectNear(map.toPlane(map.toPicture({0.1, 0.9})), {0.1, 0.9});
}

TEST(Camera, PannedPictureFollowsTheMouse) {
  const Genome g = twoXforms();
  const glm::dvec2 before = PictureMap(g).toPicture({0, 0});
  expectNear(PictureMap(panned(g, {30, -12})).toPicture({0, 0}), before + glm::dvec2(30, -12));
}

TEST(Camera, WheelKeepsThePointUnderTheCursor) {
  const Genome g = twoXforms();
  const glm::dvec2 plane = PictureMap(g).toPlane({70, 40});
  const Genome nearer = zoomedAt(g, {70, 40}, 1.5);
  EXPECT_DOUBLE_EQ(nearer.scale, 150);
  EXPECT_EQ(nearer.zoom, g.zoom);
  expectNear(PictureMap(nearer).toPicture(plane), {70, 40});
}

TEST(Xforms, CopyIsReachedAsOftenAsItsOriginal) {
  Genome g = twoXforms();
  setChaos(g, 0, 1, 0.25);
  duplicateXforms(g, {1});
  ASSERT_EQ(g.xforms.size(), 3u);
  EXPECT_EQ(g.xforms[0].chaosTo(2), 0.25);
  EXPECT_EQ(g.xforms[1].chaosTo(2), 1);
}

TEST(Xforms, RowsAndSoloFollowARemoval) {
  Genome g = twoXforms();
  addXform(g);
  setChaos(g, 0, 2, 0.5);
  g.soloXform = 2;
  removeXforms(g, {1});
  EXPECT_EQ(g.xforms[0].chaosTo(1), 0.5);
  EXPECT_EQ(g.soloXform, 1);
  removeXforms(g, {0});
  removeXforms(g, {0});
  EXPECT_EQ(g.xforms.size(), 1u);  // the last one stays
}

TEST(Triangle, OthersFollowWhatMovesTurnsAndScalesOne) {
  const Affine one{1, 0, 0, 2, 0, 0}, other{0, 3, -1, 0, 5, 6};
  const Affine moved = followed(other, one, dragged(one, Corner::O, {0.5, -1}, DragMode::Free));
  EXPECT_EQ(moved, (Affine{0, 3, -1, 0, 5.5, 5}));
  const Affine turned = followed(other, one, dragged(one, Corner::X, {0, 4}, DragMode::Rotate));
  expectNear(triangleOf(turned).x, {2, 6});  // (0, 3) by a quarter turn, about (5, 6)
  expectNear(triangleOf(turned).o, {5, 6});
  const Affine scaled = followed(other, one, dragged(one, Corner::Y, {0, 6}, DragMode::Scale));
  expectNear(triangleOf(scaled).x, {5, 15});
  const Affine flat{0, 0, 1, 0, 0, 0};  // an arm of no length turns by the other one
  expectNear(triangleOf(followed(other, flat, {0, 0, 0, 1, 0, 0})).y, {5, 5});
}

TEST(Xforms, ManyAreSelectedCopiedAndRemoved) {
  Genome g = twoXforms();
  addXform(g);
  g.finalXform = g.xforms[0];
  Timeline timeline;
  timeline.adopt({g});
  Editor editor(timeline);
  editor.reset();
  editor.select(1);
  editor.toggle(3);
  editor.toggle(0);
  EXPECT_EQ(editor.selection(), (std::vector<std::size_t>{0, 1, 3}));
  editor.lead(3);
  EXPECT_EQ(editor.selected(), 3u);
  EXPECT_EQ(editor.selection().size(), 3u);
  editor.toggle(3);  // the one that is shown: another takes its place
  EXPECT_EQ(editor.selection(), (std::vector<std::size_t>{0, 1}));
  duplicateXforms(g, {0, 1, 3});
  EXPECT_EQ(g.xforms.size(), 5u);
  removeXforms(g, {0, 1, 2, 3, 4, 5});
  EXPECT_EQ(g.xforms.size(), 1u);
  EXPECT_FALSE(g.finalXform);
  editor.lead(2);
  EXPECT_EQ(editor.selection(), (std::vector<std::size_t>{2}));
}

TEST(Xforms, NamesAreTheAttributeOfOtherPrograms) {
  Xform xform;
  EXPECT_EQ(titleOf(xform), "");
  setTitle(xform, "left arm");
  setTitle(xform, "arm");
  EXPECT_EQ(titleOf(xform), "arm");
  EXPECT_EQ(xform.other, (Attributes{{"name", "arm"}}));
  setTitle(xform, "");
  EXPECT_TRUE(xform.other.empty());
}

TEST(Palettes, AreMovedRepeatedBlurredAndContrasted) {
  const Palette palette = twoXforms().palette;
  const Palette moved = adjusted(palette, {.rotation = 0.25});
  EXPECT_NEAR(moved[64].r, palette[0].r, 1e-5);
  EXPECT_NEAR(moved[0].r, palette[192].r, 1e-5);
  const Palette twice = adjusted(palette, {.frequency = 2});
  EXPECT_NEAR(twice[100].r, palette[200].r, 1e-5);
  EXPECT_NEAR(twice[140].r, palette[24].r, 1e-5);
  const Palette blurred = adjusted(palette, {.blur = 3});
  EXPECT_NEAR(blurred[128].r, palette[128].r, 1e-3);  // a slope stays
  EXPECT_GT(blurred[0].r, 0.3f);                      // around the circle
  const Palette flat = adjusted(palette, {.contrast = 0});
  EXPECT_NEAR(flat[3].r, 0.5f, 1e-6);
  EXPECT_EQ(adjusted(palette, {.contrast = 4})[255].r, 1);
}

TEST(Palettes, WholeTurnOfHueAndTwoReversalsChangeNothing) {
  const Palette palette = twoXforms().palette;
  EXPECT_EQ(reversed(reversed(palette)), palette);
  EXPECT_NE(reversed(palette), palette);
  const Palette turned = adjusted(palette, {.hue = 1});
  for (std::size_t i = 0; i < palette.size(); ++i)
    for (int c = 0; c < 4; ++c) EXPECT_NEAR(turned[i][c], palette[i][c], 1e-5);
}

TEST(Palettes, GradientPassesThroughItsNodes) {
  const Palette palette = paletteFrom({{1, {1, 0, 0}}, {0, {0, 0, 1}}});
  EXPECT_EQ(palette[0], glm::vec4(0, 0, 1, 1));
  EXPECT_EQ(palette[255], glm::vec4(1, 0, 0, 1));
  EXPECT_NEAR(palette[51].r, 0.2f, 1e-6);
  const auto nodes = nodesOf(palette, 6);
  EXPECT_NEAR(paletteFrom(nodes)[100].r, palette[100].r, 1e-5);
}

TEST(Curves, PointsAreAddedInOrderAndKeepIt) {
  std::vector<glm::dvec2> points = pointsOf(ToneCurve());
  EXPECT_EQ(points, (std::vector<glm::dvec2>{{0, 0}, {1, 1}}));
  EXPECT_TRUE(curveThrough(points).isStraight());
  EXPECT_EQ(addPoint(points, {0.5, 0.8}), 1u);
  EXPECT_EQ(addPoint(points, {0.505, 0.7}), 1u) << "the one that is there moves";
  EXPECT_EQ(addPoint(points, {0.2, 1.5}), 1u);
  EXPECT_EQ(points, (std::vector<glm::dvec2>{{0, 0}, {0.2, 1}, {0.5, 0.7}, {1, 1}}));
  movePoint(points, 1, {0.9, -2});
  EXPECT_NEAR(points[1].x, 0.49, 1e-12);
  EXPECT_EQ(points[1].y, 0);
  EXPECT_DOUBLE_EQ(evaluate(curveThrough(points), 0.5), 0.7);
}

TEST(Curves, OfABezierCurveThePointsLieOnIt) {
  ToneCurve curve;
  curve.points = {{{0, 0, 1}, {0.2, 0.6, 2}, {0.5, 0.7, 1}, {1, 1, 1}}};
  for (const double x : {0.1, 0.4, 0.75})
    EXPECT_NEAR(evaluate(curveThrough(pointsOf(curve)), x), evaluate(curve, x), 0.02);
}

TEST(Layers, AreSwappedAndCopied) {
  Genome g = twoXforms();
  addLayer(g);
  EXPECT_EQ(g.layers[0].xforms, g.xforms);
  g.layers[0].xforms.pop_back();
  const Genome before = g;
  swapLayer(g, g.layers[0]);
  EXPECT_EQ(g.xforms.size(), 1u);
  EXPECT_EQ(g.layerSettings.name, "2");
  swapLayer(g, g.layers[0]);
  EXPECT_EQ(g, before);
}

TEST(History, TakesBackAndBringsAgain) {
  Genome g = twoXforms();
  const Genome first = g;
  History<Genome> history(g);
  g.gamma = 2;
  EXPECT_TRUE(history.settle(g));
  EXPECT_FALSE(history.settle(g));  // nothing new, no step
  const Genome second = g;
  g.gamma = 3;
  EXPECT_EQ(history.undo(g), second);  // what was not settled is a step of its own
  EXPECT_EQ(history.undo(second), first);
  EXPECT_FALSE(history.undoTime());
  EXPECT_EQ(history.redo(first), second);
  Genome other = second;
  other.gamma = 9;
  EXPECT_TRUE(history.settle(other));
  EXPECT_FALSE(history.redoTime());  // a new edit forgets what was taken back
}

/// The editor with a mouse of our own.
class EditorTest : public ::testing::Test {
 protected:
  void frame(PictureInput input) {
    input.inside = true;
    used = tool.interact(input);
    editor.advance();
  }
  static PictureInput mouse(glm::dvec2 at, bool pressed, bool held, bool shift = false) {
    PictureInput input;
    input.at = at;
    input.buttons[PictureInput::Left].pressed = pressed;
    input.buttons[PictureInput::Left].held = held;
    input.shift = shift;
    return input;
  }
  void drag(glm::dvec2 from, glm::dvec2 to, bool shift = false) {
    frame(mouse(from, true, true, shift));
    for (const double share : {0.3, 0.7, 1.0})
      frame(mouse(from + (to - from) * share, false, true, shift));
    frame(mouse(to, false, false, shift));
    frame(mouse(to, false, false));
  }
  glm::dvec2 corner(std::size_t xform, Corner which) {
    const Triangle t = triangleOf(genomes[0].xforms[xform].coefs);
    return PictureMap(genomes[0])
        .toPicture(which == Corner::O   ? t.o
                   : which == Corner::X ? t.x
                                        : t.y);
  }

  EditorTest() {
    timeline.adopt({twoXforms()});
    editor.reset();
  }
  Timeline timeline;
  Editor editor{timeline};
  TriangleTool tool{editor};
  const std::vector<Genome>& genomes = timeline.genomes();
  bool used = false;
};

TEST_F(EditorTest, AGenomeFromElsewhereIsNotSavedOverTheFile) {
  editor.reset({"roses.flame"});
  EXPECT_EQ(editor.savable()->suggestion, "roses.flame");
  Genome other = genomes[0];
  other.brightness += 1;
  editor.take(other, "random-7");
  EXPECT_EQ(editor.genome().brightness, other.brightness);
  EXPECT_EQ(editor.savable()->suggestion, "roses-random-7.flame");
  editor.reset({"roses.flame"});
  EXPECT_EQ(editor.savable()->suggestion, "roses.flame");
}

TEST_F(EditorTest, SymmetryAddsItsXformsWithTheMeanWeight) {
  Genome genome = genomes[0];
  const std::size_t before = genome.xforms.size();
  genome.xforms[0].weight = 3, genome.xforms[1].weight = 1;
  addSymmetry(genome, -4);
  ASSERT_EQ(genome.xforms.size(), before + 4);  // a mirror and three turns
  EXPECT_EQ(genome.xforms[before].coefs.a, -1);
  EXPECT_EQ(genome.xforms[before].weight, 2);
  EXPECT_NEAR(genome.xforms[before + 2].coefs.a, -1, 1e-6);
}

TEST(Thumbnails, OfAFileAreItsFlamesAndTheirChildren) {
  std::vector<Genome> flames(2, twoXforms());
  flames[1].name = "second";
  flames[1].xforms[0].coefs.c += 0.5;
  using Source = Thumbnails::Source;
  EXPECT_EQ(thumbnailOf(flames[0], flames, Source::File, 1, 1).genome, flames[1]);
  EXPECT_EQ(thumbnailOf(flames[0], flames, Source::File, 1, 1).title, "second");
  const Thumbnail child = thumbnailOf(flames[0], flames, Source::Children, 1, 1);
  EXPECT_EQ(child.genome.xforms.size(), flames[0].xforms.size());
  EXPECT_EQ(child.fileName, "child-1001");
}

TEST(Palettes, AMovedNodeOfTheGradientLeavesTheFineStructure) {
  Palette stripes{};
  for (std::size_t i = 0; i < 256; ++i) stripes[i] = glm::vec4(i % 2 ? 0.6f : 0.4f, 0.5f, 0.5f, 1);
  const std::vector<PaletteNode> before = nodesOf(stripes, 8);
  EXPECT_EQ(retouched(stripes, before, before), stripes);
  std::vector<PaletteNode> after = before;
  after[0].color.g += 0.2;
  const Palette next = retouched(stripes, before, after);
  EXPECT_NEAR(next[0].g, 0.7, 1e-6);
  EXPECT_EQ(next[0].r, stripes[0].r);
  EXPECT_EQ(next[1].r, stripes[1].r);
  EXPECT_EQ(next[200], stripes[200]);
}

TEST_F(EditorTest, DragOfACornerIsOneStep) {
  const Genome before = genomes[0];
  const glm::dvec2 from = corner(0, Corner::X);
  drag(from, from + glm::dvec2(25, 10));
  EXPECT_NEAR(corner(0, Corner::X).x, from.x + 25, 1e-3);
  EXPECT_TRUE(editor.unsaved());
  editor.undo();
  EXPECT_EQ(genomes[0], before);
  EXPECT_FALSE(editor.undoTime());
  EXPECT_FALSE(editor.unsaved());
  editor.redo();
  EXPECT_NEAR(corner(0, Corner::X).x, from.x + 25, 1e-3);
}

TEST_F(EditorTest, PreviewLastsAsLongAsTheGesture) {
  const glm::dvec2 from = corner(0, Corner::O);
  frame(mouse(from, true, true));
  EXPECT_TRUE(used);
  EXPECT_FALSE(editor.inGesture());  // a click selects and draws nothing anew
  frame(mouse(from + glm::dvec2(9, 0), false, true));
  EXPECT_TRUE(editor.inGesture());
  frame(mouse(from + glm::dvec2(12, 0), false, true));
  frame(mouse(from + glm::dvec2(12, 0), false, true));
  EXPECT_TRUE(editor.inGesture());  // the mouse rests
  frame(mouse(from + glm::dvec2(12, 0), false, false));
  EXPECT_FALSE(editor.inGesture());
  frame(mouse(from + glm::dvec2(12, 0), false, false));
}

TEST_F(EditorTest, DragBesideTrianglesMovesTheCamera) {
  const glm::dvec2 before = PictureMap(genomes[0]).toPicture({0, 0});
  drag({10, 290}, {50, 270});
  expectNear(PictureMap(genomes[0]).toPicture({0, 0}), before + glm::dvec2(40, -20));
  EXPECT_EQ(genomes[0].xforms, twoXforms().xforms);
}

TEST_F(EditorTest, ClickBesideTrianglesIsLeftToTheWindow) {
  frame(mouse({10, 290}, true, true));
  EXPECT_FALSE(used);
  frame(mouse({10, 290}, false, false));
  EXPECT_FALSE(used);
  EXPECT_FALSE(editor.unsaved());
}

TEST_F(EditorTest, ShiftTurnsTheTriangle) {
  const double length = std::hypot(genomes[0].xforms[0].coefs.a, genomes[0].xforms[0].coefs.d);
  const glm::dvec2 from = corner(0, Corner::X);
  drag(from, from + glm::dvec2(-30, 50), true);
  const Affine& now = genomes[0].xforms[0].coefs;
  EXPECT_NEAR(std::hypot(now.a, now.d), length, 1e-9);
  EXPECT_NE(now.a, twoXforms().xforms[0].coefs.a);
}

TEST(Preview, IsSmallAndFramesTheSame) {
  Genome g = twoXforms();
  g.size = {1600, 1200};
  g.supersample = 4, g.zoom = 3, g.quality = 2000;
  const Genome preview = previewOf(g, kGesturePreview);
  EXPECT_LE(preview.size.x, 400);
  EXPECT_EQ(preview.supersample, 1);
  EXPECT_EQ(preview.zoom, 0);
  const glm::dvec2 whole = PictureMap(g).toPicture({0.5, 0.1}) / glm::dvec2(g.size);
  expectNear(PictureMap(preview).toPicture({0.5, 0.1}) / glm::dvec2(preview.size), whole);
}

TEST(FavoritesTest, StayInAFileThatIsLeftAloneWhenItCannotBeRead) {
  const TempFolder folder;
  const std::filesystem::path file = folder / "new" / "favorites.flame";
  Genome rose = randomGenome(3, {64, 48}), lily = randomGenome(4, {64, 48});
  rose.name = "rose", lily.name = "lily";
  {
    Favorites favorites(file);
    EXPECT_TRUE(favorites.list().empty());
    favorites.add(rose);
    favorites.add(lily);
    favorites.add(rose);  // is there
    EXPECT_EQ(favorites.list().size(), 2u);
  }
  Favorites favorites(file);
  ASSERT_EQ(favorites.list().size(), 2u);
  EXPECT_EQ(favorites.list()[1].name, "lily");
  favorites.add(favorites.list()[0]);  // what was read is what was written
  EXPECT_EQ(favorites.list().size(), 2u);
  favorites.remove(0);
  EXPECT_EQ(Favorites(file).list().at(0).name, "lily");
  favorites.remove(0);
  EXPECT_FALSE(std::filesystem::exists(file));

  const std::string bad = folder.write("bad.flame", "<flame").string();
  Favorites broken(bad);
  EXPECT_TRUE(broken.list().empty());
  EXPECT_NE(broken.problem(), "");
  EXPECT_THROW(broken.add(rose), Error);
  EXPECT_EQ(readText(bad), "<flame");
}

}  // namespace
}  // namespace fathom::flame
