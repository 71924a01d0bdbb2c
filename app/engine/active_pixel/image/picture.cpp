// SPDX-License-Identifier: BSD-3-Clause
// Rows are turned upside down, bytes go through sRGB with alpha divided out.
#include "app/engine/active_pixel/image/picture.h"

#include "app/engine/active_pixel/image/reference.h"
#include "app/engine/core/bytes.h"
#include "app/engine/core/error.h"
#include "app/engine/core/text.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/flat_formats.h"

namespace fathom::active_pixel {
namespace {

using Transfer = float (*)(float);

/// Straight color through a transfer function; alpha is taken out before and multiplied again.
glm::vec4 through(Transfer transfer, const glm::vec4& c) {
  if (!(c.a > 0)) return glm::vec4(0);
  const float alpha = std::min(c.a, 1.0f);
  return {transfer(c.r / c.a) * alpha, transfer(c.g / c.a) * alpha, transfer(c.b / c.a) * alpha,
          alpha};
}

glm::vec4 linearColor(const Frame& frame, std::size_t pixel) {
  const glm::vec4 color = frame.colorOf(pixel);
  const bool active = frame.depth.empty() || frame.depth[pixel] < 1;
  switch (frame.format.color) {
    case Color::Rgba8:
      return through(linearFromSrgb, color);
    case Color::Rgba32f:
      return color;
    case Color::Rgb32f:
      return {glm::vec3(color), active ? 1.0f : 0.0f};
    case Color::None:
      break;
  }
  return active ? glm::vec4(glm::vec3(1 - frame.depth[pixel]), 1) : glm::vec4(0);
}

}  // namespace

void copyRegion(const Frame& from, const Region& region, Frame& to, int x, int y) {
  const auto bytes = std::size_t(from.format.colorBytes()), width = std::size_t(region.width);
  for (int row = 0; row < region.height; ++row) {
    const std::size_t source =
        std::size_t(region.y + row) * std::size_t(from.width) + std::size_t(region.x);
    const std::size_t target = std::size_t(y + row) * std::size_t(to.width) + std::size_t(x);
    if (bytes) std::memcpy(to.colorAt(target), from.colorAt(source), width * bytes);
    if (!from.depth.empty() && !to.depth.empty())
      std::copy_n(&from.depth[source], width, &to.depth[target]);
  }
}

Image imageOf(const Frame& frame) {
  Image image(frame.width, frame.height);
  for (int y = 0; y < frame.height; ++y)
    for (int x = 0; x < frame.width; ++x)
      image.at(x, frame.height - 1 - y) =
          linearColor(frame, std::size_t(y) * std::size_t(frame.width) + std::size_t(x));
  return image;
}

std::vector<float> depthOf(const Frame& frame) {
  std::vector<float> depth;
  depth.reserve(frame.depth.size());
  if (frame.depth.empty()) return depth;
  for (int y = frame.height; y-- > 0;) {
    const auto row = frame.depth.begin() + std::ptrdiff_t(y) * frame.width;
    depth.insert(depth.end(), row, row + frame.width);
  }
  return depth;
}

Frame frameOf(const Image& image, const std::vector<float>& depth, const Format& format) {
  Frame frame(format, image.width, image.height);
  if (!frame.depth.empty()) FATHOM_CHECK_OP(depth.size(), ==, image.pixels.size());
  for (int y = 0; y < image.height; ++y) {
    const auto row = std::size_t(image.height - 1 - y) * std::size_t(image.width);
    for (int x = 0; x < image.width; ++x) {
      const std::size_t to = row + std::size_t(x);
      const glm::vec4& color = image.at(x, y);
      frame.setColor(to, format.color == Color::Rgba8 ? through(srgbFromLinear, color) : color);
      if (!frame.depth.empty())
        frame.depth[to] = depth[std::size_t(y) * std::size_t(image.width) + std::size_t(x)];
    }
  }
  return frame;
}

// ---- Z: linear both ways in double precision; depths below 1 stay below 1 after rounding

float DepthRange::depthOf(float z) const {
  if (!(double(z) < far)) return 1;
  const auto depth = float((double(z) - near) / (far - near));
  return std::min(depth, std::nextafter(1.0f, 0.0f));
}

float DepthRange::zOf(float depth) const {
  if (!(depth < 1)) return std::numeric_limits<float>::infinity();
  return float(near + double(depth) * (far - near));
}

DepthRange losslessRange(std::span<const float> z) {
  double farthest = 0;
  for (const float value : z)
    if (std::isfinite(value)) farthest = std::max(farthest, double(value));
  DepthRange range;
  while (range.far <= farthest) range.far *= 2;
  return range;
}

std::optional<DepthRange> parseDepthRange(const std::string& text) {
  const std::string_view all(text);
  const std::size_t comma = std::min(all.find(','), all.size());
  const auto near = numberIn<double>(all.substr(0, comma));
  const auto far = numberIn<double>(all.substr(std::min(comma + 1, all.size())));
  if (!near || !far || !std::isfinite(*near) || !std::isfinite(*far) || !(*near < *far))
    return std::nullopt;
  return DepthRange{*near, *far};
}

// ---- Files: their bytes are the words of an image, checked before use

bool isIcetFile(const std::string& input) {
  std::error_code missing;
  if (!fs::is_regular_file(input, missing)) return false;
  if (fs::path(input).extension() == ".icet") return true;
  const std::string start = startOf(input, 4);
  return start.size() == 4 &&
         load<std::uint32_t>(reinterpret_cast<const std::byte*>(start.data())) == kSparseMagic;
}

Compositing compositingOf(std::span<const std::uint32_t> words) {
  FATHOM_CHECK_OP(words.size(), >=, kHeaderWords);
  return words[2] == icetDepthFormat(Depth::None) ? Compositing::Blend : Compositing::ZBuffer;
}

/// A run of any length takes 8 bytes, an image as large as memory no more.
constexpr std::uint64_t kMayBeEmpty = 1 << 25, kMaxPixelsPerByte = 4096;  // an 8K frame

SparseImage parseIcet(std::span<const std::byte> bytes, const std::string& name) {
  if (bytes.size() % 4 != 0)
    fail("{}: expected whole words of 4 bytes, found {} bytes", name, bytes.size());
  SparseImage image;
  image.words.resize(bytes.size() / 4);
  if (!bytes.empty()) std::memcpy(image.words.data(), bytes.data(), bytes.size());
  const bool hasHeader = image.words.size() >= kHeaderWords;
  reference::check(image.words, hasHeader ? compositingOf(image.words) : Compositing::ZBuffer,
                   name);
  checkPixels(name, image.words[3], image.words[4]);
  const std::uint64_t area = std::uint64_t(image.words[3]) * image.words[4];
  if (area > kMayBeEmpty && area / kMaxPixelsPerByte > bytes.size())
    fail("{}: expected a size that fits {} bytes, found {} x {}", name, bytes.size(),
         image.words[3], image.words[4]);
  return image;
}

SparseImage readIcet(const fs::path& file) {
  const std::string bytes = readFile(file, std::numeric_limits<std::int32_t>::max());
  return parseIcet(std::as_bytes(std::span(bytes)), file.string());
}

void writeIcet(const fs::path& file, std::span<const std::uint32_t> words) {
  AtomicFile out(file);
  out.append(std::as_bytes(words));
  out.commit();
}

}  // namespace fathom::active_pixel
