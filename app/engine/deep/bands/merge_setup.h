// SPDX-License-Identifier: BSD-3-Clause
// How what is open becomes one image, as a value: the settings with everything decided that they
// leave open, the shape of the lists and the edits. With it what the lists on the device depend on,
// and the same merge on the host for images whose colors the device does not hold.
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

  bool isIndexed() const { return shape.format == FragmentFormat::Indexed; }
  Edits edits(Purpose purpose) const { return editsOf(settings, inputCount, hasVolumes, purpose); }
  /// Whose fragments are points or counted apart: inputs by number, each after its edits and what
  /// holds it; or kAllInputs where an operation makes one list of them.
  std::vector<std::size_t> sources() const;
};

ListsKey listsKeyOf(const Inputs& inputs, const MergeSetup& setup, const gpu::Context& gpu);

/// The merged image without fragments, as it is saved. `notes`, when given, gets what is said where
/// attributes of inputs differ.
DeepImage savedHeader(const Inputs& inputs, const MergeSetup& setup,
                      std::vector<std::string>* notes = nullptr);

// On the host
// -------------------------------------------------------------------------------------------------

/// The images with their edits, in the order in which they are merged.
std::vector<EditedInput> editedInputs(std::span<const DeepImage> images, const Edits& edits);
/// Merged and composited, only what is peeled out.
Image flattenEdited(std::span<const EditedInput> inputs, const MergeEdit& merge, const Rect& window,
                    const Peel& peel);
/// Images merged as they are, index words resolved.
DeepImage mergePlain(const std::vector<DeepImage>& images);

}  // namespace fathom::deep
