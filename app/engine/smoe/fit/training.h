// SPDX-License-Identifier: BSD-3-Clause
// What a model is fitted to: a picture, frames of a video, or a grid of views. Values are encoded
// perceptually (sRGB, or asinh for light above 1): a fit of linear light would spend its components
// on differences in the dark that are invisible.
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/core/progress.h"
#include "app/engine/gpu/context.h"
#include "app/engine/scene/scene_renderer.h"
#include "app/engine/smoe/model/model.h"

namespace fathom::smoe {

/// Pixels of all pictures together, at most; 16 bytes each.
constexpr std::int64_t kMaxSamples = std::int64_t(1) << 26;

struct TrainingSet {
  int dims = 2;        // 2: one picture; 3: frames; 4: views, a1 outermost
  glm::ivec2 size{0};  // px of each picture
  int frames = 1;
  glm::ivec2 views{1};       // grid along a1 (columns, to the right) and a2 (rows, downward)
  glm::dvec2 viewOrigin{0};  // the view with a = 0: the middle of the grid
  ColorSpace colorSpace = ColorSpace::Srgb;
  double peak = 1;   // of asinh: the light that is 1
  std::string name;  // for messages and Model::source
  /// What a user should know of how the input was read; empty: nothing.
  std::string note;
  /// Encoded values 0..1 in colorSpace: vec4[height][width] per picture, w is unused.
  std::vector<Image> pictures;
  /// The alpha of one picture, gray, to be fitted by a model of its own; the colors are
  /// premultiplied, as they look over black. Null: opaque, or views and frames.
  std::shared_ptr<const TrainingSet> alpha;
  /// Pictures that are kept out of the fit, to judge it by; ascending.
  std::vector<std::size_t> heldOut;

  Coding coding() const { return {colorSpace, peak}; }
  /// View coordinates of picture i.
  ViewCoordinates coordinatesOf(std::size_t i) const;
  /// The picture nearest to the origin of views; of frames the first.
  std::size_t middle() const;
  /// The picture whose view or frame is nearest.
  std::size_t nearest(ViewCoordinates at) const;
  bool isHeldOut(std::size_t i) const;
  /// Every picture that is not held out, in order.
  std::vector<std::size_t> fitted() const;
};
using SharedTraining = std::shared_ptr<const TrainingSet>;

/// A picture file, a folder of views, or a folder of frames (app/engine/io/view_folder.h); of views
/// and frames, alpha is left out: they are composited over black. Coded `as` a model that is there,
/// else as suits them: sRGB, or asinh where there is light above 1, and a gray picture as gray.
/// Runs on any thread. Throws Error naming the file: unreadable, of another size than the others,
/// more than kMaxSamples in all.
TrainingSet readTraining(const fs::path& input, const std::optional<Coding>& as,
                         Progress& progress);

/// From a picture that is there already: linear, premultiplied.
TrainingSet trainingFrom(const Image& picture, const std::optional<Coding>& as,
                         const std::string& name);

/// How the source of a model is to be coded; none, as suits it: what is there is an alpha's model.
std::optional<Coding> sourceCoding(const Model& model);

/// Throws Error when `pictures` is 0, or when they have more than kMaxSamples pixels together.
void checkSamples(const std::string& name, glm::ivec2 size, std::size_t pictures);

/// Linear, premultiplied to values of the model's color space, 0..1; over black.
Image encoded(const Image& linear, const Coding& coding);

/// A model of these pictures, without components: all but how it was made.
Model emptyModel(const TrainingSet& training);

/// Holds out about every n-th picture, evenly distributed, never the middle one; below 2: none.
void holdOut(TrainingSet& training, int every);

// ---- Light fields from the program's own scenes

/// A grid of pinhole cameras on a plane, parallel axes, off-axis frusta that keep the plane in
/// focus where it is. Content at depth z moves by -p b (1/z - 1/focus) px per step to the right or
/// down (p: distance of the image plane in px, b: baseline): near things against the camera.
struct CaptureRequest {
  glm::ivec2 grid{9};
  glm::ivec2 size{256, 192};
  double disparity = 1;  // px per step: the largest of anything in sight
  double focus = 0;      // m along the view axis; 0: such that nearest and farthest move alike
  int samples = 4;       // per pixel and axis
};

struct CaptureFacts {
  double focus = 0, baseline = 0;              // m; baseline per step
  double nearZ = 0, farZ = 0;                  // m: what is in sight in the views looked at so far
  double disparityLow = 0, disparityHigh = 0;  // px per step, of these
};

/// Draws views of one scene, Lambertian: without the highlights, which move against their surface.
class ViewCapture {
 public:
  /// Looks at the scene from the middle and from the corners of the grid to choose focus and
  /// baseline. Throws Error when nothing is in sight, or when this device cannot draw the size.
  ViewCapture(gpu::Context& gpu, std::shared_ptr<const Scene> scene, const CaptureRequest& request,
              Progress& progress);

  /// The view at any coordinates, whole or not: linear, w 1.
  Image view(ViewCoordinates a);
  /// The views of the grid, a1 outermost, without pictures; drawNext() adds the next of them,
  /// encoded for a fit, and is false when that was the last.
  TrainingSet beginTraining(ColorSpace space, Progress& progress);
  bool drawNext(TrainingSet& set, Progress& progress);
  /// All of them.
  TrainingSet training(ColorSpace space, Progress& progress);
  const CaptureFacts& facts() const { return facts_; }
  const CaptureRequest& request() const { return request_; }
  glm::dvec2 origin() const { return glm::dvec2(request_.grid - 1) / 2.0; }
  const std::string& source() const { return renderer_.scene().name; }

 private:
  void chooseBaseline(Progress& progress);
  Camera cameraAt(ViewCoordinates a) const;
  Image drawn(const Camera& camera);
  void addDepths(const Image& colorAndDepth);

  gpu::Context& gpu_;
  CaptureRequest request_;
  SceneRenderer renderer_;
  PictureCapture capture_;
  Camera camera_;
  double pixelsPerTangent_ = 0;  // p
  CaptureFacts facts_;
};

/// Writes the views as PNG with their views.json into `folder`, which must be new or empty;
/// complete or not at all.
void writeViews(ViewCapture& capture, const std::string& folder, Progress& progress);

}  // namespace fathom::smoe
