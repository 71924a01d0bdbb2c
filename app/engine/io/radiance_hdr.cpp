// SPDX-License-Identifier: BSD-3-Clause
// Radiance HDR: lines of text, then scanlines of red, green, blue and a common exponent, flat or
// packed by component in runs (Ward, "Real Pixels", Graphics Gems II). What a scanline needs at
// least is compared with what is left of the file before anything is allocated.
#include "app/engine/core/error.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/flat_formats.h"

namespace fathom {
namespace {

constexpr int kMinPacked = 8, kMaxPacked = 32767;  // pixels of a scanline in runs
constexpr int kMaxRun = 127;

class RadianceFile {
 public:
  explicit RadianceFile(const fs::path& file) : file_(file), bytes_(readFile(file)) {
    bool known = false;
    for (std::string text = line(); !text.empty(); text = line())
      known = known || text == "FORMAT=32-bit_rle_rgbe";
    if (!known) damaged("FORMAT=32-bit_rle_rgbe in its header", "no such line");
    const std::string size = line();
    if (std::sscanf(size.c_str(), "-Y %9d +X %9d", &height_, &width_) != 2)
      damaged("a size as in -Y 480 +X 640", size.substr(0, 40));
    checkPictureSize(file_, width_, height_, bytes_.size(), kMaxRun);
    const std::size_t flat = 4 * std::size_t(width_), packed = 4 + 8 * (flat / 4 / kMaxRun + 1);
    if ((bytes_.size() - at_) / std::size_t(height_) <
        (mayBePacked() ? std::min(flat, packed) : flat))
      damaged(fmt::format("scanlines of {}x{} pixels", width_, height_),
              fmt::format("{} bytes", bytes_.size() - at_));
  }
  int width() const { return width_; }
  int height() const { return height_; }

  /// The next scanline: uint8[width][4].
  void read(std::span<std::uint8_t> row) {
    const bool packed = mayBePacked() && bytes_.size() - at_ >= 4 && bytes_[at_] == 2 &&
                        bytes_[at_ + 1] == 2 && (bytes_[at_ + 2] & 0x80) == 0;
    if (!packed) {
      for (std::uint8_t& value : row) value = byte();
      return;
    }
    at_ += 2;
    const int length = byte() << 8, width = length | byte();
    if (width != width_) damaged(fmt::format("a scanline of {}", width_), std::to_string(width));
    for (std::size_t component = 0; component < 4; ++component)
      for (std::size_t x = 0; x < row.size() / 4;) {
        const int code = byte();
        const bool repeated = code > 128;
        const std::size_t count = std::size_t(repeated ? code - 128 : code);
        if (count == 0 || count > row.size() / 4 - x)
          damaged("runs that fill a scanline", fmt::format("one of {}", count));
        std::uint8_t value = repeated ? byte() : std::uint8_t(0);
        for (const std::size_t end = x + count; x < end; ++x)
          row[4 * x + component] = repeated ? value : byte();
      }
  }

 private:
  bool mayBePacked() const { return width_ >= kMinPacked && width_ <= kMaxPacked; }
  std::string line() {
    const std::size_t end = bytes_.find('\n', at_);
    if (end == std::string::npos) damaged("a whole header", "the end of the file");
    return bytes_.substr(std::exchange(at_, end + 1), end - at_);
  }
  std::uint8_t byte() {
    if (at_ == bytes_.size()) damaged("a whole image", "the end of the file");
    return std::uint8_t(bytes_[at_++]);
  }
  [[noreturn]] void damaged(const std::string& expected, const std::string& found) const {
    fail("{}: expected an intact Radiance HDR image with {}, found {}", file_.string(), expected,
         found);
  }

  fs::path file_;
  std::string bytes_;
  std::size_t at_ = 0;
  int width_ = 0, height_ = 0;
};

}  // namespace

Picture loadHdr(const fs::path& file, Reading reading) {
  RadianceFile in(file);
  Picture picture = storedPicture(in.width(), in.height(), false, reading);
  picture.encoding = Encoding::Linear;
  if (reading == Reading::Header) return picture;
  std::vector<std::uint8_t> row(4 * std::size_t(in.width()));
  for (int y = 0; y < in.height(); ++y) {
    in.read(row);
    for (int x = 0; x < in.width(); ++x) {
      const std::uint8_t* const value = &row[4 * std::size_t(x)];
      const float scale = value[3] ? std::ldexp(1.0f, value[3] - (128 + 8)) : 0;
      picture.image.at(x, y) = {float(value[0]) * scale, float(value[1]) * scale,
                                float(value[2]) * scale, 1};
    }
  }
  return picture;
}

}  // namespace fathom
