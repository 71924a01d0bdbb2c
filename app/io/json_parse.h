// SPDX-License-Identifier: BSD-3-Clause
// JSON text as the readers in this folder take it: bounded in depth, each key once.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace fathom {

/// Throws Error, beginning with `name`, when the text is no JSON, names a key of an object twice or
/// is nested deeper than `deepest`.
nlohmann::json parseJson(std::string_view text, const std::string& name, int deepest);

/// A value as a message shows it: short, on one line.
std::string shownJson(const nlohmann::json& value);

}  // namespace fathom
