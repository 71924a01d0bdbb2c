// SPDX-License-Identifier: BSD-3-Clause
// Whether the figures that the window shows are of what it shows, asked in every frame at rest.
#pragma once

namespace fathom::viewer {

/// A fault for the test of this net: "inspector", "comparison" and "timings" keep their figures
/// when the picture changes.
void plantStale(const std::string& figures);

}  // namespace fathom::viewer
