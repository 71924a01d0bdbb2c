// SPDX-License-Identifier: BSD-3-Clause
// Drives the document from picture to picture and adds up the slices of each, then checks the last
// picture and has the recording written.
#include "app/window/workspace/recorder.h"

#include "app/engine/core/compare.h"
#include "app/engine/core/error.h"
#include "app/engine/core/text.h"
#include "app/engine/gpu/context.h"

namespace fathom::viewer {
namespace {

constexpr double kMinPsnr = 45, kMinPsnrOfSamples = 15;  // dB; the noise falls with the quality

/// Compares what is shown with the reference; progressive pictures may be noisy.
CheckResult checkShown(const Engine& technique) {
  const Frame frame = technique.frame();
  const Image shown = frame.picture->downloadImage();
  const Image right = technique.reference();
  if (shown.width != right.width || shown.height != right.height)
    return {false, "", "expected an image of the reference's size, found another"};
  const double psnr = compare(shown, right).psnr;
  const double minPsnr = frame.refines ? kMinPsnrOfSamples : kMinPsnr;
  const std::string how = std::isinf(psnr) ? "exact" : fmt::format("{:.1f} dB", psnr);
  return {psnr >= minPsnr, how,
          fmt::format("expected the reference's image ({} dB or more), found {}", minPsnr, how)};
}

}  // namespace

void Recorder::start(Document& document, std::string file) {
  if (!document.technique() || !document.hasPicture())
    fail("{}: expected an image to record, found none", file);
  task_ = Task{};
  task_->file = std::move(file);
  task_->wanted = pictures;
}

double Recorder::progress() const {
  return task_ ? double(std::max(0, task_->made - 1)) / task_->wanted : 0;
}

void Recorder::cancel(Document& document) {
  if (!task_) return;
  task_.reset();
  document.restart();
}

std::optional<std::string> Recorder::step(gpu::Context& gpu, Document& document) {
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
    task_->making = {};
    document.restartInFull();
    return std::nullopt;
  }
  if (task_->checked && *task_->checked) return finish(gpu, document);
  check(document);
  return std::nullopt;
}

void Recorder::check(Document& document) {
  task_->making = {};
  task_->checked = std::make_shared<std::optional<CheckResult>>();
  document.pictures().startBackground([technique = document.technique(), checked = task_->checked] {
    try {
      *checked = checkShown(*technique);
    } catch (const std::exception& e) {
      *checked = CheckResult{false, "", e.what()};
    }
  });
}

void Recorder::addSlice(const gpu::Timings& timings) {
  Making& making = task_->making;
  ++making.slices;
  making.gpuMs += timings.gpuSumMs();
  making.wallMs += timings.frameWallMs();
  for (const gpu::PassTiming& pass : timings.passes())
    if (pass.count > 0) entryOf(making.passMs, pass.name) += pass.gpuMs;
}

void Recorder::keepPicture() {
  Recording& recording = task_->recording;
  recording.gpuMs.push_back(task_->making.gpuMs);
  recording.wallMs.push_back(task_->making.wallMs);
  for (const auto& [name, ms] : task_->making.passMs) entryOf(recording.passMs, name).push_back(ms);
}

std::string Recorder::finish(gpu::Context& gpu, Document& document) {
  const std::string file = task_->file;
  const Engine& technique = *document.technique();
  const CheckResult checked = **task_->checked;
  Recording recording = std::move(task_->recording);
  recording.settings = valuesOf(document.technique()->settings());
  cancel(document);
  if (!checked.passed) fail("{}: not recorded: {}", file, checked.detail);

  recording.technique = document.info().name;
  recording.inputs = joined(technique.inputs(), " ", [](const std::string& input) {
    return fs::path(input).filename().string();
  });
  recording.size = technique.frame().size;
  recording.memoryBytes = gpu.memory().totalBytes();
  recording.checked = checked.how;
  const gpu::Device& device = gpu.device();
  recording.device = {device.vendor, device.renderer, device.version, device.software};
  return write_(recording, file);
}

}  // namespace fathom::viewer
