// SPDX-License-Identifier: BSD-3-Clause
// Drawing one kind of share: triangles (share_triangles.cpp) or points (share_points.cpp).
#pragma once

#include "app/engine/active_pixel/share/share.h"
#include "app/engine/gpu/texture.h"
#include "app/engine/scene/scene.h"
#include "shaders/active_pixel/draw_shared.h"

namespace fathom::active_pixel {

class ShareDrawer {
 public:
  virtual ~ShareDrawer() = default;
  /// `size` is the whole picture, `region` what may be touched, from the lower left corner.
  virtual void draw(const gpu::Target& target, const Camera& camera, glm::ivec2 size,
                    const Region& region, const Format& format,
                    const shared::DrawParams& params) = 0;
};

std::shared_ptr<const ShareSource> openScene(const std::string& input, Progress& progress);
/// Null when the input is no cloud of points.
std::shared_ptr<const ShareSource> openPoints(const std::string& input, Progress& progress);
std::shared_ptr<const ShareSource> openFolder(const std::string& folder, Progress& progress);
bool isObjFolder(const std::string& input);

/// A share cut out of a scene.
class TriangleShare : public Share {
 public:
  TriangleShare(const Whole& whole, Scene scene);
  const Whole& whole() const override { return whole_; }
  Box bounds() const override { return scene_->bounds; }
  std::uint64_t triangles() const override { return scene_->triangleCount(); }
  const std::vector<std::string>& warnings() const override { return scene_->warnings; }
  std::unique_ptr<ShareDrawer> makeDrawer(gpu::Context& gpu) const override;

 private:
  Whole whole_;
  std::shared_ptr<const Scene> scene_;
};

}  // namespace fathom::active_pixel
