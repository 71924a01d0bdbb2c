// SPDX-License-Identifier: BSD-3-Clause
// fathom bench ranks: fragments of many translucent spheres, dealt to real ranks that mpirun
// starts, composited on the processor by RankComposite; and a model of bytes and phases, fitted to
// the runs of few ranks, held against those of many, and carried on to 1,024.
//
// Phases run in turn and are given in processor time (PhaseWatch), so that ranks may share a
// machine and its cores. The model, for all ranks together, is a sum over what there is more of:
// fragments F, those that leave their rank F (N - 1) / N or, in a merge, have to be sorted, streams
// (of a rank to one whose rows it draws in), and pixels that are swept for each rank or stream;
// each phase and the bytes have factors of their own, none negative.
#pragma once

#include "app/engine/deep/distribute/rank_composite.h"

namespace fathom::deep {

constexpr glm::ivec2 kScalingSize{144, 256};

/// One run of N ranks: sums over the ranks and the most of one, and a checksum of the picture.
struct ScalingRun {
  int ranks = 0;
  std::uint32_t picture = 0;
  RankFigures sum, most;
  double memoryBytes = 0;  // the most that a rank took
};

/// In a process that mpirun started: does a rank's part; rank 0 prints the run.
void runScalingRank(glm::ivec2 size);
/// From the lines that rank 0 prints. Throws Error.
ScalingRun parseScalingRun(const std::string& text);

/// Starts `mpirun -n N` with the command line of this program for each number of ranks.
std::vector<ScalingRun> measureScaling(const std::vector<int>& ranks, glm::ivec2 size,
                                       Progress& progress);

struct ScalingModel {
  enum Term { Pack, Encode, Decode, Merge, Bytes, kTerms };
  glm::ivec2 size{0};
  double fragments = 0;
  std::array<glm::dvec4, kTerms> terms{};  // factors

  /// Fitted to the runs of at most `most` ranks, of least squared relative error.
  static ScalingModel fitted(const std::vector<ScalingRun>& runs, glm::ivec2 size, int most);
  /// Of all ranks together: milliseconds or bytes.
  double of(Term term, int ranks) const;
  /// Milliseconds of a rank that has cores of its own; a link of 20 us and 1 ns per byte, 2 us per
  /// message (LogP).
  double wall(int ranks) const;
  double efficiency(int ranks) const { return wall(1) / (ranks * wall(ranks)); }
};

/// As Markdown.
std::string scalingTables(const std::vector<ScalingRun>& runs, const ScalingModel& model,
                          int fittedTo);
/// The same as one JSON object.
std::string scalingJson(const std::vector<ScalingRun>& runs, const ScalingModel& model,
                        int fittedTo);

}  // namespace fathom::deep
