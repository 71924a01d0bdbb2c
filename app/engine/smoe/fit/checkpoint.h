// SPDX-License-Identifier: BSD-3-Clause
// What a fit is asked for, what it tells while it works, and its whole state between two steps,
// which a file keeps: a fit that is made of a snapshot goes on, bit for bit, as the one that it was
// taken from. A checkpoint is a model file, which every command opens, with that state behind it.
// Written beside and renamed, so whatever ends the program, the last one is whole.
#pragma once

#include "app/engine/core/progress.h"
#include "app/engine/smoe/model/model.h"

namespace fathom::smoe {

struct FitRequest {
  int components = 2000;
  int emIterations = 20;
  int refitIterations = 30;  // of conjugate gradients; images only
  int steps = 1000;          // of Adam, half of them in rounds with relocation
  bool relocate = true;
  std::uint64_t seed = 1;
  /// Descent is over by then, however many steps are left; 0: no limit. Not reproducible.
  double maxSeconds = 0;
  bool snapshots = false;  // are taken
  float structure = 0;     // W, the share of SSIM in the loss of descent, 0..1 (fit/passes.h)
};

/// A point of the curve.
struct FitPoint {
  int iteration = 0;
  double seconds = 0, psnr = 0;
  std::string stage;  // "start", "em", "refit", "adam", "relocate", "trim", "best"
};

/// Adam's memory of one fit.
struct AdamState {
  std::vector<glm::vec4> moments;  // [components][rows][2]; the first's w: its steps
  std::array<glm::vec4, 8> epsilons{};
  int steps = 0;
};

/// How far a fit is.
struct FitState {
  FitRequest request;
  int iteration = 0, stageIteration = 0;
  int growing = 0, addedPerRound = 0;  // components that are still to be added, and at once
  int draws = 0;                       // random numbers taken
  double descentBegan = 0;             // after as many seconds of work
  std::vector<FitPoint> curve = {};
};

struct FitSnapshot : FitState {
  enum class Stage { Mixture, Descent };
  Stage stage = Stage::Mixture;
  int steps = 0;       // of the schedule
  double rate = 1;     // that scales it
  double seconds = 0;  // worked so far

  Model model;                         // the best so far, as a fit shows it
  std::vector<Gaussian> mixture;       // Stage::Mixture
  std::vector<Component> components;   // Stage::Descent: where it is
  std::vector<Component> best;         // and the best that it has met
  double bestPsnr = 0, bestScore = 0;  // score: decibels of the loss
  AdamState adam;
  std::uint32_t pictures = 0;  // checksum of what is fitted
  std::string device;          // another one rounds differently
};

/// A fit that takes as many components as a goal needs, between two of its descents.
struct PsnrSearch {
  double goal = 0;  // dB; 0: the number of components is given
  int steps = 0;    // of the last descent
  int rounds = 0;   // that added components
  bool last = false;
  bool operator==(const PsnrSearch&) const = default;
};

struct Checkpoint {
  FitSnapshot fit;
  PsnrSearch search;
  /// The fit is of the alpha of a picture, and this is the request for it and its colors, which are
  /// to follow; `fit.model` is gray.
  std::optional<FitRequest> whole = {};
};

/// "photo.checkpoint.smoe" for photo.smoe.
fs::path checkpointBeside(const fs::path& model);

/// Throws Error.
void writeCheckpoint(const fs::path& file, const Checkpoint& checkpoint);
/// None when the file is a model and nothing more. Throws Error for damaged ones.
std::optional<Checkpoint> readCheckpoint(const fs::path& file, Progress& progress);

/// The bytes of such a file; `name` is used in messages.
std::vector<std::byte> checkpointBytes(const Checkpoint& checkpoint, const std::string& name);
std::optional<Checkpoint> parseCheckpoint(std::span<const std::byte> bytes, const std::string& name,
                                          Progress& progress);

}  // namespace fathom::smoe
