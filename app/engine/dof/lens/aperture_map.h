// SPDX-License-Identifier: BSD-3-Clause
// What shaders/dof/aperture.glsl looks up: the map of an aperture with sums over its texels, and
// the sums of smooth discs; and the shares of light themselves in double precision, for the
// reference.
#pragma once

#include "app/engine/dof/lens/optics.h"
#include "app/engine/gpu/texture.h"

namespace fathom::dof {

/// Share of a splat's light in the pixel at distance d of a smooth disc of radius r >= 0, before it
/// is divided by discSum(): a ramp of about a pixel at the rim.
double discShare(double r, double d2);
/// The sum of discShare() over all pixels.
double discSum(double r);
/// Where discShare() ends: d^2 is below this.
double discReach2(double r);

constexpr int kCells = DOF_CELLS * DOF_CELLS;

class ApertureMap {
 public:
  explicit ApertureMap(const Aperture& aperture);
  const Aperture& aperture() const { return aperture_; }

  /// Shares of red, green and blue of a splat with signed radius r (px) at `pixel`, in the pixel at
  /// `offset` from it, before light that was cut is made up for.
  glm::dvec3 shares(glm::ivec2 offset, double r, glm::dvec2 pixel, const ImageFrame& frame) const;
  /// Their sums over all pixels: what they are to be divided by.
  glm::dvec3 lightOf(double r, glm::dvec2 pixel, const ImageFrame& frame) const;

  /// Where on the lens light passes from a splat to the pixel at `offset` from it, and how large,
  /// half, the pixel is there; in radii of the disc of equal area.
  struct LensPoint {
    glm::dvec2 at, half;
  };
  LensPoint lensPoint(glm::dvec2 offset, double r, glm::dvec2 field) const;
  /// The light of each cell of the lens, row by row; the sum is 1.
  std::vector<double> cellLight(bool near) const;
  /// How much of the pixel's square lies in cell k; the outermost go on. What is sharper than a
  /// pixel fills all cells alike.
  double cellOverlap(int k, const LensPoint& through) const;
  /// For each cell 1 over the light that falls into it from a splat of radius r, by overlaps.
  std::array<double, kCells> cellAsks(double r) const;
  /// float[2][DOF_CELL_RADII][kCells] of these: for what is far, then near.
  const std::vector<float>& askTable() const;
  /// How much of cell k the second disc of a cat's eye lets through at `field`, by its middle.
  double uncutCell(int k, glm::dvec2 field) const;

  /// The sum of the shares of a channel that is displaced by `shift`, at `field` (1: a corner of
  /// the frame).
  double sumOfShares(double r, glm::dvec2 shift, glm::dvec2 field) const;

  /// vec4[DOF_MAP_SIZE + 1]^2: sums far, near; densities far, near.
  const std::vector<glm::vec4>& texels() const { return texels_; }
  /// float[DOF_DISC_ROOM]: discSum() by radius.
  static const std::vector<float>& discSums();

 private:
  glm::dvec2 cell(int k) const;  // its middle
  void fillAsks(int row) const;
  double cellHalf() const { return aperture_.mapExtent() / DOF_CELLS; }
  double sumAt(glm::dvec2 u, bool near) const;
  double lightIn(glm::dvec2 u, glm::dvec2 half, bool near) const;
  double uncut(glm::dvec2 u, double size, glm::dvec2 field) const;
  double rawShare(glm::dvec2 d, double r, glm::dvec2 field) const;

  Aperture aperture_;
  std::vector<double> sums_[2];  // far, near: double[DOF_MAP_SIZE + 1]^2
  std::vector<glm::vec4> texels_;
  mutable std::vector<float> asks_;  // made when asked for
};

class ApertureTables {
 public:
  explicit ApertureTables(gpu::Context& gpu) : gpu_(gpu) {}
  /// Makes them for this aperture, if they are not.
  void update(const Aperture& aperture);
  const gpu::Texture& map() const { return map_; }
  const gpu::RawBuffer& discSums() const { return discSums_; }
  const shared::Cells& cells() const;
  const gpu::Texture& cellAsks() const { return cells(), cellAsks_; }

 private:
  gpu::Context& gpu_;
  gpu::Texture map_;  // of a plain aperture a texel
  gpu::Buffer<float> discSums_;
  std::optional<Aperture> madeFor_;
  mutable std::optional<shared::Cells> cells_;  // made when asked for
  mutable gpu::Texture cellAsks_;
};

}  // namespace fathom::dof
