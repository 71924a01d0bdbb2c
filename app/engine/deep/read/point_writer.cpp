// SPDX-License-Identifier: BSD-3-Clause
// Points are written as they come; a limit keeps a reservoir of them (Vitter's algorithm R). The
// count stands in the header of PLY, which is padded to its final size and written last.
#include "app/engine/deep/read/point_writer.h"

#include "app/engine/core/image.h"
#include "app/engine/deep/operations/sample_list.h"

namespace fathom::deep {
namespace {

constexpr std::size_t kPlyHeaderBytes = 512;

template <class T>
void appendRaw(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string valueText(const DeepChannel& channel, std::size_t i) {
  const double value = channelValue(channel, i);
  return channel.type == ChannelType::Uint ? fmt::format("{}", std::uint32_t(value))
                                           : fmt::format("{}", float(value));
}

/// The eight bits that a viewer of points shows: straight color as sRGB. The floats beside them are
/// the fragment's.
std::uint8_t pointByte(float value, float alpha, bool isColor) {
  float v = isColor && alpha > 0 ? value / alpha : value;
  if (isColor) v = srgbFromLinear(v);
  return std::uint8_t(std::lround(std::clamp(v, 0.0f, 1.0f) * 255));
}

}  // namespace

PointWriter::PointWriter(const fs::path& file, const DeepImage& header,
                         std::optional<Unprojection> camera, std::uint64_t limit,
                         std::uint64_t seed)
    : file_(file),
      isPly_(file.extension() == ".ply"),
      like_(header),
      camera_(camera),
      limit_(limit),
      random_(seed) {
  if (like_.format == FragmentFormat::Rgba8) makeIndexed(like_);  // its channels
  const std::string first = this->header();
  file_.writeAt(0, std::as_bytes(std::span(first)));
  end_ = first.size();
}

std::string PointWriter::header() const {
  if (!isPly_) {
    std::string line = "pixel_x,pixel_y,x,y,z";
    for (const DeepChannel& channel : like_.channels) line += "," + channel.name;
    return line + "\n";
  }
  std::string text = fmt::format(
      "ply\nformat binary_little_endian 1.0\ncomment fragments of a deep image\n"
      "element vertex {}\nproperty float x\nproperty float y\nproperty float z\n"
      "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha\n"
      "property float R\nproperty float G\nproperty float B\nproperty float A\n",
      count_);
  const std::string end = "end_header\n", comment = "comment ";
  text +=
      comment + std::string(kPlyHeaderBytes - text.size() - comment.size() - 1 - end.size(), '.');
  return text + "\n" + end;
}

std::string PointWriter::pointOf(const DeepImage& band, std::size_t index, int x, int y) const {
  const Fragment f = decodeFragment(band, index);
  glm::dvec3 at(x + 0.5, y + 0.5, f.z);
  if (camera_) at = camera_->world({at.x, at.y}, at.z);
  std::string out;
  if (isPly_) {
    for (int i = 0; i < 3; ++i) appendRaw(out, float(at[i]));
    for (const float c : {f.r, f.g, f.b}) appendRaw(out, pointByte(c, f.a, true));
    appendRaw(out, pointByte(f.a, 1, false));
    for (const float v : {f.r, f.g, f.b, f.a}) appendRaw(out, v);
    return out;
  }
  out = fmt::format("{},{},{},{},{}", x, y, float(at.x), float(at.y), float(at.z));
  for (const DeepChannel& channel : band.channels) (out += ',') += valueText(channel, index);
  return out + "\n";
}

void PointWriter::write(const DeepImage& rows) {
  DeepImage band = rows;
  if (!isPly_) makeIndexed(band);
  const Rect& w = band.dataWindow;
  std::string block;
  for (int y = w.y; y < w.bottom(); ++y)
    for (int x = w.x; x < w.right(); ++x) {
      const std::size_t p = band.pixelIndex(x, y);
      for (std::size_t i = band.fragmentOffsets[p]; i < band.fragmentOffsets[p + 1]; ++i) {
        if (!std::isfinite(decodeFragment(band, i).z)) {
          ++infinite_;
          continue;
        }
        ++seen_;
        if (limit_ == 0) {
          block += pointOf(band, i, x, y), ++count_;
        } else if (kept_.size() < limit_) {
          kept_.push_back(pointOf(band, i, x, y));
        } else if (const std::uint64_t place = random_() % seen_; place < limit_) {
          kept_[place] = pointOf(band, i, x, y);
        }
      }
    }
  file_.writeAt(end_, std::as_bytes(std::span(block)));
  end_ += block.size();
}

void PointWriter::finish() {
  for (const std::string& point : kept_) {
    file_.writeAt(end_, std::as_bytes(std::span(point)));
    end_ += point.size(), ++count_;
  }
  const std::string first = header();
  file_.writeAt(0, std::as_bytes(std::span(first)));
  file_.commit();
}

}  // namespace fathom::deep
