// SPDX-License-Identifier: BSD-3-Clause
// A deep EXR file as an input: which of its parts to read, and what it holds, known before
// anything large is read.
#pragma once

#include "app/engine/io/exr/deep_exr.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace fathom::deep {

struct InputFile {
  std::string path;
  std::string part;  // as asked for, or the one that is taken then
  std::uint64_t bytes = 0;
  std::vector<std::string> parts;  // all deep parts of the file: name, else view, else number
  DeepTotals totals;               // of the part
};

/// "FILE#PART" as file and part; a file that exists under the whole name has no part.
std::pair<std::string, std::string> splitInput(const std::string& input);

/// From header and count tables alone. Throws Error.
InputFile describeInput(const std::string& input, Progress& progress);

/// The question when these need more than `limit` bytes; empty when they do not.
std::string memoryQuestion(std::span<const InputFile> files, std::uint64_t limit);

/// Half of this machine's memory: more is asked about before it is taken.
std::uint64_t memoryWithoutAsking();

}  // namespace fathom::deep
