// SPDX-License-Identifier: BSD-3-Clause
// Shares: all of them together are the whole, none holds more than its own, and drawn apart and
// composited they give the picture of the whole.
#include "app/engine/active_pixel/share/share.h"
#include "app/engine/active_pixel/image/picture.h"
#include "app/engine/active_pixel/image/reference.h"
#include "app/engine/scene/built_in/points.h"
#include "tests/support/gpu_test.h"

namespace fathom::active_pixel {
namespace {

constexpr glm::ivec2 kSize{160, 97};
const Format kBytes{Color::Rgba8, Depth::Float32, Compositing::ZBuffer};

std::shared_ptr<const Share> load(const std::string& input, int rank, int ranks,
                                  Split split = Split::Objects) {
  Progress progress;
  const SceneShare own{rank, ranks, split == Split::Triangles};
  return openInput(input, progress, own)->take(rank, ranks, split, progress);
}

/// A square of `columns` x 1 quads at depth z, as an OBJ file.
std::string square(float x, float z, int columns) {
  std::string text;
  for (int i = 0; i <= columns; ++i)
    for (int j = 0; j < 2; ++j)
      text += fmt::format("v {} {} {}\n", x + float(i) / float(columns), j, z);
  for (int i = 0; i < columns; ++i)
    text += fmt::format("f {} {} {} {}\n", 2 * i + 1, 2 * i + 3, 2 * i + 4, 2 * i + 2);
  return text;
}

class ActivePixelShare : public test::GpuTest {
 protected:
  static Frame frameOf(const std::string& input, int rank, int ranks, Split split,
                       const Format& format) {
    ShareRenderer renderer(context(), load(input, rank, ranks, split));
    const Camera camera = renderer.share().whole.camera;
    const ShareRenderer::Drawn drawn = renderer.draw(camera, kSize, format);
    Frame frame;
    readBack(drawn, format, kSize, {0, 0, kSize.x, kSize.y}, frame);
    return frame;
  }
  static Frame composited(const std::string& input, int ranks, Split split, const Format& format) {
    std::vector<Frame> frames;
    for (int rank = 0; rank < ranks; ++rank)
      frames.push_back(frameOf(input, rank, ranks, split, format));
    return reference::compositeAll(frames);
  }
  void expectInsideRegion(const std::string& input) {
    ShareRenderer renderer(context(), load(input, 1, 3));
    const Camera camera = renderer.share().whole.camera;
    const auto drawn = renderer.draw(camera, kSize, kBytes);
    Frame frame(kBytes, kSize.x, kSize.y);
    readBack(drawn, kBytes, kSize, {0, 0, kSize.x, kSize.y}, frame);
    for (int y = 0; y < kSize.y; ++y)
      for (int x = 0; x < kSize.x; ++x) {
        const Region& r = drawn.region;
        const bool inside = x >= r.x && y >= r.y && x < r.x + r.width && y < r.y + r.height;
        const float depth = frame.depth[std::size_t(y * kSize.x + x)];
        ASSERT_TRUE(inside || depth == 1.0f) << x << ", " << y;
      }
    Frame region(kBytes, kSize.x, kSize.y);
    readBack(drawn, kBytes, kSize, drawn.region, region);
    EXPECT_EQ(region.depth, frame.depth);
    EXPECT_EQ(region.color, frame.color);
  }
};

std::uint64_t activeCount(const Frame& frame) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < frame.pixelCount(); ++i) count += reference::isActive(frame, i);
  return count;
}

TEST(ActivePixelShares, OfObjectsAndOfTrianglesAddUpToTheWhole) {
  const std::string input = "planes:count=40,spheres=3";
  for (const Split split : {Split::Objects, Split::Triangles})
    for (const int ranks : {1, 2, 3, 7}) {
      std::uint64_t sum = 0;
      for (int rank = 0; rank < ranks; ++rank) sum += load(input, rank, ranks, split)->triangles;
      EXPECT_EQ(sum, load(input, 0, 1)->whole.triangles) << ranks;
    }
}

TEST(ActivePixelShares, OfTrianglesAreEqual) {
  for (int rank = 0; rank < 3; ++rank)
    EXPECT_NEAR(double(load("planes:count=40,spheres=5", rank, 3, Split::Triangles)->triangles),
                (40 * 2 + 5 * 480) / 3.0, 1);
}

