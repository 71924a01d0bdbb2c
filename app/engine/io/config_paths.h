// SPDX-License-Identifier: BSD-3-Clause
// Where Fathom keeps what outlives a run (XDG base directories).
#pragma once

#include <filesystem>

namespace fathom {

/// $XDG_CONFIG_HOME/fathom, else ~/.config/fathom: last session, layout, tuned variants.
std::filesystem::path configFolder();

}  // namespace fathom
