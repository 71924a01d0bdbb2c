// SPDX-License-Identifier: BSD-3-Clause
// Frame numbers out of texts and into file names.
#include "app/engine/io/frame_sequence.h"

#include "app/engine/core/error.h"
#include "app/engine/core/text.h"

#include <regex>

namespace fathom {
namespace {

constexpr int kMaxSequenceFrames = 1'000'000;
constexpr int kMaxFrameDigits = 9;
// Of texts that expressions are matched with: std::regex takes stack for each letter.
constexpr std::size_t kMaxRangeLetters = 64, kMaxNameLetters = 4096;

[[noreturn]] void refuseFrames(const std::string& text) {
  failUsage("--frames: expected numbers and ranges like 1001-1100x2,1200, found \"{}\"", text);
}

}  // namespace

std::vector<int> parseFrames(const std::string& text) {
  static const std::regex form(R"((-?\d+)(?:-(-?\d+))?(?:x(\d+))?)");
  std::vector<int> frames;
  std::set<int> seen;
  for (const std::string& part : splitAt(text, ',')) {
    std::smatch found;
    if (part.size() > kMaxRangeLetters || !std::regex_match(part, found, form)) refuseFrames(text);
    const auto first = numberIn<int>(found.str(1));
    const auto last = found[2].matched ? numberIn<int>(found.str(2)) : first;
    const auto step = found[3].matched ? numberIn<int>(found.str(3)) : 1;
    if (!first || !last || !step || *step < 1 || *last < *first ||
        (std::int64_t(*last) - *first) / *step >= kMaxSequenceFrames)
      refuseFrames(text);
    for (std::int64_t frame = *first; frame <= *last; frame += *step)
      if (seen.insert(int(frame)).second) frames.push_back(int(frame));
  }
  return frames;
}

std::optional<FramePattern> FramePattern::of(const std::string& name) {
  // "%d" or "%04d", or signs before a dot, since FILE#PART is something else; frames may stand
  // before those, as in "shot.1001-1100#.exr".
  static const std::regex place(R"(%(\d{0,2})d|(?:(^|[._/])(\d[-\dx,]*-[-\dx,]*))?(#+|@+)(?=\.))");
  std::smatch found;
  std::error_code error;
  if (name.size() > kMaxNameLetters || !std::regex_search(name, found, place) ||
      fs::exists(name, error))
    return std::nullopt;
  FramePattern pattern;
  pattern.before_ = found.prefix().str() + found.str(2);
  pattern.after_ = found.suffix();
  pattern.frames_ = found[3];
  int digits = found[4].matched ? int(found.length(4)) : numberIn<int>(found.str(1)).value_or(1);
  if (digits == 1 && !pattern.frames_.empty())
    digits = int(pattern.frames_.find('-'));  // 0001-0100#
  pattern.digits_ = std::clamp(digits, 1, kMaxFrameDigits);
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
  for (std::size_t i = 1; i < patterns.size(); ++i)  // those that all have
    if (const auto place = FramePattern::of(patterns[i])) {
      const std::vector<int> there = place->found();
      std::erase_if(frames, [&](int f) { return !std::ranges::binary_search(there, f); });
    }
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
