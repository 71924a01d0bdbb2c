// SPDX-License-Identifier: BSD-3-Clause
// One pixel after the other, rows on all cores: gather, hold, tidy, drop, thin, and write down; and
// depth ranges as text, NEAR:FAR, and as keys that shaders compare.
#include "app/engine/deep/operations/operations.h"

#include "app/engine/core/bytes.h"
#include "app/engine/core/error.h"
#include "app/engine/core/fields.h"
#include "app/engine/core/jobs.h"
#include "app/engine/deep/operations/sample_list.h"
#include "app/engine/io/exr/id_filter.h"

namespace fathom::deep {
namespace {

/// One end of a range; empty keeps what it is.
bool parseRangeEnd(const std::string& text, float& end) {
  if (text.empty()) return true;
  char* rest = nullptr;
  const float value = std::strtof(text.c_str(), &rest);
  if (*rest != 0 || std::isnan(value)) return false;
  end = value;
  return true;
}

/// The inputs and what to do with them, for one pixel after the other; one per thread.
class PixelEditor {
 public:
  PixelEditor(std::span<const EditedInput> inputs, const MergeEdit& merge)
      : inputs_(inputs), merge_(merge), plan_(colorPlanOf(*inputs[0].image)) {
    plan_.inputs = inputs;
    hasVolumes_ = std::any_of(inputs.begin(), inputs.end(),
                              [](const EditedInput& input) { return input.image->hasZBack; });
  }

  /// The edited list of pixel (x, y) in image coordinates; good until the next call.
  const SampleList& at(int x, int y) {
    gather(Role::Add, x, y, list_);
    if (hasVolumes_ && (isUsed(Role::HoldOut) || isUsed(Role::HoldIn))) tidy(plan_, list_);
    for (const Role role : {Role::HoldOut, Role::HoldIn}) {
      if (!isUsed(role)) continue;
      gather(role, x, y, matte_);
      hold(plan_, role, merge_.holdRule, matte_, list_);
    }
    if (merge_.tidy) tidy(plan_, list_);
    if (merge_.dropHidden > 0) dropHidden(plan_, merge_.dropHidden, list_);
    if (merge_.maxCount > 0) report.add({.move = thin(plan_, merge_.maxCount, list_)});
    if (merge_.thinError > 0)
      report.add(
          thinToError(plan_, {merge_.thinError, merge_.thinRelative, merge_.thinDepth}, list_));
    return list_;
  }
  const ColorPlan& plan() const { return plan_; }
  ThinReport report;

 private:
  bool isUsed(Role role) const {
    return std::any_of(inputs_.begin(), inputs_.end(), [role](const EditedInput& input) {
      return input.edit.visible && input.edit.role == role;
    });
  }
  /// The lists of all visible inputs of one role, moved, cut and merged.
  void gather(Role role, int x, int y, SampleList& out) {
    out.clear();
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const InputEdit& edit = inputs_[i].edit;
      const DeepImage& image = *inputs_[i].image;
      if (!edit.visible || edit.role != role || !image.dataWindow.contains(x, y)) continue;
      const std::size_t p = image.pixelIndex(x, y), before = out.items.size();
      for (std::size_t f = image.fragmentOffsets[p]; f < image.fragmentOffsets[p + 1]; ++f)
        if (!inputs_[i].filter || inputs_[i].filter->has(image, f, inputs_[i].firstIndex))
          decode(plan_, inputs_, int(i), f, out);
      moveAndCut(plan_, edit, before, out);
    }
    sortSamples(out);
  }

  std::span<const EditedInput> inputs_;
  const MergeEdit& merge_;
  ColorPlan plan_;
  bool hasVolumes_ = false;  // then all lists are tidied, those of points too
  SampleList list_, matte_;
};

DeepImage emptyLike(std::span<const EditedInput> inputs) {
  const DeepImage& like = *inputs[0].image;
  DeepImage out = emptyLike(like, {});
  for (const EditedInput& input : inputs) {
    FATHOM_CHECK(input.image->format == like.format);
    FATHOM_CHECK_OP(input.image->channels.size(), ==, like.channels.size());
    out.dataWindow = unite(out.dataWindow, input.image->dataWindow);
    out.hasZBack = out.hasZBack || input.image->hasZBack;
  }
  return out;
}

}  // namespace

ZRange parseZRange(const std::string& setting, const std::string& text) {
  ZRange range;
  if (text.empty()) return range;
  const std::size_t colon = text.find(':');
  const bool valid =
      colon != std::string::npos && parseRangeEnd(text.substr(0, colon), range.nearest) &&
      parseRangeEnd(text.substr(colon + 1), range.farthest) && range.nearest <= range.farthest;
  if (!valid) throw UsageError(setting + ": expected NEAR:FAR, found \"" + text + "\"");
  return range;
}

