// SPDX-License-Identifier: BSD-3-Clause
// Measures what the shown picture costs: renders it repeatedly, in slices as the window does. The
// result is a bench file like those of `fathom bench`, checked against the technique's reference.
#pragma once

#include "app/engine/io/run_record.h"
#include "app/engine/tuning.h"
#include "app/window/document/document.h"

namespace fathom::viewer {

class Recorder {
 public:
  /// Who writes the files of recordings; to be said before the first one starts.
  void writeWith(RecordingWriter write) { write_ = std::move(write); }
  int pictures = 60;  // that a recording makes

  /// Starts a recording of pictures of what is shown. Throws Error when nothing is shown.
  void start(Document& document, std::string file);
  bool running() const { return task_.has_value(); }
  /// Share of the pictures made, 0..1.
  double progress() const;
  void cancel(Document& document);

  /// To be called once per frame, after the document's own step. After the last picture it writes
  /// the file and returns a line about it. Throws Error when the picture differs from the
  /// reference's, or the file cannot be written.
  std::optional<std::string> step(gpu::Context& gpu, Document& document);

 private:
  /// The times of one picture's slices so far, in ms.
  struct Making {
    int slices = 0;
    double gpuMs = 0, wallMs = 0;
    std::vector<std::pair<std::string, double>> passMs;  // in the order of first use
  };
  struct Task {
    std::string file;
    int wanted = 0, made = -1;  // pictures; the first two warm up
    std::uint64_t frames = 0;   // of the timings that have been added
    Making making;
    Recording recording;                                  // its times so far
    std::shared_ptr<std::optional<CheckResult>> checked;  // of the last picture; null: not begun
  };
  /// Slices that are shown before the picture is complete are frames of their own.
  void addSlice(const gpu::Timings& timings);
  void keepPicture();
  /// Beside further frames, since references take their time.
  void check(Document& document);
  std::string finish(gpu::Context& gpu, Document& document);

  RecordingWriter write_;
  std::optional<Task> task_;
};

}  // namespace fathom::viewer
