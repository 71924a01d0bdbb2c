// SPDX-License-Identifier: BSD-3-Clause
// Charts as data: what page.js hands to Chart.js. Each has a canvas in the page, found by its id.
#pragma once

#include "app/bench/report_grid.h"

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
  std::string title;  // above the canvas, and for those who cannot see it
  std::string xTitle, yTitle;
  bool logX = false, logY = false;
  std::vector<std::string> labels;  // of bars
  std::vector<ChartSeries> series;
  std::vector<std::string> classes{};  // names of the bars' colors, for the legend
  bool wide = false;                   // takes the whole width
  int height = 280;                    // px
};

/// A chart per group of rows, one line per row and run, the paper's dashed.
std::vector<Chart> curveCharts(const Grid& grid, const std::vector<RunFile>& runs);

/// Per row of the grid and run two strips: variants in their order, and from fastest to slowest;
/// scaled between the fastest and the slowest, as in Lier et al.'s figure 9.
std::vector<Chart> stripCharts(const Grid& grid, const std::vector<RunFile>& runs);

/// For tables of times: per row that was measured, each column against the row's fastest, ours and
/// the paper's: what carries over from one device to another.
std::vector<Chart> relativeCharts(const Grid& grid, const std::vector<RunFile>& runs);

/// Time against a setting, the size, or the amount of work, where a bench goes through several.
std::vector<Chart> scalingCharts(const std::string& bench, const std::vector<RunFile>& runs);

/// Percent of the copy bandwidth that the best case of each bench reaches.
std::vector<Chart> bandwidthCharts(const std::vector<std::string>& benches,
                                   const std::vector<RunFile>& runs);

/// Logarithmic where values span more than a decade.
void chooseScales(Chart& chart);

/// The charts as a JSON list that may stand inside a script element.
std::string chartsJson(const std::vector<Chart>& charts);

}  // namespace fathom::bench
