// SPDX-License-Identifier: BSD-3-Clause
// From the genome to the picture that the window would show, on the CPU.
#include "app/engine/flame/render/reference_picture.h"

#include "app/engine/core/color.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/render/reference_chaos.h"
#include "app/engine/flame/render/reference_image.h"
#include "app/engine/flame/render/rendering.h"

#include <algorithm>

namespace fathom::flame::reference {
namespace {

constexpr double kMaxQuality = 50;  // samples per pixel: seconds on a CPU

}  // namespace

Image displayed(const Genome& genome, const Settings& settings, std::uint64_t seed) {
  if (drawsNothing(genome)) return Image(genome.size.x, genome.size.y);
  const auto histogram =
      iterate(genome, shapeFor(genome, settings), samplesFor(genome, settings), seed);
  return toneMap(histogram, genome, settings);
}

Image lightOf(const Genome& genome, const Settings& settings, std::uint64_t seed) {
  Genome drawn = forRendering(genome);
  drawn.quality = std::min(
      kMaxQuality, samplesFor(drawn, settings) / (double(drawn.size.x) * double(drawn.size.y)));
  drawn.zoom = 0, drawn.scale = pixelsPerUnit(genome), drawn.cameraZoom = 1;
  Settings exact = settings;
  exact.quality = 0;
  exact.estimator = settings.estimator == Estimator::Off ? Estimator::Off : Estimator::Exact;
  if (settings.transparent) drawn.background = glm::dvec3(0);
  Image picture = displayed(drawn, exact, seed);
  if (drawsNothing(drawn)) {
    const glm::vec3 color = glm::clamp(glm::vec3(drawn.background) * 256.0f, 0.0f, 255.0f);
    std::fill(picture.pixels.begin(), picture.pixels.end(), glm::vec4(color, 0));
  }
  for (glm::vec4& pixel : picture.pixels) {
    const float alpha = settings.transparent ? std::clamp(pixel.a, 0.0f, 1.0f) : 1.0f;
    for (int c = 0; c < 3; ++c)
      pixel[c] = alpha > 0 ? linearFromSrgb(std::min(1.0f, pixel[c] / 255 / alpha)) * alpha : 0;
    pixel.a = alpha;
  }
  return picture;
}

}  // namespace fathom::flame::reference
