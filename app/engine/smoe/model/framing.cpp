// SPDX-License-Identifier: BSD-3-Clause
// Parsing and writing the texts of --window, --view and --grid.
#include "app/engine/smoe/model/framing.h"

#include "app/engine/core/error.h"
#include "app/engine/core/pair.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

namespace fathom::smoe {
namespace {

constexpr double kMaxCoordinate = 1e6;  // px or view steps; larger numbers are a mistake

/// Numbers between commas; empty when it is not that.
std::vector<double> numbersOf(const std::string& text) {
  std::vector<double> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    double value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || !(std::abs(value) <= kMaxCoordinate)) return {};
    numbers.push_back(value);
    if (next == end) return numbers;
    if (*next != ',') return {};
    at = next + 1;
  }
}

}  // namespace

std::optional<ModelRect> parseWindow(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const std::vector<double> n = numbersOf(text);
  if (n.size() != 4 || !(n[2] > 0) || !(n[3] > 0))
    throw UsageError(
        fmt::format("--window: expected X,Y,W,H with W and H above 0, found \"{}\"", text));
  return ModelRect{{n[0], n[1]}, {n[2], n[3]}};
}

std::string windowText(const ModelRect& rect) {
  return fmt::format("{:.7g},{:.7g},{:.7g},{:.7g}", rect.corner.x, rect.corner.y, rect.extent.x,
                     rect.extent.y);
}

ViewCoordinates parseView(const std::string& text, int leading) {
  if (text.empty() || leading == 0) return ViewCoordinates(0);
  const std::vector<double> n = numbersOf(text);
  if (int(n.size()) != leading)
    throw UsageError(
        fmt::format("--view: expected {}, found \"{}\"", leading == 2 ? "A1,A2" : "a frame", text));
  return {n[0], leading == 2 ? n[1] : 0.0};
}

std::string viewText(ViewCoordinates at, int leading) {
  // Without a negative zero, so that going round comes back to the same text.
  const auto rounded = [](double v) { return std::round(v * 1000) / 1000 + 0.0; };
  if (leading == 0 || (leading == 2 && rounded(at.x) == 0 && rounded(at.y) == 0)) return "";
  if (leading == 1) return fmt::format("{}", rounded(at.x));
  return fmt::format("{},{}", rounded(at.x), rounded(at.y));
}

glm::ivec2 parseGrid(const std::string& text) {
  const std::optional<glm::ivec2> grid = parsePair(text);
  if (!grid || std::min(grid->x, grid->y) < 1 || std::max(grid->x, grid->y) > 64)
    throw UsageError(fmt::format("--grid: expected AxB from 1x1 to 64x64, found \"{}\"", text));
  return *grid;
}

}  // namespace fathom::smoe
