// SPDX-License-Identifier: BSD-3-Clause
// State of each set of files in the configuration folder; files of a folder; samples; polling for
// changes.
#include "app/window/workspace/file_sets.h"

#include "app/engine/core/text.h"
#include "app/engine/gpu/shader_loader.h"

#include <fmt/ranges.h>

namespace fathom::viewer {

// ---- Changes on disk

FileWatch::State FileWatch::stateOf(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return {};
  const auto time = fs::last_write_time(path, error);
  const std::uintmax_t bytes = error ? 0 : fs::file_size(path, error);
  return error ? State() : State(std::pair(time, bytes));
}

void FileWatch::watch(const std::vector<std::string>& files) {
  files_.clear();
  for (const std::string& name : files)
    if (const State state = stateOf(name)) files_.push_back({name, state, state});
  next_ = std::chrono::steady_clock::now() + kInterval;
}

bool FileWatch::changed() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return false;
  next_ = now + kInterval;
  bool any = false;
  for (File& file : files_) {
    const State state = stateOf(file.path);
    if (!state) continue;  // being replaced, or deleted
    if (state != file.known && state == file.last) file.known = state, any = true;
    file.last = state;
  }
  return any;
}

// ---- Sets of files

namespace {

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

FileSet absoluteInputs(std::vector<std::string> inputs) {
  for (std::string& input : inputs) input = absoluteInput(input);
  return inputs;
}

void addRecent(std::vector<FileSet>& recent, const std::vector<std::string>& inputs) {
  if (inputs.empty()) return;
  const FileSet set = absoluteInputs(inputs);
  std::erase(recent, set);
  recent.insert(recent.begin(), set);
  recent = existing(recent);
  if (recent.size() > kMaxRecent) recent.resize(kMaxRecent);
}

std::vector<FileSet> existing(std::vector<FileSet> recent) {
  std::erase_if(recent, [](const FileSet& set) { return std::ranges::any_of(set, isGone); });
  return recent;
}

std::string titleOf(const FileSet& set) {
  const std::string first = fs::path(set[0]).filename().string();
  const std::size_t others = set.size() - 1;
  return others == 0 ? first : fmt::format("{} + {} more", first, others);
}

std::string pathsOf(const FileSet& set) { return fmt::format("{}", fmt::join(set, "\n")); }

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
  if (folder_.empty() || inputs.empty()) return {};
  return Session::kept(fileOf(inputs, ".json"));
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

// ---- Opened in this session

void Opened::note(const std::vector<std::string>& inputs, const std::string& technique,
                  bool shown) {
  if (inputs.empty()) return;
  const FileSet set = absoluteInputs(inputs);
  const auto known = std::ranges::find(entries_, set, &Entry::set);
  if (shown) shown_ = std::size_t(known - entries_.begin());
  if (known == entries_.end())
    entries_.push_back({set, technique});
  else
    known->technique = technique;
}

void Opened::forget(const std::vector<std::string>& inputs) {
  const auto at = std::ranges::find(entries_, inputs, &Entry::set);
  if (at == entries_.end()) return;
  if (shown_ > 0 && shown_ >= std::size_t(at - entries_.begin())) --shown_;
  entries_.erase(at);
}

std::optional<Opened::Entry> Opened::neighbor(int by) const {
  const int count = int(entries_.size());
  if (count < 2) return std::nullopt;
  return entries_[std::size_t(((int(shown_) + by) % count + count) % count)];
}

// ---- Samples

namespace {

std::string asset(const char* name) { return (gpu::shaderRoot() / "assets" / name).string(); }

bool isThere(const Sample& sample) {
  std::error_code ignored;
  for (const std::string& input : sample.inputs)
    if (input.find('/') != std::string::npos && !fs::exists(input, ignored)) return false;
  return true;
}

std::vector<SampleGroup> allSamples() {
  return {{"deep",
           "Deep images",
           "Every fragment of every pixel: merge, peel, inspect.",
           {{"Atrium", "A courtyard with galleries, cloth and plants", {"atrium"}},
            {"Forest", "Thousands of leaves over a path; hold out the trunks", {"forest"}},
            {"Hairball", "Thousands of strands: long lists in every pixel", {"hairball"}},
            {"Power plant", "Pipes behind pipes", {"powerplant"}}}},
          {"dof",
           "Depth of field",
           "Focus anywhere, with the light that edges uncover.",
           {{"Atrium in focus", "Click where to focus", {"atrium"}},
            {"Spheres",
             "Foreground edges: hard for flat images",
             {"planes:count=1,spheres=60,alpha=1,seed=4"}}}},
          {"flame",
           "Fractal flames",
           "Genomes that refine while you watch; edit, mutate, animate.",
           {{"Corona", "A flam3 genome", {asset("flame/corona.flame")}},
            {"Rosette", "Another genome", {asset("flame/rosette.flame")}},
            {"Animation",
             "From one flame to another, on the timeline",
             {asset("flame/edge.corona=seahorse.json")}}}},
          {"smoe",
           "SMoE",
           "Mixtures of experts: images and light fields, decoded at any size.",
           {{"Light field", "Drag to change the view", {asset("smoe/light-field.smoe")}},
            {"Model of an image",
             "1000 components; zoom in as far as you like",
             {asset("smoe/atrium.smoe")}}}},
          {"active-pixel",
           "Active pixels",
           "The share of each rank of a cluster, and the bytes it sends.",
           {{"Station", "A space station in parts", {"station"}},
            {"Points", "A globe of points", {"points:count=300000"}}}}};
}

}  // namespace

const std::vector<SampleGroup>& samples() {
  static const std::vector<SampleGroup> list = [] {
    std::vector<SampleGroup> found;
    for (SampleGroup& group : allSamples()) {
      std::erase_if(group.samples, [](const Sample& sample) { return !isThere(sample); });
      if (!group.samples.empty()) found.push_back(std::move(group));
    }
    return found;
  }();
  return list;
}

std::vector<FileBrowser::Place> placesOf(const std::vector<FileSet>& recent) {
  std::vector<FileBrowser::Place> places;
  if (!recent.empty()) places.push_back({"Recent", "", {}});
  for (const FileSet& set : recent) places.push_back({titleOf(set), pathsOf(set), set});
  for (const SampleGroup& group : samples()) {
    places.push_back({group.title, "", {}});
    for (const Sample& sample : group.samples)
      places.push_back({sample.title, sample.about, sample.inputs});
  }
  return places;
}

}  // namespace fathom::viewer
