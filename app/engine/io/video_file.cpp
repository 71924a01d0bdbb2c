// SPDX-License-Identifier: BSD-3-Clause
// ffmpeg as a child process in a group of its own: frames go to it through a socket, its messages
// come back through a file in memory.
#include "app/engine/io/video_file.h"

#include "app/engine/core/error.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <utility>
#include <vector>

namespace fathom {
namespace {

struct Format {
  std::string_view ending, container;
  std::vector<std::string> codec;
};

const std::vector<Format>& formats() {
  static const std::vector<std::string> h264{"-c:v", "libx264", "-crf", "18", "-preset", "medium"};
  static const std::vector<std::string> vp9{"-c:v", "libvpx-vp9", "-crf", "24",        "-b:v",
                                            "0",    "-row-mt",    "1",    "-cpu-used", "4"};
  static const std::vector<Format> list{
      {".mp4", "mp4", h264}, {".mkv", "matroska", h264}, {".webm", "webm", vp9}};
  return list;
}

const Format* formatOf(const std::filesystem::path& file) {
  for (const Format& format : formats())
    if (file.extension() == format.ending) return &format;
  return nullptr;
}

/// In PATH; empty when it is not there.
std::string programNamed(const char* name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string file = (folder.empty() ? "." : folder) + "/" + name;
    if (::access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

}  // namespace

bool isVideo(const std::filesystem::path& file) { return formatOf(file) != nullptr; }

VideoFile::VideoFile(const std::filesystem::path& target, glm::ivec2 size, double framesPerSecond)
    : file_(target), size_(size) {
  FATHOM_CHECK(isVideo(target));
  const std::string program = programNamed("ffmpeg");
  if (program.empty())
    fail(
        "{}: expected ffmpeg to make a video with, found none in PATH; numbered pictures need none",
        target.string());
  start(program, framesPerSecond);
}

void VideoFile::start(const std::string& program, double framesPerSecond) {
  const Format& format = *formatOf(file_.target());
  std::vector<std::string> words{program,
                                 "-hide_banner",
                                 "-loglevel",
                                 "error",
                                 "-nostats",
                                 "-y",
                                 "-f",
                                 "rawvideo",
                                 "-pixel_format",
                                 "rgb24",
                                 "-video_size",
                                 fmt::format("{}x{}", size_.x, size_.y),
                                 "-framerate",
                                 fmt::format("{}", framesPerSecond),
                                 "-i",
                                 "pipe:0",
                                 "-vf",
                                 "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709,"
                                 "format=yuv420p",
                                 "-colorspace",
                                 "bt709",
                                 "-color_primaries",
                                 "bt709",
                                 "-color_trc",
                                 "bt709"};
  words.insert(words.end(), format.codec.begin(), format.codec.end());
  words.insert(words.end(), {"-f", std::string(format.container), file_.place().string()});
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  // A socket rather than a pipe: writing to one that nobody reads need not raise a signal.
  std::array<int, 2> ends{};
  messages_ = ::memfd_create("ffmpeg messages", MFD_CLOEXEC);
  if (messages_ < 0 || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    fail("{}: expected to start ffmpeg, found no room for another file", file_.target().string());
  frames_ = ends[0];
  child_ = ::fork();
  if (child_ == 0) {
    ::setpgid(0, 0);  // Ctrl+C is for us, who then end it
    ::dup2(ends[1], 0);
    ::dup2(messages_, 2);
    ::dup2(messages_, 1);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  if (child_ < 0) fail("{}: expected to start ffmpeg, found no room", file_.target().string());
}

VideoFile::~VideoFile() {
  if (child_ > 0) ::kill(child_, SIGKILL);
  wait();
  if (messages_ >= 0) ::close(messages_);
}

int VideoFile::wait() {
  if (frames_ >= 0) ::close(std::exchange(frames_, -1));
  int status = -1;
  if (child_ > 0)
    while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
  child_ = -1;
  return status;
}

void VideoFile::failAfter(int status) {
  std::array<char, 400> text{};
  const ssize_t length = ::pread(messages_, text.data(), text.size() - 1, 0);
  std::string said(text.data(), length > 0 ? std::size_t(length) : 0);
  said = said.substr(0, said.find('\n'));
  if (said.empty())
    said = WIFSIGNALED(status) ? std::string(::strsignal(WTERMSIG(status))) : "no reason given";
  fail("{}: expected ffmpeg to write it, found: {}", file_.target().string(), said);
}

void VideoFile::append(std::span<const std::uint8_t> rgb) {
  FATHOM_CHECK_OP(rgb.size(), ==, std::size_t(size_.x) * std::size_t(size_.y) * 3);
  while (!rgb.empty()) {
    const ssize_t sent = ::send(frames_, rgb.data(), rgb.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) failAfter(wait());
    rgb = rgb.subspan(std::size_t(sent));
  }
}

void VideoFile::commit() {
  ::shutdown(frames_, SHUT_WR);
  const int status = wait();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || ::lseek(messages_, 0, SEEK_END) > 0)
    failAfter(status);
  file_.commit();
}

}  // namespace fathom
