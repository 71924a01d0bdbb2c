// SPDX-License-Identifier: BSD-3-Clause
// Started by mpirun: every rank runs all tests, in step. Each makes the frames of all ranks from
// the same seeds, so that whoever shows the result can composite them by brute force beside IceT.
#include "app/engine/active_pixel/distribute/compositor.h"
#include "app/engine/active_pixel/image/reference.h"
#include "app/engine/core/random.h"
#include "app/engine/ranks/job.h"
#include "tests/active_pixel/frames.h"

namespace fathom::active_pixel {
namespace {

constexpr glm::ivec2 kSize(97, 61);
constexpr Strategy kStrategies[] = {Strategy::Automatic, Strategy::BinarySwap,
                                    Strategy::Tree,      Strategy::RadixK,
                                    Strategy::RadixKr,   Strategy::BinarySwapFolding};
enum class Form { Compressed, WholeFrame, Region };

Frame composited(Compositor& by, std::size_t tile, const TileInput& input) {
  Frame result;
  by.composite(tile, input, result);
  return result;
}

/// A disk of its own for each rank, over the others' in part; depths are coarse, so that many tie.
Frame frameOfRank(int rank, const Format& format, glm::ivec2 size = kSize) {
  Frame frame(format, size.x, size.y);
  Random random(std::uint64_t(rank) + 11);
  const glm::vec2 center = glm::vec2(size) * (0.3f + 0.05f * float(rank));
  const float radius = 0.35f * float(size.y);
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x) {
      const std::size_t pixel = std::size_t(y) * std::size_t(size.x) + std::size_t(x);
      const float noise = random.uniform();
      const glm::vec2 away = glm::vec2(x, y) - center;
      if (away.x * away.x + away.y * away.y > radius * radius || noise < 0.1f) continue;
      const float alpha = format.compositing == Compositing::Blend ? 0.2f + 0.6f * noise : 1.0f;
      frame.setColor(pixel, glm::vec4(alpha * noise, alpha * float(rank % 3) / 2, 0.1f, alpha));
      if (!frame.depth.empty()) frame.depth[pixel] = std::floor(noise * 8) / 8;
    }
  return frame;
}

/// Everything that this rank brings to a tile, in one of three ways.
class Bringing {
 public:
  Bringing(const Frame& whole, const Tile& tile, Form form)
      : frame_(whole.format, tile.area.width, tile.area.height) {
    const auto& [x0, y0, width, height] = tile.area;
    const std::size_t bytes = std::size_t(whole.format.colorBytes());
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const std::size_t from =
            std::size_t(y + y0) * std::size_t(whole.width) + std::size_t(x + x0);
        const std::size_t to = std::size_t(y) * std::size_t(width) + std::size_t(x);
        if (bytes) std::memcpy(frame_.colorAt(to), whole.colorAt(from), bytes);
        if (!whole.depth.empty()) frame_.depth[to] = whole.depth[from];
      }
    if (form == Form::Compressed) {
      const SparseImage image = reference::encode(frame_);
      capacity_ = std::size_t(bufferBytes(whole.format, width, height));
      words_.assign((capacity_ + 3) / 4 + kCanaryWords, kCanary);
      std::copy(image.words.begin(), image.words.end(), words_.begin());
      input = {{words_.data(), image.words.size()}, capacity_, nullptr, {}};
    } else {
      input.frame = &frame_;
      input.valid = form == Form::Region ? activeBox() : Region{0, 0, width, height};
    }
  }
  /// Whether nothing was written after the buffer's declared end.
  bool canaryLives() const {
    return std::all_of(words_.end() - std::ptrdiff_t(std::min(words_.size(), kCanaryWords)),
                       words_.end(), [](std::uint32_t word) { return word == kCanary; });
  }
  TileInput input;

 private:
  static constexpr std::uint32_t kCanary = 0xC0DEFEED;
  static constexpr std::size_t kCanaryWords = 64;

  Region activeBox() const {
    int x0 = frame_.width, y0 = frame_.height, x1 = 0, y1 = 0;
    for (std::size_t i = 0; i < frame_.pixelCount(); ++i) {
      if (!reference::isActive(frame_, i)) continue;
      const int x = int(i) % frame_.width, y = int(i) / frame_.width;
      x0 = std::min(x0, x), y0 = std::min(y0, y), x1 = std::max(x1, x + 1),
      y1 = std::max(y1, y + 1);
    }
    return x1 > x0 ? Region{x0, y0, x1 - x0, y1 - y0} : Region{};
  }

  Frame frame_;
  std::vector<std::uint32_t> words_;
  std::size_t capacity_ = 0;
};

/// The largest difference of colors, in steps of a byte; 0 for the same bytes.
double colorDifference(const Frame& a, const Frame& b) {
  if (a.color.size() != b.color.size()) return 1e9;
  double largest = 0;
  for (std::size_t i = 0; i < a.pixelCount(); ++i) {
    const glm::vec4 d = glm::abs(a.colorOf(i) - b.colorOf(i));
    largest = std::max(largest, 255.0 * double(std::max({d.r, d.g, d.b, d.a})));
  }
  return largest;
}