TEST(ActivePixelShares, WithoutObjectsAreEmpty) {
  const auto share = load("planes:count=4,spheres=1", 2, 3);
  EXPECT_EQ(share->triangles, 0u);
  EXPECT_TRUE(share->bounds.empty());
  EXPECT_FALSE(share->whole.bounds.empty());
}

TEST(ActivePixelShares, OfPointsAreEqualAndLieSideBySide) {
  const std::string input = "points:count=100001";
  EXPECT_EQ(load(input, 0, 2)->whole.points, 100001u);
  EXPECT_EQ(load(input, 0, 2)->triangles, 50000u);
  EXPECT_EQ(load(input, 1, 2)->triangles, 50001u);
  // The first half of the longitudes lies in the west.
  EXPECT_LT(load(input, 0, 4)->bounds.high.x, 0.5f);
}

TEST(ActivePixelShares, OfAFolderAreItsFiles) {
  const TempFolder folder;
  folder.write("b.obj", square(1, -1, 3)), folder.write("a.obj", square(0, 0, 1));
  folder.write("c.OBJ", square(2, 1, 2)), folder.write("notes.txt", "not a model");
  const std::string input = folder.path().string();
  ASSERT_TRUE(acceptsInput(input));
  const std::uint64_t expected[] = {2, 6, 4};
  for (int rank = 0; rank < 3; ++rank)
    EXPECT_EQ(load(input, rank, 3)->triangles, expected[rank]) << rank;
  const Whole whole = load(input, 1, 3)->whole;
  EXPECT_EQ(whole.objects, 3u);
  EXPECT_EQ(whole.triangles, 12u);
  EXPECT_FLOAT_EQ(whole.bounds.high.x, 3);
  EXPECT_FLOAT_EQ(whole.bounds.low.z, -1);
  std::uint64_t sum = 0;
  for (int rank = 0; rank < 5; ++rank) sum += load(input, rank, 5, Split::Triangles)->triangles;
  EXPECT_EQ(sum, 12u);
}

TEST(ActivePixelShares, OfAFolderMayBeOfSeveralFormats) {
  const TempFolder folder;
  folder.write("a.obj", square(0, 0, 1));
  folder.write("b.ply",
               "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
               "property float z\nelement face 1\nproperty list uchar int vertex_indices\n"
               "end_header\n0 0 4\n1 0 4\n0 1 4\n3 0 1 2\n");
  const std::string input = folder.path().string();
  EXPECT_EQ(load(input, 0, 2)->triangles, 2u);
  EXPECT_EQ(load(input, 1, 2)->triangles, 1u);
  EXPECT_EQ(load(input, 0, 2)->whole.triangles, 3u);
  EXPECT_FLOAT_EQ(load(input, 0, 2)->whole.bounds.high.z, 4);
}

TEST(ActivePixelShares, ReadNoFileOfAnotherRank) {
  const TempFolder folder;
  folder.write("a.obj", square(0, 0, 1)), folder.write("b.obj", "v 0 0 0\nf 1 2 3\n");
  EXPECT_EQ(load(folder.path().string(), 0, 2)->triangles, 2u);
  EXPECT_THROW(load(folder.path().string(), 1, 2), Error);
}

TEST(ActivePixelShares, SayWhatIsMissing) {
  const TempFolder folder;
  folder.write("notes.txt", "not a model");
  EXPECT_FALSE(acceptsInput(folder.path().string()));
  for (const std::string& input : {folder.path().string(), folder.file("gone")}) try {
      load(input, 0, 1);
      FAIL();
    } catch (const Error& error) {
      EXPECT_THAT(std::string(error.what()), HasSubstr(input + ": expected a scene"));
    }
}

