// SPDX-License-Identifier: BSD-3-Clause
// What one rank draws: its share of a scene or of a cloud of points, and how it is drawn into color
// and depth. The same shares serve MPI ranks and the parts inside one process.
#pragma once

#include "app/core/progress.h"
#include "app/gpu/context.h"
#include "app/gpu/texture.h"
#include "app/scene/camera.h"
#include "app/techniques/active_pixel/model.h"
#include "app/techniques/active_pixel/settings.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fathom::active_pixel {

/// True for scene words, OBJ files and folders of OBJ files.
bool acceptsInput(const std::string& input);

/// What is known of a whole input without loading it all: every rank must agree on it.
struct Whole {
  Box bounds;
  Camera camera;  // a good first view
  std::uint64_t objects = 0, triangles = 0, points = 0;
};

/// A rank's share on the CPU; made on any thread, holds no more than the share (a built-in scene
/// may have to be made as a whole first).
class Share {
 public:
  virtual ~Share() = default;
  virtual const Whole& whole() const = 0;
  virtual Box bounds() const = 0;               // of the share; empty: nothing to draw
  virtual std::uint64_t triangles() const = 0;  // points count by the triangles of their impostor
};

/// Share `rank` of `ranks`. Throws Error: FILE: what was expected, what was found.
std::shared_ptr<const Share> loadShare(const std::string& input, int rank, int ranks, Split split,
                                       Progress& progress);

/// Draws a share into color (premultiplied) and depth (0 near .. 1 far), texel row 0 at the bottom.
class ShareRenderer {
 public:
  ShareRenderer(gpu::Context& gpu, std::shared_ptr<const Share> share);
  ~ShareRenderer();

  struct Drawn {
    const gpu::Texture* color;  // as the format says
    const gpu::Texture* depth;  // Depth32f
    Region region;              // outside of it nothing was drawn; empty: nothing at all
  };
  /// `partColor`: draws everything in this flat color (alpha 1), for the paper's and the window's
  /// pictures of parts. Blending expects translucent materials and shares that are convex in depth.
  Drawn draw(const Camera& camera, glm::ivec2 size, const Format& format,
             const std::optional<glm::vec3>& partColor = std::nullopt);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The pixels that a box may cover: its 8 projected corners, rounded outward and clamped; the whole
/// picture when a corner lies behind the eye (Lipinski et al. 2021, sec. 3).
Region projectedRegion(const Box& bounds, const Camera& camera, glm::ivec2 size);

/// A color for a part, well apart from its neighbors'; linear.
glm::vec3 partColor(int part);

}  // namespace fathom::active_pixel
