// SPDX-License-Identifier: BSD-3-Clause
// Pictures and films as files while the window goes on: drawn in slices beside the picture, encoded
// and written on another thread. The bytes are those of `flame render` and `flame animate`.
#pragma once

#include "app/engine/core/jobs.h"
#include "app/engine/flame/picture_files.h"
#include "app/engine/flame/render/rendering.h"
#include "app/engine/flame/timeline.h"
#include "app/engine/gpu/slices.h"
#include "app/engine/io/frame_sequence.h"
#include "app/engine/io/video_file.h"

namespace fathom::flame {

/// What is written, and how.
struct ExportChoice {
  std::string file;    // its ending decides; a video's, or %d in the name: all frames of a film
  glm::ivec2 size{0};  // pixels; 0: the genome's. The framing stays; films of curves keep theirs
  double quality = 0;  // samples per pixel; 0: the genome's
  PictureOptions picture;
  double framesPerSecond = 24;  // of a video
  bool isFilm() const { return isVideo(file) || FramePattern::of(file); }
  bool isLight() const { return std::filesystem::path(file).extension() == ".exr"; }
};

class ExportJob {
 public:
  ExportJob();
  ~ExportJob();
  /// Begins with the next step(), in place of one that is running: what the timeline shows now, or
  /// its film. Later edits change nothing. Fails at once where the file cannot be written.
  void start(const Timeline& timeline, const Settings& settings, std::uint64_t seed,
             ExportChoice choice);
  /// A file that is there already.
  static bool wouldReplace(const Timeline& timeline, const ExportChoice& choice);
  void cancel();
  bool running() const { return task_ != nullptr || writing(); }
  double progress() const;  // 0..1
  /// What is being written; empty: nothing.
  const std::string& file() const;
  /// How the last one ended: the file, or what went wrong; empty before and while one runs.
  const std::string& message() const { return message_; }
  bool failed() const { return failed_; }

  /// Draws for about `budgetMs`; true while there is more to do.
  bool step(gpu::Context& gpu, double budgetMs);

 private:
  struct Task;
  bool writing() const { return jobs_ && jobs_->pending() > 0; }
  void begin(Task& task);
  void advance(gpu::Context& gpu, double budgetMs);
  void write(Task& task);
  void end(const std::string& message, bool failed);

  std::unique_ptr<Task> task_;
  std::unique_ptr<Rendering> rendering_;
  std::unique_ptr<JobQueue> jobs_;
  std::uint64_t generation_ = 0;                  // what a cancelled one still delivers is dropped
  std::shared_ptr<std::atomic<bool>> cancelled_;  // what waits for the disk is not written
  std::string message_, file_;
  bool failed_ = false;
  gpu::SlicedWork slice_;  // on renderers that work on the processor; let go before the others
};

}  // namespace fathom::flame
