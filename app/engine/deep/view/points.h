// SPDX-License-Identifier: BSD-3-Clause
// The fragments of a region as points in space: which become points, collecting them from lists or
// images, the box around them, the camera before it, their colors, and drawing them a chunk after
// the other, so that a large cloud appears bit by bit while the window stays fluid.
#pragma once

#include "app/engine/core/deep_image.h"
#include "app/engine/deep/lists/fragment_lists.h"
#include "app/engine/deep/settings/settings.h"
#include "app/engine/gpu/buffer.h"
#include "app/engine/gpu/pass.h"
#include "app/engine/gpu/texture.h"
#include "app/engine/scene/camera.h"
#include "shaders/deep/view/depth_view_shared.h"

namespace fathom::deep {

/// Which of all fragments become points: one out of each run of `every`, at a place in the run that
/// follows no pattern. Points lie in sets so that the first of them thin all out evenly.
struct PointPlan {
  std::uint64_t fragments = 0;  // of the region, below 2^32
  std::uint32_t every = 1;
  std::uint32_t points = 0;
  static PointPlan of(std::uint64_t fragments, std::uint64_t maxPoints);
  /// The point that fragment `index` becomes, or -1.
  std::int64_t pointOf(std::uint64_t index) const;
  /// Where that point lies in the buffer.
  std::uint32_t placeOf(std::uint32_t point) const;
};

/// The points of a region, of all its inputs: see depth_view_shared.h.
struct PointCloud {
  PointPlan plan;
  Rect region;  // of the picture
  bool volumes = false;
  gpu::Words words;
};

/// The box around the points: the region in x and y, its longer side 2 long, and Z from
/// front to back. Nearer points are in front: z grows towards the eye.
struct PointSpace {
  Rect region;
  float nearest = 0, farthest = 1;  // Z at front and back of the box
  float depth = 2;                  // of the box

  float unitsPerPixel() const { return 2.0f / float(std::max({region.width, region.height, 1})); }
  /// Pixels of the picture, (0, 0) the upper left corner of the first.
  glm::vec3 place(glm::vec2 pixel, float z) const;
  Box box() const;
};

/// Front and back for these depths: all of them, except for a few outliers.
/// Sorts the depths; not finite ones are left out.
ZRange boxRange(std::vector<float>& depths);

/// From the front a little from the right and above; the box of depth 1 fills the picture.
Camera homePointCamera();

/// From the box's space to GL's clip space, y upward.
glm::mat4 pointsToClip(const Camera& camera, const PointSpace& space, glm::ivec2 size);

/// Round numbers from low to high, about this many.
std::vector<float> axisTicks(float low, float high, int about);

/// The scale from low to high for alpha and depth; colors of inputs, which repeat.
const std::array<glm::vec3, DEEP_POINT_COLORS>& scaleColors();
const std::array<glm::vec3, DEEP_POINT_COLORS>& inputColors();

/// Fragments of the lists whose pixels lie in a region of the picture.
std::uint64_t countPoints(ListStore& store, const FragmentLists& lists, const Rect& region);
/// Makes the lists' fragments points of the cloud's plan; `base` fragments came before. Returns how
/// many fragments these were.
std::uint64_t collectPoints(ListStore& store, const FragmentLists& lists, int source,
                            std::uint64_t base, PointCloud& cloud);

/// The same for an image whose pixel `origin` is pixel (0, 0) of the picture, with `words` of the
/// whole cloud. `firstIndex` is what its index words start at.
std::uint64_t collectPoints(const DeepImage& image, std::uint32_t firstIndex, glm::ivec2 origin,
                            int source, std::uint64_t base, const PointCloud& cloud,
                            std::span<std::uint32_t> words);

/// How points look, apart from where they are.
struct PointLook {
  PointColor color = PointColor::Color;
  float size = 2;
  bool alpha = false;
  ZRange range;
  std::array<glm::vec3, DEEP_POINT_COLORS> colors{};  // of the scale or of the inputs
};

class PointRenderer {
 public:
  explicit PointRenderer(gpu::Context& gpu) : gpu_(gpu) {}

  /// Starts a picture of the cloud, which lives on; drawSome() fills it.
  void begin(glm::ivec2 size, const Camera& camera, const PointSpace& space, const PointLook& look);
  /// Draws for about this long; true once all points are there.
  bool drawSome(const PointCloud& cloud, double budgetMs);
  const gpu::Texture& picture() const { return picture_; }
  std::uint64_t drawn() const { return next_; }

 private:
  void drawFrame(const PointSpace& space, const PointLook& look);
  void drawRange(const PointCloud& cloud, std::uint64_t first, std::uint64_t count);

  gpu::Context& gpu_;
  gpu::Texture picture_, depth_;
  gpu::Target target_;
  gpu::Buffer<glm::vec4> frame_;
  shared::PointParams params_{};
  std::uint64_t next_ = 0;   // the first point that is not drawn yet
  std::uint64_t chunk_ = 0;  // points at once
};

}  // namespace fathom::deep
