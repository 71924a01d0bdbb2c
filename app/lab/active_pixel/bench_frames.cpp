// SPDX-License-Identifier: BSD-3-Clause
// Figure 4: frames of a turning scene by number of parts and mode. Parts take their turn on one GPU
// and are composited in this process; ranks of their own are what `mpirun fathom active-pixel
// composite` measures.
#include "app/lab/active_pixel/workloads.h"
#include "app/engine/active_pixel/distribute/in_process.h"
#include "app/engine/active_pixel/image/reference.h"

namespace fathom::active_pixel {
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
    CompositorSetup setup;
    setup.size = size;
    setup.tiles = {{{0, 0, size.x, size.y}, 0}};
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
  return {same, "exact", "another picture"};
}

std::vector<int> rankCounts(const BenchRun& run) {
  if (run.scale() == BenchScale::Quick) return {1, 4};
  return {1, 2, 4, 8};
}

}  // namespace

void runFrames(BenchRun& run) {
  BenchSettings settings;
  run.sweep([&](FieldVisitor& field) { describe(settings, field); },
            [&] {
              for (const BenchWorkload& workload : workloadsOf(run, settings.folder))
                for (const glm::ivec2 size : sizesOf(run))
                  for (const int ranks : rankCounts(run)) {
                    Turn turn(run, workload, ranks, size, settings.method);
                    const Whole& whole = workload.source->whole();
                    std::vector<BenchCase> cases;
                    for (const Mode mode : {Mode::Generic, Mode::Roi, Mode::Gpu}) {
                      BenchCase c;
                      c.workload = fmt::format("{}, {} x {}", workload.name, size.x, size.y);
                      c.label = fmt::format("{}, {} parts", kModeNames[int(mode)], ranks);
                      c.size = size;
                      c.work = 1;
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
