// SPDX-License-Identifier: BSD-3-Clause
// What documents of cuburn hold: a node (a sheep) as values by path, its xforms and its
// palette; and the parts that edges and animations share with it.
#pragma once

#include "app/engine/flame/cuburn/document.h"
#include "app/engine/flame/cuburn/fields.h"
#include "app/engine/flame/genome/io_parts.h"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace fathom::flame::cuburn {

struct NodeXform {
  std::string id;
  Values values;
  bool has(const std::string& path) const { return values.count(path) != 0; }
  double at(const std::string& path) const;  // its position, or the default
};

struct Node {
  std::string name, author, url;
  double duration = 1;  // time.duration, in turns
  Values values;
  std::vector<NodeXform> xforms;  // in the natural order of their ids
  std::optional<NodeXform> finalXform;
  std::optional<Palette> palette;
  std::set<std::string> missingFilters;  // named there, and Fathom has them not
};

/// `warnings` takes what is not understood and left out. Throws Error.
Node readNode(const Document& document, reading::Warnings& warnings);

/// Palettes and their times, ascending.
using TimedPalettes = std::vector<std::pair<double, Palette>>;

/// `["rgb8", base64, ...]`, 768 bytes: red, green, blue of 256 entries.
Palette readPalette(const JsonTree& json, const Place& place);
/// `[time, "rgb8", base64, ..., time, "rgb8", ...]`.
TimedPalettes readTimedPalettes(const JsonTree& json, const Place& place);

/// Calls `take(path, kind, value)` for each field of a genome that moves, those of xforms apart,
/// and adds filters that Fathom has not to `missing`.
using TakeField =
    std::function<void(const std::string& path, const SplineKind& kind, const JsonTree& value)>;
void visitFields(const Document& document, reading::Warnings& warnings, const TakeField& take,
                 std::set<std::string>& missing);

/// The fields below a path that belong to ids: "xforms.0.color" below "xforms." is "color" of "0".
std::map<std::string, Fields, std::less<>> fieldsById(const Document& document,
                                                      const std::string& prefix);
/// The fields of one xform (`prefix` is "xforms.0."), unknown ones as warnings.
void visitXformFields(const Document& document, const std::string& prefix, const Fields& fields,
                      reading::Warnings& warnings, const TakeField& take);
/// Those below "final_xform.".
Fields finalFields(const Document& document);

/// Digits count as numbers: "x2" comes before "x10".
bool naturalLess(std::string_view a, std::string_view b);

}  // namespace fathom::flame::cuburn
