// SPDX-License-Identifier: BSD-3-Clause
// A deep EXR of two parts, written by the OpenEXR library.
#pragma once

namespace fathom::test {

/// Parts "one" and "two", each of one pixel with as many fragments as its name says.
void writeTwoParts(const std::string& file);
/// The same, but part "one" is flat.
void writeFlatBesideDeep(const std::string& file);

}  // namespace fathom::test
