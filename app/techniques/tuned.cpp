// SPDX-License-Identifier: BSD-3-Clause
#include "app/techniques/tuned.h"

#include "app/core/launch.h"
#include "app/core/log.h"
#include "app/gpu/shader_loader.h"
#include "app/io/profile.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

namespace fathom {

std::optional<Variant> TunedChoice::choose(const gpu::Context& gpu,
                                                const std::function<TuneKey()>& key) {
  const Profile& profile = profileInUse();
  const bool mayHold =
      std::any_of(profile.all().begin(), profile.all().end(),
                  [&](const TunedVariant& tuned) { return tuned.technique == technique_; });
  Profile::Answer answer;
  if (mayHold) {
    const gpu::Device& device = gpu.device();
    const TuneKey asked = key();
    TunedVariant wanted;
    wanted.technique = technique_;
    wanted.vendor = device.vendor, wanted.renderer = device.renderer;
    wanted.version = device.version;
    wanted.workload = asked.workload;
    wanted.sizeClass = sizeClassOf(asked.size.x, asked.size.y);
    wanted.templateHash = asked.templateHash, wanted.backEnd = asked.backEnd;
    answer = profile.find(wanted);
  }
  std::optional<Variant> variant;
  if (answer.use) try {
      variant = space_->parse(answer.use->best);
    } catch (const UsageError& error) {
      answer.note = fmt::format("{}: {}", technique_, error.what());  // of another version
    }
  if (answer.note != note_) {
    note_ = answer.note;
    if (launchRank().value_or(0) > 0) return variant;  // under mpirun one process tells
    if (variant)
      log::line(log::Level::Normal, "fathom: variant " + note_);
    else if (!note_.empty())
      log::warn("profile {}", note_);
  }
  return variant;
}

namespace {

std::string hashFiles(const std::vector<std::string>& filesOrFolders) {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  for (const std::string& name : filesOrFolders) {
    const fs::path path = gpu::shaderRoot() / name;
    if (!fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    const std::size_t first = files.size();
    for (const auto& entry : fs::recursive_directory_iterator(path))
      if (entry.is_regular_file()) files.push_back(entry.path());
    std::sort(files.begin() + std::ptrdiff_t(first), files.end());
  }
  std::uint64_t hash = 0xCBF29CE484222325ull;  // FNV-1a
  for (const fs::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    for (std::istreambuf_iterator<char> at(in), end; at != end; ++at)
      hash = (hash ^ static_cast<unsigned char>(*at)) * 0x100000001B3ull;
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace

std::string hashOfShaders(const std::vector<std::string>& filesOrFolders) {
  // Asked for with every picture: files are read once.
  static std::map<std::vector<std::string>, std::string> known;
  std::string& hash = known[filesOrFolders];
  if (hash.empty()) hash = hashFiles(filesOrFolders);
  return hash;
}

}  // namespace fathom
