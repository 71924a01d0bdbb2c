// SPDX-License-Identifier: BSD-3-Clause
// Scenes are drawn with the depth test, files uploaded as they were read; the depth in the middle
// is where the lens focuses unless the settings say otherwise.
#include "app/techniques/dof/capture.h"

#include "app/core/log.h"

#include <algorithm>
#include <vector>

namespace fathom::dof {
namespace {

constexpr double kInfinityMm = 1e6;         // focus on the background
constexpr double kAveragedWarning = 0.005;  // share of the pixels
constexpr int kFocusReach = 2;              // px: median over 5 x 5

Image pictureOf(const Shot& shot) {
  if (shot.input.deep) return colorAndDepth(*shot.input.deep);
  return colorAndDepth(*shot.input.flat, shot.settings, shot.tangentPerPixel());
}

void warnOfAveragedDepth(const Shot& shot, const Image& picture) {
  if (!shot.input.flat || shot.settings.snapDepth) return;
  const double share = averagedShare(picture);
  if (share > kAveragedWarning)
    log::warn("{}: depth looks averaged at edges ({:.1f} % of the pixels): try --snap-depth",
              shot.input.flat->name, 100 * share);
}

}  // namespace

void Capture::take(const Shot& shot) {
  if (shot.input.scene)
    draw(shot);
  else
    upload(shot);
  autoFocus_ = focusAt(shot.size.x / 2, shot.size.y / 2, shot.settings.mmPerUnit);
}

void Capture::draw(const Shot& shot) {
  if (!renderer_ || &renderer_->scene() != shot.input.scene.get())
    renderer_ = std::make_unique<SceneRenderer>(gpu_, shot.input.scene);
  picture_ = &drawn_.draw(*renderer_, shot.sceneCamera(), shot.size);
}

void Capture::upload(const Shot& shot) {
  renderer_.reset();
  const Image picture = pictureOf(shot);
  warnOfAveragedDepth(shot, picture);
  if (gpu::ensure(gpu_, uploaded_, "dof picture", gpu::TextureFormat::Rgba32f, shot.size))
    uploaded_.setNearest(true);
  uploaded_.upload(picture);
  picture_ = &uploaded_;
}

float Capture::focusAt(int x, int y, double mmPerUnit) const {
  std::vector<float> depths;
  for (int dy = -kFocusReach; dy <= kFocusReach; ++dy)
    for (int dx = -kFocusReach; dx <= kFocusReach; ++dx) {
      const int px = std::clamp(x + dx, 0, picture_->width() - 1);
      const int py = std::clamp(y + dy, 0, picture_->height() - 1);
      const float z = picture_->texel(px, py).a;
      depths.push_back(isBackground(z) ? float(kInfinityMm / mmPerUnit) : z);
    }
  const auto middle = depths.begin() + std::ptrdiff_t(depths.size() / 2);
  std::nth_element(depths.begin(), middle, depths.end());
  return *middle;
}

std::unique_ptr<Source> Capture::source(const Shot& shot) const {
  if (!shot.layered()) return std::make_unique<PictureSource>(gpu_, *picture_);
  if (shot.input.deep) return std::make_unique<DeepSource>(gpu_, shot.input.deep, *picture_);
  return std::make_unique<CaptureSource>(gpu_, *renderer_, shot.sceneCamera(), *picture_);
}

}  // namespace fathom::dof
