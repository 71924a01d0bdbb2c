// SPDX-License-Identifier: BSD-3-Clause
// Edits of genomes as plain values: triangles for affine maps, the camera under a mouse, xforms and
// palettes. No window is needed to test any of it.
#pragma once

#include "app/engine/flame/genome/operations.h"

#include <complex>

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
/// Both arms turned and stretched about O by a complex factor.
Affine turnedBy(const Affine& from, std::complex<double> factor);
/// What a drag did to one triangle, from `before` to `after`, done to another: moved by as much,
/// or turned and stretched about its own O.
Affine followed(const Affine& other, const Affine& before, const Affine& after);

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

/// The picture follows the mouse by `pixels`.
Genome panned(Genome genome, glm::dvec2 pixels);
/// The point of the plane under this pixel stays there. Scale changes, not zoom: quality stays.
Genome zoomedAt(Genome genome, glm::dvec2 pixel, double factor);

// Xforms. Chaos rows and the solo index follow.
void addXform(Genome& genome);
// Of those at ascending indices; xforms.size() is the final one, which has no copy, and of the
// others one stays.
void duplicateXforms(Genome& genome, const std::vector<std::size_t>& indices);
void removeXforms(Genome& genome, const std::vector<std::size_t>& indices);
/// The xform at an index; xforms.size(): the final one.
Xform& xformAt(Genome& genome, std::size_t index);
/// The name that other programs, too, write to an xform; empty: none.
std::string titleOf(const Xform& xform);
void setTitle(Xform& xform, const std::string& title);
/// Adds the xforms of a symmetry: `kind` turns, mirrored when negative (as <symmetry kind>), each
/// with the mean weight of the others.
void addSymmetry(Genome& genome, int kind);
/// The factor from one xform to another, with 1 for what is not written.
void setChaos(Genome& genome, std::size_t from, std::size_t to, double factor);

// Curves of tone, by points that a smooth curve meets.
/// Of a straight one its ends; of a Bezier curve points along it.
std::vector<glm::dvec2> pointsOf(const ToneCurve& curve);
/// The curve through these points, two at least, with x ascending in 0..1; straight on the
/// diagonal.
ToneCurve curveThrough(const std::vector<glm::dvec2>& points);
/// Adds a point (x, y in 0..1) in its place and returns its index; an x that is taken moves the
/// point that has it.
std::size_t addPoint(std::vector<glm::dvec2>& points, glm::dvec2 at);
/// Points keep their order and a small distance.
void movePoint(std::vector<glm::dvec2>& points, std::size_t index, glm::dvec2 to);

// Layers.
/// A copy of what is edited, behind it.
void addLayer(Genome& genome);

// Palettes.
Palette reversed(const Palette& palette);
/// A change of all colors, in this order.
struct PaletteChange {
  int frequency = 1;    // how often the palette is run through
  double rotation = 0;  // moved along, in lengths of the palette; what leaves enters in front
  double blur = 0;      // standard deviation, in entries
  double hue = 0;       // turns of the color circle
  double saturation = 1, value = 1, contrast = 1;  // factors; contrast about the middle
};
Palette adjusted(const Palette& palette, const PaletteChange& change);
struct PaletteNode {
  double at = 0;  // 0..1 along the palette
  glm::dvec3 color{0};
};
/// Straight lines between nodes; the ends reach to the borders. At least one node.
Palette paletteFrom(std::vector<PaletteNode> nodes);
/// `count` >= 2 nodes that a palette passes through, equally spaced.
std::vector<PaletteNode> nodesOf(const Palette& palette, int count);
/// The palette after nodes of a gradient through it were moved or recolored: it changes by as much
/// as the gradient does, so that its own fine structure stays.
Palette retouched(const Palette& palette, const std::vector<PaletteNode>& before,
                  const std::vector<PaletteNode>& after);

}  // namespace fathom::flame
