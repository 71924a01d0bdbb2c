// SPDX-License-Identifier: BSD-3-Clause
// A video made by the system's ffmpeg, which is fed frame by frame. The file appears complete or
// not at all, as with AtomicFile.
#pragma once

#include "app/engine/io/atomic_file.h"
#include "app/system/process.h"

namespace fathom {

/// True for the endings that VideoFile writes: .mp4 and .mkv (H.264), .webm (VP9), .gif.
bool isVideo(const fs::path& file);

class VideoFile {
 public:
  /// Starts ffmpeg. `size`: of all frames, in pixels; odd sides get a black column or row, which
  /// the codecs want. Throws Error when there is no ffmpeg in PATH or the file has no place.
  VideoFile(const fs::path& target, glm::ivec2 size, double framesPerSecond);
  ~VideoFile();  // ends ffmpeg; nothing is left unless committed

  /// The next frame: rows of R, G, B, from the top, as displayed. Throws Error when ffmpeg has
  /// given up (disk full, ...), with its own words.
  void append(std::span<const std::uint8_t> rgb);
  /// Waits for ffmpeg, then puts the file in its place. Throws Error.
  void commit();

 private:
  [[noreturn]] void failSaying(const std::string& message) const;

  AtomicFile file_;
  glm::ivec2 size_;
  system::FedProgram ffmpeg_;
};

}  // namespace fathom
