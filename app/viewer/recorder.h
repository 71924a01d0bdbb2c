// SPDX-License-Identifier: BSD-3-Clause
// Records what the shown picture costs: it is made so many times, each time whole and in slices as
// always, along a recorded way of the camera when there is one. The result is a bench file like
// those of `fathom bench`, checked against the technique's reference.
#pragma once

#include "app/bench/runner.h"
#include "app/scene/camera.h"
#include "app/viewer/document.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fathom::viewer {

class Recorder {
 public:
  /// The camera's way: every place at which a picture is made while it is recorded.
  void startPath() { path_.clear(), recordingPath_ = true; }
  void stopPath() { recordingPath_ = false; }
  bool recordingPath() const { return recordingPath_; }
  const std::vector<Camera>& path() const { return path_; }
  void setPath(std::vector<Camera> path) { path_ = std::move(path); }

  /// Begins to make `pictures` pictures of what is shown, along the path when there is one (from
  /// its beginning again when it is shorter). Throws Error when nothing is shown.
  void start(Document& document, std::string file, int pictures);
  bool running() const { return task_.has_value(); }
  /// Share of the pictures made, 0..1.
  double progress() const;
  void cancel(Document& document);

  /// Once per frame, after the document's own step. Writes the file after the last picture; returns
  /// a line about it then. Throws Error: the picture is not that of the reference, or the file
  /// cannot be written.
  std::optional<std::string> step(gpu::Context& gpu, Document& document);

 private:
  /// What the slices of one picture have taken so far; ms.
  struct Making {
    int slices = 0;
    double gpuMs = 0, wallMs = 0;
    std::vector<std::pair<std::string, double>> passMs;  // in their order
  };
  struct Task {
    std::string file;
    int wanted = 0, made = -1;  // the first one warms up
    std::optional<Camera> camera;
    std::uint64_t frames = 0;  // of the timings that were taken in
    Making making;
    std::vector<double> gpuMs, wallMs;
    std::map<std::string, std::vector<double>> passMs;
    std::vector<std::string> passes;  // in their order
  };
  void next(Document& document);
  /// Slices that are shown while more follow are frames of their own.
  void addSlice(const gpu::Timings& timings);
  void keepPicture();
  std::string finish(gpu::Context& gpu, Document& document);

  std::vector<Camera> path_;
  bool recordingPath_ = false;
  std::optional<Task> task_;
};

/// Compares what is shown with the reference; progressive pictures are noisy.
CheckResult checkShown(const Technique& technique);

}  // namespace fathom::viewer
