// SPDX-License-Identifier: BSD-3-Clause
// The timeline of a pull, below the picture: transport, keys, and a lane of them for the focus and
// one for the f-number.
#pragma once

#include "app/engine/dof/pull/focus_track.h"

#include <string>

namespace fathom::dof {

struct PullStrip {
  FocusTrack& track;
  double focus, fNumber;  // what is shown, and would be keyed
  std::string command;    // that renders the pull; empty: it has to be saved first
  std::string complaint;  // why the frame is not shown; empty: it is
};
void drawPullStrip(const PullStrip& strip);

}  // namespace fathom::dof
