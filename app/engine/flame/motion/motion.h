// SPDX-License-Identifier: BSD-3-Clause
// A genome whose numbers move: every quantity is a curve of time. Keyframes of flam3 and nodes and
// edges of cuburn both become one, so that a single pass can evaluate either on the GPU, for every
// moment that the shutter is open.
#pragma once

#include "app/engine/flame/genome/model.h"

namespace fathom::flame {

/// What the values of a curve's knots stand for.
enum class CurveDomain {
  Plain,      // the quantity itself
  Logarithm,  // its natural logarithm (flam3's magnitudes)
  Magnitude,  // the quantity, interpolated in cuburn's log-like domain
};

/// What becomes of the value in the end.
enum class CurveLimit { None, NotNegative, ZeroToOne };

double limited(double value, CurveLimit limit);

struct Knot {
  double time, value;
  bool operator==(const Knot&) const = default;
};

constexpr std::size_t kMaxKnots = 32;

/// A quantity over time: a Catmull-Rom spline of variable period through knots of ascending time
/// (cuburn). One knot: constant. With n >= 4 knots the curve runs from knot 1 to knot n - 2, the
/// first and the last knot shape its ends; beyond them the cubic of the end segment continues.
struct Curve {
  std::vector<Knot> knots;  // 1, or 4 to kMaxKnots; none: 0
  CurveDomain domain = CurveDomain::Plain;
  CurveLimit limit = CurveLimit::None;

  Curve() = default;
  Curve(double constant) : knots{{0, constant}} {}
  double at(double time) const;
  bool moves() const;  // some two knots differ in value
};

/// The six coefficients in one of three forms.
struct MovingAffine {
  enum class Form {
    Entries,  // a d b e c f
    Columns,  // of (a, d): angle in radians, magnitude; of (b, e): the same; c, f
    Spread,   // cuburn: angle, spread in degrees; magnitude x, y; offset x, y
  };
  Form form = Form::Entries;
  std::array<Curve, 6> curves{Curve(1), Curve(0), Curve(0), Curve(1), Curve(0), Curve(0)};
  Affine at(double time) const;
};

struct MovingVariation {
  int index = 0;
  Curve weight;
  std::array<Curve, kMaxParameters> parameters;
};

struct MovingXform {
  Curve weight = 0.0, color = 0.0, colorSpeed = 0.5, opacity = 1.0;
  MovingAffine coefs, post;
  std::vector<Curve> chaos;
  std::vector<MovingVariation> variations;  // ascending index
};

/// Between `begin` and `end` (in the motion's time) this is how the genome moves.
struct MovingGenome {
  double begin = 0, end = 0;
  Genome
      fixed;  // what does not move: sizes, shapes of filters, modes; its numbers otherwise unused
  Curve centerX, centerY, scale, zoom, rotate, filter;
  std::vector<MovingXform> xforms;
  std::optional<MovingXform> finalXform;
};

/// The genome at a time, without a palette of that time: the CPU's answer to what control_points.h
/// evaluates on the GPU.
Genome shapeOf(const MovingGenome& moving, double time);

/// What an animation is to those who draw it. Several threads may ask at once.
class Motion {
 public:
  virtual ~Motion() = default;
  Genome at(double time) const;
  /// at() in two parts: all but the palette (which is any), and the palette.
  virtual Genome shapeAt(double time) const = 0;
  virtual Palette paletteAt(double time) const = 0;
  /// A genome that has every xform, variation, post, chaos and opacity that appear from `first` to
  /// `last`. Its numbers mean nothing: it says what a shader must hold that draws them all.
  virtual Genome extent(double first, double last) const = 0;
  virtual double firstTime() const = 0;
  virtual double lastTime() const = 0;
  /// False: one genome for all times.
  virtual bool moves() const = 0;
  /// The pieces that cover `first` to `last`, in order, each with the xforms of extent(); camera,
  /// xforms and final xform move as shapeAt() does to 1e-6. Empty: this motion cannot be written as
  /// curves, and control points are packed on the CPU.
  virtual std::vector<MovingGenome> curves(double first, double last) const = 0;
};

struct GenomeFile;  // genome/io.h

/// The frames of a flame of JWildfire that moves by motion curves; `read`: what the file holds. In
/// the flame's size, or in `size` unless 0. Throws Error when the file can no longer be read.
std::shared_ptr<const Motion> curveFilm(const fs::path& file, const GenomeFile& read,
                                        std::uint64_t seed, glm::ivec2 size);

}  // namespace fathom::flame
