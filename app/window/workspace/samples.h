// SPDX-License-Identifier: BSD-3-Clause
// What can be looked at without files of one's own: scenes made by the program, and the flames and
// models that are installed with it, by technique.
#pragma once

#include "app/window/widgets/file_browser.h"
#include "app/window/workspace/file_sets.h"

#include <string>
#include <vector>

namespace fathom::viewer {

struct Sample {
  std::string title, about;
  std::vector<std::string> inputs;
};
struct SampleGroup {
  std::string technique, title, about;
  std::vector<Sample> samples;  // not empty; the first opens with a click on the card
};
/// In the order of the registry; samples whose files are missing are left out.
const std::vector<SampleGroup>& samples();

/// Samples and recent sets as places of the file browser.
std::vector<FileBrowser::Place> placesOf(const std::vector<RecentSet>& recent);

}  // namespace fathom::viewer
