// SPDX-License-Identifier: BSD-3-Clause
// Files in the background: thumbnails are read, pictures and screenshots written, without holding
// up frames.
#pragma once

#include "app/engine/core/jobs.h"
#include "app/engine/gpu/texture.h"
#include "app/window/widgets/messages.h"

namespace fathom::viewer {

/// Display values, uint8_t[height][width][4].
struct SmallPicture {
  glm::ivec2 size{0};
  std::vector<std::uint8_t> rgba;
};
constexpr glm::ivec2 kThumbnailSize{142, 80};

/// What the program does as a child of itself, which damaged files may end: prints the file's
/// picture, averaged down into kThumbnailSize, as two ints for the size and RGBA bytes. Exit code 1
/// where the file holds none, or is larger than what is worth reading for this. Begun by
/// `fathom --thumbnail-of FILE`; none for other arguments.
std::optional<int> answerThumbnail(int argc, char** argv);

/// Small pictures by file name, uploaded once.
class Thumbnails {
 public:
  /// A small picture that was kept. Null when there is none or it cannot be read.
  const gpu::Texture* of(gpu::Context& gpu, const fs::path& kept);
  /// Of a file: the one that was kept, else a worker makes one. Null until then, and where the file
  /// holds no picture.
  const gpu::Texture* ofFile(gpu::Context& gpu, const fs::path& kept, const fs::path& file);
  /// It has changed.
  void forget(const fs::path& kept) { known_.erase(kept.string()); }
  /// Takes in what the worker has made; true while more is being made.
  bool update();

 private:
  std::map<std::string, gpu::Texture> known_;
  JobQueue jobs_;
};

/// Writes files in the background. The outcome of each is shown as a message.
class FileWriter {
 public:
  /// Runs `write` on a worker; then `done` is told, or the Error that it threw.
  void write(std::function<void()> write, std::string done);
  /// The same, but `then` runs.
  void run(std::function<void()> work, std::function<void()> then);
  bool working() const { return jobs_.pending() > 0; }
  /// Once per frame.
  void tell(Messages& messages);
  /// Before the window goes: waits until all are written.
  void finish(Messages& messages);

 private:
  Messages* messages_ = nullptr;  // while it is told
  JobQueue jobs_;
};

}  // namespace fathom::viewer
