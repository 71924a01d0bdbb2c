// SPDX-License-Identifier: BSD-3-Clause
// JSON documents that are parsed strictly (bounded in depth, each key once) and written indented,
// as nlohmann's trees. Those take seconds to compile: small objects are in json_object.h.
#pragma once

#include <nlohmann/json.hpp>

namespace fathom {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;  // keys stay in the order in which they were set

/// Throws Error, beginning with `name`, when the text is no JSON, names a key of an object twice or
/// is nested deeper than `maxDepth`.
Json parseJson(std::string_view text, const std::string& name, int maxDepth);
/// The same with keys in their order, of at most 32 levels. `what`: "a session (JSON)".
OrderedJson parseOrderedJson(std::string_view text, const std::string& name, const char* what);

/// A value as a message shows it: short, on one line.
std::string shownJson(const Json& value);

/// What the parser found wrong, without the number of its exception.
std::string problemOf(const Json::exception& error);

/// A whole file: indented, with a final line feed. Names and paths may hold any bytes: what is not
/// UTF-8 is replaced, never thrown on.
std::string documentText(const OrderedJson& root);

}  // namespace fathom
