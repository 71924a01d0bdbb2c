// SPDX-License-Identifier: BSD-3-Clause
// File names as targets, and the partial order between them: the most specific file is the one that
// no other beats.
#include "app/engine/gpu/features.h"

#include "app/engine/core/error.h"
#include "app/engine/gpu/shader_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace fathom::gpu {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> splitAt(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t start = 0;;) {
    const std::size_t end = text.find(separator, start);
    parts.push_back(text.substr(start, end - start));
    if (end == std::string::npos) return parts;
    start = end + 1;
  }
}

}  // namespace

FeatureFiles::FeatureFiles(const Features& features) : features_(features) {
  const fs::path folder = shaderRoot() / features.folder;
  std::error_code failure;
  std::vector<std::string> names;
  for (fs::directory_iterator at(folder, failure), end; !failure && at != end;
       at.increment(failure))
    if (at->path().extension() == ".glsl") names.push_back(at->path().filename().string());
  if (failure)
    fail("{}: expected a folder of features, found {}", folder.string(), failure.message());
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) add(name);
}

FeatureFiles::FeatureFiles(const Features& features, const std::vector<std::string>& names)
    : features_(features) {
  for (const std::string& name : names) add(name);
}

void FeatureFiles::add(const std::string& name) {
  const std::vector<std::string> parts = splitAt(name, '.');
  File file{features_.folder + "/" + name, parts[0], {}};
  if (parts.size() == 3) file.targets = splitAt(parts[1], '+');
  const bool named = (parts.size() == 2 || parts.size() == 3) && !parts[0].empty() &&
                     std::none_of(file.targets.begin(), file.targets.end(),
                                  [](const std::string& target) { return target.empty(); });
  if (!named)
    fail("{}: expected a name like feature.glsl or feature.target+target.glsl, found \"{}\"",
         file.path, name);
  files_.push_back(std::move(file));
}

bool FeatureFiles::applies(const File& file) const {
  return std::all_of(file.targets.begin(), file.targets.end(), [&](const std::string& target) {
    return std::any_of(features_.targets.begin(), features_.targets.end(), [&](const auto& chain) {
      return std::find(chain.begin(), chain.end(), target) != chain.end();
    });
  });
}

/// Whether `target` is `base`, or an active chain goes from the one to the other.
bool FeatureFiles::refines(const std::string& target, const std::string& base) const {
  if (target == base) return true;
  return std::any_of(features_.targets.begin(), features_.targets.end(), [&](const auto& chain) {
    const auto from = std::find(chain.begin(), chain.end(), target);
    return std::find(from, chain.end(), base) != chain.end();
  });
}

bool FeatureFiles::beats(const File& a, const File& b) const {
  const auto covers = [this](const File& over, const File& under) {
    return std::all_of(under.targets.begin(), under.targets.end(), [&](const std::string& base) {
      return std::any_of(over.targets.begin(), over.targets.end(),
                         [&](const std::string& target) { return refines(target, base); });
    });
  };
  return covers(a, b) && !covers(b, a);
}

/// The one file of the feature that no other one beats, among those that `below` beats (null: all).
std::string FeatureFiles::best(const std::string& feature, const File* below) const {
  std::vector<const File*> left;
  for (const File& file : files_)
    if (file.feature == feature && applies(file) && (!below || beats(*below, file)))
      left.push_back(&file);
  std::vector<std::string> maximal;
  for (const File* file : left)
    if (std::none_of(left.begin(), left.end(), [&](const File* o) { return beats(*o, *file); }))
      maximal.push_back(file->path);
  if (maximal.size() == 1) return maximal[0];

  std::vector<std::string> active;
  for (const TargetChain& chain : features_.targets) active.push_back(chain.at(0));
  const std::string targets = fmt::format("{}", fmt::join(active, " "));
  if (maximal.empty() && below)
    fail("{}: expected a less specific file of feature \"{}\" for @parent, found none for {}",
         below->path, feature, targets);
  if (maximal.empty())
    fail("{}: expected a file of feature \"{}\" that applies, found none for {}", features_.folder,
         feature, targets);
  fail("feature \"{}\": expected one most specific file, found {} for {}", feature,
       fmt::join(maximal, " and "), targets);
}

std::string FeatureFiles::resolve(const std::string& feature) const {
  return best(feature, nullptr);
}

std::string FeatureFiles::parentOf(const std::string& path) const {
  const auto file =
      std::find_if(files_.begin(), files_.end(), [&](const File& f) { return f.path == path; });
  if (file == files_.end())
    fail("{}: expected @parent only in the files of {}, found it here", path, features_.folder);
  return best(file->feature, &*file);
}

std::vector<std::string> FeatureFiles::names() const {
  std::set<std::string> all;
  for (const File& file : files_) all.insert(file.feature);
  return {all.begin(), all.end()};
}

std::vector<std::string> FeatureFiles::paths() const {
  std::vector<std::string> all;
  for (const File& file : files_) all.push_back(file.path);
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace fathom::gpu