class MpiCompositor : public testing::Test {
 protected:
  MpiCompositor() : compositor(makeIcetCompositor()) {}

  CompositorSetup setupOf(const Format& format, glm::ivec2 columnsRows = {1, 1}) {
    return {.format = format,
            .size = kSize,
            .tiles = tilesOf(kSize, columnsRows, compositor->ranks()),
            .background = {0.25f, 0.5f, 0.75f, 1.0f}};
  }
  std::vector<Frame> allFrames(const Format& format) {
    std::vector<Frame> frames;
    for (int rank = 0; rank < compositor->ranks(); ++rank)
      frames.push_back(frameOfRank(rank, format));
    return frames;
  }
  /// The right answer by the fold inside one process, itself held against the reference below.
  Frame expected(const CompositorSetup& setup, const Tile& tile, const std::vector<Frame>& frames,
                 std::span<const int> order) {
    std::vector<Bringing> brought;
    std::vector<TileImage> images;
    brought.reserve(frames.size());
    for (const Frame& frame : frames)
      images.push_back(brought.emplace_back(frame, tile, Form::WholeFrame).input.image());
    return compositeInProcess(setup, tile, images, order);
  }
  void expectSame(const Frame& result, const Frame& right, const std::string& what) {
    if (right.format.compositing == Compositing::Blend) {
      const double bound = right.format.color == Color::Rgba8 ? compositor->ranks() : 255 * 1e-5;
      EXPECT_LE(colorDifference(result, right), bound) << what;
      return;
    }
    EXPECT_TRUE(result.color == right.color) << what << ": " << colorDifference(result, right);
    EXPECT_TRUE(result.depth == right.depth) << what;
  }
  void runAll(Compositor& asked, const CompositorSetup& setup, Form form,
              std::span<const int> order, const std::string& what) {
    asked.setUp(setup);
    asked.setOrder(order);
    const std::vector<Frame> frames = allFrames(setup.format);
    for (std::size_t t = 0; t < setup.tiles.size(); ++t) {
      const Tile& tile = setup.tiles[t];
      Bringing mine(frames[std::size_t(asked.rank())], tile, form);
      const Frame result = composited(asked, t, mine.input);
      EXPECT_TRUE(form != Form::Compressed || mine.canaryLives()) << what;
      if (tile.displayRank == asked.rank())
        expectSame(result, expected(setup, tile, frames, order), what);
      else
        EXPECT_EQ(result.pixelCount(), 0u) << what;
    }
  }
  std::vector<int> plainOrder() const {
    std::vector<int> order(static_cast<std::size_t>(compositor->ranks()));
    std::iota(order.begin(), order.end(), 0);
    return order;
  }

  std::unique_ptr<Compositor> compositor;
};

TEST_F(MpiCompositor, EqualsBruteForceInEveryFormatStrategyAndWay) {
  const std::vector<int> order = plainOrder();
  for (const Format& format : test::allFormats())
    for (const Strategy strategy : kStrategies)
      for (const bool interlace : {true, false})
        for (const Form form : {Form::Compressed, Form::WholeFrame, Form::Region}) {
          CompositorSetup setup = setupOf(format);
          setup.strategy = strategy;
          setup.interlace = interlace;
          setup.tiles[0].displayRank = (int(strategy) + interlace) % compositor->ranks();
          runAll(*compositor, setup, form, order,
                 fmt::format("{} strategy {} interlace {} form {}", test::formatName(format),
                             int(strategy), interlace, int(form)));
        }
}

TEST_F(MpiCompositor, BlendsInTheOrderGiven) {
  std::vector<int> order = plainOrder();
  std::reverse(order.begin(), order.end());
  std::rotate(order.begin(), order.begin() + 1, order.end());
  for (const Format& format : test::allFormats())
    if (format.compositing == Compositing::Blend)
      for (const Form form : {Form::Compressed, Form::WholeFrame})
        runAll(*compositor, setupOf(format), form, order, test::formatName(format));
}

TEST_F(MpiCompositor, TilesGoToTheirDisplays) {
  for (const glm::ivec2 columnsRows : {glm::ivec2(2, 1), glm::ivec2(3, 2)})
    for (const Form form : {Form::Compressed, Form::Region})
      runAll(*compositor, setupOf({}, columnsRows), form, plainOrder(), "tiles");
}

TEST_F(MpiCompositor, TilesMayOverlap) {
  CompositorSetup setup = setupOf({});
  const int last = compositor->ranks() - 1;
  setup.tiles = {{{0, 0, 60, 40}, 0}, {{30, 20, 67, 41}, last}, {{30, 0, 20, 61}, last}};
  runAll(*compositor, setup, Form::Compressed, plainOrder(), "overlapping tiles");
}

