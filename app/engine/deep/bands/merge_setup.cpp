// SPDX-License-Identifier: BSD-3-Clause
// What settings and inputs add up to, and merging on the host by the reference's functions.
#include "app/engine/deep/bands/merge_setup.h"

#include "app/engine/core/deep_image.h"
#include "app/engine/deep/reference.h"
#include "app/engine/io/exr/exr_attributes.h"

namespace fathom::deep {

MergeSetup::MergeSetup(const Settings& resolved, const Inputs& inputs)
    : settings(resolved),
      shape(shapeOf(resolved, inputs.format(resolved.captureFormat == CaptureFormat::Rgba8
                                                ? FragmentFormat::Rgba8
                                                : FragmentFormat::Half))),
      inputCount(inputs.count()),
      hasVolumes(inputs.hasVolumes()) {}

std::vector<std::size_t> MergeSetup::sources() const {
  const Edits all = edits(Purpose::File);
  // Holding leaves points what they are; volumes become tidy before it, all inputs together.
  if (!all.merged.isNothing() || (all.holds() && hasVolumes)) return {kAllInputs};
  std::vector<std::size_t> sources;
  for (const std::size_t i : all.order)
    if (all.inputs[i].visible && all.inputs[i].role == Role::Add) sources.push_back(i);
  return sources;
}

ListsKey listsKeyOf(const Inputs& inputs, const MergeSetup& setup, const gpu::Context& gpu) {
  return {inputs.generation(), gpu.shaderGeneration(), setup.shape,
          setup.settings.sort, inputs.size(),          inputs.scene() ? inputs.camera() : Camera{}};
}

DeepImage savedHeader(const Inputs& inputs, const MergeSetup& setup,
                      std::vector<std::string>* notes) {
  DeepImage header = inputs.header(setup.shape.format);
  const Edits edits = setup.edits(Purpose::File);
  header.tidy = edits.merged.tidy;
  // Those of the inputs that are seen, in the order in which they are merged.
  const std::vector<SharedAttributes> all = inputs.attributes();
  std::vector<SharedAttributes> seen;
  std::vector<std::string> names;
  for (const std::size_t i : edits.order)
    if (i < all.size() && edits.inputs[i].visible && edits.inputs[i].role == Role::Add)
      seen.push_back(all[i]), names.push_back(inputs.scene() ? "" : inputs.names()[i]);
  if (seen.empty() && !all.empty()) seen = {all[0]}, names = {inputs.names()[0]};
  header.attributes = std::make_shared<const Attributes>(unitedAttributes(seen, names, notes));
  return header;
}

std::vector<EditedInput> editedInputs(std::span<const DeepImage> images, const Edits& edits) {
  std::vector<EditedInput> inputs = withEdits(images, edits.inputs);
  std::uint32_t base = 0;  // index words are numbered across all inputs
  for (EditedInput& input : inputs) {
    input.firstIndex = base;
    base += std::uint32_t(input.image->fragmentCount());
  }
  std::vector<EditedInput> ordered;
  for (const std::size_t input : edits.order) ordered.push_back(inputs[input]);
  return ordered;
}

Image flattenEdited(std::span<const EditedInput> inputs, const MergeEdit& merge, const Rect& window,
                    const Peel& peel) {
  if (peel.isNothing()) return flattenEdited(inputs, merge, window);
  return reference::flatten(mergeEdited(inputs, merge, nullptr, window), window, peel);
}

DeepImage mergePlain(const std::vector<DeepImage>& images) {
  DeepImage merged = reference::merge(images);
  if (merged.format == FragmentFormat::Indexed) gather(images, merged);
  return merged;
}

}  // namespace fathom::deep
