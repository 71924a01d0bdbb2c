// SPDX-License-Identifier: BSD-3-Clause
// What is open: deep images in memory, a scene, or files that stay on the disk; with the windows,
// format and channels that their merged image has. Plain values, nothing of the device.
#pragma once

#include "app/engine/core/deep_image.h"
#include "app/engine/deep/read/exr_inputs.h"
#include "app/engine/deep/read/streaming.h"
#include "app/engine/engine.h"
#include "app/engine/io/picture.h"
#include "app/engine/scene/camera.h"
#include "app/engine/scene/scene.h"

namespace fathom::deep {

/// What was read: a scene, images, or files that stay on the disk.
struct Loaded : LoadedInputs {
  std::shared_ptr<const Scene> scene;
  std::vector<DeepImage> images;                  // empty where the file is flat
  std::map<std::size_t, Picture> flats;           // by input; deep by the thickness that is set
  std::vector<InputFile> files;                   // per input, or none
  std::shared_ptr<const StreamedFiles> streamed;  // read band by band (BandMerger)
};

bool accepts(const std::vector<std::string>& inputs);
std::unique_ptr<LoadedInputs> read(const std::vector<std::string>& inputs, Progress& progress);
/// A scene or EXR files. Files that need more than `askAbove` bytes of memory are asked about
/// (Progress::confirm) before they are read.
std::unique_ptr<LoadedInputs> readInputs(const std::vector<std::string>& inputs, Progress& progress,
                                         std::uint64_t askAbove);
/// EXR files, without asking.
std::unique_ptr<Loaded> readFiles(const std::vector<std::string>& files,
                                  const DeepReadOptions& options);
std::unique_ptr<Loaded> loaded(std::vector<DeepImage> images, std::vector<std::string> names);
/// Files that stay on the disk: a BandMerger reads them band by band, for everything else nothing
/// is open.
std::unique_ptr<Loaded> loaded(std::shared_ptr<const StreamedFiles> files);

class Inputs {
 public:
  /// Makes inputs current; images become compatible, flat ones deep. Throws Error; the old inputs
  /// stay.
  void adopt(Loaded&& loaded, float thickness);
  /// Flat inputs become deep again when their thickness has changed.
  void setThickness(float thickness);
  /// Of the picture of a scene; files have their own size.
  void setSize(int width, int height);

  /// There are lists to be shown.
  bool isOpen() const { return scene() || !loaded_.images.empty(); }
  std::size_t count() const;
  const std::vector<std::string>& names() const { return loaded_.names; }
  /// The file's name, or the part's.
  std::string nameOf(std::size_t input) const;
  const std::shared_ptr<const Scene>& scene() const { return loaded_.scene; }
  const std::vector<DeepImage>& images() const { return loaded_.images; }
  const std::shared_ptr<const StreamedFiles>& streamed() const { return loaded_.streamed; }
  /// What was known of an input's file before it was read, if it was one.
  const InputFile* file(std::size_t input) const;

  glm::ivec2 size() const { return size_; }
  glm::ivec2 origin() const { return {merged_.dataWindow.x, merged_.dataWindow.y}; }
  /// A region of the picture in the coordinates of the images.
  Rect windowOf(const Rect& region) const;
  /// Fragments of volumes, from Z to ZBack.
  bool hasVolumes() const { return !scene() && merged_.hasZBack; }
  /// The merged image's header: windows, format, channels; of a scene once they are captured in
  /// `captured`.
  DeepImage header(FragmentFormat captured) const;
  /// What was repaired while reading, per input; nothing of a scene.
  std::vector<DeepRepairs> repairs() const;
  /// Of the headers, per input; of a scene one list, which holds its camera.
  std::vector<SharedAttributes> attributes() const;
  FragmentFormat format(FragmentFormat captured) const {
    return scene() || count() == 0 ? captured : merged_.format;
  }
  /// Of files; 0 for a scene, which is not drawn yet.
  std::uint64_t fragmentCount() const { return fragmentCount_; }

  /// The view of the scene; at first the scene's own.
  Camera& camera() { return camera_; }
  const Camera& camera() const { return camera_; }
  /// Another number whenever what is open has changed.
  std::uint64_t generation() const { return generation_; }

 private:
  void adoptScene(Loaded&& loaded);
  void adoptImages(Loaded&& loaded, float thickness);
  void adoptFiles(Loaded&& loaded);

  Loaded loaded_;
  DeepImage merged_;  // the merged image without fragments
  glm::ivec2 size_{0};
  Camera camera_;
  float thickness_ = 0;  // that flat inputs were made deep by
  std::uint64_t fragmentCount_ = 0, generation_ = 0;
};

}  // namespace fathom::deep
