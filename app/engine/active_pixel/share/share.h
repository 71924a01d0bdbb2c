// SPDX-License-Identifier: BSD-3-Clause
// What one rank draws: its share of a scene or of a cloud of points, and how it is drawn into color
// and depth. The same shares serve MPI ranks and the parts inside one process.
#pragma once

#include "app/engine/active_pixel/image/model.h"
#include "app/engine/active_pixel/settings.h"
#include "app/engine/core/progress.h"
#include "app/engine/gpu/context.h"
#include "app/engine/gpu/texture.h"
#include "app/engine/scene/scene.h"

namespace fathom::active_pixel {

/// True for built-in scenes, scene files and folders of them.
bool acceptsInput(const std::string& input);

/// Properties of a whole input that every rank must agree on; known without loading all of it.
struct Whole {
  Box bounds;
  Camera camera;  // an initial view
  std::uint64_t objects = 0, triangles = 0, points = 0;
  std::string content;  // as contentOf() a scene: equal where the same was read
};

class ShareDrawer;

/// A rank's share on the CPU; made on any thread, holds no more than the share (a built-in scene
/// may have to be made as a whole first).
struct Share {
  Whole whole;
  Box bounds;                   // of the share; empty: nothing to draw
  std::uint64_t triangles = 0;  // points count by the triangles of their impostor
  bool translucent = false;     // has surfaces of alpha below one half
  std::vector<std::string> warnings;
  /// Uploads it.
  std::function<std::unique_ptr<ShareDrawer>(gpu::Context& gpu)> makeDrawer;
};

/// An open input: knows what all shares have in common and hands out shares. Any thread may take
/// one, one thread at a time.
struct ShareSource {
  Whole whole;
  /// Share `rank` of `ranks`. Throws Error: FILE: what was expected, what was found.
  std::function<std::shared_ptr<const Share>(int rank, int ranks, Split split, Progress& progress)>
      take;
};
/// `only`: the one share that will be taken, so that no more of a file need be kept.
std::shared_ptr<const ShareSource> openInput(const std::string& input, Progress& progress,
                                             const std::optional<SceneShare>& only = {});

/// One line about translucent surfaces, which the nearest pixel alone leaves out.
void warnOfLeftOut(const std::string& input, const Share& share, const Settings& settings);

/// The format of frames under these settings. Throws UsageError when it is none that IceT
/// composites (blending without color).
Format frameFormat(const Settings& settings);

/// Shares by the distance of their centers from the eye, for blending; empty ones come last, equal
/// ones in their order.
std::vector<int> frontToBack(std::span<const Box> shares, const Camera& camera);

/// Color and depth that renderers draw into; several renderers may take turns with one.
struct ShareTargets {
  gpu::Texture color, depth;
  gpu::Target target;
  std::uint64_t made = 0;  // counts up when they are made anew
};

/// Draws a share into color (premultiplied) and depth (0 near .. 1 far), texel row 0 at the bottom.
/// Near and far are those of the whole input, so that depths of all shares compare. Bytes are sRGB
/// encoded before alpha is multiplied, floats are linear.
class ShareRenderer {
 public:
  ShareRenderer(gpu::Context& gpu, std::shared_ptr<const Share> share,
                std::shared_ptr<ShareTargets> targets = std::make_shared<ShareTargets>());
  ~ShareRenderer();

  struct Drawn {
    const gpu::Texture* color;  // Rgba8 or Rgba32f; null: depth alone
    const gpu::Texture* depth;  // Depth32f; null for blending
    Region region;              // outside of it nothing was drawn; empty: nothing at all
    std::uint64_t made = 0;     // of the targets: views of textures of the same number still serve
  };
  /// `rankColor`: everything is opaque and in this flat color, as in the paper's pictures of parts,
  /// or shaded in it when `shaded`. Blending expects shares that are convex in
  /// depth; inside one, what is opaque is drawn first, what is translucent over it, part by part
  /// from back to front. The result lasts until the next draw into the same targets.
  Drawn draw(const Camera& camera, glm::ivec2 size, const Format& format,
             const std::optional<glm::vec3>& rankColor = std::nullopt, bool shaded = false);
  const Share& share() const { return *share_; }

 private:
  gpu::Context& gpu_;
  std::shared_ptr<const Share> share_;
  std::shared_ptr<ShareTargets> targets_;
  std::unique_ptr<ShareDrawer> drawer_;
};

/// Reads what was drawn into a frame of the whole size; pixels outside `region` are left as they
/// are in `frame` (whose contents are undefined when it had another size). Waits for the device.
void readBack(const ShareRenderer::Drawn& drawn, const Format& format, glm::ivec2 size,
              const Region& region, Frame& frame);

/// The pixels that a box may cover: its 8 projected corners, rounded outward and clamped; the whole
/// picture when a corner lies behind the eye (Lipinski et al. 2021, sec. 3).
Region projectedRegion(const Box& bounds, const Camera& camera, glm::ivec2 size);

/// A color for each rank, well apart from those of its neighbors; linear.
glm::vec3 rankColor(int part);

}  // namespace fathom::active_pixel
