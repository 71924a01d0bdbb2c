// SPDX-License-Identifier: BSD-3-Clause
// Points on the lens, the camera that looks through one of them, and the running mean on the GPU.
#include "app/techniques/dof/lens/lens_sampler.h"

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <cmath>

namespace fathom::dof {

std::vector<glm::dvec2> lensPoints(const Aperture& aperture, int count) {
  std::vector<glm::dvec2> points;
  const double k = aperture.circumradius;
  // So many on the disc around the aperture that about `count` of them lie in it.
  const int all = int(std::lround(count * k * k));
  for (int i = 0; i < all; ++i) {
    const glm::dvec2 p = vogelPoint(i, all);
    if (aperture.holds(p.x, p.y, false)) points.push_back(p * k);
  }
  return points;
}

Camera throughLensPoint(const Camera& camera, const Lens& lens, glm::dvec2 point, glm::ivec2 size) {
  // A point at depth z moves by o p (1/S - 1/z) = K (1 - S/z) u pixels, for a camera moved by
  // o = K S u / p; p is the distance of the image plane in pixels.
  const double p = size.y / (2 * std::tan(glm::radians(double(camera.verticalFovDeg)) / 2));
  const double scale = lens.farRadius() * lens.focus / p;
  return camera.throughLensPoint({point.x * scale, -point.y * scale}, lens.focus,
                                 double(size.x) / size.y);
}

void LensSampler::begin(const Camera& camera, const Lens& lens, const Aperture& aperture, int count,
                        glm::ivec2 size) {
  camera_ = camera, lens_ = lens, size_ = size;
  points_ = lensPoints(aperture, count);
  next_ = 0;
  gpu::ensure(gpu_, sum_, "dof lens sum", gpu::TextureFormat::Rgba32f, size);
  gpu::ensure(gpu_, mean_, "dof lens mean", gpu::TextureFormat::Rgba32f, size);
  sum_.clear(glm::vec4(0));
}

bool LensSampler::step(SceneRenderer& renderer) {
  if (done()) return true;
  const gpu::Texture& view = capture_.draw(
      renderer, throughLensPoint(camera_, lens_, points_[next_], size_), size_, next_ + 1);
  ++next_;
  gpu::Pass& add = gpu_.pass({"add lens point", "shaders/dof/add_lens_point.comp", {}});
  shared::Params p{};
  p.width = std::uint32_t(size_.x), p.height = std::uint32_t(size_.y);
  add.texture(DOF_TEXTURE_PICTURE, view)
      .image(DOF_IMAGE_RESULT, mean_)
      .image(DOF_IMAGE_SUM, sum_)
      .params(DOF_BIND_PARAMS, p);
  const auto groups = [](int pixels) { return unsigned((pixels + DOF_TILE - 1) / DOF_TILE); };
  add.dispatchGrid(groups(size_.x), groups(size_.y));
  // the next point, display
  gpu::barrier(gpu::Reader::Storage | gpu::Reader::Texture | gpu::Reader::Transfer |
               gpu::Reader::Target);
  return done();
}

}  // namespace fathom::dof
