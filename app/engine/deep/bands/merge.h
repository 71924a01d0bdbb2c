// SPDX-License-Identifier: BSD-3-Clause
// How what is open becomes one image. MergeSetup is the value of it: the settings with everything
// decided that they leave open, the shape of the lists and the edits; with it what the lists on the
// device depend on. EditedMerge does it with the lists of a band: inputs are moved and cut, merged,
// held out or in, and the merged lists tidied, cleared of what is hidden and thinned; saved as
// lists or composited. Functions do it on the host, for images whose colors the device does not
// hold.
#pragma once

#include "app/engine/deep/lists/fragment_lists.h"
#include "app/engine/deep/operations/operations.h"
#include "app/engine/deep/read/inputs.h"
#include "app/engine/deep/settings/input_edits.h"
#include "app/engine/deep/settings/settings.h"
#include "app/engine/gpu/context.h"

namespace fathom::deep {

/// All inputs, where one of them is asked for by number.
constexpr std::size_t kAllInputs = SIZE_MAX;

/// Everything that decides what the lists of the inputs hold.
struct ListsKey {
  std::uint64_t inputs = 0, shaders = 0;  // generations
  ListShape shape;
  SortMethod sort = SortMethod::Auto;
  glm::ivec2 size{0};
  Camera camera = {};  // of a scene
  bool operator==(const ListsKey&) const = default;
};

struct MergeSetup {
  MergeSetup() = default;
  /// `resolved`: settings with a layout (resolveAuto()).
  MergeSetup(const Settings& resolved, const Inputs& inputs);

  Settings settings;
  ListShape shape;
  std::size_t inputCount = 0;
  bool hasVolumes = false;
  bool isMade = false;  // one image, that steps made of all inputs

  bool isIndexed() const { return shape.format == FragmentFormat::Indexed; }
  Edits edits(Purpose purpose) const { return editsOf(settings, inputCount, hasVolumes, purpose); }
  /// Whose fragments are points or counted apart: inputs by number, each after its edits and what
  /// holds it; or kAllInputs where an operation makes one list of them.
  std::vector<std::size_t> sources() const;
  /// What tells its points from others: all inputs together come behind the last.
  int numberOf(std::size_t source) const { return int(source == kAllInputs ? inputCount : source); }
};

ListsKey listsKeyOf(const Inputs& inputs, const MergeSetup& setup, const gpu::Context& gpu);

/// The merged image without fragments, as it is saved. `notes`, when given, gets what is said where
/// attributes of inputs differ.
DeepImage savedHeader(const Inputs& inputs, const MergeSetup& setup,
                      std::vector<std::string>* notes = nullptr);

// ---- On the host

/// The images with their edits, in the order in which they are merged.
std::vector<EditedInput> editedInputs(std::span<const DeepImage> images, const Edits& edits);
/// Merged and composited, only what is peeled out.
Image flattenEdited(std::span<const EditedInput> inputs, const MergeEdit& merge, const Rect& window,
                    const Peel& peel);
/// Images merged as they are, index words resolved.
DeepImage mergePlain(const std::vector<DeepImage>& images);

// ---- On the device

struct Band;  // band_store.h

/// Merges the lists of a band by the settings' edits. What lies between stays in the band, whose
/// buffers serve one merge after the other.
class EditedMerge {
 public:
  /// Both must outlive this.
  EditedMerge(ListStore& store, const MergeSetup& setup) : store_(store), setup_(setup) {}

  /// One list of all inputs after all edits, for this purpose. Valid until the next merge of the
  /// band.
  FragmentLists& merge(Band& band, Purpose purpose);
  /// All inputs merged for pictures, kept in the band while nothing but the view changes.
  FragmentLists& mergeKept(Band& band);
  /// What is left of a source (MergeSetup::sources()).
  FragmentLists& source(Band& band, std::size_t source);
  /// Whose fragments are counted: the inputs, or what is made of them.
  std::vector<FragmentLists*> counted(Band& band);
  /// Merges what is to be merged, composites the rest into the band's region of `picture`.
  void composite(Band& band, const gpu::Texture& picture);

  /// How far thinning moved light that shows, so far.
  float largestMove() const { return largestMove_; }

 private:
  using ByRole = std::array<std::vector<FragmentLists*>, 3>;
  /// Inputs moved and cut by their edits, per role; of those that are added, `only` one.
  ByRole editInputs(Band& band, const Edits& edits, std::size_t only);
  /// mergeDown() of the inputs after their edits, then what is done with the merged
  /// lists.
  std::vector<FragmentLists*> merge(Band& band, const Edits& edits, bool toOne,
                                    std::size_t only = kAllInputs);
  FragmentLists& editMerged(Band& band, const Edits& edits, const ByRole& byRole,
                            FragmentLists& merged);

  ListStore& store_;
  const MergeSetup& setup_;
  float largestMove_ = 0;
};

}  // namespace fathom::deep
