// SPDX-License-Identifier: BSD-3-Clause
// The benches of active pixels: what it costs to bring an image to the host, how small it becomes,
// and frames of a turn, each beside the table or figure of Lipinski et al. that it is measured for.
#include "app/engine/active_pixel/compress/compressor.h"
#include "app/engine/active_pixel/distribute/compositor.h"
#include "app/engine/active_pixel/distribute/local_ranks.h"
#include "app/engine/active_pixel/image/picture.h"
#include "app/engine/active_pixel/image/reference.h"
#include "app/lab/catalog.h"
#include "app/lab/workload.h"

namespace fathom::active_pixel {
namespace {

using Work = gpu::Timings::Scope::Work;

constexpr float kTurnDeg = 2;
constexpr glm::ivec2 kPaperSizes[] = {{1920, 1080}, {3840, 2160}, {7680, 4320}};
constexpr const char* kTable1 = "Lipinski et al. 2021, table 1";
constexpr const char* kTable2 = "Lipinski et al. 2021, table 2";
constexpr const char* kFigure4 = "Lipinski et al. 2021, figure 4";

/// A mode as the paper's tables call it.
const char* paperName(Mode mode) {
  return mode == Mode::Generic ? "generic" : mode == Mode::Roi ? "roi-cpu" : "roi-gpu";
}

std::string sizeName(glm::ivec2 size) {
  static const char* const names[] = {"HD", "4K", "8K"};
  for (int i = 0; i < 3; ++i)
    if (kPaperSizes[i] == size) return names[i];
  return fmt::format("{} x {}", size.x, size.y);
}

/// Settings of the benches themselves, for --set and --sweep.
struct BenchSettings {
  std::string folder;  // a folder of scene files in place of the paper's neurons; empty: none
  Method method = Method::Fused;
};

void describe(BenchSettings& s, FieldVisitor& field) {
  field(s.folder, text("folder", "A folder of scene files, for the paper's neurons."));
  field(s.method, choice("method", {"fused", "five-step"}, "How the GPU compresses."));
}

struct BenchWorkload {
  std::string paper;  // what the paper calls it
  std::string name;
  std::shared_ptr<const ShareSource> source;
  int fewRanks, manyRanks;  // the paper's smallest and largest job
  int ranks(bool many) const { return many ? manyRanks : fewRanks; }
};

/// Station and points, at the scale's count, and the folder if there is one.
std::vector<BenchWorkload> workloadsOf(BenchRun& run, const std::string& folder) {
  const char* points = run.scale() == BenchScale::Quick    ? "points:count=50000"
                       : run.scale() == BenchScale::Normal ? "points:count=1000000"
                                                           : "points:count=55300000";
  Progress& progress = run.progress();
  std::vector<BenchWorkload> list;
  list.push_back({"Station", "station", openInput("station", progress), 2, 32});
  if (!folder.empty()) list.push_back({"Neurons", folder, openInput(folder, progress), 6, 192});
  list.push_back({"GPS", points, openInput(points, progress), 6, 192});
  return list;
}

/// HD at the normal scale; HD, 4K and 8K at the paper's; --size alone when it is given.
std::vector<glm::ivec2> sizesOf(const BenchRun& run) {
  const glm::ivec2 size = run.size({480, 270}, kPaperSizes[0], kPaperSizes[2]);
  if (run.scale() != BenchScale::Paper || size != kPaperSizes[2]) return {size};
  return {std::begin(kPaperSizes), std::end(kPaperSizes)};
}

/// The model's first view with its bounds in the middle, filling the picture, turned by
/// `frame` steps of 2 degrees.
Camera viewOf(const Whole& whole, glm::ivec2 size, int frame) {
  Camera camera = whole.camera;
  camera.frame(whole.bounds, float(size.x) / float(size.y));
  camera.dolly(0.7f);  // so that the model, not its box, fills the picture
  camera.orbit(glm::radians(kTurnDeg * float(frame)), 0);
  return camera;
}

/// Whether this sparse image is byte for byte what the reference makes of what was drawn.
CheckResult sameAsReference(const ShareRenderer::Drawn& drawn, const Format& format,
                            glm::ivec2 size, std::span<const std::uint32_t> words) {
  Frame frame;
  readBack(drawn, format, size, {0, 0, size.x, size.y}, frame);
  return bench::checkWords(reference::encode(frame).words, words);
}

// ---- Table 1: what it costs to bring the slowest rank's image to the host, compressed, in each
// mode. The rank's frame is drawn once, each step to the host is repeated.

/// Drawn and read back when it is made.
struct RankFrame {
  RankFrame(gpu::Context& context, std::shared_ptr<const Share> share, const Camera& camera,
            glm::ivec2 pictureSize, Method how)
      : gpu(context),
        renderer(context, std::move(share)),
        compressor(context),
        size(pictureSize),
        method(how) {
    drawn = renderer.draw(camera, size, format);
    readBack(drawn, format, size, {0, 0, size.x, size.y}, frame);
    regionFrame = Frame(format, std::max(drawn.region.width, 1), std::max(drawn.region.height, 1));
    if (!drawn.region.empty()) copyRegion(frame, drawn.region, regionFrame, 0, 0);
  }
  RankFrame(const RankFrame&) = delete;
  RankFrame& operator=(const RankFrame&) = delete;

