// SPDX-License-Identifier: BSD-3-Clause
// Table 2: how much of a raw frame the regions and the compressed images of ranks take, the
// smallest and the largest among ranks and views of a turn. Bytes, not time.
#include "app/lab/active_pixel/workloads.h"
#include "app/engine/active_pixel/image/reference.h"

#include <algorithm>

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
      const Camera camera = viewOf(workload.source->whole(), size, view * 180 / views);
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
  BenchCase c;
  c.workload =
      fmt::format("{}, {} ranks", workload.name, many ? workload.manyRanks : workload.fewRanks);
  c.label = fmt::format("{} {}", what, extreme);
  c.size = size;
  c.work = double(size.x) * size.y;
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
  run.sweep([&](FieldVisitor& field) { describe(settings, field); },
            [&] {
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

}  // namespace fathom::active_pixel
