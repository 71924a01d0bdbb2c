// SPDX-License-Identifier: BSD-3-Clause
// Merging the lists of a band by the settings' edits: inputs are moved and cut, merged, held
// out or in, and the merged lists tidied, cleared of what is hidden and thinned; saved as lists or
// composited. What lies between stays in the band, whose buffers serve one merge after the other.
#pragma once

#include "app/engine/deep/bands/band_store.h"

namespace fathom::deep {

class EditedMerge {
 public:
  /// Both must outlive this.
  EditedMerge(Pipeline& pipeline, const MergeSetup& setup) : pipeline_(pipeline), setup_(setup) {}

  /// One list of all inputs after all edits, for this purpose. Valid until the next merge of the
  /// band.
  FragmentLists& merge(Band& band, Purpose purpose);
  /// The same for pictures, kept in the band while nothing but the view changes.
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

  Pipeline& pipeline_;
  const MergeSetup& setup_;
  float largestMove_ = 0;
};

}  // namespace fathom::deep
