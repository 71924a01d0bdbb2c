// SPDX-License-Identifier: BSD-3-Clause
// Charts as data: what page.js passes to Chart.js. Each has a canvas in the page with an id of its
// own.
#pragma once

#include "app/lab/report/grid.h"

#include <string>
#include <vector>

namespace fathom::bench {

struct ChartSeries {
  std::string name;
  int color = 0;              // of the palette: by run, or by series where there is one run
  bool paper = false;         // dashed: the paper's numbers
  std::vector<double> x, y;   // NaN: a gap. Bars: x is empty, y goes by label
  std::vector<int> colors{};  // bars: each its own, of the classes' palette
  int run = 0;                // lines of one name in several runs: solid, dotted, ...
};

struct Chart {
  enum class Kind { Lines, Bars };
  Kind kind = Kind::Lines;
  std::string title;  // above the canvas, and its text for screen readers
  std::string xTitle, yTitle;
  bool logX = false, logY = false;
  std::vector<std::string> labels;  // of bars
  std::vector<ChartSeries> series;
  std::vector<std::string> classes{};  // names of the bars' colors, for the legend
  bool wide = false;                   // takes the whole width
  int height = 280;                    // px
};

/// A chart per group of rows, one line per row and run, the paper's dashed.
std::vector<Chart> curveCharts(const Grid& grid, const std::vector<BenchFile>& runs);

/// Two strips per row of the grid and run: variants in their order, and from fastest to slowest;
/// scaled between fastest and slowest as in figure 9 of Lier et al. 2016.
std::vector<Chart> stripCharts(const Grid& grid, const std::vector<BenchFile>& runs);

/// For tables of times: per measured row, each column relative to the row's fastest, ours and the
/// paper's. Ratios carry over from one device to another; times do not.
std::vector<Chart> relativeCharts(const Grid& grid, const std::vector<BenchFile>& runs);

/// Time over a setting, the size, or the amount of work, where a bench sweeps it.
std::vector<Chart> scalingCharts(const std::string& bench, const std::vector<BenchFile>& runs);

/// Percent of the copy bandwidth reached by the best case of each bench.
std::vector<Chart> bandwidthCharts(const std::vector<std::string>& benches,
                                   const std::vector<BenchFile>& runs);

/// Logarithmic where values span more than a decade.
void chooseScales(Chart& chart);

/// The charts as a JSON list that is safe inside a script element.
std::string chartsJson(const std::vector<Chart>& charts);

}  // namespace fathom::bench
