// SPDX-License-Identifier: BSD-3-Clause
// Looks up classes and defaults, times a run, makes the keys by which profiles know results again,
// and looks the best variant up in the profile, logging a change of mind once.
#include "app/engine/tuning.h"

#include "app/engine/core/error.h"
#include "app/engine/core/launch.h"
#include "app/engine/gpu/shader_loader.h"
#include "app/engine/gpu/timings.h"
#include "app/engine/io/profile.h"

#include <fmt/ranges.h>

namespace fathom {
namespace {

std::string hashFiles(const std::vector<std::string>& filesOrFolders) {
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

CheckResult TuneWorkload::check(const Variant& variant) try {
  CheckResult checked = runAndCompare(variant);
  checked.detail = space_.id(variant) + " " + checked.detail;
  return checked;
} catch (const Error& error) {
  return {false, "compiles and runs", space_.id(variant) + " " + error.what()};
}

double TuneWorkload::timeMs(const Variant& variant) {
  gpu_.finish();
  if (gpu_.device().software) {
    const gpu::Timings::Pause pause(gpu_.timings());  // the window shows those of its picture
    const std::clock_t start = std::clock();
    run(variant);
    gpu_.finish();
    return 1000.0 * double(std::clock() - start) / CLOCKS_PER_SEC;
  }
  gpu_.timings().beginFrame();
  run(variant);
  gpu_.timings().endFrame();
  gpu_.timings().finish();
  return gpu_.timings().gpuSumMs();
}

const TuneClass& Tunable::classNamed(const std::string& workload) const {
  std::vector<std::string> known;
  for (const TuneClass& one : classes) {
    if (one.name == workload) return one;
    known.push_back(one.name);
  }
  failUsage("--workload: expected {} for {}, found \"{}\"", fmt::join(known, ", "), technique,
            workload);
}

Variant Tunable::standard(const gpu::Context& gpu, const std::string& workload) const {
  const TuneClass& one = classNamed(workload);
  return gpu.device().software ? one.onSoftware : one.onGpu;
}

/// Half as large, and so on, where the largest buffer of a workload would be larger than the device
/// allows: some 180 bytes per pixel of deep lists that are merged, 110 of splats of 16 px.
glm::ivec2 Tunable::size(const gpu::Context& gpu) const {
  constexpr std::int64_t kBytesPerPixel = 256;
  glm::ivec2 size = gpu.device().software ? sizeOnSoftware : sizeOnGpu;
  while (std::min(size.x, size.y) > 16 &&
         std::int64_t(size.x) * size.y * kBytesPerPixel > gpu.limits().storageBlockBytes)
    size /= 2;
  return size;
}

std::vector<int> Tunable::competitors(const std::string& workload) const {
  if (variants) return variants(workload);
  std::vector<int> all(std::size_t(space->countAll()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

TuneKey Tunable::key(gpu::Context& gpu, const TuneRequest& request) const {
  if (ownKey) return ownKey(gpu, request);
  return {request.workload, request.size, hashOfShaders({shaders}), ""};
}

std::string sweepCsv(const VariantSpace& space, const VariantSweep& sweep) {
  std::vector<const VariantSweep::Row*> rows;
  for (const auto& row : sweep.rows()) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(), [](const auto* a, const auto* b) {
    if (a->ms.empty() != b->ms.empty()) return b->ms.empty();
    return a->medianMs() < b->medianMs();
  });
  const std::vector<Variant> variants = allVariants(space);
  std::string text = "variant,state,median_ms,trials\n";
  for (const auto* row : rows) {
    static const char* const states[] = {"waiting", "passed", "failed"};
    text += fmt::format("{},{},{:.4f},{}\n", space.id(variants[std::size_t(row->variant)]),
                        states[int(row->state)], row->medianMs(), row->ms.size());
  }
  return text;
}

std::string hashOfShaders(const std::vector<std::string>& filesOrFolders) {
  // Called for every picture: files are read once.
  static std::mutex mutex;  // frames of a sequence are made on several threads
  const std::lock_guard lock(mutex);
  static std::map<std::vector<std::string>, std::string> known;
  std::string& hash = known[filesOrFolders];
  if (hash.empty()) hash = hashFiles(filesOrFolders);
  return hash;
}

std::optional<Variant> TunedChoice::choose(const gpu::Context& gpu,
                                           const std::function<TuneKey()>& key) {
  const Profile& profile = profileInUse();
  const bool mayHaveOne = std::ranges::any_of(
      profile.all(), [&](const TunedVariant& tuned) { return tuned.technique == technique_; });
  Profile::Answer answer;
  if (mayHaveOne) {
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
      answer.note =
          fmt::format("{}: {}", technique_, error.what());  // from another version of the program
    }
  if (answer.note != note_) {
    note_ = answer.note;
    if (launchRank().value_or(0) > 0) return variant;  // under mpirun only the first process logs
    if (variant)
      log::line(log::Level::Normal, "fathom: variant " + note_);
    else if (!note_.empty())
      log::warn("profile {}", note_);
  }
  return variant;
}

}  // namespace fathom