  /// On the GPU; returns the compressor's slot.
  int compress() {
    return compressor.compress(
        {drawn.color, drawn.depth, format, size.x, size.y, Placement{drawn.region, drawn.region}},
        method);
  }

  gpu::Context& gpu;
  const Format format{};
  ShareRenderer renderer;
  Compressor compressor;
  glm::ivec2 size;
  Method method;
  ShareRenderer::Drawn drawn;
  Frame frame, regionFrame;  // the whole picture; its region alone
  Frame target;              // of read-backs that are timed
  int slot = 0;
};

/// What the processor's compressor makes of a frame, against the reference.
CheckResult checkHost(const Frame& frame) {
  if (!icetAvailable()) return {true, "exact", ""};  // it is the reference
  const bool same = icet::compressFrame(frame) == reference::encode(frame);
  return {same, "exact", "other bytes than the reference"};
}

/// A trial of the processor's compressor: IceT's own function where there is one. Both arguments
/// must outlive it.
std::function<void()> hostTrial(RankFrame& rank, const Frame& frame) {
  return [&rank, compress = icet::compression(frame)] {
    const gpu::Timings::Scope scope(rank.gpu.timings(), "compress on the host", Work::Compute);
    compress();
  };
}

/// The share whose region is largest in a view: it decides about the frame.
std::shared_ptr<const Share> largest(const BenchWorkload& workload, int ranks, const Camera& camera,
                                     glm::ivec2 size, Progress& progress) {
  std::shared_ptr<const Share> best;
  std::int64_t largestArea = -1;
  for (int rank = 0; rank < ranks; ++rank) {
    auto share = workload.source->take(rank, ranks, Split::Objects, progress);
    const std::int64_t pixels = projectedRegion(share->bounds, camera, size).area();
    if (pixels > largestArea) largestArea = pixels, best = std::move(share);
  }
  return best;
}

/// A case, and its cell of the table; sizes other than the paper's are rows of ours.
BenchCase caseOf(const RankFrame& f, const BenchWorkload& workload, int ranks, Mode mode,
                 const char* step) {
  BenchCase made = pictureCase(fmt::format("{}, {} ranks", workload.name, ranks),
                               fmt::format("{} {}", kModeNames[int(mode)], step), f.size);
  made.paper = {{kTable1,
                 fmt::format("{} {}", sizeName(f.size), paperName(mode)),
                 fmt::format("{}: {}, {} ranks", workload.paper, step, ranks),
                 {}}};
  return made;
}

void measureMode(BenchRun& run, RankFrame& f, const BenchWorkload& workload, int ranks, Mode mode) {
  const Region whole{0, 0, f.size.x, f.size.y};
  const Region read = mode == Mode::Roi ? f.drawn.region : whole;
  BenchCase transfer = caseOf(f, workload, ranks, mode, "transfer"),
            compress = caseOf(f, workload, ranks, mode, "compression");
  if (mode == Mode::Gpu) {
    transfer.memoryBytes = std::int64_t(f.compressor.result(f.compress()).words.size_bytes());
    transfer.reset = [&f] { f.slot = f.compress(), f.gpu.finish(); };
    transfer.trial = [&f] {
      const gpu::Timings::Scope scope(f.gpu.timings(), "transfer", Work::Compute);
      f.compressor.result(f.slot);
    };
    compress.trial = [&f] { f.slot = f.compress(); };
    transfer.check = compress.check = [&f] {
      return sameAsReference(f.drawn, f.format, f.size, f.compressor.result(f.compress()).words);
    };
  } else {
    const Frame& frame = mode == Mode::Roi ? f.regionFrame : f.frame;
    transfer.memoryBytes = read.area() * f.format.payloadBytes();
    transfer.trial = [&f, read] {
      const gpu::Timings::Scope scope(f.gpu.timings(), "transfer", Work::Compute);
      readBack(f.drawn, f.format, f.size, read, f.target);
    };
    compress.trial = hostTrial(f, frame);
    compress.check = [&frame] { return checkHost(frame); };
    transfer.check = [&f, read] {
      readBack(f.drawn, f.format, f.size, read, f.target);
      const Placement placement{read, read};
      const bool same = reference::encode(f.target, f.size.x, f.size.y, placement) ==
                        reference::encode(f.frame, f.size.x, f.size.y, placement);
      return CheckResult{same, "exact", "other pixels than the whole frame has"};
    };
  }
  run.measure(transfer);
  run.measure(compress);
}

void runEncode(BenchRun& run) {
  BenchSettings settings;
  run.sweep(describing(settings), [&] {
    for (const BenchWorkload& workload : workloadsOf(run, settings.folder))
      for (const glm::ivec2 size : sizesOf(run))
        for (const bool many : {false, true}) {
          const int ranks = workload.ranks(many);
          const Camera camera = viewOf(workload.source->whole, size, 0);
          const auto share = largest(workload, ranks, camera, size, run.progress());
          RankFrame frame(run.gpu(), share, camera, size, settings.method);
          for (const Mode mode : {Mode::Generic, Mode::Roi, Mode::Gpu})
            measureMode(run, frame, workload, ranks, mode);
        }
  });
}

// ---- Table 2: how much of a raw frame the regions and the compressed images of ranks take, the
// smallest and the largest among ranks and views of a turn. Bytes, not time.

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
  constexpr const char* kShareValue = "% of raw";
  const double raw = double(size.x) * size.y * Format{}.payloadBytes();
  BenchCase c = pictureCase(fmt::format("{}, {} ranks", workload.name, workload.ranks(many)),
                            fmt::format("{} {}", what, extreme), size);
  c.memoryBytes = std::int64_t(share * raw);
  c.paper = {{kTable2, fmt::format("{} {}", workload.paper, what),
              fmt::format("{} ranks: {}", many ? "Many" : "Few", extreme), kShareValue}};
  checked.values = {{kShareValue, 100 * share}};
  c.check = [checked] { return checked; };
  run.measure(c);
}

void runRatio(BenchRun& run) {
  BenchSettings settings;
  const int views = run.scale() == BenchScale::Quick    ? 2
                    : run.scale() == BenchScale::Normal ? 12
                                                        : 180;
  run.sweep(describing(settings), [&] {
    const glm::ivec2 size = sizesOf(run).front();  // shares hardly depend on it
    for (const BenchWorkload& workload : workloadsOf(run, settings.folder))
      for (const bool many : {false, true}) {
        const Shares s = sharesOf(run, workload, workload.ranks(many), size, views);
        measureShare(run, workload, many, size, "ROI", "least", s.region.min, s.checked);
        measureShare(run, workload, many, size, "ROI", "most", s.region.max, s.checked);
        measureShare(run, workload, many, size, "AP", "least", s.active.min, s.checked);
        measureShare(run, workload, many, size, "AP", "most", s.active.max, s.checked);
      }
  });
}

// ---- Figure 4: frames of a turning scene by number of parts and mode. Parts take their turn on
// one GPU and are composited in this process; ranks of their own are what `mpirun fathom
// active-pixel composite` measures.

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
            c.paper = {{kFigure4,
                        fmt::format("{}, {}: {}", workload.paper, sizeName(size), paperName(mode)),
                        fmt::format("{}", ranks),
                        {}}};
            c.reset = [&turn] { turn.frame = (turn.frame + 1) % 180; };
            c.trial = [&run, &turn, &whole, mode] {
              // All of it counts, also what the processor does.
              const gpu::Timings::Scope scope(run.gpu().timings(), "frame", Work::Compute);
              turn.draw(whole, mode);
            };
            c.check = [&turn, &whole, mode] { return checkFrame(turn, whole, mode); };
            cases.push_back(std::move(c));
          }
          run.measureTogether(cases);
        }
  });
}

}  // namespace

const std::vector<Bench>& benches() {
  static const std::vector<Bench> list{
      {"active-pixel.encode",
       "Reading back and compressing, in three modes, of the rank with the largest region.",
       "pixels", runEncode},
      {"active-pixel.ratio",
       "Bytes of regions and of active pixels against raw, among ranks over a turn.", "pixels",
       runRatio},
      {"active-pixel.frames",
       "Frames of a turn by number of parts and mode, the parts in turn on one GPU.", "frames",
       runFrames},
  };
  return list;
}

}  // namespace fathom::active_pixel
