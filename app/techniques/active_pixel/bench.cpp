// SPDX-License-Identifier: BSD-3-Clause
// The benches as data, the paper's numbers, and what the benches share.
#include "app/techniques/active_pixel/bench_parts.h"
#include "app/techniques/active_pixel/command.h"
#include "app/techniques/active_pixel/reference.h"

#include <algorithm>

#include <glm/trigonometric.hpp>

namespace fathom::active_pixel {
namespace {

/// Lipinski et al. 2021, table 1: [workload][resolution][mode], transfer and compression at the
/// smallest scale, then at the largest.
struct PaperRow {
  PaperTimes few, many;
};
constexpr PaperRow kTable1[3][3][3] = {{{{{39.518, 6.790}, {41.536, 5.922}},
                                         {{6.819, 4.344}, {0.488, 0.259}},
                                         {{0.358, 1.072}, {0.048, 0.495}}},
                                        {{{152.554, 26.992}, {158.988, 23.724}},
                                         {{22.826, 17.289}, {1.574, 1.004}},
                                         {{1.261, 2.768}, {0.120, 0.819}}},
                                        {{{658.877, 108.929}, {633.736, 95.005}},
                                         {{105.717, 69.041}, {5.816, 4.048}},
                                         {{5.764, 10.818}, {0.410, 2.114}}}},
                                       {{{{38.228, 6.080}, {41.631, 5.920}},
                                         {{2.535, 1.388}, {0.689, 0.280}},
                                         {{0.066, 0.712}, {0.029, 0.642}}},
                                        {{{156.545, 24.224}, {158.900, 23.562}},
                                         {{8.347, 5.404}, {2.080, 1.011}},
                                         {{0.253, 2.522}, {0.042, 1.379}}},
                                        {{{591.419, 96.580}, {632.637, 94.081}},
                                         {{32.841, 21.055}, {7.046, 3.879}},
                                         {{0.930, 8.853}, {0.092, 4.292}}}},
                                       {{{{36.539, 6.172}, {43.184, 5.877}},
                                         {{4.140, 2.584}, {2.256, 0.964}},
                                         {{0.044, 0.689}, {0.027, 0.719}}},
                                        {{{143.465, 24.118}, {159.966, 23.466}},
                                         {{15.602, 9.994}, {7.835, 3.811}},
                                         {{0.097, 1.809}, {0.031, 1.717}}},
                                        {{{574.176, 96.198}, {632.394, 93.711}},
                                         {{61.075, 39.376}, {29.594, 15.239}},
                                         {{0.297, 6.248}, {0.043, 5.669}}}}};

/// Table 2: [workload][many], percent of raw.
constexpr PaperShares kTable2[3][2] = {
    {{30.159, 100.000, 9.439, 21.809}, {0.010, 42.732, 0.009, 16.508}},
    {{3.791, 48.933, 1.382, 5.306}, {0.849, 26.965, 0.040, 1.875}},
    {{15.452, 75.262, 0.185, 2.433}, {0.308, 71.010, 0.002, 0.468}}};

constexpr glm::ivec2 kPaperSizes[] = {{1920, 1080}, {3840, 2160}, {7680, 4320}};
constexpr float kTurnDeg = 2;

}  // namespace

void describe(BenchSettings& s, FieldVisitor& field) {
  field(s.folder, text("folder", "A folder of OBJ files, for the paper's neurons."));
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

PaperTimes paperTimes(PaperWorkload workload, int resolution, Mode mode, bool manyRanks) {
  if (resolution < 0) return {0, 0};
  const PaperRow& row = kTable1[int(workload)][resolution][int(mode)];
  return manyRanks ? row.many : row.few;
}

PaperShares paperShares(PaperWorkload workload, bool manyRanks) {
  return kTable2[int(workload)][manyRanks];
}

int paperResolution(glm::ivec2 size) {
  for (int i = 0; i < 3; ++i)
    if (kPaperSizes[i] == size) return i;
  return -1;
}

Checked sameAsReference(const ShareRenderer::Drawn& drawn, const Format& format, glm::ivec2 size,
                        std::span<const std::uint32_t> words) {
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
       runEncode},
      {"active-pixel.ratio",
       "Bytes of regions and of active pixels against raw, among ranks over a turn.",
       "Lipinski et al. 2021, table 2",
       "pixels",
       {},
       runRatio},
      {"active-pixel.frames",
       "Frames of a turn by number of parts and mode, the parts in turn on one GPU.",
       "Lipinski et al. 2021, figure 4",
       "frames",
       {},
       runFrames},
  };
  return list;
}

}  // namespace fathom::active_pixel
