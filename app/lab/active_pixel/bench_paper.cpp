// SPDX-License-Identifier: BSD-3-Clause
// Lipinski et al. 2021, tables 1 and 2 and figure 4, as printed.
#include "app/lab/active_pixel/bench.h"

namespace fathom::active_pixel {
namespace {

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

PaperTable table1() {
  PaperTable table;
  table.name = kTable1;
  table.title = "Memory transfer and compression of the slowest rank's image";
  table.unit = "ms";
  table.device = "one GPU per node, two ranks per node";
  table.rowsAre = "size and mode";
  for (const PaperWorkload workload :
       {PaperWorkload::Station, PaperWorkload::Neurons, PaperWorkload::Points})
    for (const Step step : {Step::Transfer, Step::Compression})
      for (const bool many : {false, true})
        table.columns.push_back(timeColumn(workload, step, many));
  table.rows = {
      {"HD generic",
       {39.518, 41.536, 6.790, 5.922, 38.228, 41.631, 6.080, 5.920, 36.539, 43.184, 6.172, 5.877}},
      {"HD roi-cpu",
       {6.819, 0.488, 4.344, 0.259, 2.535, 0.689, 1.388, 0.280, 4.140, 2.256, 2.584, 0.964}},
      {"HD roi-gpu",
       {0.358, 0.048, 1.072, 0.495, 0.066, 0.029, 0.712, 0.642, 0.044, 0.027, 0.689, 0.719}},
      {"4K generic",
       {152.554, 158.988, 26.992, 23.724, 156.545, 158.900, 24.224, 23.562, 143.465, 159.966,
        24.118, 23.466}},
      {"4K roi-cpu",
       {22.826, 1.574, 17.289, 1.004, 8.347, 2.080, 5.404, 1.011, 15.602, 7.835, 9.994, 3.811}},
      {"4K roi-gpu",
       {1.261, 0.120, 2.768, 0.819, 0.253, 0.042, 2.522, 1.379, 0.097, 0.031, 1.809, 1.717}},
      {"8K generic",
       {658.877, 633.736, 108.929, 95.005, 591.419, 632.637, 96.580, 94.081, 574.176, 632.394,
        96.198, 93.711}},
      {"8K roi-cpu",
       {105.717, 5.816, 69.041, 4.048, 32.841, 7.046, 21.055, 3.879, 61.075, 29.594, 39.376,
        15.239}},
      {"8K roi-gpu",
       {5.764, 0.410, 10.818, 2.114, 0.930, 0.092, 8.853, 4.292, 0.297, 0.043, 6.248, 5.669}}};
  table.note =
      "Ours is one rank of such a job, the one with the largest region. Our station and points are "
      "stand-ins; neurons need a folder of meshes (--set folder=...).";
  return table;
}

PaperTable table2() {
  PaperTable table;
  table.name = kTable2;
  table.title = "Bytes of regions (ROI) and of active pixels (AP) against raw, among ranks";
  table.unit = '%';
  table.rowsAre = "workload";
  table.columns = {"Few ranks: least", "Few ranks: most", "Many ranks: least", "Many ranks: most"};
  table.rows = {{"Station ROI", {30.159, 100.000, 0.010, 42.732}},
                {"Station AP", {9.439, 21.809, 0.009, 16.508}},
                {"Neurons ROI", {3.791, 48.933, 0.849, 26.965}},
                {"Neurons AP", {1.382, 5.306, 0.040, 1.875}},
                {"GPS ROI", {15.452, 75.262, 0.308, 71.010}},
                {"GPS AP", {0.185, 2.433, 0.002, 0.468}}};
  table.note =
      "2 and 32 ranks of the station, 6 and 192 of the others. Shares hardly depend on the size.";
  return table;
}

PaperTable figure4() {
  PaperTable table;
  table.name = kFigure4;
  table.title = "Frames per second of a turn, by number of ranks";
  table.unit = "frames/s";
  table.shape = PaperTable::Shape::Curves;
  table.rowsAre = "mode";
  table.columnsAre = "ranks";
  table.note =
      "The paper draws this figure without printing its numbers; its text says that roi-gpu is 1.1 "
      "to "
      "1.9 times as fast as roi-cpu, more so in larger pictures. Here parts take their turn on one "
      "GPU, "
      "so frames get slower with more of them; ranks of their own are what mpirun measures.";
  return table;
}

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

}  // namespace fathom::active_pixel
