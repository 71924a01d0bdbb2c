// SPDX-License-Identifier: BSD-3-Clause
// A focus that moves over the frames of a film, and an f-number that does.
#pragma once

#include "app/engine/dof/settings.h"

namespace fathom::dof {

/// Keyframes, by frame; before the first and after the last nothing moves.
struct FocusPull {
  using Keys = std::vector<std::pair<double, double>>;  // frame, value
  Keys focus, fNumber;

  bool empty() const { return focus.empty() && fNumber.empty(); }
  /// Evenly in 1/z, which is evenly in blur; and in its logarithm.
  std::optional<double> focusAt(double frame) const;
  std::optional<double> fNumberAt(double frame) const;
  /// All frames from the first key to the last.
  std::vector<int> frames() const;
  bool operator==(const FocusPull&) const = default;
};

/// Focus and f-number of a frame, where there are keys of them.
void applyPull(const FocusPull& pull, double frame, Settings& settings);

/// "3:5.2@1-48": from 3 to 5.2 over frames 1 to 48; or a JSON file
/// {"focus-distance": [[1, 3], [48, 5.2]], "f-number": [[1, 1.4], [48, 4]]}. Throws UsageError, and
/// Error for what the file says.
FocusPull parsePull(const std::string& text);

/// The file that reads back as this pull.
std::string jsonOf(const FocusPull& pull);
/// True for a JSON file that speaks of focus or f-number, whether its keys are right or not.
bool looksLikePull(const std::string& file);

}  // namespace fathom::dof
