// SPDX-License-Identifier: BSD-3-Clause
// Editing genomes as plain values: triangles for affine maps, the camera under a mouse, palettes,
// and a history with one step per gesture. No window is needed to test any of it.
#pragma once

#include "app/techniques/flame/model.h"

#include <utility>
#include <vector>

namespace fathom::flame {

/// Where an affine map takes (0,0), (1,0) and (0,1).
struct Triangle {
  glm::dvec2 o{0}, x{1, 0}, y{0, 1};
};
enum class Corner { O, X, Y };
Triangle triangleOf(const Affine& affine);
Affine affineOf(const Triangle& triangle);

/// How a dragged corner changes its triangle: Free moves the corner alone (O: the whole triangle),
/// Rotate and Scale turn and stretch both arms about O.
enum class DragMode { Free, Rotate, Scale };
Affine dragged(const Affine& from, Corner corner, glm::dvec2 to, DragMode mode);

/// Between points of the plane and pixels of the picture, as flam3 frames it: a positive rotate
/// turns the picture clockwise about the center, y points down.
class PictureMap {
 public:
  explicit PictureMap(const Genome& genome);
  glm::dvec2 toPicture(glm::dvec2 plane) const;
  glm::dvec2 toPlane(glm::dvec2 picture) const;

 private:
  glm::dvec2 center_, half_;
  double scale_, cosine_, sine_;
};

/// The picture follows the mouse by so many pixels.
Genome panned(Genome genome, glm::dvec2 pixels);
/// The point of the plane under this pixel stays there. Scale changes, not zoom: quality stays.
Genome zoomedAt(Genome genome, glm::dvec2 pixel, double factor);

// Xforms. Chaos rows and the solo index follow.
void addXform(Genome& genome);
void duplicateXform(Genome& genome, std::size_t index);
void removeXform(Genome& genome, std::size_t index);  // the last one stays
/// The factor from one xform to another, with 1 for what is not written.
double chaosOf(const Genome& genome, std::size_t from, std::size_t to);
void setChaos(Genome& genome, std::size_t from, std::size_t to, double factor);

// Palettes.
Palette reversed(const Palette& palette);
/// Hue turned by `turns` of the circle; saturation and value multiplied.
Palette adjusted(const Palette& palette, double turns, double saturation, double value);
struct PaletteNode {
  double at = 0;  // 0..1 along the palette
  glm::dvec3 color{0};
};
/// Straight lines between nodes; the ends reach to the borders. At least one node.
Palette paletteFrom(std::vector<PaletteNode> nodes);
/// `count` >= 2 nodes that a palette passes through, equally spaced.
std::vector<PaletteNode> nodesOf(const Palette& palette, int count);
/// The palette stands in the genome from now on, whatever number was there.
void usePalette(Genome& genome, const Palette& palette);

/// What can be taken back. The caller edits freely and calls settle() whenever no gesture is going
/// on: what has changed since then is one step. States are compared by ==.
template <class State>
class HistoryOf {
 public:
  explicit HistoryOf(State start) : settled_(std::move(start)) {}
  /// True when there was a step to keep.
  bool settle(const State& now) {
    if (!pending(now)) return false;
    past_.push_back(std::exchange(settled_, now));
    if (past_.size() > kMaxSteps) past_.erase(past_.begin());
    future_.clear();
    return true;
  }
  /// True while `now` holds edits that settle() would keep.
  bool pending(const State& now) const { return !(now == settled_); }
  bool canUndo() const { return !past_.empty(); }
  bool canRedo() const { return !future_.empty(); }
  const State& settled() const { return settled_; }
  /// The state one step back; what was not settled is settled first.
  State undo(const State& now) {
    settle(now);
    if (!past_.empty()) {
      future_.push_back(std::move(settled_));
      settled_ = std::move(past_.back());
      past_.pop_back();
    }
    return settled_;
  }
  State redo(const State& now) {
    settle(now);
    if (!future_.empty()) {
      past_.push_back(std::move(settled_));
      settled_ = std::move(future_.back());
      future_.pop_back();
    }
    return settled_;
  }

 private:
  static constexpr std::size_t kMaxSteps = 256;
  State settled_;
  std::vector<State> past_, future_;
};
using History = HistoryOf<Genome>;

}  // namespace fathom::flame
