// SPDX-License-Identifier: BSD-3-Clause
// A folder of pictures that belong together: views of one scene from a grid of cameras, or frames
// one after the other. Views are named by row and column (view_03_05.png) beside a views.json that
// gives the grid, or as well-known data sets name theirs: input_Cam000.png (HCI 4D light fields),
// out_03_05_*.png (Stanford light fields); frames by number, with no views.json or one that says
// frames.
#pragma once

namespace fathom {

constexpr int kMaxViews = 64;        // along either side of the grid
constexpr int kMaxFrames = 100'000;  // of a folder

struct ViewFolder {
  bool views = false;    // else frames
  std::string naming;    // which data set's names gave the grid; empty: views.json, or frames
  glm::ivec2 grid{1};    // views: columns, rows
  glm::dvec2 origin{0};  // views: column and row of the middle, where coordinates are 0
  std::vector<fs::path> files;  // views: column by column, from the top; or in time
};

/// Reads names and views.json, not the pictures. Throws Error naming the file that is missing, is
/// there twice or belongs to no place.
ViewFolder readViewFolder(const fs::path& folder);

/// True when there are two pictures or more, by their names.
bool holdsPictures(const fs::path& folder);

/// "view_03_05.png" for column 5 of row 3.
std::string viewFileName(int column, int row);

/// Writes views.json, with facts about where the views came from.
void writeViewIndex(const fs::path& folder, glm::ivec2 grid, glm::dvec2 origin,
                    const std::string& source,
                    const std::vector<std::pair<std::string, double>>& facts);

}  // namespace fathom
