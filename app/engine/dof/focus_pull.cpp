// SPDX-License-Identifier: BSD-3-Clause
// Pulls as text, as files, and between their keys.
#include "app/engine/dof/focus_pull.h"

#include "app/engine/core/error.h"
#include "app/engine/core/text.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/json.h"

namespace fathom::dof {
namespace {

constexpr int kMaxFrames = 100000;
constexpr double kLastFrame = 1e9;  // either way
constexpr std::uint64_t kMaxFileBytes = 1 << 20;

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
    fail(
        "{}: expected \"{}\" as [[FRAME, VALUE], ...] with frames within {} and values above 0, "
        "found {}",
        file, name, kLastFrame, shownJson(root[name]));
  };
  if (!root[name].is_array()) complain();
  for (const Json& key : root[name]) {
    if (!key.is_array() || key.size() != 2 || !key[0].is_number() || !key[1].is_number() ||
        !(std::abs(key[0].get<double>()) <= kLastFrame) || !(key[1].get<double>() > 0))
      complain();
    keys.emplace_back(key[0].get<double>(), key[1].get<double>());
  }
  std::sort(keys.begin(), keys.end());
  const auto twice = std::ranges::adjacent_find(keys, {}, &FocusPull::Keys::value_type::first);
  if (twice != keys.end())
    fail("{}: expected each frame of \"{}\" once, found {} twice", file, name, twice->first);
  return keys;
}

std::pair<double, double> rangeOf(const FocusPull& pull) {
  double first = INFINITY, last = -INFINITY;
  for (const FocusPull::Keys* keys : {&pull.focus, &pull.fNumber})
    for (const auto& [frame, value] : *keys)
      first = std::min(first, frame), last = std::max(last, frame);
  return {std::ceil(first), last};
}

FocusPull checked(FocusPull pull, const std::string& name) {
  const auto [first, last] = rangeOf(pull);
  if (!(last - first < kMaxFrames))
    fail("{}: expected a pull of at most {} frames, found {}", name, kMaxFrames, last - first + 1);
  return pull;
}

FocusPull pullFromFile(const std::string& file) {
  const Json root = parseJson(readFile(file, kMaxFileBytes), file, 8);
  if (!root.is_object()) fail("{}: expected a JSON object, found {}", file, shownJson(root));
  for (const auto& [key, value] : root.items())
    if (key != "focus-distance" && key != "f-number")
      fail("{}: expected \"focus-distance\" and \"f-number\", found \"{}\"", file, key);
  FocusPull pull{keysOf(root, "focus-distance", file), keysOf(root, "f-number", file)};
  if (pull.empty()) fail("{}: expected keyframes, found none", file);
  return checked(std::move(pull), file);
}

}  // namespace

std::optional<double> FocusPull::focusAt(double frame) const {
  return valueAt(focus, frame, inverse, inverse);
}
std::optional<double> FocusPull::fNumberAt(double frame) const {
  return valueAt(fNumber, frame, std::log, std::exp);
}

void applyPull(const FocusPull& pull, double frame, Settings& settings) {
  if (const auto distance = pull.focusAt(frame)) settings.focusDistance = float(*distance);
  if (const auto number = pull.fNumberAt(frame)) settings.fNumber = float(*number);
}

std::vector<int> FocusPull::frames() const {
  std::vector<int> frames;
  const auto [first, last] = rangeOf(*this);
  for (double f = first; f <= last; ++f) frames.push_back(int(f));
  return frames;
}

FocusPull parsePull(const std::string& text) {
  const std::size_t colon = text.find(':'),
                    at = text.find('@', colon == std::string::npos ? 0 : colon);
  const std::size_t dash = at == std::string::npos ? at : text.find('-', at);
  if (colon != std::string::npos && dash != std::string::npos) {
    const std::string_view view(text);
    const auto from = numberIn<double>(view.substr(0, colon));
    const auto to = numberIn<double>(view.substr(colon + 1, at - colon - 1));
    const auto first = numberIn<int>(view.substr(at + 1, dash - at - 1));
    const auto last = numberIn<int>(view.substr(dash + 1));
    if (from && to && first && last && *from > 0 && *to > 0 && *first < *last)
      return checked({{{double(*first), *from}, {double(*last), *to}}, {}}, text);
  }
  if (text.ends_with(".json")) return pullFromFile(text);
  failUsage("--focus: expected FROM:TO@FIRST-LAST, as in 3:5.2@1-48, or a JSON file, found {}",
            text);
}

std::string jsonOf(const FocusPull& pull) {
  std::string text;
  const auto add = [&](const char* name, const FocusPull::Keys& keys) {
    if (keys.empty()) return;
    text += fmt::format("{}  \"{}\": [", text.empty() ? "" : ",\n", name);
    for (std::size_t i = 0; i < keys.size(); ++i)
      text += fmt::format("{}[{}, {}]", i > 0 ? ", " : "", keys[i].first, float(keys[i].second));
    text += "]";
  };
  add("focus-distance", pull.focus);
  add("f-number", pull.fNumber);
  return "{\n" + text + "\n}\n";
}

bool looksLikePull(const std::string& file) {
  if (!file.ends_with(".json")) return false;
  const std::string text = startOf(file, 4096);
  return text.find("\"focus-distance\"") != std::string::npos ||
         text.find("\"f-number\"") != std::string::npos;
}

}  // namespace fathom::dof
