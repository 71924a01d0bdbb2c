// SPDX-License-Identifier: BSD-3-Clause
// Stands between the program and OpenGL: compute shaders are instrumented as they are compiled,
// every dispatch is told what is bound, and what it reports is turned into our files, lines and
// names. What happens between passes by other means than shaders (textures, indirect dispatches,
// copies, drawing) is followed here, an object at a time: who wrote it last, and which memory
// barriers came since.
#pragma once

namespace fathom::races {

/// One race; two that concern the same pair of lines are one.
struct Finding {
  std::string text;
  int count = 0;
};

/// A barrier of a shader and whether leaving it out is noticed.
struct BarrierTrial {
  std::string shader,
      place;            // "shaders/common/scan_write.comp", "shaders/common/scan_write.comp:63"
  std::string variant;  // what tells programs of one shader apart: its defines
  bool noticed = false;
  bool doubled = false;  // nothing happened between it and another barrier
};

struct WatchOptions {
  /// Each barrier of each compute program is left out in turn, in at most so many dispatches per
  /// program, until that is noticed; 0: none. What such a dispatch changes is undone.
  int trials = 0;
};

/// From the next context on, in this process. LP_NUM_THREADS must be 0 and the device llvmpipe.
void startWatching(const WatchOptions& options);

struct WatchResult {
  std::map<std::string, Finding> findings;  // by the places concerned
  std::map<std::string, BarrierTrial> trials;
  std::set<std::string> shaders;       // of all compute programs that ran
  std::vector<std::string> unwatched;  // that could not be instrumented, and why
  long long dispatches = 0;
  long long lost = 0;  // accesses that the log had no room for
};
/// So far; waits for the device.
const WatchResult& watched();

}  // namespace fathom::races
