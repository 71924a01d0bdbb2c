// SPDX-License-Identifier: BSD-3-Clause
// Pictures and films that become files one after the other: drawn in slices, beside the picture of
// the window or by `flame queue --run`, encoded and written on another thread. The bytes are those
// of `flame render` and `flame animate`. Those that wait lie in a folder as genomes, which say in
// attributes how they are to be written: the next program goes on with them.
#pragma once

#include "app/engine/core/jobs.h"
#include "app/engine/flame/render/rendering.h"
#include "app/engine/flame/timeline.h"
#include "app/engine/gpu/slices.h"
#include "app/engine/io/export_choice.h"
#include "app/engine/io/frame_sequence.h"
#include "app/engine/io/video_file.h"
#include "app/system/machine.h"

namespace fathom::flame {

/// Where window and command line keep them.
inline fs::path exportFolder() { return system::configFolder() / "exports"; }

/// All frames of a film.
inline bool isFilm(const ExportChoice& choice) {
  return isVideo(choice.file) || FramePattern::of(choice.file);
}

class ExportQueue {
 public:
  /// Keeps exports in this folder until they have ended; empty: nowhere.
  explicit ExportQueue(fs::path folder = {});
  ~ExportQueue();
  /// Takes up what programs that are gone left in the folder.
  void adopt();
  /// A line for each in the folder, of all programs, in the order they were asked for.
  std::vector<std::string> listed() const;
  /// Begins when those before it have ended: what the timeline shows now, or its film. Later edits
  /// change nothing. Fails at once where the file cannot be written, or another one writes it.
  /// Whether it outlives this program: films of curves do not, nor those without a folder.
  bool start(const Timeline& timeline, const Settings& settings, std::uint64_t seed,
             ExportChoice choice);
  void cancel();  // the one that is written; the next begins
  bool running() const { return task_ != nullptr || writing() || waiting() > 0; }
  std::size_t waiting() const { return waiting_.size(); }
  bool isKept() const { return !kept_.empty(); }  // the one that is written
  double progress() const;                        // 0..1
  /// What is being written; empty: nothing.
  std::string file() const { return running() ? file_ : ""; }
  /// How the last one ended, once: the file, or what went wrong.
  std::optional<ExportEnd> takeEnd() { return std::exchange(ended_, std::nullopt); }

  /// Draws for about `budgetMs`; true while there is more to do.
  bool step(gpu::Context& gpu, double budgetMs);

 private:
  struct Task;
  bool writing() const { return jobs_.pending() > 0; }
  void keep(Task& task);
  fs::path nextPlace();
  void begin(Task& task);
  void advance(gpu::Context& gpu, double budgetMs);
  void write(Task& task);
  void end(const std::string& message, bool failed);

  fs::path folder_;
  int number_ = 0;  // of the last in the folder
  std::deque<std::unique_ptr<Task>> waiting_;
  std::unique_ptr<Task> task_;
  fs::path kept_, place_;  // of the one that is drawn or written
  std::unique_ptr<Rendering> rendering_;
  JobQueue jobs_;
  std::shared_ptr<std::atomic<bool>> cancelled_;  // what waits for the disk is not written
  std::string file_;
  std::optional<ExportEnd> ended_;
  gpu::SlicedWork slice_;  // on renderers that work on the processor; let go before the others
};

}  // namespace fathom::flame
