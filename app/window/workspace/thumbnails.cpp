// SPDX-License-Identifier: BSD-3-Clause
// Jobs on a worker thread, whose results are taken in by the main thread.
#include "app/window/workspace/thumbnails.h"

#include "app/engine/core/image.h"
#include "app/engine/core/progress.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/picture.h"
#include "app/system/machine.h"
#include "app/system/process.h"

namespace fathom::viewer {
namespace {

constexpr std::uintmax_t kMaxFileBytes = 96u << 20;
constexpr std::size_t kMaxWaiting = 64;  // more are asked for when these are done

gpu::Texture textureOf(gpu::Context& gpu, const SmallPicture& picture) {
  gpu::Texture texture(gpu, "thumbnail", gpu::TextureFormat::Rgba8, picture.size.x, picture.size.y);
  texture.write(picture.rgba.data(), std::int64_t(picture.rgba.size()));
  return texture;
}

/// The mean of the pixels in [low, high), at least one; NaN counts as black.
glm::vec4 meanOf(const Image& image, glm::ivec2 low, glm::ivec2 high) {
  glm::vec4 sum(0);
  for (int y = low.y; y < high.y; ++y)
    for (int x = low.x; x < high.x; ++x)
      for (int c = 0; c < 4; ++c)
        if (const float value = image.at(x, y)[c]; std::isfinite(value)) sum[c] += value;
  return sum / float((high.x - low.x) * (high.y - low.y));
}

glm::ivec2 smallSize(glm::vec2 size) {
  const float scale =
      std::min({1.0f, float(kThumbnailSize.x) / size.x, float(kThumbnailSize.y) / size.y});
  return glm::max(glm::ivec2(size * scale), glm::ivec2(1));
}

/// So many rows of a deep image, each list over from front to back.
Image deepRows(DeepExrReader& in, int height) {
  const Rect window = in.part().dataWindow;
  Image image(window.width, height);
  for (int row = 0; row < image.height; ++row) {
    const int y = int((std::int64_t(row) * 2 + 1) * window.height / (2 * image.height));
    const int first = y - y % in.rowStep();
    const DeepImage band =
        in.readRows(window.y + first, std::min(window.y + first + in.rowStep(), window.bottom()));
    for (int x = 0; x < window.width; ++x) {
      const std::size_t pixel = band.pixelIndex(window.x + x, window.y + y);
      glm::vec4& sum = image.at(x, row);
      for (std::size_t i = band.fragmentOffsets[pixel]; i < band.fragmentOffsets[pixel + 1]; ++i) {
        const Fragment f = decodeFragment(band, i);
        sum += (1 - sum.a) * glm::vec4(f.r, f.g, f.b, f.a);
      }
    }
  }
  return image;
}

/// Averaged down to this size.
SmallPicture averaged(const Image& image, glm::ivec2 size) {
  SmallPicture small{size, {}};
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x) {
      const glm::ivec2 low(x * image.width / size.x, y * image.height / size.y);
      const glm::ivec2 high((x + 1) * image.width / size.x, (y + 1) * image.height / size.y);
      const glm::vec4 mean = meanOf(image, low, glm::max(high, low + 1));
      for (int c = 0; c < 3; ++c) small.rgba.push_back(byteOf(srgbFromLinear(mean[c])));
      small.rgba.push_back(byteOf(mean.a));
    }
  return small;
}

/// Throws Error where it holds no picture.
SmallPicture smallPictureOf(const fs::path& file) {
  if (fs::file_size(file) > kMaxFileBytes)
    fail("{}: expected a file of at most {} bytes, found {}", file.string(), kMaxFileBytes,
         fs::file_size(file));
  const FileKind kind = kindOf(file);
  if (kind == FileKind::Unknown) fail("{}: expected an image, found another file", file.string());
  if (kind == FileKind::DeepExr) {
    DeepExrReader in(file);
    const glm::ivec2 size = smallSize({in.part().dataWindow.width, in.part().dataWindow.height});
    return averaged(deepRows(in, size.y), size);
  }
  const Image image = readPicture(file).image;
  return averaged(image, smallSize({image.width, image.height}));
}

constexpr const char* kThumbnailFlag = "--thumbnail-of";
constexpr std::chrono::seconds kLongestWait{20};
constexpr std::uint64_t kChildMemory = std::uint64_t(2) << 30;

SmallPicture smallPictureByChild(const std::string& file) {
  const std::string bytes =
      system::outputOf({system::programFile().string(), kThumbnailFlag, file}, kLongestWait);
  SmallPicture small;
  if (bytes.size() >= sizeof small.size) std::memcpy(&small.size, bytes.data(), sizeof small.size);
  if (small.size.x < 1 || small.size.y < 1 || small.size.x > kThumbnailSize.x ||
      small.size.y > kThumbnailSize.y ||
      bytes.size() != sizeof small.size + std::size_t(small.size.x * small.size.y * 4))
    fail("{}: expected an image, found none", file);
  small.rgba.assign(bytes.begin() + sizeof small.size, bytes.end());
  return small;
}

}  // namespace