TEST(ProjectedRegion, HoldsTheCornersAndIsWholeBehindTheEye) {
  Camera camera;  // at z 5, looking along -z
  Box box;
  box.add({-1, -1, -1}), box.add({1, 1, 1});
  const Region region = projectedRegion(box, camera, {200, 100});
  // The front face: half height 1 at distance 4 under 45 degrees.
  const float half = 50 / (4 * std::tan(0.3926990817f));
  EXPECT_EQ(region.y, int(std::floor(50 - half)));
  EXPECT_EQ(region.y + region.height, int(std::ceil(50 + half)));
  EXPECT_EQ(region.x, int(std::floor(100 - half)));
  camera.position.z = 0.5f;
  EXPECT_EQ(projectedRegion(box, camera, {200, 100}), (Region{0, 0, 200, 100}));
  EXPECT_TRUE(projectedRegion({}, camera, {200, 100}).empty());
  camera.position.z = 5, camera.target = {0, 20, 5};
  box = {};
  box.add({30, 4, 4}), box.add({31, 5, 5.5f});
  EXPECT_TRUE(projectedRegion(box, camera, {200, 100}).empty());
}

TEST(PartColor, DiffersBetweenNeighbors) {
  for (int part = 0; part < 16; ++part) {
    const glm::vec3 d = rankColor(part) - rankColor(part + 1);
    EXPECT_GT(std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z), 0.25f) << part;
  }
}

TEST_F(ActivePixelShare, CompositedGiveTheWholePicture) {
  const std::string input = "planes:count=6,spheres=20,alpha=1";
  const Frame whole = frameOf(input, 0, 1, Split::Objects, kBytes);
  EXPECT_GT(activeCount(whole), 3000u);
  EXPECT_LT(activeCount(whole), whole.pixelCount());
  for (const Split split : {Split::Objects, Split::Triangles}) {
    const Frame sum = composited(input, 3, split, kBytes);
    EXPECT_EQ(sum.depth, whole.depth);
    EXPECT_EQ(sum.color, whole.color);
  }
}

TEST_F(ActivePixelShare, OfAFileGiveTheWholePicture) {
  const TempFolder folder;
  folder.write("a.obj", "o left\n" + square(0, 0, 3000) + "o right\nv 9 9 9\nv 1 0 1\nv 2 2 0\n" +
                            "v 0 2 0.3\nf -1 -2 -3\n");
  const std::string input = folder.file("a.obj");
  const Frame whole = frameOf(input, 0, 1, Split::Objects, kBytes);
  EXPECT_GT(activeCount(whole), 1000u);
  for (const Split split : {Split::Objects, Split::Triangles}) {
    const Frame sum = composited(input, 3, split, kBytes);
    EXPECT_EQ(sum.depth, whole.depth);
    EXPECT_EQ(sum.color, whole.color);
  }
  EXPECT_EQ(load(input, 2, 3)->triangles, 0u);
  EXPECT_EQ(load(input, 2, 3)->whole.objects, 2u);
  EXPECT_EQ(load(input, 2, 3, Split::Triangles)->triangles, 2001u);
}

TEST_F(ActivePixelShare, OfPointsGiveTheWholePictureWhateverTheBuffers) {
  const std::string input = "points:count=3000,size=0.5";
  const Frame whole = frameOf(input, 0, 1, Split::Objects, kBytes);
  EXPECT_GT(activeCount(whole), 300u);
  context().memory().setBlockLimit(16 * 700);
  const Frame sum = composited(input, 3, Split::Objects, kBytes);
  EXPECT_EQ(sum.depth, whole.depth);
  EXPECT_EQ(sum.color, whole.color);
}

TEST_F(ActivePixelShare, OfPointsAreSpheres) {
  // One point, seen from 1 m: its outline and the depth in its middle are those of a sphere.
  const std::string input = "points:count=1,size=2";
  ShareRenderer renderer(context(), load(input, 0, 1));
  Progress progress;
  const PointCloud cloud = *PointCloud::fromSpec(input, progress);
  const auto point = cloud.make(0, 1)[0];
  const float radius = cloud.radius().x + cloud.radius().y * float(point.look & 0xFFFF) / 65535;
  Camera camera;
  camera.target = {point.x, point.y, point.z};
  camera.position = camera.target + glm::vec3(0, 0, 1);
  camera.verticalFovDeg = 12;
  const glm::ivec2 size{201, 201};
  Frame frame;
  readBack(renderer.draw(camera, size, kBytes), kBytes, size, {0, 0, size.x, size.y}, frame);
  const float outline = radius / std::sqrt(1 - radius * radius);  // at distance 1
  const float pixels = outline / std::tan(0.10471976f) * 100.5f;
  ASSERT_GT(pixels, 20);
  EXPECT_NEAR(double(activeCount(frame)), 3.14159265 * pixels * pixels, 6 * pixels * 0.3);
  camera.fitDepth(renderer.share().whole.bounds);
  const float z = 1 - radius, n = camera.nearZ, f = camera.farZ;
  EXPECT_NEAR(frame.depth[100 * 201 + 100], f / (f - n) * (1 - n / z), 1e-4);
}

