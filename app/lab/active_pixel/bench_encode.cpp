// SPDX-License-Identifier: BSD-3-Clause
// Table 1: what it costs to bring the slowest rank's image to the host, compressed, in each mode.
// The rank's frame is drawn once, each step to the host is repeated.
#include "app/engine/active_pixel/compress/compressor.h"
#include "app/engine/active_pixel/distribute/compositor.h"
#include "app/engine/active_pixel/distribute/icet.h"
#include "app/engine/active_pixel/image/picture.h"
#include "app/engine/active_pixel/image/reference.h"
#include "app/engine/active_pixel/share/share.h"
#include "app/lab/active_pixel/bench.h"
#include "app/lab/workload.h"

namespace fathom::active_pixel {
namespace {

using Work = gpu::Timings::Scope::Work;

/// Drawn and read back when it is made.
struct RankFrame {
  RankFrame(gpu::Context& gpu, std::shared_ptr<const Share> share, const Camera& camera,
            glm::ivec2 pictureSize, Method how);
  RankFrame(const RankFrame&) = delete;
  RankFrame& operator=(const RankFrame&) = delete;

  /// On the GPU; returns the compressor's slot.
  int compress();

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

RankFrame::RankFrame(gpu::Context& context, std::shared_ptr<const Share> share,
                     const Camera& camera, glm::ivec2 pictureSize, Method how)
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

int RankFrame::compress() {
  return compressor.compress(
      {drawn.color, drawn.depth, format, size.x, size.y, Placement{drawn.region, drawn.region}},
      method);
}

/// What the processor's compressor makes of a frame, against the reference.
CheckResult checkHost(const Frame& frame) {
  if (!icetAvailable()) return {true, "exact", ""};  // it is the reference
  const bool same = icet::compressFrame(frame) == reference::encode(frame);
  return {same, "exact", "other bytes than the reference"};
}

/// A trial of the processor's compressor: IceT's own function where there is one. Both arguments
/// must outlive it.
std::function<void()> hostTrial(RankFrame& rank, const Frame& frame) {
  const auto repeated = icetAvailable() ? std::make_shared<icet::Compression>(frame) : nullptr;
  return [&rank, &frame, repeated] {
    const gpu::Timings::Scope scope(rank.gpu.timings(), "compress on the host", Work::Compute);
    if (repeated)
      repeated->run();
    else
      reference::encode(frame);
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

struct Row {
  const BenchWorkload& workload;
  int ranks;
  bool many;
};

BenchCase caseOf(const RankFrame& f, const Row& row, Mode mode, const char* step) {
  return pictureCase(fmt::format("{}, {} ranks", row.workload.name, row.ranks),
                     fmt::format("{} {}", kModeNames[int(mode)], step), f.size);
}

void measureMode(BenchRun& run, RankFrame& f, const Row& row, Mode mode) {
  const Region whole{0, 0, f.size.x, f.size.y};
  const Region read = mode == Mode::Roi ? f.drawn.region : whole;
  BenchCase transfer = caseOf(f, row, mode, "transfer"),
            compress = caseOf(f, row, mode, "compression");
  transfer.paper = {timeCell(row.workload.paper, f.size, mode, Step::Transfer, row.many)};
  compress.paper = {timeCell(row.workload.paper, f.size, mode, Step::Compression, row.many)};
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

}  // namespace

void runEncode(BenchRun& run) {
  BenchSettings settings;
  run.sweep(describing(settings), [&] {
    for (const BenchWorkload& workload : workloadsOf(run, settings.folder))
      for (const glm::ivec2 size : sizesOf(run))
        for (const bool many : {false, true}) {
          const int ranks = many ? workload.manyRanks : workload.fewRanks;
          const Camera camera = viewOf(workload.source->whole, size, 0);
          const auto share = largest(workload, ranks, camera, size, run.progress());
          RankFrame frame(run.gpu(), share, camera, size, settings.method);
          for (const Mode mode : {Mode::Generic, Mode::Roi, Mode::Gpu})
            measureMode(run, frame, {workload, ranks, many}, mode);
        }
  });
}

}  // namespace fathom::active_pixel
