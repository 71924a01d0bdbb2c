// SPDX-License-Identifier: BSD-3-Clause
// Fits on disk that can go on: a model file, which every command opens, with the state of the fit
// behind it. Written beside and renamed, so whatever ends the program, the last one is whole.
#pragma once

#include "app/engine/core/progress.h"
#include "app/engine/smoe/fit/snapshot.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fathom::smoe {

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
std::filesystem::path checkpointBeside(const std::filesystem::path& model);

/// Throws Error.
void writeCheckpoint(const std::filesystem::path& file, const Checkpoint& checkpoint);
/// None when the file is a model and nothing more. Throws Error for damaged ones.
std::optional<Checkpoint> readCheckpoint(const std::filesystem::path& file, Progress& progress);

/// The same in memory; `name` is used in messages.
std::vector<std::byte> checkpointBytes(const Checkpoint& checkpoint, const std::string& name);
std::optional<Checkpoint> parseCheckpoint(std::span<const std::byte> bytes, const std::string& name,
                                          Progress& progress);

}  // namespace fathom::smoe