std::uint32_t zKey(float z) { return depthKey(std::bit_cast<std::uint32_t>(z)); }

std::string textOf(const ZRange& range) {
  if (range.isAll()) return {};
  const auto end = [](float z) { return std::isinf(z) ? std::string() : shortest(z); };
  return end(range.nearest) + ":" + end(range.farthest);
}

std::vector<EditedInput> withEdits(std::span<const DeepImage> images,
                                   std::span<const InputEdit> edits) {
  std::vector<EditedInput> inputs;
  for (std::size_t i = 0; i < images.size(); ++i)
    inputs.push_back({&images[i], i < edits.size() ? edits[i] : InputEdit{}, 0});
  for (EditedInput& input : inputs)
    if (!input.edit.ids.empty())
      input.filter = std::make_shared<const IdFilter>(*input.image, input.edit.ids);
  return inputs;
}

DeepImage mergeEdited(std::span<const EditedInput> inputs, const MergeEdit& merge,
                      ThinReport* report, const Rect& wanted) {
  FATHOM_CHECK(!inputs.empty());
  DeepImage out = emptyLike(inputs);
  if (!wanted.empty()) out.dataWindow = wanted;
  out.tidy = merge.tidy;
  ColorPlan plan = colorPlanOf(*inputs[0].image);
  plan.inputs = inputs;
  writeLists(plan, inputs, out, report, [&] { return PixelEditor(inputs, merge); });
  return out;
}

Image flattenEdited(std::span<const EditedInput> inputs, const MergeEdit& merge,
                    const Rect& window) {
  FATHOM_CHECK(!inputs.empty());
  Image picture(window.width, window.height);
  parallelFor(std::size_t(window.height), 1, [&](std::size_t first, std::size_t last) {
    PixelEditor editor(inputs, merge);
    for (std::size_t row = first; row < last; ++row)
      for (int column = 0; column < window.width; ++column) {
        const SampleList& list = editor.at(window.x + column, window.y + int(row));
        glm::dvec4 sum(0);
        for (const Sample& s : list.items) sum += (1 - sum.a) * editor.plan().colorOf(list.of(s));
        picture.at(column, int(row)) = glm::vec4(sum);
      }
  });
  return picture;
}

std::vector<EditedFragment> editedList(std::span<const EditedInput> inputs, const MergeEdit& merge,
                                       int x, int y) {
  FATHOM_CHECK(!inputs.empty());
  PixelEditor editor(inputs, merge);
  const SampleList& list = editor.at(x, y);
  DeepImage one = emptyLike(inputs);
  std::vector<WrittenLists> rows(1);
  if (one.format == FragmentFormat::Indexed) rows[0].planes.resize(one.channels.size());
  encode(editor.plan(), inputs, list, rows[0]);
  join(rows, one);
  std::vector<EditedFragment> fragments;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    fragments.push_back({decodeWords(one, one.words.data() + i * std::size_t(one.stride())),
                         list.items[i].input,
                         {}});
    if (one.format == FragmentFormat::Indexed)
      for (const DeepChannel& channel : one.channels)
        if (channel.type == ChannelType::Uint)
          fragments.back().ids.push_back(load<std::uint32_t>(channel.values.data() + 4 * i));
  }
  return fragments;
}

void appendLists(DeepImage& image, DeepImage&& more) {
  const std::size_t before = image.fragmentCount();
  if (more.format == FragmentFormat::Indexed)
    for (std::size_t i = 0; i < more.words.size(); i += kWideWords)
      more.words[i] += std::uint32_t(before);
  image.words.insert(image.words.end(), more.words.begin(), more.words.end());
  for (std::size_t p = 1; p < more.fragmentOffsets.size(); ++p)
    image.fragmentOffsets.push_back(before + more.fragmentOffsets[p]);
  for (std::size_t c = 0; c < image.channels.size(); ++c) {
    std::vector<std::byte>& values = image.channels[c].values;
    values.insert(values.end(), more.channels[c].values.begin(), more.channels[c].values.end());
  }
}

void appendRows(DeepImage& image, DeepImage&& rows) {
  if (image.dataWindow.empty()) {
    image = std::move(rows);
    return;
  }
  FATHOM_CHECK(image.format == rows.format && image.dataWindow.x == rows.dataWindow.x &&
               image.dataWindow.width == rows.dataWindow.width &&
               image.dataWindow.bottom() == rows.dataWindow.y);
  appendLists(image, std::move(rows));
  image.dataWindow.height += rows.dataWindow.height;
}

}  // namespace fathom::deep