std::optional<int> answerThumbnail(int argc, char** argv) {
  if (argc != 3 || std::string_view(argv[1]) != kThumbnailFlag) return std::nullopt;
  system::limitMemory(kChildMemory);
  try {
    const SmallPicture small = smallPictureOf(argv[2]);
    std::fwrite(&small.size, sizeof small.size, 1, stdout);
    std::fwrite(small.rgba.data(), 1, small.rgba.size(), stdout);
    return std::fflush(stdout) == 0 ? 0 : 1;
  } catch (const std::exception&) {
    return 1;
  }
}

const gpu::Texture* Thumbnails::of(gpu::Context& gpu, const fs::path& kept) {
  const auto found = known_.find(kept.string());
  if (found != known_.end()) return found->second ? &found->second : nullptr;
  gpu::Texture& texture = known_[kept.string()];
  std::error_code error;
  if (kept.empty() || !fs::exists(kept, error)) return nullptr;
  try {
    const Image image = readPictureAsStored(kept).image;
    if (image.width > 1024 || image.height > 1024) return nullptr;
    SmallPicture picture{{image.width, image.height}, {}};
    for (const glm::vec4& pixel : image.pixels)
      for (int c = 0; c < 4; ++c) picture.rgba.push_back(byteOf(pixel[c]));
    texture = textureOf(gpu, picture);
  } catch (const Error& e) {
    log::warn("{}", e.what());
  }
  return texture ? &texture : nullptr;
}

const gpu::Texture* Thumbnails::ofFile(gpu::Context& gpu, const fs::path& kept,
                                       const fs::path& file) {
  if (const gpu::Texture* const texture = of(gpu, kept)) return texture;
  const std::string name = file.string();
  const auto found = known_.find(name);
  if (found != known_.end()) return found->second ? &found->second : nullptr;
  if (jobs_.pending() >= kMaxWaiting) return nullptr;
  known_[name];  // asked for
  jobs_.submit([this, &gpu, name]() -> JobQueue::Delivery {
    const auto made = std::make_shared<const SmallPicture>(smallPictureByChild(name));
    return [this, &gpu, name, made] { known_[name] = textureOf(gpu, *made); };
  });  // no picture: the name has to do
  return nullptr;
}

bool Thumbnails::update() {
  jobs_.deliver();
  return jobs_.pending() > 0;
}

// ---- Writing

void FileWriter::write(std::function<void()> write, std::string done) {
  run(std::move(write), [this, done = std::move(done)] { messages_->note(done); });
}

void FileWriter::run(std::function<void()> work, std::function<void()> then) {
  jobs_.submit(
      [work = std::move(work), then = std::move(then)]() -> JobQueue::Delivery {
        work();
        return then;
      },
      [this](std::exception_ptr error) { messages_->error(messageOf(error)); });
}

void FileWriter::tell(Messages& messages) {
  messages_ = &messages;
  jobs_.deliver();
}

void FileWriter::finish(Messages& messages) {
  for (tell(messages); working(); tell(messages))
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

}  // namespace fathom::viewer
