// SPDX-License-Identifier: BSD-3-Clause
// What is open: deep images in memory, a scene, or files that stay on the disk, with the windows,
// format and channels of their merged image; and how EXR files become that: which part of a file is
// meant and what it needs, which parts of several files belong together, and flat files with Z,
// whose pixels become lists of one fragment. Plain values, nothing of the device.
#pragma once

#include "app/engine/core/deep_image.h"
#include "app/engine/deep/read/streaming.h"
#include "app/engine/engine.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/picture.h"
#include "app/engine/scene/camera.h"
#include "app/engine/scene/scene.h"

namespace fathom::deep {

/// A deep EXR file as an input: which of its parts to read, and what it holds, known before
/// anything large is read.
struct InputFile {
  std::string path;
  std::string part;  // as asked for, or the one that is taken then
  std::uint64_t bytes = 0;
  std::vector<std::string> parts;  // all deep parts of the file: name, else view, else number
  DeepTotals totals;               // of the part
};

/// From header and count tables alone. Throws Error.
InputFile describeInput(const std::string& input, Progress& progress);

/// The question when these need more than `limit` bytes; empty when they do not.
std::string memoryQuestion(std::span<const InputFile> files, std::uint64_t limit);

/// Half of this machine's memory: more is asked about before it is taken.
std::uint64_t memoryWithoutAsking();

/// What is merged into one part.
struct PartGroup {
  std::string name, view;            // of the part; empty when the file does not say
  std::vector<std::string> inputs;   // FILE or FILE#PART
  std::vector<std::size_t> numbers;  // which of all inputs each of them is
};

/// Parts of the same view belong together, where there are none those of the same name. A file of
/// one deep part that has neither in common with the others belongs to all. One group when no input
/// has several deep parts, or `part` (or FILE#PART) names the one to take. `notes` gets a line for
/// each part that is not deep, and so in no group. Throws Error.
std::vector<PartGroup> partGroups(const std::vector<std::string>& inputs, const std::string& part,
                                  std::vector<std::string>& notes);

/// The picture when the file is a flat EXR with Z; none for anything else. Throws Error when it is
/// a damaged one.
std::optional<Picture> readFlatWithDepth(const fs::path& file, const std::string& part = {});

/// One fragment at Z per pixel; a volume [Z, Z + thickness) when the thickness is above 0. Pixels
/// without alpha and color become empty lists. NaN depth becomes +inf, NaN and infinite color 0,
/// and alpha is kept within 0..1; repairs are counted. Half where that loses nothing, else Indexed
/// with float channels. `picture.depth` is not empty.
DeepImage deepened(const Picture& picture, float thickness);

/// What steps made of images that were opened.
struct MadeImages {
  std::string steps;              // their text
  std::string complaint;          // why they are not done; the images are of other steps then
  std::vector<DeepImage> images;  // compatible (unify()); none: those that were opened
  bool isMerged = false;          // one image, of all inputs after their edits
  bool isResampled = false;       // and thinned by that
};

/// What was read: a scene, images, or files that stay on the disk.
struct Loaded : LoadedInputs {
  std::shared_ptr<const Scene> scene;
  std::vector<DeepImage> images;                  // attributes alone where the file is flat
  std::map<std::size_t, Picture> flats;           // by input; deep by the thickness that is set
  std::vector<InputFile> files;                   // per input, or none
  std::shared_ptr<const StreamedFiles> streamed;  // read band by band (BandMerger)
  std::string recipe, recipeFile;                 // alone, for what is open
};

bool accepts(const std::vector<std::string>& inputs);
std::unique_ptr<LoadedInputs> read(const std::vector<std::string>& inputs, Progress& progress);
/// A scene or EXR files. Files that need more than
/// `askAbove` bytes of memory are asked about (Progress::confirm) before they are read.
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
  /// What steps made takes the place of images(), until others are adopted. Throws nothing.
  void adoptMade(MadeImages&& made);
  void refuseSteps(const std::string& steps, const std::string& complaint) {
    made_->steps = steps, made_->complaint = complaint;
  }
  /// Flat inputs become deep again when their thickness has changed.
  void setThickness(float thickness);
  /// Of the picture of a scene; files have their own size.
  void setSize(int width, int height);
  /// A scene keeps all but its triangles and textures: a share that was dealt is what is drawn.
  void dropTriangles();

  /// There are lists to be shown.
  bool isOpen() const { return scene() || !loaded_->images.empty(); }
  std::size_t count() const;        // of images()
  std::size_t openedCount() const;  // before steps made one of them
  const std::vector<std::string>& names() const { return loaded_->names; }
  /// The file's name, or the part's.
  std::string nameOf(std::size_t input) const;
  const std::shared_ptr<const Scene>& scene() const { return loaded_->scene; }
  const std::vector<DeepImage>& images() const {
    return made_->images.empty() ? loaded_->images : made_->images;
  }
  /// The same, for another thread: they stay as they are when others are adopted.
  std::shared_ptr<const std::vector<DeepImage>> kept() const {
    return made_->images.empty()
               ? std::shared_ptr<std::vector<DeepImage>>(loaded_, &loaded_->images)
               : std::shared_ptr<std::vector<DeepImage>>(made_, &made_->images);
  }
  const std::vector<DeepImage>& openedImages() const { return loaded_->images; }
  const MadeImages& made() const { return *made_; }
  const std::shared_ptr<const StreamedFiles>& streamed() const { return loaded_->streamed; }
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
  /// Another number whenever what is open has changed, or what steps made of it.
  std::uint64_t generation() const { return generation_; }
  /// The number that it had when it was opened.
  std::uint64_t openedGeneration() const { return openedGeneration_; }

 private:
  void adoptScene(Loaded&& loaded);
  void adoptImages(Loaded&& loaded, float thickness);
  void adoptFiles(Loaded&& loaded);
  void take(Loaded&& loaded);
  void measure();

  std::shared_ptr<Loaded> loaded_ = std::make_shared<Loaded>();
  std::shared_ptr<MadeImages> made_ = std::make_shared<MadeImages>();
  DeepImage merged_;  // the merged image without fragments
  glm::ivec2 size_{0};
  Camera camera_;
  float thickness_ = 0;  // that flat inputs were made deep by
  std::uint64_t fragmentCount_ = 0, generation_ = 0, openedGeneration_ = 0;
};

}  // namespace fathom::deep
