// SPDX-License-Identifier: BSD-3-Clause
// Which commit the program was built from. commit.cpp is written at build time
// (third_party/cmake/write_commit.cmake).
#pragma once

namespace fathom::bench {

/// "1f6270d", with a plus behind it when files were changed; empty outside a git repository.
extern const char* const kCommit;

}  // namespace fathom::bench