TEST_F(ActivePixelShare, StayInTheirRegion) {
  for (const std::string input :
       {"hairball:strands=20,spheres=4,alpha=1", "points:count=500,size=2"})
    expectInsideRegion(input);
}
TEST_F(ActivePixelShare, HaveTheirBottomRowFirst) {
  const TempFolder folder;
  folder.write("low.obj", "v -1 -1 0\nv 1 -1 0\nv 0 -0.5 0\nf 1 2 3\n");
  folder.write("high.obj", "v -1 0.9 0\nv 1 0.9 0\nv 0 1 0\nf 1 2 3\n");
  ShareRenderer renderer(context(), load(folder.path().string(), 1, 2));  // low.obj
  Camera camera;
  const auto drawn = renderer.draw(camera, kSize, kBytes, glm::vec3(1, 0, 0));
  EXPECT_LT(drawn.region.y + drawn.region.height, kSize.y / 2);
  Frame frame;
  readBack(drawn, kBytes, kSize, {0, 0, kSize.x, kSize.y}, frame);
  const Image image = imageOf(frame);
  EXPECT_EQ(image.at(kSize.x / 2, 10).a, 0.0f);
  std::uint64_t red = 0;
  for (const glm::vec4& p : image.pixels) red += p == glm::vec4(1, 0, 0, 1);
  EXPECT_EQ(red, activeCount(frame));
  EXPECT_GT(red, 100u);
}

TEST_F(ActivePixelShare, DrawEveryFormatAlike) {
  const std::string input = "planes:count=6,spheres=20,alpha=1";
  const Frame bytes = frameOf(input, 0, 1, Split::Objects, kBytes);
  const Image expected = imageOf(bytes);
  for (const Color color : {Color::Rgba32f, Color::None}) {
    const Frame frame =
        frameOf(input, 0, 1, Split::Objects, {color, Depth::Float32, Compositing::ZBuffer});
    EXPECT_EQ(frame.depth, bytes.depth);
    if (color == Color::None) continue;
    const Image image = imageOf(frame);
    for (std::size_t i = 0; i < image.pixels.size(); ++i)
      ASSERT_NEAR(std::min(image.pixels[i].g, 1.0f), expected.pixels[i].g, 0.006) << i;
  }
}

TEST_F(ActivePixelShare, BlendWithPremultipliedColor) {
  const Format format{Color::Rgba32f, Depth::None, Compositing::Blend};
  const Frame frame = frameOf("planes:count=1,spheres=0,alpha=0.25", 0, 1, Split::Objects, format);
  EXPECT_TRUE(frame.depth.empty());
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < frame.pixelCount(); ++i) {
    const glm::vec4 c = frame.colorOf(i);
    if (c.a == 0) continue;
    ++seen;
    ASSERT_NEAR(c.a, 0.25f, 1e-5);
    ASSERT_LE(c.g, 0.3f);
  }
  EXPECT_GT(seen, 2000u);
}

TEST(FramePicture, RoundTripsThroughBytes) {
  Image image(3, 2);
  image.at(0, 0) = {1, 0.5f, 0.01f, 1};
  image.at(2, 1) = {0.1f, 0.2f, 0.05f, 0.5f};
  std::vector<float> depth{0.1f, 1, 0.3f, 0.4f, 0.5f, 0.6f};
  const Frame frame = frameOf(image, depth, kBytes);
  EXPECT_EQ(frame.depth[3], 0.1f);  // the bottom row comes first
  EXPECT_EQ(depthOf(frame), depth);
  const Image back = imageOf(frame);
  for (std::size_t i = 0; i < image.pixels.size(); ++i)
    for (int c = 0; c < 4; ++c) EXPECT_NEAR(back.pixels[i][c], image.pixels[i][c], 0.005) << i;
}

}  // namespace
}  // namespace fathom::active_pixel
