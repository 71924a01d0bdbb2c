// SPDX-License-Identifier: BSD-3-Clause
// What settings and inputs add up to; merging on the host by the reference's functions, and on the
// device in the order of the operations, each a pass from one list to another.
#include "app/engine/deep/bands/merge.h"

#include "app/engine/deep/bands/band_store.h"
#include "app/engine/deep/bands/steps.h"
#include "app/engine/deep/lists/arrange_lists.h"
#include "app/engine/deep/lists/merge_lists.h"
#include "app/engine/deep/reference.h"
#include "app/engine/io/exr/exr_attributes.h"

namespace fathom::deep {

MergeSetup::MergeSetup(const Settings& resolved, const Inputs& inputs)
    : settings(withStepEdits(resolved, inputs)),
      shape(shapeOf(resolved, inputs.format(resolved.captureFormat == CaptureFormat::Rgba8
                                                ? FragmentFormat::Rgba8
                                                : FragmentFormat::Half))),
      inputCount(inputs.count()),
      hasVolumes(inputs.hasVolumes()),
      isMade(inputs.made().isMerged) {}

std::vector<std::size_t> MergeSetup::sources() const {
  const Edits all = edits(Purpose::File);
  // Holding leaves points what they are; volumes become tidy before it, all inputs together.
  if (isMade || !all.merged.isNothing() || (all.holds() && hasVolumes)) return {kAllInputs};
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
  // One image that nothing is done with stays what it was.
  header.tidy = edits.merged.tidy || (header.tidy && edits.isNothing() && inputs.count() == 1);
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

EditedMerge::ByRole EditedMerge::editInputs(Band& band, const Edits& edits, std::size_t only) {
  ByRole byRole;
  for (const std::size_t i : edits.order) {
    const InputEdit& edit = edits.inputs[i];
    if (!edit.visible || (edit.role == Role::Add && only != kAllInputs && only != i)) continue;
    FragmentLists* lists = &band.inputs[i];
    if (edit.movesOrCuts()) {
      editDepths(store_, band.inputs[i], edit, setup_.hasVolumes, band.edited[i]);
      lists = &band.edited[i];
    }
    byRole[std::size_t(edit.role)].push_back(lists);
  }
  std::vector<FragmentLists*>& added = byRole[std::size_t(Role::Add)];
  if (added.empty()) {
    FragmentLists& none = band.edited[edits.inputs.size()];
    DeepImage nothing;
    nothing.format = setup_.shape.format;
    const Rect region = band.inputs.empty() ? band.region : band.inputs[0].region;
    uploadLists(store_, nothing, {0, 0}, region, setup_.shape, none);
    added.push_back(&none);
  }
  return byRole;
}

std::vector<FragmentLists*> EditedMerge::merge(Band& band, const Edits& edits, bool toOne,
                                               std::size_t only) {
  band.whole = nullptr;                       // its buffers serve this merge now
  band.edited.resize(setup_.inputCount + 3);  // per input, nothing, and two to take turns
  const ByRole byRole = editInputs(band, edits, only);
  const bool goesOn = edits.holds() || !edits.merged.isNothing();
  const std::vector<FragmentLists*> left = mergeDown(store_, byRole[std::size_t(Role::Add)],
                                                     band.merged, setup_.settings, goesOn || toOne);
  if (!goesOn) return left;
  return {&editMerged(band, edits, byRole, *left[0])};
}

FragmentLists& EditedMerge::editMerged(Band& band, const Edits& edits, const ByRole& byRole,
                                       FragmentLists& merged) {
  FragmentLists* current = &merged;
  FragmentLists *one = &band.edited[setup_.inputCount + 1],
                *other = &band.edited[setup_.inputCount + 2];
  const auto apply = [&](auto&& operation) {
    FragmentLists* out = current == one ? other : one;
    operation(*current, *out);
    current = out;
  };
  const auto tidy = [&](FragmentLists& in, FragmentLists& out) { tidyLists(store_, in, out); };

  // Hold out, then in, by all inputs of that role together.
  if (edits.holds() && setup_.hasVolumes) apply(tidy);
  for (const Role role : {Role::HoldOut, Role::HoldIn}) {
    const std::vector<FragmentLists*>& holding = byRole[std::size_t(role)];
    if (holding.empty()) continue;
    FragmentLists& matte = *mergeDown(store_, holding, band.mattes, setup_.settings, true)[0];
    apply([&](FragmentLists& in, FragmentLists& out) {
      holdLists(store_, in, matte, role, edits.merged.holdRule, out);
    });
  }
  // Tidy, drop hidden, thin.
  if (edits.merged.tidy) apply(tidy);
  if (edits.merged.dropHidden > 0)
    apply([&](FragmentLists& in, FragmentLists& out) {
      dropHidden(store_, in, edits.merged.dropHidden, out);
    });
  if (edits.merged.maxCount > 0)
    apply([&](FragmentLists& in, FragmentLists& out) {
      largestMove_ = std::max(largestMove_, thinLists(store_, in, edits.merged.maxCount, out));
    });
  return *current;
}

FragmentLists& EditedMerge::merge(Band& band, Purpose purpose) {
  return *merge(band, setup_.edits(purpose), true)[0];
}

FragmentLists& EditedMerge::mergeKept(Band& band) {
  const Settings settings = withoutView(setup_.settings);
  if (!band.whole || !(band.wholeSettings == settings)) {
    FragmentLists& whole = merge(band, Purpose::Picture);
    store_.expectWhole();
    band.whole = &whole;
    band.wholeSettings = settings;
  }
  return *band.whole;
}

FragmentLists& EditedMerge::source(Band& band, std::size_t source) {
  Edits edits = setup_.edits(Purpose::File);
  if (source != kAllInputs) edits.merged = {};
  return *merge(band, edits, true, source)[0];
}

std::vector<FragmentLists*> EditedMerge::counted(Band& band) {
  const Peel peel = setup_.settings.view.peeled();
  if (!setup_.isIndexed() && !peel.range.isAll()) {
    FragmentLists& whole = merge(band, Purpose::File);
    FragmentLists& peeled = &whole == &band.edited[setup_.inputCount + 1]
                                ? band.edited[setup_.inputCount + 2]
                                : band.edited[setup_.inputCount + 1];
    InputEdit range;
    range.nearest = peel.range.nearest, range.farthest = peel.range.farthest;
    editDepths(store_, whole, range, false, peeled);
    store_.expectWhole();
    return {&peeled};
  }
  if (!setup_.isIndexed() && !setup_.edits(Purpose::File).isNothing()) {
    FragmentLists& whole = merge(band, Purpose::File);
    store_.expectWhole();
    return {&whole};
  }
  std::vector<FragmentLists*> inputs;
  for (FragmentLists& lists : band.inputs) inputs.push_back(&lists);
  return inputs;
}

void EditedMerge::composite(Band& band, const gpu::Texture& picture) {
  const Settings& settings = setup_.settings;
  if (const Peel peel = settings.view.peeled(); !peel.isNothing())
    return peelLists(store_, mergeKept(band), peel, settings.earlyOut, picture);
  Edits edits = setup_.edits(Purpose::Picture);
  MergeEdit& merged = edits.merged;
  // Where nothing that shows is dropped, tidying and compositing are one pass, in float.
  const bool inOnePass = merged.tidy && (merged.dropHidden <= 0 || merged.dropHidden >= 1);
  if (merged.dropHidden >= 1) merged.dropHidden = 0;
  if (inOnePass) merged.tidy = false;
  const std::vector<FragmentLists*> left = merge(band, edits, inOnePass || settings.saveMerged);
  if (inOnePass)
    flattenTidy(store_, *left[0], settings.earlyOut, picture);
  else
    compositeLists(store_, left, settings, picture);
}

}  // namespace fathom::deep
