// SPDX-License-Identifier: BSD-3-Clause
// Stands in for color_config.cpp where the program is built without OpenColorIO: no config opens.
#include "app/engine/core/error.h"
#include "app/engine/io/color_config.h"

namespace fathom {

struct ColorConfig::State {};

ColorConfig::ColorConfig(const std::string& file) {
  throw NotBuiltError(
      fmt::format("{}: expected a program with OpenColorIO, this one was built without",
                  file.empty() ? "color management" : file));
}
ColorConfig::~ColorConfig() = default;

std::vector<std::string> ColorConfig::displays() const { return {}; }
std::vector<std::string> ColorConfig::views(const std::string&) const { return {}; }
std::vector<std::string> ColorConfig::looks() const { return {}; }
ColorShader ColorConfig::shader(const std::string&, const std::string&, const std::string&,
                                unsigned) const {
  return {};
}
bool ColorConfig::knowsRec709() const { return false; }
void ColorConfig::apply(const std::string&, const std::string&, const std::string&, Image&) const {}
void ColorConfig::toSpace(const std::string&, Image&) const {}

}  // namespace fathom
