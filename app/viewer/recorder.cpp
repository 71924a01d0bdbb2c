// SPDX-License-Identifier: BSD-3-Clause
#include "app/viewer/recorder.h"

#include "app/bench/bench_report.h"
#include "app/core/compare.h"
#include "app/io/atomic_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

namespace fathom::viewer {
namespace {

constexpr std::size_t kLongestPath = 36000;                  // ten minutes at 60 pictures a second
constexpr double kMinPsnr = 45, kMinPsnrOfSamples = 15;  // dB; noise falls with the quality

std::string namesOf(const std::vector<std::string>& inputs) {
  std::vector<std::string> names;
  for (const std::string& input : inputs)
    names.push_back(std::filesystem::path(input).filename().string());
  return fmt::format("{}", fmt::join(names, " "));
}

}  // namespace

void Recorder::start(Document& document, std::string file, int pictures) {
  if (!document.technique() || !document.hasPicture())
    fail("{}: expected a picture to record, found none", file);
  recordingPath_ = false;
  task_.emplace();
  task_->file = std::move(file);
  task_->wanted = pictures;
  if (const Camera* camera = document.technique()->camera()) task_->camera = *camera;
}

double Recorder::progress() const {
  return task_ ? double(std::max(0, task_->made)) / task_->wanted : 0;
}

void Recorder::cancel(Document& document) {
  if (!task_) return;
  if (Camera* camera = document.technique()->camera(); camera && task_->camera)
    *camera = *task_->camera;
  task_.reset();
  document.rebuild();
}

std::optional<std::string> Recorder::step(gpu::Context& gpu, Document& document) {
  Technique* technique = document.technique();
  if (!technique) return std::nullopt;
  if (recordingPath_)
    if (const Camera* camera = technique->camera();
        camera && path_.size() < kLongestPath && (path_.empty() || !(path_.back() == *camera)))
      path_.push_back(*camera);
  if (!task_) return std::nullopt;
  gpu.timings().finish();
  if (gpu.timings().finishedFrames() > task_->frames) addSlice(gpu.timings());
  task_->frames = gpu.timings().finishedFrames();
  if (!document.complete()) return std::nullopt;
  if (task_->making.slices > 0) {
    if (task_->made > 0) keepPicture();
    ++task_->made;
  }
  if (task_->made <= task_->wanted) {
    next(document);
    return std::nullopt;
  }
  return finish(gpu, document);
}

/// The same picture again, or that of the path's next place.
void Recorder::next(Document& document) {
  task_->making = {};
  if (Camera* camera = document.technique()->camera(); camera && !path_.empty())
    *camera = path_[std::size_t(std::max(0, task_->made)) % path_.size()];
  document.rebuildInFull();
}

void Recorder::addSlice(const gpu::Timings& timings) {
  Making& making = task_->making;
  ++making.slices;
  making.gpuMs += timings.gpuSumMs();
  making.wallMs += timings.frameWallMs();
  for (const gpu::PassTiming& pass : timings.passes()) {
    if (pass.count == 0) continue;
    const auto known = std::find_if(making.passMs.begin(), making.passMs.end(),
                                    [&](const auto& other) { return other.first == pass.name; });
    if (known != making.passMs.end())
      known->second += pass.gpuMs;
    else
      making.passMs.emplace_back(pass.name, pass.gpuMs);
  }
}

void Recorder::keepPicture() {
  task_->gpuMs.push_back(task_->making.gpuMs);
  task_->wallMs.push_back(task_->making.wallMs);
  for (const auto& [name, ms] : task_->making.passMs) {
    auto [at, isNew] = task_->passMs.try_emplace(name);
    if (isNew) task_->passes.push_back(name);
    at->second.push_back(ms);
  }
}

std::string Recorder::finish(gpu::Context& gpu, Document& document) {
  const Task task = std::move(*task_);
  const Technique& technique = *document.technique();
  const CheckResult checked = checkShown(technique);
  const std::vector<FieldValue> settings = valuesOf(document.technique()->settings());
  task_ = task;  // so that the camera comes back
  cancel(document);
  if (!checked.passed) fail("{}: not recorded: {}", task.file, checked.detail);

  bench::Result result;
  result.bench = "view." + document.info().name;
  result.unit = "pixels";
  result.benchCase.workload = namesOf(technique.inputs());
  result.benchCase.label = path_.empty() ? "picture" : "picture along the path";
  result.benchCase.size = technique.size();
  result.benchCase.settings = settings;
  result.benchCase.work = double(technique.size().x) * technique.size().y;
  result.gpu = bench::summarize(task.gpuMs);
  result.wall = bench::summarize(task.wallMs);
  result.memoryBytes = gpu.memory().totalBytes();
  result.checked = checked.how;
  std::vector<bench::Result> results{result};
  for (const std::string& pass : task.passes) {
    result.benchCase.label = "pass: " + pass;
    result.gpu = bench::summarize(task.passMs.at(pass));
    result.wall = {};
    results.push_back(result);
  }
  const gpu::Device& device = gpu.device();
  const bench::Machine machine =
      bench::thisMachine({device.vendor, device.renderer, device.version, device.software});
  writeFile(task.file, bench::benchFile(machine, results));
  return fmt::format("Recorded {} pictures, {:.3f} ms GPU, {:.1f} ms by the clock: {}",
                     results[0].gpu.n, results[0].gpu.median, results[0].wall.median, task.file);
}

CheckResult checkShown(const Technique& technique) {
  const Image shown = technique.result().downloadImage();
  const Image right = technique.reference();
  if (shown.width != right.width || shown.height != right.height)
    return {false, "", "expected a picture of the reference's size, found another"};
  const double psnr = compare(shown, right).psnr;
  const double least = technique.progressive() ? kMinPsnrOfSamples : kMinPsnr;
  const std::string how = std::isinf(psnr) ? "exact" : fmt::format("{:.1f} dB", psnr);
  return {psnr >= least, how,
          fmt::format("expected the reference's picture ({} dB or more), found {}", least, how)};
}

}  // namespace fathom::viewer
