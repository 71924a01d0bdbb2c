// SPDX-License-Identifier: BSD-3-Clause
// Table 1: what it costs to bring the slowest rank's image to the host, compressed, in each mode.
#include "app/lab/active_pixel/rank_frame.h"
#include "app/lab/active_pixel/workloads.h"
#include "app/engine/active_pixel/image/reference.h"

#include <algorithm>

namespace fathom::active_pixel {
namespace {

using Work = gpu::Timings::Scope::Work;

std::int64_t area(const Region& r) { return r.empty() ? 0 : std::int64_t(r.width) * r.height; }

/// The share whose region is largest in a view: it decides about the frame.
std::shared_ptr<const Share> largest(const BenchWorkload& workload, int ranks, const Camera& camera,
                                     glm::ivec2 size, Progress& progress) {
  std::shared_ptr<const Share> best;
  std::int64_t largestArea = -1;
  for (int rank = 0; rank < ranks; ++rank) {
    auto share = workload.source->take(rank, ranks, Split::Objects, progress);
    const std::int64_t pixels = area(projectedRegion(share->bounds(), camera, size));
    if (pixels > largestArea) largestArea = pixels, best = std::move(share);
  }
  return best;
}

CheckResult checkGpu(RankFrame& f) {
  return sameAsReference(f.drawn, f.format, f.size, f.compressor.result(f.compress()).words);
}

struct Row {
  const BenchWorkload& workload;
  int ranks;
  bool many;
};

BenchCase caseOf(const RankFrame& f, const Row& row, Mode mode, const char* step) {
  BenchCase c;
  c.workload = fmt::format("{}, {} ranks", row.workload.name, row.ranks);
  c.label = fmt::format("{} {}", kModeNames[int(mode)], step);
  c.size = f.size;
  c.work = double(f.size.x) * f.size.y;
  return c;
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
    transfer.check = compress.check = [&f] { return checkGpu(f); };
  } else {
    const Frame& frame = mode == Mode::Roi ? f.regionFrame : f.frame;
    transfer.memoryBytes = area(read) * f.format.payloadBytes();
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
  run.sweep([&](FieldVisitor& field) { describe(settings, field); },
            [&] {
              for (const BenchWorkload& workload : workloadsOf(run, settings.folder))
                for (const glm::ivec2 size : sizesOf(run))
                  for (const bool many : {false, true}) {
                    const int ranks = many ? workload.manyRanks : workload.fewRanks;
                    const Camera camera = viewOf(workload.source->whole(), size, 0);
                    const auto share = largest(workload, ranks, camera, size, run.progress());
                    RankFrame frame(run.gpu(), share, camera, size, settings.method);
                    for (const Mode mode : {Mode::Generic, Mode::Roi, Mode::Gpu})
                      measureMode(run, frame, {workload, ranks, many}, mode);
                  }
            });
}

}  // namespace fathom::active_pixel
