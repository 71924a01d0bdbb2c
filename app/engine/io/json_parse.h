// SPDX-License-Identifier: BSD-3-Clause
// JSON text as this folder reads and writes it. Strict reading is bounded in depth and takes each
// key once; documents are written indented.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace fathom {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;  // keys stay in the order in which they were set

/// Throws Error, beginning with `name`, when the text is no JSON, names a key of an object twice or
/// is nested deeper than `maxDepth`.
Json parseJson(std::string_view text, const std::string& name, int maxDepth);

/// A value as a message shows it: short, on one line.
std::string shownJson(const Json& value);

/// What the parser found wrong, without the number of its exception.
std::string problemOf(const Json::exception& error);

/// A whole file: indented, with a final line feed. Names and paths may hold any bytes: what is not
/// UTF-8 is replaced, never thrown on.
std::string documentText(const OrderedJson& root);

}  // namespace fathom
