// SPDX-License-Identifier: BSD-3-Clause
// What is photographed, and how: the input, the settings, and the camera of a scene. Nothing of the
// GPU; what follows from these values alone is answered here.
#pragma once

#include "app/engine/dof/input.h"
#include "app/engine/dof/lens/optics.h"
#include "app/engine/dof/settings.h"
#include "app/engine/dof/splats/focus_mask.h"
#include "app/engine/dof/splats/point_lists.h"
#include "app/engine/scene/camera.h"

namespace fathom::dof {

struct Shot {
  Input input;
  std::uint64_t inputCount = 0;  // inputs opened so far: tells two of them apart
  Settings settings;
  Camera camera;                               // of a scene
  glm::ivec2 size{0};                          // px
  double autoScale = 1000;                     // mm per unit; found by open()
  std::shared_ptr<const Image> bokeh;          // read by readFiles()
  std::string bokehFile, lensFile;             // which ones were read
  std::optional<int> frameNumber = 1;          // of a sequence or a pull
  std::shared_ptr<const FocusMask> mask;       // read by readFiles(); a file's has its size
  std::string maskFile;                        // which one was read
  std::uint64_t masksRead = 0, maskInput = 0;  // how often, and for which of the inputs

  bool empty() const { return !input.scene && !input.deep && !input.flat; }
  /// Reads the lens, the bokeh picture and the focus mask that the settings name, if they are
  /// others. Throws Error.
  void readFiles();
  /// Others are named than were read.
  bool filesChanged() const;
  void readBokeh();
  void readMask();
  /// The mask of this frame, where there is one for each.
  std::string maskOfFrame() const;
  /// Takes a new input: its size where it has one, a scene's camera.
  void open(Input next);

  /// The operator works on splats in tile lists.
  bool splats() const { return settings.op <= Operator::LensCells; }
  /// All fragments of a pixel become splats, not only the nearest.
  bool layered() const { return settings.layers == Layers::All && (input.scene || input.deep); }
  /// Smooth discs, outside the space of variants: unless one of those is asked for, which know
  /// neither faults of the lens nor slabs or cells.
  bool smooth() const {
    return splats() &&
           (settings.variant == "auto" || settings.op >= Operator::Slabs || !aperture().plain());
  }
  /// The difference is shown of a picture that is not itself the ground truth.
  bool needsTruth() const {
    return settings.show == Show::Difference && input.scene && settings.op != Operator::Lens;
  }

  /// The scene's camera with depth planes around the scene.
  Camera sceneCamera() const;
  /// Of the settings; automatic: a meter, unless the picture, at its size when it was opened, then
  /// showed no blur: what lies in the middle of the depths is 3 m away then.
  double mmPerUnit() const {
    return settings.mmPerUnit > 0 ? double(settings.mmPerUnit) : autoScale;
  }
  /// `autoFocus` in scene units: used when the settings give no focus distance.
  Lens lens(double autoFocus) const;
  /// Width of a pixel on the plane at distance 1: what radial depths are turned planar with.
  double tangentPerPixel() const;
  /// What the lens lets through; faults of color depend on the lens, but not on its focus.
  Aperture aperture() const;
  /// The full frame, in pixels of the picture.
  ImageFrame frame() const;
  /// Pixels that are captured beyond the picture on each side: what can be blurred into it.
  int margin() const;
  /// Samples along a pixel's side: 1 for files, which have no more.
  int samples() const { return input.scene ? settings.supersamples() : 1; }
  /// The shot with each sample a pixel: what is captured, splatted and composited, before it is
  /// averaged. Throws Error when radii are too large for that.
  Shot finer() const;
  /// How volumes are cut for this lens.
  Slicing slicing(const Lens& lens) const;
  /// Where the picture's pixel (0, 0) lies in a file's data.
  glm::ivec2 origin() const;
  /// The frame of the file, relative to the same; empty: the picture.
  Rect displayWindow() const;
  float pixelAspect() const;
};

}  // namespace fathom::dof
