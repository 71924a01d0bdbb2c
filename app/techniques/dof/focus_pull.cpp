// SPDX-License-Identifier: BSD-3-Clause
// Pulls as text, as files, and between their keys.
#include "app/techniques/dof/focus_pull.h"

#include "app/core/error.h"
#include "app/io/json_parse.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>

namespace fathom::dof {
namespace {

constexpr int kMaxFrames = 100000;
constexpr std::streamsize kMaxFileBytes = 1 << 20;

template <class T>
std::optional<T> numberOf(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Value at a frame, mixed in the measure that `forth` goes to and `back` returns from.
std::optional<double> valueAt(const FocusPull::Keys& keys, double frame, double (*forth)(double),
                              double (*back)(double)) {
  if (keys.empty()) return std::nullopt;
  const auto next = std::upper_bound(keys.begin(), keys.end(), frame,
                                     [](double f, const auto& key) { return f < key.first; });
  if (next == keys.begin()) return keys.front().second;
  if (next == keys.end()) return keys.back().second;
  const auto& [from, a] = *std::prev(next);
  const auto& [to, b] = *next;
  const double t = (frame - from) / (to - from);
  return back((1 - t) * forth(a) + t * forth(b));
}

double inverse(double v) { return 1 / v; }

FocusPull::Keys keysOf(const Json& root, const std::string& name, const std::string& file) {
  FocusPull::Keys keys;
  if (!root.contains(name)) return keys;
  const auto complain = [&] {
    fail("{}: expected \"{}\" as [[FRAME, VALUE], ...] with values above 0, found {}", file, name,
         shownJson(root[name]));
  };
  if (!root[name].is_array()) complain();
  for (const Json& key : root[name]) {
    if (!key.is_array() || key.size() != 2 || !key[0].is_number() || !key[1].is_number() ||
        !(key[1].get<double>() > 0))
      complain();
    keys.emplace_back(key[0].get<double>(), key[1].get<double>());
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

FocusPull pullFromFile(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) fail("{}: expected a readable file of keyframes, found none", file);
  std::string text(std::istreambuf_iterator<char>(in), {});
  if (std::streamsize(text.size()) > kMaxFileBytes)
    fail("{}: expected keyframes of at most {} bytes, found {}", file, kMaxFileBytes, text.size());
  const Json root = parseJson(text, file, 8);
  if (!root.is_object()) fail("{}: expected a JSON object, found {}", file, shownJson(root));
  for (const auto& [key, value] : root.items())
    if (key != "focus-distance" && key != "f-number")
      fail("{}: expected \"focus-distance\" and \"f-number\", found \"{}\"", file, key);
  FocusPull pull{keysOf(root, "focus-distance", file), keysOf(root, "f-number", file)};
  if (pull.empty()) fail("{}: expected keyframes, found none", file);
  return pull;
}

/// Where the number stands: position, length, digits; none when there is no place for it.
struct Place {
  std::size_t at, length;
  int digits;
};
std::optional<Place> placeOf(const std::string& name) {
  for (std::size_t at = name.find('%'); at != std::string::npos; at = name.find('%', at + 1)) {
    std::size_t end = at + 1;
    while (end < name.size() && name[end] >= '0' && name[end] <= '9') ++end;
    if (end >= name.size() || name[end] != 'd') continue;
    const int digits =
        end > at + 1
            ? numberOf<int>(std::string_view(name).substr(at + 1, end - at - 1)).value_or(0)
            : 0;
    return Place{at, end - at + 1, std::min(digits, 20)};
  }
  // One '#' stands before the part of a file, as it does elsewhere.
  for (const std::string_view marks : {"##", "@@"}) {
    const std::size_t at = name.find(marks);
    if (at == std::string::npos) continue;
    std::size_t end = at;
    while (end < name.size() && name[end] == marks[0]) ++end;
    return Place{at, end - at, int(end - at)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> FocusPull::focusAt(double frame) const {
  return valueAt(focus, frame, inverse, inverse);
}
std::optional<double> FocusPull::fNumberAt(double frame) const {
  return valueAt(fNumber, frame, std::log, std::exp);
}

std::vector<int> FocusPull::frames() const {
  std::vector<int> frames;
  double first = INFINITY, last = -INFINITY;
  for (const Keys* keys : {&focus, &fNumber})
    for (const auto& [frame, value] : *keys)
      first = std::min(first, frame), last = std::max(last, frame);
  for (double f = std::ceil(first); f <= last && frames.size() < std::size_t(kMaxFrames); ++f)
    frames.push_back(int(f));
  return frames;
}

FocusPull parsePull(const std::string& text) {
  const std::size_t colon = text.find(':'),
                    at = text.find('@', colon == std::string::npos ? 0 : colon);
  const std::size_t dash = at == std::string::npos ? at : text.find('-', at);
  if (colon != std::string::npos && dash != std::string::npos) {
    const std::string_view view(text);
    const auto from = numberOf<double>(view.substr(0, colon));
    const auto to = numberOf<double>(view.substr(colon + 1, at - colon - 1));
    const auto first = numberOf<int>(view.substr(at + 1, dash - at - 1));
    const auto last = numberOf<int>(view.substr(dash + 1));
    if (from && to && first && last && *from > 0 && *to > 0 && *first < *last)
      return {{{double(*first), *from}, {double(*last), *to}}, {}};
  }
  if (text.ends_with(".json")) return pullFromFile(text);
  throw UsageError(fmt::format(
      "--focus: expected FROM:TO@FIRST-LAST, as in 3:5.2@1-48, or a JSON file, found {}", text));
}

std::vector<int> parseFrames(const std::string& text) {
  std::vector<int> frames;
  std::string_view rest = text;
  const auto complain = [&] {
    throw UsageError(
        fmt::format("--frames: expected frames as in 1-24 or 1-48x2,60, found {}", text));
  };
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    std::string_view range = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    const std::size_t by = std::min(range.find('x'), range.size());
    const auto step = by < range.size() ? numberOf<int>(range.substr(by + 1)) : std::optional(1);
    range = range.substr(0, by);
    const std::size_t dash = std::min(range.find('-', 1), range.size());
    const auto first = numberOf<int>(range.substr(0, dash));
    const auto last = dash < range.size() ? numberOf<int>(range.substr(dash + 1)) : first;
    if (!first || !last || !step || *step < 1 || *last < *first ||
        (*last - *first) / *step >= kMaxFrames)
      complain();
    for (int f = *first; f <= *last; f += *step) frames.push_back(f);
  }
  if (frames.empty()) complain();
  return frames;
}

bool isNumbered(const std::string& name) { return placeOf(name).has_value(); }

std::string numbered(const std::string& name, int frame) {
  const auto place = placeOf(name);
  if (!place) return name;
  return name.substr(0, place->at) + fmt::format("{:0{}}", frame, std::max(place->digits, 1)) +
         name.substr(place->at + place->length);
}

}  // namespace fathom::dof
