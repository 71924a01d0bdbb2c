// SPDX-License-Identifier: BSD-3-Clause
// What a model is fitted to: a picture, frames of a video, or a grid of views. Values are encoded
// perceptually (sRGB by default): a fit of linear light would spend its components on
// differences in the dark that are invisible.
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/core/progress.h"
#include "app/engine/smoe/model/model.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

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
  std::string name;  // for messages and Model::source
  /// What a user should know of how the input was read; empty: nothing.
  std::string note;
  /// Encoded values 0..1 in colorSpace: vec4[height][width] per picture, w is unused.
  std::vector<Image> pictures;
  /// The alpha of one picture, gray, to be fitted by a model of its own; the colors are premultiplied,
  /// as they look over black. Null: opaque, or views and frames.
  std::shared_ptr<const TrainingSet> alpha;
  /// Pictures that are kept out of the fit, to judge it by; ascending.
  std::vector<std::size_t> heldOut;

  /// View coordinates of picture i.
  ViewCoordinates coordinatesOf(std::size_t i) const;
  /// The picture nearest to the origin of views; of frames the first.
  std::size_t middle() const;
  bool isHeldOut(std::size_t i) const;
  /// Every picture that is not held out, in order.
  std::vector<std::size_t> fitted() const;
};

/// A picture file, a folder of views, or a folder of frames (app/engine/io/view_folder.h); of views and
/// frames, alpha is left out: they are composited over black. Runs on any thread. Throws Error naming the file: unreadable, of another
/// size than the others, more than kMaxSamples in all.
TrainingSet readTraining(const std::filesystem::path& input, ColorSpace space, Progress& progress);

/// From a picture that is there already: linear, premultiplied.
TrainingSet trainingFrom(const Image& picture, ColorSpace space, const std::string& name);

/// Throws Error when `pictures` is 0, or when they have more than kMaxSamples pixels together.
void checkSamples(const std::string& name, glm::ivec2 size, std::size_t pictures);

/// Linear, premultiplied to values of the model's color space, 0..1; over black.
Image encoded(const Image& linear, ColorSpace space);

/// Holds out about every n-th picture, evenly distributed, never the middle one; below 2: none.
void holdOut(TrainingSet& training, int every);

}  // namespace fathom::smoe
