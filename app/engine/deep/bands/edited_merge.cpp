// SPDX-License-Identifier: BSD-3-Clause
// The order of the operations, each a pass from one list to another.
#include "app/engine/deep/bands/edited_merge.h"

namespace fathom::deep {

EditedMerge::ByRole EditedMerge::editInputs(Band& band, const Edits& edits, std::size_t only) {
  ByRole byRole;
  for (const std::size_t i : edits.order) {
    const InputEdit& edit = edits.inputs[i];
    if (!edit.visible || (edit.role == Role::Add && only != kAllInputs && only != i)) continue;
    FragmentLists* lists = &band.inputs[i];
    if (edit.movesOrCuts()) {
      editDepths(pipeline_.store, band.inputs[i], edit, setup_.hasVolumes, band.edited[i]);
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
    uploadLists(pipeline_.store, nothing, {0, 0}, region, setup_.shape, none);
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
  const std::vector<FragmentLists*> left =
      mergeDown(pipeline_.store, byRole[std::size_t(Role::Add)], band.merged, setup_.settings,
                goesOn || toOne);
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
  ListStore& store = pipeline_.store;
  const auto tidy = [&](FragmentLists& in, FragmentLists& out) { tidyLists(store, in, out); };

  // Hold out, then in, by all inputs of that role together.
  if (edits.holds() && setup_.hasVolumes) apply(tidy);
  for (const Role role : {Role::HoldOut, Role::HoldIn}) {
    const std::vector<FragmentLists*>& holding = byRole[std::size_t(role)];
    if (holding.empty()) continue;
    FragmentLists& matte =
        *mergeDown(pipeline_.store, holding, band.mattes, setup_.settings, true)[0];
    apply([&](FragmentLists& in, FragmentLists& out) {
      holdLists(store, in, matte, role, edits.merged.holdRule, out);
    });
  }
  // Tidy, drop hidden, thin.
  if (edits.merged.tidy) apply(tidy);
  if (edits.merged.dropHidden > 0)
    apply([&](FragmentLists& in, FragmentLists& out) {
      dropHidden(store, in, edits.merged.dropHidden, out);
    });
  if (edits.merged.maxCount > 0)
    apply([&](FragmentLists& in, FragmentLists& out) {
      largestMove_ = std::max(largestMove_, thinLists(store, in, edits.merged.maxCount, out));
    });
  return *current;
}

FragmentLists& EditedMerge::merge(Band& band, Purpose purpose) {
  return *merge(band, setup_.edits(purpose), true)[0];
}

FragmentLists& EditedMerge::mergeKept(Band& band) {
  const Settings settings = withoutView(setup_.settings);
  if (!band.whole || !(band.wholeSettings == settings)) {
    band.whole = &merge(band, Purpose::Picture);
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
    editDepths(pipeline_.store, whole, range, false, peeled);
    return {&peeled};
  }
  if (!setup_.isIndexed() && !setup_.edits(Purpose::File).isNothing())
    return {&merge(band, Purpose::File)};
  std::vector<FragmentLists*> inputs;
  for (FragmentLists& lists : band.inputs) inputs.push_back(&lists);
  return inputs;
}

void EditedMerge::composite(Band& band, const gpu::Texture& picture) {
  const Settings& settings = setup_.settings;
  if (const Peel peel = settings.view.peeled(); !peel.isNothing())
    return peelLists(pipeline_.store, mergeKept(band), peel, settings.earlyOut, picture);
  Edits edits = setup_.edits(Purpose::Picture);
  MergeEdit& merged = edits.merged;
  // Where nothing that shows is dropped, tidying and compositing are one pass, in float.
  const bool inOnePass = merged.tidy && (merged.dropHidden <= 0 || merged.dropHidden >= 1);
  if (merged.dropHidden >= 1) merged.dropHidden = 0;
  if (inOnePass) merged.tidy = false;
  const std::vector<FragmentLists*> left = merge(band, edits, inOnePass || settings.saveMerged);
  if (inOnePass)
    flattenTidy(pipeline_.store, *left[0], settings.earlyOut, picture);
  else
    compositeLists(pipeline_.store, left, settings, picture);
}

}  // namespace fathom::deep