TEST_F(MpiCompositor, TinyPictures) {
  for (const glm::ivec2 size : {glm::ivec2(1, 1), glm::ivec2(3, 1), glm::ivec2(500, 1)}) {
    CompositorSetup setup = setupOf({});
    setup.size = size;
    setup.tiles = tilesOf(size, {1, 1}, compositor->ranks());
    compositor->setUp(setup);
    const Tile& tile = setup.tiles[0];
    std::vector<Frame> frames;
    for (int rank = 0; rank < compositor->ranks(); ++rank)
      frames.push_back(test::randomFrame(std::uint64_t(rank), size.x, size.y, setup.format, 0.5));
    Bringing mine(frames[std::size_t(compositor->rank())], tile, Form::Compressed);
    const Frame result = composited(*compositor, 0, mine.input);
    if (compositor->rank() == 0) expectSame(result, expected(setup, tile, frames, {}), "tiny");
  }
}

TEST_F(MpiCompositor, RanksWithNothingToDrawAreLeftOut) {
  const CompositorSetup setup = setupOf({});
  const Tile& tile = setup.tiles[0];
  // Each rank draws or not; the last case: none does.
  for (const int drawing : {1, 2, 5, 6, 0})
    for (const Form form : {Form::Compressed, Form::Region}) {
      compositor->setUp(setup);
      std::vector<Frame> frames;
      for (int rank = 0; rank < compositor->ranks(); ++rank)
        frames.push_back(drawing >> (rank % 3) & 1 ? frameOfRank(rank, setup.format)
                                                   : Frame(setup.format, kSize.x, kSize.y));
      Bringing mine(frames[std::size_t(compositor->rank())], tile, form);
      const bool draws = drawing >> (compositor->rank() % 3) & 1;
      const Frame result = composited(*compositor, 0, draws ? mine.input : TileInput{});
      if (compositor->rank() == 0)
        expectSame(result, expected(setup, tile, frames, {}), fmt::format("drawing {}", drawing));
    }
}

TEST_F(MpiCompositor, WithoutDepthTheColorsAreTheSame) {
  CompositorSetup setup = setupOf({});
  setup.depthToo = false;
  compositor->setUp(setup);
  const std::vector<Frame> frames = allFrames(setup.format);
  for (const Form form : {Form::Compressed, Form::WholeFrame}) {
    Bringing mine(frames[std::size_t(compositor->rank())], setup.tiles[0], form);
    const Frame result = composited(*compositor, 0, mine.input);
    if (compositor->rank() != 0) continue;
    EXPECT_TRUE(result.color == expected(setup, setup.tiles[0], frames, {}).color);
    EXPECT_TRUE(result.depth.empty());
  }
}

TEST_F(MpiCompositor, FallsBackToWholeFramesWhenIcetLaysOutImagesInAnotherWay) {
  const std::unique_ptr<Compositor> fallback = makeIcetCompositor(false);
  for (const Format& format : test::allFormats())
    runAll(*fallback, setupOf(format), Form::Compressed, plainOrder(), test::formatName(format));
}

TEST_F(MpiCompositor, ADamagedImageOfOneRankIsRefusedByAll) {
  const CompositorSetup setup = setupOf({});
  const int last = compositor->ranks() - 1;
  for (const int word : {0, 1, 2, 3, 6}) {
    compositor->setUp(setup);
    Bringing mine(frameOfRank(compositor->rank(), setup.format), setup.tiles[0], Form::Compressed);
    if (compositor->rank() == last) mine.input.sparse[std::size_t(word)] ^= 0x10;
    EXPECT_THROW(composited(*compositor, 0, mine.input), Error) << "word " << word;
  }
  // A buffer without room to work in.
  Bringing tight(frameOfRank(compositor->rank(), setup.format), setup.tiles[0], Form::Compressed);
  if (compositor->rank() == last) tight.input.sparseCapacity = tight.input.sparse.size_bytes();
  EXPECT_THROW(composited(*compositor, 0, tight.input), Error);
  // And the next frame is well again.
  runAll(*compositor, setup, Form::Compressed, plainOrder(), "after refusals");
}

TEST_F(MpiCompositor, FramesBesideSparseImagesAreRefused) {
  if (compositor->ranks() < 2) GTEST_SKIP() << "needs two ranks";
  const CompositorSetup setup = setupOf({});
  compositor->setUp(setup);
  Bringing mine(frameOfRank(compositor->rank(), setup.format), setup.tiles[0],
                compositor->rank() == 0 ? Form::Compressed : Form::WholeFrame);
  EXPECT_THROW(composited(*compositor, 0, mine.input), Error);
}

}  // namespace
}  // namespace fathom::active_pixel

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  int result = 0;
  fathom::ranks::Job::run([&](fathom::ranks::Job&) { result = RUN_ALL_TESTS(); });
  return result;
}
