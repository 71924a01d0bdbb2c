// SPDX-License-Identifier: BSD-3-Clause
// Points on the lens, the camera that looks through one of them, and the running mean on the GPU.
#include "app/engine/dof/lens/lens_sampler.h"

namespace fathom::dof {
namespace {

constexpr int kPlaces = 12;  // along each side of the picture, where it is asked what passes

/// Whether light passes a lens point on its way to some of the places of a picture. Asked a little
/// further in, too, for what lies between them.
bool passesSomewhere(const Aperture& aperture, glm::dvec2 point, const ImageFrame& frame,
                     glm::ivec2 size) {
  for (int i = 0; i <= kPlaces; ++i)
    for (int j = 0; j <= kPlaces; ++j) {
      const glm::dvec2 pixel = glm::dvec2(size - 1) * glm::dvec2(i, j) / double(kPlaces);
      const glm::dvec2 field = frame.fieldAt(pixel);
      for (const double inward : {1.0, 0.97}) {
        const glm::dvec2 u = aperture.fromImage(inward * point, field);
        if (aperture.uncut(u, field) &&
            (aperture.passes(u, false) > 0 || aperture.passes(u, true) > 0))
          return true;
      }
    }
  return false;
}

}  // namespace

std::vector<glm::dvec2> lensPoints(const Aperture& aperture, int count, const ImageFrame& frame,
                                   glm::ivec2 size) {
  std::vector<glm::dvec2> points;
  const double k = aperture.extent() * aperture.stretch();
  // So many on the disc around the aperture's image that about `count` of them lie in it.
  const int all = int(std::lround(count * k * k));
  for (int i = 0; i < all; ++i) {
    const glm::dvec2 p = vogelPoint(i, all) * k;
    const glm::dvec2 u = aperture.fromImage(p, {0, 0});
    if (aperture.passes(u, false) > 0 || aperture.passes(u, true) > 0 ||
        (aperture.varies() && passesSomewhere(aperture, p, frame, size)))
      points.push_back(p);
  }
  return points;
}

Camera throughLensPoint(const Camera& camera, const Lens& lens, glm::dvec2 point, glm::ivec2 size,
                        double axial, double lateral) {
  // r + axial = (K + axial) (1 - S'/z) with S' = K S / (K + axial): another focus, the same
  // aperture.
  const double k = lens.farRadius(), focus = k * lens.focus / std::max(k + axial, 1e-3 * k);
  Camera scaled = camera;
  const double tangent = std::tan(glm::radians(double(camera.verticalFovDeg)) / 2) / (1 + lateral);
  if (lateral != 0) scaled.verticalFovDeg = float(glm::degrees(2 * std::atan(tangent)));
  // A point at depth z moves by o p (1/S' - 1/z) pixels for a camera moved by o = K S u / p; p is
  // the distance of the image plane in pixels.
  const double p = size.y / (2 * tangent), scale = k * lens.focus / p;
  return scaled.throughLensPoint({point.x * scale, -point.y * scale}, focus,
                                 double(size.x) / size.y);
}

glm::dvec2 placeInPixel(std::size_t k, int samples) {
  // 1 / p and 1 / p^2 for p^3 = p + 1.
  const glm::dvec2 at = glm::fract(double(k) * glm::dvec2(0.7548776662466927, 0.5698402909980532));
  return (glm::floor(at * double(samples)) + 0.5) / double(samples) - 0.5;
}

Camera movedByPixels(Camera camera, glm::dvec2 by, glm::ivec2 size) {
  camera.lensShift += glm::vec2(2.0 * by / glm::dvec2(size));
  return camera;
}

void LensSampler::begin(const Camera& camera, const Lens& lens, const Aperture& aperture,
                        const ApertureTables& tables, const shared::Optics& optics, int count,
                        const ImageFrame& frame, glm::ivec2 size, int samples) {
  camera_ = camera, lens_ = lens, aperture_ = aperture, size_ = size, samples_ = samples;
  tables_ = &tables, optics_ = optics;
  points_ = lensPoints(aperture, count, frame, size);
  next_ = drawn_ = 0;
  gpu::ensure(gpu_, sum_, "dof lens sum", gpu::TextureFormat::Rgba32f, size);
  const bool varies = aperture.varies();
  gpu::ensure(gpu_, count_, "dof lens count",
              varies ? gpu::TextureFormat::Rgba32f : gpu::TextureFormat::R32f, size);
  if (varies) {
    gpu::ensure(gpu_, sumNear_, "dof lens sum", gpu::TextureFormat::Rgba32f, size);
    sumNear_.clear(glm::vec4(0));
  }
  gpu::ensure(gpu_, mean_, "dof lens mean", gpu::TextureFormat::Rgba32f, size);
  sum_.clear(glm::vec4(0));
  count_.clear(glm::vec4(0));
  // Before the first point is drawn: as they are shown at first, as many as go at once, the rest.
  const std::size_t each = aperture.colored() ? 3 : 1, most = DOF_VIEWS - DOF_VIEWS % each,
                    slow = std::min<std::size_t>(DOF_VIEWS - 1, points_.size());
  std::vector<gpu::PassKey> keys{addKey(each), addKey(most)};
  if (const std::size_t rest = (points_.size() - slow) * each % most) keys.push_back(addKey(rest));
  gpu_.request(keys);
}

bool LensSampler::step(SceneRenderer& renderer) {
  if (done()) return true;
  const std::size_t each = aperture_.colored() ? 3 : 1;
  if (aperture_.colored()) {
    draw(renderer, {0, 1, 0, 1}, 0, 0);
    draw(renderer, {1, 0, 0, 0}, aperture_.axialRed, aperture_.lateralRed);
    draw(renderer, {0, 0, 1, 0}, aperture_.axialBlue, aperture_.lateralBlue);
  } else {
    draw(renderer, glm::vec4(1), 0, 0);
  }
  ++next_;
  // The first few are shown at once.
  if (done() || next_ < DOF_VIEWS || drawn_ + each > DOF_VIEWS) addDrawn();
  return done();
}

void LensSampler::draw(SceneRenderer& renderer, glm::vec4 channels, double axial, double lateral) {
  const glm::dvec2 place = points_[next_];
  if (views_.size() == drawn_) views_.push_back(std::make_unique<PictureCapture>(gpu_));
  const Camera moved = throughLensPoint(camera_, lens_, place, size_, axial, lateral);
  views_[drawn_]->draw(renderer, movedByPixels(moved, placeInPixel(next_, samples_), size_), size_,
                       next_ + 1);
  shared::LensPoint& point = drawnPoints_.point[drawn_++];
  for (int c = 0; c < 4; ++c) point.channels[c] = channels[c];
  point.place[0] = float(place.x), point.place[1] = float(place.y);
  point.axial = float(axial);
}

gpu::PassKey LensSampler::addKey(std::size_t views) const {
  return {"add lens points",
          "shaders/dof/add_lens_point.comp",
          {{"SHAPE", aperture_.plain() ? 0 : 1},
           {"FIELD", aperture_.varies() ? 1 : 0},
           {"VIEWS", int(views)}}};
}

void LensSampler::addDrawn() {
  gpu::Pass& pass = gpu_.pass(addKey(drawn_));
  shared::Params p{};
  p.width = std::uint32_t(size_.x), p.height = std::uint32_t(size_.y);
  for (std::size_t i = 0; i < drawn_; ++i)
    pass.texture(DOF_TEXTURE_VIEWS + unsigned(i), views_[i]->picture());
  if (aperture_.varies()) pass.image(DOF_IMAGE_SUM_NEAR, sumNear_);
  pass.texture(DOF_TEXTURE_APERTURE, tables_->map())
      .image(DOF_IMAGE_RESULT, mean_)
      .image(DOF_IMAGE_SUM, sum_)
      .image(DOF_IMAGE_COUNT, count_)
      .params(DOF_BIND_PARAMS, p)
      .params(DOF_BIND_OPTICS, optics_)
      .params(DOF_BIND_POINTS, drawnPoints_);
  pass.dispatchGrid(size_, gpu::Each{60.0 * DOF_VIEWS});
  // the next views, display
  gpu::barrier(gpu::Access::Storage | gpu::Access::Texture | gpu::Access::Transfer |
               gpu::Access::Target);
  drawn_ = 0;
}

}  // namespace fathom::dof
