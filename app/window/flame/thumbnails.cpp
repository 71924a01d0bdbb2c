// SPDX-License-Identifier: BSD-3-Clause
// Which genomes there are to pick from, and the thread that draws them.
#include "app/window/flame/thumbnails.h"

#include "app/engine/core/error.h"
#include "app/engine/flame/genome/io.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/render/reference.h"
#include "app/system/machine.h"

namespace fathom::flame {

const fs::path& Favorites::file() {
  if (file_.empty()) file_ = system::configFolder() / "favorites.flame";
  return file_;
}

const std::vector<Genome>& Favorites::list() {
  if (std::exchange(read_, true)) return list_;
  std::error_code none;
  if (!fs::exists(file(), none)) return list_;
  try {
    list_ = readGenomes(file()).genomes;
  } catch (const Error& error) {
    problem_ = error.what();
  }
  return list_;
}

void Favorites::add(Genome genome) {
  std::vector<Genome> next = list();
  if (std::find(next.begin(), next.end(), genome) != next.end()) return;
  next.push_back(std::move(genome));
  write(std::move(next));
}

void Favorites::remove(std::size_t index) {
  std::vector<Genome> next = list();
  if (index >= next.size()) return;
  next.erase(next.begin() + std::ptrdiff_t(index));
  write(std::move(next));
}

void Favorites::write(std::vector<Genome> next) {
  if (!problem_.empty()) fail("{}", problem_);  // what is in there may be worth more
  std::error_code none;
  if (next.empty()) {
    fs::remove(file(), none);
  } else {
    fs::create_directories(file().parent_path(), none);
    writeGenomes(file(), next);
  }
  list_ = std::move(next);
}

namespace {

constexpr std::size_t kThumbnails = 18;
constexpr int kThumbnailWidth = 132, kThumbnailHeight = 99;
constexpr std::size_t kMaxFileThumbnails = 200;
constexpr double kThumbnailQuality = 40;  // samples per pixel

Genome smallOf(const Genome& genome) {
  const double share =
      std::min(double(kThumbnailWidth) / genome.size.x, double(kThumbnailHeight) / genome.size.y);
  Genome small =
      framed(genome, glm::max(glm::ivec2(glm::dvec2(genome.size) * share), glm::ivec2(1)));
  small.scale = pixelsPerUnit(small), small.zoom = 0, small.cameraZoom = 1;
  small.quality = kThumbnailQuality;
  small.supersample = 1;
  small.estimatorRadius = std::min(3.0, small.estimatorRadius);
  small.estimatorMinimum = 0;
  return forRendering(small);
}

gpu::Texture textureOf(gpu::Context& gpu, const Image& displayed) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(displayed.pixels.size() * 4);
  for (const glm::vec4& pixel : displayed.pixels)
    for (int c = 0; c < 4; ++c)
      bytes.push_back(c == 3 ? 255 : std::uint8_t(std::clamp(pixel[c], 0.0f, 255.0f)));
  gpu::Texture texture(gpu, "thumbnail", gpu::TextureFormat::Rgba8, displayed.width,
                       displayed.height);
  texture.write(bytes.data(), std::int64_t(bytes.size()));
  return texture;
}

}  // namespace

Thumbnail thumbnailOf(const Genome& from, const std::vector<Genome>& flames,
                      Thumbnails::Source source, std::uint64_t seed, std::size_t index,
                      const Change& change) {
  using Source = Thumbnails::Source;
  const std::uint64_t own = seed * 1000 + index;
  if (source == Source::Random) {
    const std::string number = std::to_string(own);
    return {randomGenome(own, from.size), "random " + number, "random-" + number, {}};
  }
  if (source == Source::Mutations) {
    const auto kind = Mutation(index % kMutationCount);
    return {mutated(from, kind, own, change), nameOf(kind), "mutation-" + std::to_string(own), {}};
  }
  const Genome& other = flames[index % flames.size()];
  const std::string name =
      other.name.empty() ? "flame " + std::to_string(index % flames.size() + 1) : other.name;
  if (source == Source::File) return {other, name, {}, {}};
  if (source == Source::Favorites)
    return {other, name, "favorite-" + std::to_string(index + 1), {}};
  return {crossed(from, other, own, change), "with " + name, "child-" + std::to_string(own), {}};
}

void Thumbnails::fill(const Genome& from, std::span<const Genome> flames, Source source,
                      std::uint64_t seed) {
  from_ = from;
  const std::span<const Genome> first = flames.first(std::min(flames.size(), kMaxFileThumbnails));
  std::vector<Genome> others(first.begin(), first.end());
  if (source == Source::Children) std::erase(others, from);  // not with itself
  if (source == Source::Children && others.empty()) others.push_back(from);
  flames_ = std::make_shared<const std::vector<Genome>>(std::move(others));
  source_ = source;
  seed_ = seed;
  list_.clear();
  const bool each = source == Source::File || source == Source::Favorites;
  list_.resize(each ? flames_->size() : kThumbnails);
  submitted_ = 0;
  jobs_.forget();
}

void Thumbnails::reset() {
  list_.clear();
  jobs_.forget();
}

bool Thumbnails::step(gpu::Context& gpu) {
  jobs_.deliver();
  // One at a time, so that a new grid does not wait long.
  if (submitted_ < list_.size() && jobs_.pending() == 0) submit(gpu);
  return jobs_.pending() > 0 || submitted_ < list_.size();
}

void Thumbnails::submit(gpu::Context& gpu) {
  const auto job = [this, &gpu, index = submitted_++, from = from_, flames = flames_,
                    source = source_, seed = seed_, change = change_]() -> JobQueue::Delivery {
    auto made =
        std::make_shared<Thumbnail>(thumbnailOf(from, *flames, source, seed, index, change));
    auto picture = std::make_shared<Image>(
        reference::displayed(smallOf(made->genome), Settings{}, /*seed=*/1));
    return [this, &gpu, index, made, picture] {
      made->picture = textureOf(gpu, *picture);
      list_[index] = std::move(*made);
    };
  };
  jobs_.submit(job, [](std::exception_ptr) {});  // one that cannot be drawn stays empty
}

}  // namespace fathom::flame
