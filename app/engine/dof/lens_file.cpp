// SPDX-License-Identifier: BSD-3-Clause
// Values go through the parser of settings, so that a file may say what a flag may.
#include "app/engine/dof/lens_file.h"

#include "app/engine/core/error.h"
#include "app/engine/io/json_parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace fathom::dof {
namespace {

constexpr std::size_t kMaxBytes = 1 << 16;

const std::vector<std::string>& lensSettings() {
  static const std::vector<std::string> names{
      "focal-length",         "f-number",    "sensor-width", "blades", "blade-rotation",
      "blade-roundness",      "bokeh",       "cats-eye",     "swirl",  "squeeze",
      "spherical-aberration", "axial-color", "lateral-color"};
  return names;
}

std::string valueOf(const std::vector<FieldValue>& values, const std::string& name) {
  for (const FieldValue& value : values)
    if (value.name == name) return value.text;
  return {};
}

}  // namespace

void applyLens(const std::string& file, Settings& settings) {
  std::ifstream in(file, std::ios::binary);
  if (!in) fail("{}: expected a readable lens file, found none", file);
  std::string text(kMaxBytes + 1, '\0');
  in.read(text.data(), std::streamsize(text.size()));
  text.resize(std::size_t(in.gcount()));
  if (text.size() > kMaxBytes)
    fail("{}: expected a lens of at most {} bytes, found more", file, kMaxBytes);
  const Json root = parseJson(text, file, 4);
  if (!root.is_object()) fail("{}: expected a JSON object, found {}", file, shownJson(root));

  const Describe described = [&](FieldVisitor& field) { describe(settings, field); };
  Settings fresh;
  const auto defaults = valuesOf([&](FieldVisitor& field) { describe(fresh, field); });
  const auto before = valuesOf(described);
  for (const auto& [key, value] : root.items()) {
    if (key == "name" || key == "note") continue;
    const std::vector<std::string>& known = lensSettings();
    if (std::find(known.begin(), known.end(), key) == known.end())
      fail("{}: expected settings of a lens ({}), found \"{}\"", file, fmt::join(known, ", "), key);
    if (valueOf(before, key) != valueOf(defaults, key)) continue;
    std::string wanted = value.is_string() ? value.get<std::string>() : value.dump();
    if (key == "bokeh" && !wanted.empty())
      wanted = (std::filesystem::path(file).parent_path() / wanted).string();
    try {
      assign(described, key, wanted);
    } catch (const UsageError& error) {
      fail("{}: {}", file, error.what());
    }
  }
}

}  // namespace fathom::dof
