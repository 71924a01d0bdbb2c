// SPDX-License-Identifier: BSD-3-Clause
// JSON files of cuburn as lists of fields: nested objects and dotted paths mean the same, and what
// a document inherits from its base is in it already. What the fields mean is for others.
#pragma once

#include "app/engine/io/json_tree.h"
#include "app/engine/flame/genome/text.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fathom::flame::cuburn {

// Limits of files: beyond them a message, never a hang.
constexpr std::uint64_t kMaxDocumentBytes = 2u << 20;  // bytes
constexpr int kMaxDocumentDepth = 32;                  // levels of nesting
constexpr std::size_t kMaxBases = 16;                  // documents that inherit from one another
constexpr double kMaxNumber = 1e9;                     // of either sign

enum class DocumentType { Node, Edge, Animation, Profile };

/// "xforms.0.variations.julia.weight" and what stands there: anything but an object.
using Fields = std::map<std::string, JsonTree>;

struct Document {
  std::filesystem::path file;
  DocumentType type = DocumentType::Node;
  Fields fields;

  const JsonTree* find(const std::string& path) const;
  /// The field's own value, or the fallback when there is none. Throw Error when it is of another
  /// kind or beyond the limits.
  double number(const std::string& path, double fallback, double low = -kMaxNumber,
                double high = kMaxNumber) const;
  std::string text(const std::string& path, const std::string& fallback = "") const;
  /// Names file and field: `FILE: "camera.scale"`.
  Place place(const std::string& path) const;
};

/// Throws Error (file, field, expected, found): no JSON, no type, bases in a circle, ...
Document readDocument(const std::filesystem::path& file);

/// The file that a path in a document means, "nodes/ID", "edges/SOURCE=DESTINATION" or
/// "profiles/NAME": beside the document under the names that cuburn's sample flock has (ID.json,
/// edge.SOURCE=DESTINATION.json, profile.NAME.json), or in the folder that the path names, beside
/// it or one level up. Throws Error when there is none.
std::filesystem::path resolved(const Document& document, const std::string& field,
                               const std::string& path);

/// True when the file is JSON whose "type" is one of the four, or seems to be a damaged one of
/// them; never throws.
bool looksLikeDocument(const std::filesystem::path& file);

/// A number at a place of a document, checked against the limits.
double numberAt(const JsonTree& value, const Place& place, const std::string& expected,
                double low = -kMaxNumber, double high = kMaxNumber);

}  // namespace fathom::flame::cuburn
