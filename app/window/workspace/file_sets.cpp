// SPDX-License-Identifier: BSD-3-Clause
// A set's files are named by a checksum of its paths.
#include "app/window/workspace/file_sets.h"

#include "app/engine/core/log.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <system_error>

namespace fathom::viewer {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxRecent = 12, kMaxSets = 100;

/// FNV-1a, 64 bits: names that differ get files that differ.
std::uint64_t checksumOf(const std::vector<std::string>& inputs) {
  std::uint64_t sum = 0xcbf29ce484222325ull;
  for (const std::string& input : inputs)
    for (const char c : absoluteInput(input) + '\n')
      sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return sum;
}

/// A path that is gone; a scene never is.
bool isGone(const std::string& input) {
  std::error_code ignored;
  const fs::path path = input.substr(0, input.find('#'));
  return path.is_absolute() && !fs::exists(path, ignored);
}

std::string endingOf(const fs::path& file) {
  std::string ending = file.extension().string();
  for (char& c : ending) c = char(std::tolower(static_cast<unsigned char>(c)));
  return ending;
}

/// Removes the oldest files of a folder beyond a number.
void keepNewest(const fs::path& folder, std::size_t count) {
  std::error_code error;
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    files.emplace_back(it->last_write_time(error), it->path());
  if (files.size() <= count) return;
  std::sort(files.begin(), files.end());
  for (std::size_t i = 0; i + count < files.size(); ++i) fs::remove(files[i].second, error);
}

}  // namespace

std::string absoluteInput(const std::string& input) {
  std::error_code error;
  if (!fs::exists(input.substr(0, input.find('#')), error)) return input;
  return fs::absolute(input, error).lexically_normal().string();
}

void addRecent(std::vector<RecentSet>& recent, const std::vector<std::string>& inputs) {
  if (inputs.empty()) return;
  RecentSet set;
  for (const std::string& input : inputs) set.inputs.push_back(absoluteInput(input));
  std::erase(recent, set);
  recent.insert(recent.begin(), std::move(set));
  recent = existing(recent);
  if (recent.size() > kMaxRecent) recent.resize(kMaxRecent);
}

std::vector<RecentSet> existing(const std::vector<RecentSet>& recent) {
  std::vector<RecentSet> left;
  for (const RecentSet& set : recent)
    if (std::none_of(set.inputs.begin(), set.inputs.end(), isGone)) left.push_back(set);
  return left;
}

std::string titleOf(const RecentSet& set) {
  const std::string first = fs::path(set.inputs[0]).filename().string();
  const std::size_t others = set.inputs.size() - 1;
  return others == 0 ? first : fmt::format("{} + {} more", first, others);
}

std::string pathsOf(const RecentSet& set) { return fmt::format("{}", fmt::join(set.inputs, "\n")); }

std::vector<std::string> filesBeside(const std::string& file,
                                     const std::vector<std::string>& endings) {
  std::error_code error;
  const fs::path path = absoluteInput(file);
  const std::vector<std::string> wanted =
      endings.empty() ? std::vector<std::string>{endingOf(path)} : endings;
  std::vector<std::string> names;
  for (fs::directory_iterator it(path.parent_path(), error), end; !error && it != end;
       it.increment(error)) {
    std::error_code ignored;
    if (std::find(wanted.begin(), wanted.end(), endingOf(it->path())) != wanted.end() &&
        it->is_regular_file(ignored))
      names.push_back(it->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<std::string> neighborFile(const std::string& file, int by) {
  std::error_code error;
  const fs::path path = absoluteInput(file);
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  const std::vector<std::string> names = filesBeside(file);
  const auto at = std::find(names.begin(), names.end(), path.filename().string());
  if (at == names.end() || names.size() < 2) return std::nullopt;
  const int count = int(names.size());
  const int next = ((int(at - names.begin()) + by) % count + count) % count;
  return (path.parent_path() / names[std::size_t(next)]).string();
}

fs::path FileSets::fileOf(const std::vector<std::string>& inputs, const char* ending) const {
  return folder_ / fmt::format("{:016x}{}", checksumOf(inputs), ending);
}

Session FileSets::load(const std::vector<std::string>& inputs) const {
  std::error_code error;
  if (folder_.empty() || inputs.empty()) return {};
  const fs::path file = fileOf(inputs, ".json");
  if (!fs::exists(file, error)) return {};
  try {
    return Session::load(file);
  } catch (const Error& e) {
    log::warn("{}", e.what());
    return {};
  }
}

void FileSets::save(const std::vector<std::string>& inputs, const Session& state) const {
  if (folder_.empty() || inputs.empty()) return;
  state.save(fileOf(inputs, ".json"));
  keepNewest(folder_, kMaxSets * 2);  // a state and a picture each
}

std::string FileSets::techniqueOf(const std::vector<std::string>& inputs) const {
  return load(inputs).text("view", "technique").value_or("");
}

fs::path FileSets::thumbnail(const std::vector<std::string>& inputs) const {
  return folder_.empty() ? fs::path() : fileOf(inputs, ".png");
}

}  // namespace fathom::viewer
