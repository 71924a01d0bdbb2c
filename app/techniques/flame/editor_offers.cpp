// SPDX-License-Identifier: BSD-3-Clause
// Genomes to pick from, drawn small by the CPU on another thread: each has a shader of its own, and
// compiling them would hold up the window. The same seed gives the same ones.
#include "app/techniques/flame/editor.h"
#include "app/techniques/flame/filters.h"
#include "app/techniques/flame/operations.h"
#include "app/techniques/flame/random.h"
#include "app/techniques/flame/reference_chaos.h"
#include "app/techniques/flame/reference_image.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace fathom::flame {
namespace {

constexpr std::size_t kOffered = 18;
constexpr int kThumbnailWidth = 132, kThumbnailHeight = 99;
constexpr double kThumbnailQuality = 40;  // samples per pixel

Genome smallOf(const Genome& genome) {
  const double share =
      std::min(double(kThumbnailWidth) / genome.size.x, double(kThumbnailHeight) / genome.size.y);
  Genome small =
      framed(genome, glm::max(glm::ivec2(glm::dvec2(genome.size) * share), glm::ivec2(1)));
  small.scale = pixelsPerUnit(small), small.zoom = 0;
  small.quality = kThumbnailQuality;
  small.supersample = 1;
  small.estimatorRadius = std::min(3.0, small.estimatorRadius);
  small.estimatorMinimum = 0;
  return forRendering(small);
}

Image drawn(const Genome& small) {
  if (drawsNothing(small)) return Image(small.size.x, small.size.y);
  const Settings settings;
  const auto histogram =
      reference::iterate(small, shapeFor(small, settings), samplesFor(small, settings), /*seed=*/1);
  return reference::develop(histogram, small, settings);
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

void Editor::offer(Offer what, std::uint64_t seed) {
  if (!open()) return;
  offering_ = what;
  seed_ = seed;
  offered_.clear();
  offered_.resize(kOffered);
  asked_ = 0;
  ++offers_;
}

Thumbnail Editor::offerOf(const Genome& from, Offer what, std::uint64_t seed, std::size_t index) {
  Thumbnail offer;
  const std::uint64_t own = seed * 1000 + index;
  if (what == Offer::Random) {
    offer.genome = randomGenome(own, from.size);
    offer.title = "random " + std::to_string(own);
  } else {
    const auto kind = Mutation(index % kMutationCount);
    offer.genome = mutated(from, kind, own);
    offer.title = nameOf(kind);
  }
  return offer;
}

bool Editor::work(gpu::Context& gpu) {
  if (jobs_) jobs_->deliver();
  // One at a time: others that are wanted instead do not wait long.
  if (asked_ < offered_.size() && (!jobs_ || jobs_->pending() == 0)) {
    if (!jobs_) jobs_ = std::make_unique<JobQueue>();
    if (asked_ == 0) offeredFrom_ = genome();
    const auto job = [this, &gpu, index = asked_++, from = offeredFrom_, what = offering_,
                      seed = seed_, number = offers_]() -> JobQueue::Delivery {
      auto made = std::make_shared<Thumbnail>(offerOf(from, what, seed, index));
      auto picture = std::make_shared<Image>(drawn(smallOf(made->genome)));
      return [this, &gpu, index, number, made, picture] {
        if (number != offers_ || index >= offered_.size()) return;
        made->picture = textureOf(gpu, *picture);
        offered_[index] = std::move(*made);
      };
    };
    jobs_->submit(job, [](std::exception_ptr) {});  // one that cannot be drawn stays empty
  }
  const bool waits = jobs_ && jobs_->pending() > 0;
  return waits || asked_ < offered_.size() || wheelTurns();  // the step ends when the wheel rests
}

}  // namespace fathom::flame
