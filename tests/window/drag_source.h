// SPDX-License-Identifier: BSD-3-Clause
// The other side of a drag: what a file manager sends to the window under the pointer (XDND 5).
#pragma once

namespace fathom::viewer {

/// Drops the files onto the window under the pointer of this X display; true when the window has
/// taken them. False after ten seconds without an answer.
bool dropFiles(const std::string& display, const std::vector<std::string>& files);

}  // namespace fathom::viewer
