// SPDX-License-Identifier: BSD-3-Clause
// The benches as data, and what they share.
#include "app/lab/active_pixel/bench.h"
#include "app/engine/active_pixel/image/reference.h"

namespace fathom::active_pixel {
namespace {

constexpr float kTurnDeg = 2;
constexpr const char* kTable1 = "Lipinski et al. 2021, table 1";
constexpr const char* kTable2 = "Lipinski et al. 2021, table 2";
constexpr const char* kFigure4 = "Lipinski et al. 2021, figure 4";
constexpr const char* kWorkloads[] = {"Station", "Neurons", "GPS"};
constexpr const char* kModes[] = {"generic", "roi-cpu", "roi-gpu"};

int ranks(PaperWorkload workload, bool many) {
  if (workload == PaperWorkload::Station) return many ? 32 : 2;
  return many ? 192 : 6;
}

std::string sizeName(glm::ivec2 size) {
  static const char* const names[] = {"HD", "4K", "8K"};
  for (int i = 0; i < 3; ++i)
    if (kPaperSizes[i] == size) return names[i];
  return fmt::format("{} x {}", size.x, size.y);
}

std::string timeColumn(PaperWorkload workload, Step step, bool many) {
  return fmt::format("{}: {}, {} ranks", kWorkloads[int(workload)],
                     step == Step::Transfer ? "transfer" : "compression", ranks(workload, many));
}

}  // namespace

PaperCell timeCell(PaperWorkload workload, glm::ivec2 size, Mode mode, Step step, bool manyRanks) {
  return {kTable1,
          fmt::format("{} {}", sizeName(size), kModes[int(mode)]),
          timeColumn(workload, step, manyRanks),
          {}};
}

PaperCell shareCell(PaperWorkload workload, bool manyRanks, const std::string& what,
                    const std::string& extreme) {
  return {kTable2, fmt::format("{} {}", kWorkloads[int(workload)], what),
          fmt::format("{} ranks: {}", manyRanks ? "Many" : "Few", extreme), kShareValue};
}

PaperCell frameCell(PaperWorkload workload, glm::ivec2 size, Mode mode, int parts) {
  return {kFigure4,
          fmt::format("{}, {}: {}", kWorkloads[int(workload)], sizeName(size), kModes[int(mode)]),
          fmt::format("{}", parts),
          {}};
}

void describe(BenchSettings& s, FieldVisitor& field) {
  field(s.folder, text("folder", "A folder of scene files, for the paper's neurons."));
  field(s.method, choice("method", {"fused", "five-step"}, "How the GPU compresses."));
}

std::vector<BenchWorkload> workloadsOf(BenchRun& run, const std::string& folder) {
  const char* points = run.scale() == BenchScale::Quick    ? "points:count=50000"
                       : run.scale() == BenchScale::Normal ? "points:count=1000000"
                                                           : "points:count=55300000";
  Progress& progress = run.progress();
  std::vector<BenchWorkload> list;
  list.push_back({PaperWorkload::Station, "station", openInput("station", progress), 2, 32});
  if (!folder.empty())
    list.push_back({PaperWorkload::Neurons, folder, openInput(folder, progress), 6, 192});
  list.push_back({PaperWorkload::Points, points, openInput(points, progress), 6, 192});
  return list;
}

std::vector<glm::ivec2> sizesOf(const BenchRun& run) {
  const glm::ivec2 size = run.size({480, 270}, kPaperSizes[0], kPaperSizes[2]);
  if (run.scale() != BenchScale::Paper || size != kPaperSizes[2]) return {size};
  return {std::begin(kPaperSizes), std::end(kPaperSizes)};
}

Camera viewOf(const Whole& whole, glm::ivec2 size, int frame) {
  Camera camera = whole.camera;
  camera.frame(whole.bounds, float(size.x) / float(size.y));
  camera.dolly(0.7f);  // so that the model, not its box, fills the picture
  camera.orbit(glm::radians(kTurnDeg * float(frame)), 0);
  return camera;
}

CheckResult sameAsReference(const ShareRenderer::Drawn& drawn, const Format& format,
                            glm::ivec2 size, std::span<const std::uint32_t> words) {
  Frame frame;
  readBack(drawn, format, size, {0, 0, size.x, size.y}, frame);
  const SparseImage expected = reference::encode(frame);
  if (words.size() != expected.words.size())
    return {false, "exact",
            fmt::format("{} words, expected {}", words.size(), expected.words.size())};
  const auto [at, other] = std::mismatch(words.begin(), words.end(), expected.words.begin());
  if (at != words.end())
    return {false, "exact", fmt::format("word {} differs", at - words.begin())};
  return {true, "exact", ""};
}

const std::vector<Bench>& benches() {
  static const std::vector<Bench> list{
      {"active-pixel.encode",
       "Reading back and compressing, in three modes, of the rank with the largest region.",
       "Lipinski et al. 2021, table 1",
       "pixels",
       {},
       runEncode,
       {kTable1}},
      {"active-pixel.ratio",
       "Bytes of regions and of active pixels against raw, among ranks over a turn.",
       "Lipinski et al. 2021, table 2",
       "pixels",
       {},
       runRatio,
       {kTable2}},
      {"active-pixel.frames",
       "Frames of a turn by number of parts and mode, the parts in turn on one GPU.",
       "Lipinski et al. 2021, figure 4",
       "frames",
       {},
       runFrames,
       {kFigure4}},
  };
  return list;
}

}  // namespace fathom::active_pixel
