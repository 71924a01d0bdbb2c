// SPDX-License-Identifier: BSD-3-Clause
// Frame numbers out of texts and into file names.
#include "app/engine/io/frame_sequence.h"

#include "app/engine/core/error.h"
#include "app/engine/core/text.h"

namespace fathom {
namespace {

constexpr int kMaxSequenceFrames = 1'000'000;
constexpr int kMaxFrameDigits = 9;

[[noreturn]] void refuseFrames(const std::string& text) {
  failUsage("--frames: expected numbers and ranges like 1001-1100x2,1200, found \"{}\"", text);
}

/// The number at the start of `text`, which it is taken from; negative ones count.
int takeFrameNumber(std::string_view& text, const std::string& whole) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) refuseFrames(whole);
  text.remove_prefix(std::size_t(end - text.data()));
  return value;
}

bool take(std::string_view& text, char c) {
  const bool there = text.starts_with(c);
  if (there) text.remove_prefix(1);
  return there;
}

/// Where the frame number stands in a name: first and last character, digits; and the frames that
/// stand before it, as in "shot.1001-1100#.exr".
struct FramePlace {
  std::size_t begin, end;
  int digits;
  std::string frames = {};
};

/// "%d" or "%04d" at `at`.
std::optional<FramePlace> printfPlace(const std::string& name, std::size_t at) {
  std::size_t end = at + 1;
  while (end < name.size() && name[end] >= '0' && name[end] <= '9') ++end;
  if (end >= name.size() || name[end] != 'd' || end - at > 3) return std::nullopt;
  int digits = 1;
  std::from_chars(name.data() + at + 1, name.data() + end, digits);
  return FramePlace{at, end + 1, std::clamp(digits, 1, kMaxFrameDigits)};
}

/// "####." at `at`: FILE#PART is something else.
std::optional<FramePlace> signPlace(const std::string& name, std::size_t at) {
  const std::size_t end = name.find_first_not_of(name[at], at);
  if (end == std::string::npos || name[end] != '.') return std::nullopt;
  FramePlace place{at, end, std::min(int(end - at), kMaxFrameDigits)};
  std::size_t first = at;
  while (first > 0 && std::string_view("0123456789-x,").find(name[first - 1]) != std::string::npos)
    --first;
  const std::string frames = name.substr(first, at - first);
  const bool begins =
      first == 0 || std::string_view("._/").find(name[first - 1]) != std::string::npos;
  if (!begins || frames.find('-') == std::string::npos ||
      !std::isdigit(static_cast<unsigned char>(frames[0])))
    return place;
  place.begin = first, place.frames = frames;
  if (place.digits == 1) place.digits = int(frames.find('-'));  // 0001-0100#
  return place;
}

std::optional<FramePlace> framePlace(const std::string& name) {
  for (std::size_t at = 0; at < name.size(); ++at) {
    std::optional<FramePlace> place;
    if (name[at] == '%') place = printfPlace(name, at);
    if (name[at] == '#' || name[at] == '@') place = signPlace(name, at);
    if (place) return place;
  }
  return std::nullopt;
}

}  // namespace

std::vector<int> parseFrames(const std::string& text) {
  std::vector<int> frames;
  std::set<int> seen;
  std::string_view rest = text;
  do {
    const int first = takeFrameNumber(rest, text);
    const int last = take(rest, '-') ? takeFrameNumber(rest, text) : first;
    const int step = take(rest, 'x') ? takeFrameNumber(rest, text) : 1;
    if (step < 1 || last < first || (std::int64_t(last) - first) / step >= kMaxSequenceFrames)
      refuseFrames(text);
    for (std::int64_t frame = first; frame <= last; frame += step)
      if (seen.insert(int(frame)).second) frames.push_back(int(frame));
  } while (take(rest, ','));
  if (!rest.empty()) refuseFrames(text);
  return frames;
}

std::optional<FramePattern> FramePattern::of(const std::string& name) {
  std::error_code error;
  const std::optional<FramePlace> place = framePlace(name);
  if (!place || fs::exists(name, error)) return std::nullopt;
  FramePattern pattern;
  pattern.before_ = name.substr(0, place->begin);
  pattern.after_ = name.substr(place->end);
  pattern.digits_ = place->digits;
  pattern.frames_ = place->frames;
  return pattern;
}

bool FramePattern::hasView(const std::string& name) {
  std::error_code none;
  return (name.find("%V") != std::string::npos || name.find("%v") != std::string::npos) &&
         !fs::exists(name, none);
}

std::string FramePattern::withView(std::string name, const std::string& view) {
  if (!hasView(name)) return name;
  for (const char* sign : {"%V", "%v"})
    for (std::size_t at = name.find(sign); at != std::string::npos; at = name.find(sign))
      name.replace(at, 2, sign[1] == 'V' ? view : view.substr(0, 1));
  return name;
}

std::string FramePattern::at(int frame) const {
  return fmt::format("{}{:0{}}{}", before_, frame, frame < 0 ? digits_ + 1 : digits_, after_);
}

std::vector<int> FramePattern::found() const {
  const fs::path start(before_);
  const fs::path folder = start.has_parent_path() ? start.parent_path() : fs::path(".");
  std::vector<int> frames;
  std::error_code error;
  // The number may stand in the name of a folder: then each is tried.
  const bool inFolder = after_.find('/') != std::string::npos;
  const std::string stem = start.filename().string();
  const std::string tail = inFolder ? after_.substr(0, after_.find('/')) : after_;
  // FILE.####.exr#PART: the part is not in the name of the file.
  const std::string ending = tail.substr(0, tail.find('#'));
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.size() <= stem.size() + ending.size() || !name.starts_with(stem) ||
        !name.ends_with(ending))
      continue;
    const std::string number = name.substr(stem.size(), name.size() - stem.size() - ending.size());
    const auto frame = numberIn<int>(number);
    if (!frame) continue;
    const std::string made = at(*frame);
    if (fs::exists(made.substr(0, made.rfind(ending) + ending.size()), error))
      frames.push_back(*frame);
  }
  std::sort(frames.begin(), frames.end());
  frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
  return frames;
}

std::string patternOfNumbered(const std::string& input) {
  const std::size_t folder = input.rfind('/') == std::string::npos ? 0 : input.rfind('/') + 1;
  std::size_t end = input.rfind('.');
  if (end == std::string::npos || end < folder) end = input.size();
  while (end > folder && !std::isdigit(static_cast<unsigned char>(input[end - 1]))) --end;
  std::size_t begin = end;
  while (begin > folder && std::isdigit(static_cast<unsigned char>(input[begin - 1]))) --begin;
  if (begin == end || end - begin > 9) return {};
  return input.substr(0, begin) + std::string(end - begin, '#') + input.substr(end);
}

NumberedInputs::NumberedInputs(const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    const std::string pattern = patternOfNumbered(input);
    patterns.push_back(pattern.empty() || !FramePattern::of(pattern) ? input : pattern);
  }
  const auto first = patterns.empty() ? std::nullopt : FramePattern::of(patterns[0]);
  if (!first) return;
  frames = first->found();
  for (std::size_t i = 0; i < frames.size(); ++i)
    if (first->at(frames[i]) == inputs[0]) given = i;
  if (frames.size() < 2) frames.clear(), given = 0;
}

std::vector<std::string> NumberedInputs::filesOf(int frame) const {
  std::vector<std::string> files;
  for (const std::string& pattern : patterns) {
    const auto place = FramePattern::of(pattern);
    files.push_back(place ? place->at(frame) : pattern);
  }
  return files;
}

}  // namespace fathom
