// SPDX-License-Identifier: BSD-3-Clause
// Programs are searched in the path and run without a shell, so names may hold anything.
#include "app/lab/smoe/codecs.h"

#include "app/engine/core/error.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <system_error>

extern char** environ;

namespace fathom::smoe {
namespace {

namespace fs = std::filesystem;

/// The exit status; 127 when there is no such program.
int runQuietly(const Codec::Line& line) {
  std::vector<char*> arguments;
  for (const std::string& word : line) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int stream = 0; stream < 3; ++stream)
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", stream ? O_WRONLY : O_RDONLY,
                                     0);
  pid_t child = 0;
  const int failed =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed) return 127;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

Codec jpeg() {
  Codec codec{"JPEG 4:2:0", ".jpg", "cjpeg -optimize -progressive -sample 2x2", 1, 99};
  codec.encode = [](const std::string& picture, int quality, const std::string& out) {
    return Codec::Line{"cjpeg",     "-quality",     fmt::format("{}", quality),
                       "-optimize", "-progressive", "-sample",
                       "2x2",       "-outfile",     out,
                       picture};
  };
  codec.takesPpm = true;
  return codec;
}

Codec webp() {
  Codec codec{"WebP", ".webp", "cwebp -m 6", 0, 99};
  codec.encode = [](const std::string& picture, int quality, const std::string& out) {
    return Codec::Line{"cwebp", "-quiet", "-m", "6", "-q", fmt::format("{}", quality),
                       picture, "-o",     out};
  };
  return codec;
}

Codec avif() {
  Codec codec{"AVIF", ".avif", "avifenc -s 6 --yuv 420", 0, 63};
  codec.encode = [](const std::string& picture, int quality, const std::string& out) {
    const std::string quantizer = fmt::format("{}", 63 - quality);
    return Codec::Line{"avifenc", "-s",    "6",       "--yuv", "420", "--min",
                       quantizer, "--max", quantizer, picture, out};
  };
  codec.decode = [](const std::string& file, const std::string& png) {
    return Codec::Line{"avifdec", file, png};
  };
  return codec;
}

}  // namespace

std::vector<Codec> installedCodecs() {
  std::vector<Codec> found;
  for (Codec& codec : std::vector<Codec>{jpeg(), webp(), avif()}) {
    const std::string program = codec.encode("", codec.lowest, "")[0];
    if (runQuietly({program, "-version"}) != 127) found.push_back(std::move(codec));
  }
  return found;
}

CodecResult encodeWithin(const Codec& codec, const std::string& picture, std::uint64_t bytes,
                         const fs::path& folder) {
  const auto fileAt = [&](int quality) {
    return (folder / fmt::format("q{}{}", quality, codec.ending)).string();
  };
  const auto sizeAt = [&](int quality) -> std::uint64_t {
    const std::string file = fileAt(quality);
    std::error_code missing;
    if (const auto size = fs::file_size(file, missing); !missing) return size;
    const Codec::Line line = codec.encode(picture, quality, file);
    if (const int status = runQuietly(line); status != 0)
      fail("{}: expected {} to encode it, found exit status {}", picture, line[0], status);
    return fs::file_size(file);
  };
  CodecResult result;
  int low = codec.lowest - 1, high = codec.highest + 1;  // fits, does not
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (sizeAt(middle) <= bytes ? low : high) = middle;
  }
  if (low < codec.lowest) return result;
  result.quality = low;
  result.bytes = sizeAt(low);
  result.decoded = fileAt(low);
  if (codec.decode) {
    result.decoded += ".png";
    const Codec::Line line = codec.decode(fileAt(low), result.decoded);
    if (const int status = runQuietly(line); status != 0)
      fail("{}: expected {} to decode it, found exit status {}", fileAt(low), line[0], status);
  }
  return result;
}

}  // namespace fathom::smoe
