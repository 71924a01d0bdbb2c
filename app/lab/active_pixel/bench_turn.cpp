// SPDX-License-Identifier: BSD-3-Clause
// Table 2: how much of a raw frame the regions and the compressed images of ranks take, the
// smallest and the largest among ranks and views of a turn. Bytes, not time.
#include "app/engine/active_pixel/distribute/compositor.h"
#include "app/engine/active_pixel/image/reference.h"
#include "app/lab/active_pixel/bench.h"

namespace fathom::active_pixel {
namespace {

struct Extremes {
  double min = 1e300, max = 0;
  void add(double value) { min = std::min(min, value), max = std::max(max, value); }
};

struct Shares {
  Extremes region, active;
  CheckResult checked{true, "exact", ""};
};

/// All ranks in all views; each image is compared with the reference in the first view.
Shares sharesOf(BenchRun& run, const BenchWorkload& workload, int ranks, glm::ivec2 size,
                int views) {
  const Format format{};
  const double raw = double(size.x) * size.y * format.payloadBytes();
  Compressor compressor(run.gpu());
  const auto targets = std::make_shared<ShareTargets>();
  Shares shares;
  run.progress().begin(fmt::format("active-pixel.ratio {}", workload.name), ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    ShareRenderer renderer(
        run.gpu(), workload.source->take(rank, ranks, Split::Objects, run.progress()), targets);
    for (int view = 0; view < views; ++view) {
      const Camera camera = viewOf(workload.source->whole, size, view * 180 / views);
      const ShareRenderer::Drawn drawn = renderer.draw(camera, size, format);
      if (drawn.region.empty()) continue;  // costs nothing
      const int slot = compressor.compress(
          {drawn.color, drawn.depth, format, size.x, size.y, Placement{drawn.region, drawn.region}},
          Method::Fused);
      const auto words = compressor.result(slot).words;
      const double pixels = double(drawn.region.width) * drawn.region.height;
      shares.region.add(pixels * format.payloadBytes() / raw);
      shares.active.add(double(words.size_bytes() - kHeaderBytes) / raw);
      if (view == 0 && shares.checked.passed)
        shares.checked = sameAsReference(drawn, format, size, words);
    }
    run.progress().advance(1);
  }
  return shares;
}

void measureShare(BenchRun& run, const BenchWorkload& workload, bool many, glm::ivec2 size,
                  const std::string& what, const std::string& extreme, double share,
                  CheckResult checked) {
  const double raw = double(size.x) * size.y * Format{}.payloadBytes();
  BenchCase c = pictureCase(
      fmt::format("{}, {} ranks", workload.name, many ? workload.manyRanks : workload.fewRanks),
      fmt::format("{} {}", what, extreme), size);
  c.memoryBytes = std::int64_t(share * raw);
  c.paper = {shareCell(workload.paper, many, what, extreme)};
  checked.values = {{kShareValue, 100 * share}};
  c.check = [checked] { return checked; };
  run.measure(c);
}

}  // namespace

void runRatio(BenchRun& run) {
  BenchSettings settings;
  const int views = run.scale() == BenchScale::Quick    ? 2
                    : run.scale() == BenchScale::Normal ? 12
                                                        : 180;
  run.sweep(describing(settings), [&] {
    const glm::ivec2 size = sizesOf(run).front();  // shares hardly depend on it
    for (const BenchWorkload& workload : workloadsOf(run, settings.folder))
      for (const bool many : {false, true}) {
        const int ranks = many ? workload.manyRanks : workload.fewRanks;
        const Shares s = sharesOf(run, workload, ranks, size, views);
        measureShare(run, workload, many, size, "ROI", "least", s.region.min, s.checked);
        measureShare(run, workload, many, size, "ROI", "most", s.region.max, s.checked);
        measureShare(run, workload, many, size, "AP", "least", s.active.min, s.checked);
        measureShare(run, workload, many, size, "AP", "most", s.active.max, s.checked);
      }
  });
}

// Figure 4: frames of a turning scene by number of parts and mode. Parts take their turn on one GPU
// and are composited in this process; ranks of their own are what `mpirun fathom active-pixel
// composite` measures.
namespace {

struct Turn {
  LocalRanks ranks;
  glm::ivec2 size;
  Method method;
  int frame = 0;
  Frame picture;

  Turn(BenchRun& run, const BenchWorkload& workload, int count, glm::ivec2 pictureSize, Method how)
      : ranks(run.gpu()), size(pictureSize), method(how) {
    for (int rank = 0; rank < count; ++rank)
      ranks.add(workload.source->take(rank, count, Split::Objects, run.progress()));
  }
  void draw(const Whole& whole, Mode mode) {
    RankView view;
    view.camera = viewOf(whole, size, frame);
    view.size = size;
    const CompositorSetup setup{.size = size, .tiles = {{{0, 0, size.x, size.y}, 0}}};
    std::vector<TileImage> images(ranks.count());
    for (std::size_t i = 0; i < ranks.count(); ++i) {
      ranks.compress(i, view, mode, method);
      images[i].sparse = ranks.all()[i].sparse.words;
    }
    picture = compositeInProcess(setup, setup.tiles[0], images);
  }
};

/// The picture of this mode is that of full frames composited by the reference.
CheckResult checkFrame(Turn& turn, const Whole& whole, Mode mode) {
  turn.draw(whole, mode);
  std::vector<Frame> frames;
  for (const LocalRank& rank : turn.ranks.all())
    frames.push_back(reference::decode(rank.sparse.words, Compositing::ZBuffer, glm::vec4(0)));
  const Frame expected = reference::compositeAll(frames);
  const bool same = expected.depth == turn.picture.depth && expected.color == turn.picture.color;
  return {same, "exact", "another image"};
}

std::vector<int> rankCounts(const BenchRun& run) {
  if (run.scale() == BenchScale::Quick) return {1, 4};
  return {1, 2, 4, 8};
}

}  // namespace

void runFrames(BenchRun& run) {
  BenchSettings settings;
  run.sweep(describing(settings), [&] {
    for (const BenchWorkload& workload : workloadsOf(run, settings.folder))
      for (const glm::ivec2 size : sizesOf(run))
        for (const int ranks : rankCounts(run)) {
          Turn turn(run, workload, ranks, size, settings.method);
          const Whole& whole = workload.source->whole;
          std::vector<BenchCase> cases;
          for (const Mode mode : {Mode::Generic, Mode::Roi, Mode::Gpu}) {
            BenchCase c =
                makeCase(fmt::format("{}, {} x {}", workload.name, size.x, size.y),
                         fmt::format("{}, {} parts", kModeNames[int(mode)], ranks), 1, size);
            c.paper = {frameCell(workload.paper, size, mode, ranks)};
            c.reset = [&turn] { turn.frame = (turn.frame + 1) % 180; };
            c.trial = [&run, &turn, &whole, mode] {
              // All of it counts, also what the processor does.
              const gpu::Timings::Scope scope(run.gpu().timings(), "frame",
                                              gpu::Timings::Scope::Work::Compute);
              turn.draw(whole, mode);
            };
            c.check = [&turn, &whole, mode] { return checkFrame(turn, whole, mode); };
            cases.push_back(std::move(c));
          }
          run.measureTogether(cases);
        }
  });
}

}  // namespace fathom::active_pixel
