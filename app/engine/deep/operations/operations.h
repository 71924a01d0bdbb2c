// SPDX-License-Identifier: BSD-3-Clause
// What compositors do with deep images besides merging them: per input (role, Z, range), on the
// merged image (tidy, drop hidden, thin), and peeling by depth. Here the operations on the CPU, in
// double and for every format: the reference of the GPU's (lists/merge_lists.h), and what serves
// images whose colors the GPU does not hold. Source: OpenEXR, "Interpreting Deep Pixels"; the
// formulas are in light_curve.h.
//
// Fragments that an operation does not touch keep every bit. One that it makes is rounded once to
// the types of its channels. Colors (R, G, B, Y, of layers too) and alphas (A, AR, AG, AB) are
// computed; other channels (IDs, normals) are copied, where fragments become one from that which
// shows most.
#pragma once

#include "app/engine/core/deep_image.h"
#include "app/engine/core/image.h"

namespace fathom {
class IdFilter;  // io/exr/id_filter.h
}

namespace fathom::deep {

/// A range of Z, both ends included; infinite ends do not limit.
struct ZRange {
  float nearest = -std::numeric_limits<float>::infinity();
  float farthest = std::numeric_limits<float>::infinity();
  bool operator==(const ZRange&) const = default;
  bool isAll() const { return *this == ZRange{}; }
  bool contains(float z) const { return z >= nearest && z <= farthest; }
};
/// "2.5:10", ":10", "2.5:"; empty is everything. Throws UsageError that names the setting.
ZRange parseZRange(const std::string& setting, const std::string& text);
std::string textOf(const ZRange& range);
/// The float's place in the order of all depths: see depthKey().
std::uint32_t zKey(float z);

struct Peel {
  ZRange range;    // those with their Z in it
  int number = 0;  // above 0: of them, only the one with this number, counted from the front
  bool operator==(const Peel&) const = default;
  bool isNothing() const { return *this == Peel{}; }
};

/// Fragments that holding leaves with alpha and colors below this, all of a list together, are
/// dropped.
constexpr float kNothingLeft = 1e-7f;

/// Held out, what shows of a fragment is multiplied by T(Z) = 1 - A(Z), where A is the alpha of the
/// matte in front of it: points at its own depth included, of volumes the part before it. Held in,
/// it is multiplied by A(Z): hold out and hold in add up to the fragment. Where matte and volume
/// share a place the volume is split at the matte's depths, and each part keeps what leaves it
/// through the matte.
enum class Role {
  Add,      // its fragments are merged
  HoldOut,  // takes away what it covers, and is not seen itself
  HoldIn,   // only what it covers is left
};

/// How a fragment comes to show that much.
enum class HoldRule {
  Exact,     // as the list in front of it passes more light, it is dimmed by that besides: two
             // images, each held out by the other, add up to both merged
  Fragments  // color and alpha are multiplied, whatever is in front of it
};

/// What is done with one input before it is merged.
struct InputEdit {
  bool visible = true;  // false: as if it were not there
  Role role = Role::Add;
  float zScale = 1, zOffset = 0;  // Z' = zScale * Z + zOffset, ZBack likewise; zScale > 0
  // Kept range of Z', ends included; volumes are cut there.
  float nearest = -std::numeric_limits<float>::infinity();
  float farthest = std::numeric_limits<float>::infinity();
  /// Only fragments with one of these IDs: numbers, or names of the manifest with * and ?, like
  /// "tree*|17"; empty: all. Images without IDs have none of them.
  std::string ids = {};
  bool operator==(const InputEdit&) const = default;
  bool isNothing() const { return *this == InputEdit{}; }
  bool movesOrCuts() const {
    InputEdit other = *this;
    other.visible = true, other.role = Role::Add, other.ids.clear();
    return !other.isNothing();
  }
};

/// What is done with the merged image, in this order.
struct MergeEdit {
  /// Volumes are split wherever one begins or ends; what then shares a place becomes one fragment.
  /// The list is sorted and nothing overlaps.
  bool tidy = false;
  /// Above 0: fragments behind this much alpha (at most 1) are dropped.
  float dropHidden = 0;
  /// Above 0: at most this many fragments per pixel are left. Neighbors are composited into one,
  /// those first whose visible light moves least in Z; the flat picture stays the same but for
  /// rounding.
  int maxCount = 0;
  /// Above 0: as few fragments as can be, such that alpha and light in front of any depth move by
  /// no more than this; of each pixel's whole when `thinRelative`.
  double thinError = 0;
  bool thinRelative = false;
  /// Above 0, beside thinError: points may move by this part of their depth, so that those of one
  /// surface become one. Light in front of a depth then stays within the bound of what it was in
  /// front of some depth that near.
  double thinDepth = 0;
  HoldRule holdRule = HoldRule::Exact;
  bool operator==(const MergeEdit&) const = default;
  bool isNothing() const { return !tidy && dropHidden == 0 && maxCount == 0 && thinError == 0; }
};

/// What thinning did, at most: how far (in Z) maxCount moved light that shows, how far thinError
/// moved light in front of a depth and of the whole pixel, and depths, in parts of themselves.
struct ThinReport {
  float move = 0;
  double error = 0, flatError = 0, depth = 0;
  void add(const ThinReport& other) {
    move = std::max(move, other.move);
    error = std::max(error, other.error), flatError = std::max(flatError, other.flatError);
    depth = std::max(depth, other.depth);
  }
};

/// An input of a merge, and what is done with it.
struct EditedInput {
  const DeepImage* image = nullptr;
  InputEdit edit;
  std::uint32_t firstIndex = 0;  // what the index words of an Indexed image start at
  std::shared_ptr<const IdFilter> filter = nullptr;  // of edit.ids, when there are any
};
/// The images one after the other; missing edits do nothing.
std::vector<EditedInput> withEdits(std::span<const DeepImage> images,
                                   std::span<const InputEdit> edits = {});

/// The inputs (same format and channels: unify(); at least one) edited and merged; equal depths
/// keep the order of the inputs. Over `window`, or over the union of all data windows.
DeepImage mergeEdited(std::span<const EditedInput> inputs, const MergeEdit& merge,
                      ThinReport* report = nullptr, const Rect& window = {});

/// Merged inputs composited front to back in double, without rounding fragments in between.
Image flattenEdited(std::span<const EditedInput> inputs, const MergeEdit& merge,
                    const Rect& window);

/// One pixel of the same, with the input that each fragment comes from (shows most of).
struct EditedFragment {
  Fragment fragment;
  int input = 0;
  std::vector<std::uint32_t> ids = {};  // in the order of the uint channels
};
std::vector<EditedFragment> editedList(std::span<const EditedInput> inputs, const MergeEdit& merge,
                                       int x, int y);

/// Adds lists behind those of an image, whatever its window says; channels and format are the same.
/// Index words count 0, 1, 2, ... in both.
void appendLists(DeepImage& image, DeepImage&& more);
/// Adds rows below those of an image: the same columns, channels and format. What has no rows yet
/// becomes them. Index words count 0, 1, 2, ... in both.
void appendRows(DeepImage& image, DeepImage&& rows);

}  // namespace fathom::deep
