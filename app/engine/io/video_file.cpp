// SPDX-License-Identifier: BSD-3-Clause
// The command line of ffmpeg, and its complaints as errors about the file.
#include "app/engine/io/video_file.h"

#include "app/engine/core/progress.h"

namespace fathom {
namespace {

struct Format {
  const char *ending, *container;
  std::string codec;  // words of the command line; filters and color words included
};

const std::vector<Format>& formats() {
  static const std::string yuv =
      "-vf pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709,format=yuv420p "
      "-colorspace bt709 -color_primaries bt709 -color_trc bt709 ";
  static const std::string h264 = yuv + "-c:v libx264 -crf 18 -preset medium";
  // One palette for all frames, which ffmpeg holds until it is made.
  static const std::string gif =
      "-filter_complex split[a][b];[a]palettegen[p];[b][p]paletteuse -loop 0";
  static const std::vector<Format> list{
      {".mp4", "mp4", h264},
      {".mkv", "matroska", h264},
      {".webm", "webm", yuv + "-c:v libvpx-vp9 -crf 24 -b:v 0 -row-mt 1 -cpu-used 4"},
      {".gif", "gif", gif}};
  return list;
}

const Format* formatOf(const fs::path& file) {
  for (const Format& format : formats())
    if (file.extension() == format.ending) return &format;
  return nullptr;
}

}  // namespace

bool isVideo(const fs::path& file) { return formatOf(file) != nullptr; }

VideoFile::VideoFile(const fs::path& target, glm::ivec2 size, double framesPerSecond)
    : file_(target), size_(size) {
  FATHOM_CHECK(isVideo(target));
  const std::string program = system::findProgram("ffmpeg");
  if (program.empty())
    fail("{}: expected ffmpeg to make a video with, found none in PATH; numbered images need none",
         target.string());
  const Format& format = *formatOf(file_.target());
  if (target.extension() != ".gif" && (size.x % 2 != 0 || size.y % 2 != 0))
    log::warn("{}: expected even sides, found {} x {}; a black column or row is added",
              target.string(), size.x, size.y);
  std::istringstream line(
      fmt::format("-hide_banner -loglevel error -nostats -y -f rawvideo -pixel_format rgb24 "
                  "-video_size {}x{} -framerate {} -i pipe:0 {} -f {}",
                  size_.x, size_.y, framesPerSecond, format.codec, format.container));
  std::vector<std::string> words{std::istream_iterator<std::string>(line), {}};
  words.push_back(file_.place().string());
  using Started = system::FedProgram::Started;
  if (const Started started = ffmpeg_.start(program, words); started != Started::Yes)
    fail("{}: expected to start ffmpeg, found no room{}", file_.target().string(),
         started == Started::NoFile ? " for another file" : "");
}

VideoFile::~VideoFile() = default;

void VideoFile::failSaying(const std::string& message) const {
  fail("{}: expected ffmpeg to write it, found: {}", file_.target().string(), message);
}

void VideoFile::append(std::span<const std::uint8_t> rgb) {
  FATHOM_CHECK_OP(rgb.size(), ==, std::size_t(size_.x) * std::size_t(size_.y) * 3);
  if (!ffmpeg_.feed(std::as_bytes(rgb))) failSaying(ffmpeg_.finish().message);
}

void VideoFile::commit() {
  const system::FedProgram::Ending ending = ffmpeg_.finish();
  if (!ending.well || ending.printed) failSaying(ending.message);
  file_.commit();
}

}  // namespace fathom
