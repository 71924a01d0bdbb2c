// SPDX-License-Identifier: BSD-3-Clause
// How good an operator is: a scene in focus far, in the middle or near, blurred by each operator,
// and from many lens points. For the bench and for tests.
#pragma once

#include "app/engine/core/image.h"
#include "app/engine/dof/engine.h"
#include "app/engine/dof/lens/optics.h"

namespace fathom::dof {

enum class Focus { Far, Mid, Near };
const char* nameOf(Focus focus);

struct QualityMethod {
  std::string label;
  Operator op;
  Layers layers;
};
/// The paper's operator, gather, coverage, slabs and lens cells, on one layer and on all fragments.
const std::vector<QualityMethod>& qualityMethods();

/// A lens with one fault, or with none.
struct LensFault {
  std::string label;
  void (*apply)(Settings&);
};
/// No fault, each by itself, and all at once.
const std::vector<LensFault>& lensFaults();

class QualityScene {
 public:
  QualityScene(gpu::Context& gpu, const std::string& scene, glm::ivec2 size, Progress& progress);
  DofEngine& technique() { return technique_; }
  /// All of the work, which can be stopped: throws Cancelled.
  void update();

  /// Focus on the depth that 95 or 5 % of the pixels are nearer than, or between them in 1/z; the
  /// f-number is chosen so that one pixel in twenty has a radius beyond three quarters of R.
  void focus(Focus focus);
  /// Raises R, up to 32, and then the f-number, until hardly a pixel's radius is cut: lens samples
  /// cut none.
  void uncut();
  void choose(const QualityMethod& method);
  /// The picture of the chosen method.
  Image picture();
  Image truth(LensPoints points);
  /// Without any blur.
  Image sharp();
  /// dB on linear values clipped to 0..1; R pixels of border left out, as many as focus() found.
  double psnr(const Image& a, const Image& b);

 private:
  void findFocus(Focus focus);

  gpu::Context& gpu_;
  Progress& progress_;
  DofEngine technique_;
  int border_ = 0;
  std::vector<double> radii_;  // of all pixels, ascending
};

}  // namespace fathom::dof
