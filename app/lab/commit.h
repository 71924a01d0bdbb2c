// SPDX-License-Identifier: BSD-3-Clause
// The commit that the program was built from. commit.cpp is written by each build
// (third_party/cmake/write_commit.cmake).
#pragma once

namespace fathom::bench {

/// "1f6270d", followed by a plus when files were changed; empty outside a git repository.
extern const char* const kCommit;

}  // namespace fathom::bench
