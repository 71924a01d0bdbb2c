// SPDX-License-Identifier: BSD-3-Clause
// The operations of the settings over the lists of a band, and over whole images where the GPU does
// not hold their colors.
#include "app/techniques/deep/technique.h"

#include "app/techniques/deep/input_edits.h"
#include "app/techniques/deep/reference.h"

#include <algorithm>
#include <array>

namespace fathom::deep {

std::vector<InputEdit> DeepTechnique::edits() const { return editsOf(settings_, inputCount()); }

void DeepTechnique::setEdits(std::span<const InputEdit> edits) { deep::setEdits(settings_, edits); }

MergeEdit DeepTechnique::mergeEdit(bool saved) const {
  MergeEdit merge;
  merge.tidy =
      settings_.tidy == Tidy::On || (!saved && settings_.tidy == Tidy::Auto && hasVolumes());
  merge.dropHidden = settings_.dropHidden;
  merge.most = saved ? settings_.thin : 0;
  return merge;
}

bool DeepTechnique::hasEdits(bool saved) const {
  const std::vector<InputEdit> all = edits();
  return !mergeEdit(saved).isNothing() || !settings_.order.empty() ||
         !std::all_of(all.begin(), all.end(), [](const InputEdit& e) { return e.isNothing(); });
}

std::vector<EditedInput> DeepTechnique::ordered(std::vector<EditedInput> inputs) const {
  std::vector<EditedInput> sorted;
  for (const std::size_t input : order()) sorted.push_back(inputs[input]);
  return sorted;
}

std::vector<EditedInput> DeepTechnique::editedInputs() const {
  std::vector<EditedInput> inputs = withEdits(images_, edits());
  std::uint32_t base = 0;  // the index words count through all inputs
  for (EditedInput& input : inputs) {
    input.firstIndex = base;
    base += std::uint32_t(input.image->fragmentCount());
  }
  return ordered(std::move(inputs));
}

DeepImage DeepTechnique::mergeOnCpu(const Rect& region, bool saved) {
  const Rect window{region.x + window_.x, region.y + window_.y, region.width, region.height};
  float move = 0;
  DeepImage merged = mergeEdited(editedInputs(), mergeEdit(saved), &move, window);
  largestMove_ = std::max(largestMove_, move);
  return merged;
}

FragmentLists& DeepTechnique::editedInput(Band& band, std::size_t input, const InputEdit& edit) {
  if (!edit.movesOrCuts()) return band.inputs[input];
  pipeline_->editDepths(band.inputs[input], edit, hasVolumes(), band.edited[input]);
  return band.edited[input];
}

std::vector<std::size_t> DeepTechnique::pointSources() const {
  const std::vector<InputEdit> all = edits();
  const bool holds = std::any_of(all.begin(), all.end(), [](const InputEdit& edit) {
    return edit.visible && edit.role != Role::Add;
  });
  // Holding leaves points what they are; volumes become tidy before it, all inputs together.
  if (!mergeEdit(true).isNothing() || (holds && hasVolumes())) return {kAllInputs};
  std::vector<std::size_t> sources;
  for (const std::size_t i : order())
    if (all[i].visible && all[i].role == Role::Add) sources.push_back(i);
  return sources;
}

FragmentLists& DeepTechnique::pointList(Band& band, std::size_t source) {
  return *mergeWithEdits(band, true, source == kAllInputs ? mergeEdit(true) : MergeEdit{},
                         source)[0];
}

/// Inputs moved and cut as their edits say, by role; room for results stands in the band.
std::array<std::vector<FragmentLists*>, 3> DeepTechnique::editedLists(Band& band,
                                                                      std::size_t only) {
  const std::vector<InputEdit> all = edits();
  std::array<std::vector<FragmentLists*>, 3> byRole;
  for (const std::size_t i : order()) {
    if (!all[i].visible || (all[i].role == Role::Add && only != kAllInputs && only != i)) continue;
    byRole[std::size_t(all[i].role)].push_back(&editedInput(band, i, all[i]));
  }
  std::vector<FragmentLists*>& added = byRole[std::size_t(Role::Add)];
  if (added.empty()) {
    FragmentLists& none = band.edited[all.size()];
    DeepImage nothing;
    nothing.format = shape().format;
    const Rect region = band.inputs.empty() ? band.region : band.inputs[0].region;
    pipeline_->upload(nothing, {0, 0}, region, shape(), none);
    added.push_back(&none);
  }
  return byRole;
}

std::vector<FragmentLists*> DeepTechnique::mergeWithEdits(Band& band, bool toOne,
                                                          const MergeEdit& merge,
                                                          std::size_t only) {
  const std::size_t inputs = inputCount();
  band.whole = nullptr;            // its buffers serve this merge now
  band.edited.resize(inputs + 3);  // per input, nothing, and two to take turns
  auto byRole = editedLists(band, only);
  const bool holds = !byRole[1].empty() || !byRole[2].empty();
  const bool goesOn = holds || !merge.isNothing();
  std::vector<FragmentLists*> left =
      pipeline_->mergeDown(byRole[0], band.merged, settled_, goesOn || toOne);
  if (!goesOn) return left;

  FragmentLists* current = left[0];
  const auto apply = [&](auto&& operation) {
    FragmentLists& out = band.edited[current == &band.edited[inputs + 1] ? inputs + 2 : inputs + 1];
    operation(*current, out);
    current = &out;
  };
  const auto tidy = [&](FragmentLists& in, FragmentLists& out) { pipeline_->tidy(in, out); };
  if (holds && hasVolumes()) apply(tidy);
  for (const Role role : {Role::HoldOut, Role::HoldIn}) {
    if (byRole[std::size_t(role)].empty()) continue;
    FragmentLists& matte =
        *pipeline_->mergeDown(byRole[std::size_t(role)], band.mattes, settled_, true)[0];
    apply([&](FragmentLists& in, FragmentLists& out) { pipeline_->hold(in, matte, role, out); });
  }
  if (merge.tidy) apply(tidy);
  if (merge.dropHidden > 0)
    apply([&](FragmentLists& in, FragmentLists& out) {
      pipeline_->dropHidden(in, merge.dropHidden, out);
    });
  if (merge.most > 0)
    apply([&](FragmentLists& in, FragmentLists& out) {
      largestMove_ = std::max(largestMove_, pipeline_->thin(in, merge.most, out));
    });
  return {current};
}

void DeepTechnique::composite(Band& band, const gpu::Texture& picture) {
  if (const Peel peel = settings_.seeing.peeled(); !peel.isNothing())
    return pipeline_->peel(merged(band), peel, settings_.earlyOut, picture);
  MergeEdit merge = mergeEdit(false);
  // Where nothing that shows is dropped, tidying and compositing are one pass, in float.
  const bool atOnce = merge.tidy && (merge.dropHidden <= 0 || merge.dropHidden >= 1);
  if (merge.dropHidden >= 1) merge.dropHidden = 0;
  if (atOnce) merge.tidy = false;
  const std::vector<FragmentLists*> left =
      mergeWithEdits(band, atOnce || settings_.saveMerged, merge);
  if (atOnce)
    pipeline_->flattenTidy(*left[0], settled_.earlyOut, picture);
  else
    pipeline_->composite(left, settled_, picture);
}

Image DeepTechnique::flattened(std::span<const EditedInput> inputs, const Rect& window) const {
  const Peel peel = settings_.seeing.peeled();
  if (peel.isNothing()) return flattenEdited(inputs, mergeEdit(false), window);
  return reference::flatten(mergeEdited(inputs, mergeEdit(false), nullptr, window), window, peel);
}

std::vector<FragmentLists*> DeepTechnique::countedLists(Band& band) {
  if (hasEdits(true) && shape().format != FragmentFormat::Indexed)
    return mergeWithEdits(band, true, mergeEdit(true));
  std::vector<FragmentLists*> inputs;
  for (FragmentLists& lists : band.inputs) inputs.push_back(&lists);
  return inputs;
}

std::vector<DeepTechnique::Sourced> DeepTechnique::editedAt(int x, int y) {
  std::vector<Sourced> list;
  const std::vector<std::size_t> order = this->order();
  const auto append = [&](const std::vector<EditedInput>& inputs) {
    for (const EditedFragment& f :
         editedList(inputs, mergeEdit(true), x + window_.x, y + window_.y))
      list.push_back({f.fragment, int(order[std::size_t(f.input)])});
  };
  if (!scene_) {
    append(editedInputs());
    return list;
  }
  for (Band& band : bands_) {
    if (!band.region.contains(x, y)) continue;
    if (!working_) ensureResident(band);
    if (!band.resident) continue;
    std::vector<DeepImage> parts;
    for (const FragmentLists& lists : band.inputs) {
      DeepImage& part = parts.emplace_back(emptyMerged());
      part.dataWindow = {x + window_.x, y + window_.y, 1, 1};
      part.words = pipeline_->readList(lists, x, y);
      part.fragmentOffsets = {0, part.words.size() / std::size_t(part.stride())};
    }
    append(ordered(withEdits(parts, edits())));
  }
  return list;
}

}  // namespace fathom::deep
