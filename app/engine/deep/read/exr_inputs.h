// SPDX-License-Identifier: BSD-3-Clause
// EXR files as inputs, before and while they are read: which part is meant and what it needs, which
// parts of several files belong together, and flat files with Z, whose pixels become lists of one
// fragment.
#pragma once

#include "app/engine/core/deep_image.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/picture.h"

namespace fathom::deep {

/// A deep EXR file as an input: which of its parts to read, and what it holds, known before
/// anything large is read.
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

/// What is merged into one part.
struct PartGroup {
  std::string name, view;            // of the part; empty when the file does not say
  std::vector<std::string> inputs;   // FILE or FILE#PART
  std::vector<std::size_t> numbers;  // which of all inputs each of them is
};

/// Parts of the same view belong together, where there are none those of the same name. A file of
/// one deep part that has neither in common with the others belongs to all. One group when no input
/// has several deep parts, or `part` (or FILE#PART) names the one to take. `notes` gets a line for
/// each part that is not deep, and so in no group. Throws Error.
std::vector<PartGroup> partGroups(const std::vector<std::string>& inputs, const std::string& part,
                                  std::vector<std::string>& notes);

/// The picture when the file is a flat EXR with Z; none for anything else. Throws Error when it is
/// a damaged one.
std::optional<Picture> readFlatWithDepth(const std::filesystem::path& file,
                                         const std::string& part = {});

/// One fragment at Z per pixel; a volume [Z, Z + thickness) when the thickness is above 0. Pixels
/// without alpha and color become empty lists. NaN depth becomes +inf, NaN and infinite color 0,
/// and alpha is kept within 0..1; repairs are counted. Half where that loses nothing, else Indexed
/// with float channels. `picture.depth` is not empty.
DeepImage deepened(const Picture& picture, float thickness);

}  // namespace fathom::deep
