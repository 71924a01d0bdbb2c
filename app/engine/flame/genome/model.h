// SPDX-License-Identifier: BSD-3-Clause
// A flame on the CPU: what a flam3 genome says, in its own units and with its own defaults. Reading
// and writing is io.h; what the values do is render/reference.h. Source: Draves and Reckase, "The
// Fractal Flame Algorithm"; names and defaults as flam3 3.1 understands them.
#pragma once

namespace fathom::flame {

/// JWildfire's filters, of the distance from the pixel alone (render/radial_filter.h).
enum class RadialShape {
  Bell,
  Blackman,
  Box,
  Bspline,
  Catrom,
  Gaussian,
  Hamming,
  Hanning,
  Hermite,
  Lanczos2,
  Lanczos3,
  Mitchell,
  MitchellSmooth,
  Quadratic,
  SinePow5,
  SinePow10,
  SinePow15,
  Triangle,
  MitchellSinePow
};
constexpr std::string_view kRadialShapes[] = {"BELL",
                                              "BLACKMAN",
                                              "BOX",
                                              "BSPLINE",
                                              "CATROM",
                                              "GAUSSIAN",
                                              "HAMMING",
                                              "HANNING",
                                              "HERMITE",
                                              "LANCZOS2",
                                              "LANCZOS3",
                                              "MITCHELL",
                                              "MITCHELL_SMOOTH",
                                              "QUADRATIC",
                                              "SINEPOW5",
                                              "SINEPOW10",
                                              "SINEPOW15",
                                              "TRIANGLE",
                                              "MITCHELL_SINEPOW"};

/// x' = a x + b y + c, y' = d x + e y + f. The order of the members is that of the coefs attribute.
struct Affine {
  double a = 1, d = 0, b = 0, e = 1, c = 0, f = 0;
  glm::dvec2 operator()(glm::dvec2 p) const {
    return {a * p.x + b * p.y + c, d * p.x + e * p.y + f};
  }
  bool operator==(const Affine&) const = default;
};
/// The largest of the coefficients, without signs.
inline double farthest(const Affine& m) {
  return std::max(
      {std::abs(m.a), std::abs(m.b), std::abs(m.c), std::abs(m.d), std::abs(m.e), std::abs(m.f)});
}

constexpr int kFlam3Variations = 99;  // by flam3's numbers; the others follow
constexpr int kMaxParameters = 36;

/// One variation of an xform: variations()[index] tells its name and parameters (variations.h), and
/// whether it acts before, among or after the others.
struct VariationUse {
  int index = 0;
  double weight = 0;  // any sign; 0: parameters kept for writing, no effect
  std::array<double, kMaxParameters> parameters{};
  /// From 1, as written in a file of JWildfire, where they act in that order, and some assign the
  /// sum of those before them. 0: in the order of the indices.
  int place = 0;
  bool operator==(const VariationUse&) const = default;
};

/// What the reader did not understand, kept for the writer.
using Attributes = std::vector<std::pair<std::string, std::string>>;

enum class MotionFunction { Sin, Triangle, Hill };

struct Xform {
  double weight = 0;  // >= 0; of the final xform without meaning
  double color = 0;   // coordinate in the palette, 0..1, not clamped
  double colorSpeed = 0.5;
  double animate = 1;  // not 0: turns in sheep loops
  double opacity = 1;  // of the final xform: the probability that it is applied
  Affine coefs, post;
  std::vector<double> chaos;             // factors to xform 0, 1, ...; missing ones are 1
  std::vector<VariationUse> variations;  // ascending index, each at most once
  struct Motion;
  std::vector<Motion> motions;  // kept; they act only while sequences are made
  Attributes other;
  bool operator==(const Xform&) const = default;
  /// The factor of chaos to another xform.
  double chaosTo(std::size_t xform) const { return xform < chaos.size() ? chaos[xform] : 1; }
};

/// An additive oscillation of every numeric field of an xform; all fields default to 0.
struct Xform::Motion {
  double frequency = 0;
  MotionFunction function = MotionFunction::Sin;
  Attributes fields;  // as written: name and text
  bool operator==(const Motion&) const = default;
};

enum class FilterShape {  // the names of the format; what each evaluates: filters.h
  Gaussian,
  Hermite,
  Box,
  Triangle,
  Bell,
  Bspline,
  Mitchell,
  Blackman,
  Catrom,
  Hanning,
  Hamming,
  Lanczos3,
  Lanczos2,
  Quadratic
};
constexpr int kFilterShapeCount = 14;
enum class TemporalFilter { Box, Gaussian, Exp };
enum class PaletteMode { Step, Linear };
enum class Interpolation { Linear, Smooth };
enum class MatrixInterpolation { Log, Linear, Old, Older };
enum class PaletteInterpolation { Hsv, HsvCircular, Rgb, Sweep };

using Palette = std::array<glm::vec4, 256>;  // r g b a, 0..1 (stills may exceed 1), as displayed

/// The program that wrote a genome: it decides what units and names mean
/// (docs/reference/genomes.md).
enum class Dialect { Flam3, Apophysis, Chaotica, Fractorium, JWildfire, Flam3h, Cuburn };
constexpr std::string_view kDialects[] = {"flam3",     "apophysis", "chaotica", "fractorium",
                                          "jwildfire", "flam3h",    "cuburn"};

/// What a genome asks for and is not drawn: a variation, or a feature of the whole flame.
struct UnsupportedFeature {
  std::string name;
  int xforms = 0;  // that use it; 0: it belongs to the flame
  bool operator==(const UnsupportedFeature&) const = default;
};

/// The camera of flames with depth, in the units of the genome's dialect; projection.h says what it
/// does.
struct DepthCamera {
  double pitch = 0, yaw = 0, bank = 0;  // radians; bank is what JWildfire writes as cam_roll
  double perspective = 0, zpos = 0;
  glm::dvec3 shift{0};                      // JWildfire's cam_pos
  double blur = 0;                          // cam_dof
  double blurArea = 0.5, blurExponent = 2;  // JWildfire's new_dof
  glm::dvec3 focus{0};
  int newBlur = 0;
  bool operator==(const DepthCamera&) const = default;
};

/// A curve of tone: the control points of a cubic Bezier with weights, from (0, 0) to (1, 1).
struct ToneCurve {
  std::array<glm::dvec3, 4> points{{{0, 0, 1}, {0, 0, 1}, {1, 1, 1}, {1, 1, 1}}};  // x, y, weight
  std::vector<glm::dvec2> spline;  // instead, when not empty: points that a smooth curve meets
  bool isStraight() const { return spline.empty() && points == ToneCurve().points; }
  bool operator==(const ToneCurve&) const = default;
};

/// What a layer of JWildfire is beside its xforms. All that are visible get equally many samples.
struct LayerSettings {
  std::string name;
  double weight = 1;    // a factor to its colors
  double density = 1;   // its square: the share of its hits that count
  bool visible = true;  // of a flame of one layer without meaning
  Attributes other;
  bool operator==(const LayerSettings&) const = default;
};

struct Layer {
  LayerSettings layerSettings;
  std::vector<Xform> xforms;
  std::optional<Xform> finalXform;
  std::vector<Xform> furtherFinals;  // applied after it, one after the other
  Palette palette{};                 // all zero: the picture is black
  bool operator==(const Layer&) const = default;
};

/// JWildfire's copies of what is plotted: turned about the center, or mirrored in x or in y.
enum class PostSymmetry { None, Point, XAxis, YAxis };
constexpr std::string_view kPostSymmetries[] = {"NONE", "POINT", "X_AXIS", "Y_AXIS"};

/// How JWildfire alone finishes a picture (filters.h). Its own defaults: setDefaults().
struct JWildfireFinish {
  double contrast = 1, whiteLevel = 200, lowDensityBrightness = 0, foregroundOpacity = 1;
  RadialShape radialShape = RadialShape::Gaussian;
  double filterSharpness = 4, filterLowDensity = 0.025;  // what an adaptive shape goes by
  double antialiasAmount = 0;                            // the share of hits that are moved
  double antialiasRadius = 0;                            // by up to some of these, in buckets
  PostSymmetry symmetry = PostSymmetry::None;
  int symmetryOrder = 3;  // copies about the center
  glm::dvec2 symmetryCenter{0};
  double symmetryDistance = 1.25, symmetryRotation = 6;  // of mirrored ones; degrees
  bool operator==(const JWildfireFinish&) const = default;
};

/// Its own layer is the first one.
struct Genome : Layer {
  Dialect dialect = Dialect::Flam3;
  std::string name;
  double time = 0;  // frames
  glm::ivec2 size{100, 100};
  glm::dvec2 center{0};
  double scale = 50;      // pixels per unit at zoom 0
  double zoom = 0;        // scale * 2^zoom, quality * 4^zoom
  double cameraZoom = 1;  // a factor to scale alone
  DepthCamera camera;
  int preservesZ = 0;  // 1: variations without a z of their own pass their share of it on
  double rotate = 0;   // degrees, clockwise on the screen
  int supersample = 1;
  double filter = 0.5;  // spatial filter radius
  FilterShape filterShape = FilterShape::Gaussian;
  double quality = 1;  // samples per output pixel
  int passes = 1;
  int temporalSamples = 1000;
  TemporalFilter temporalFilter = TemporalFilter::Box;
  double temporalFilterWidth = 1, temporalFilterExp = 0;
  glm::dvec3 background{0};
  double brightness = 4;
  double gamma = 4, gammaThreshold = 0.01, vibrancy = 1, highlightPower = -1;
  double estimatorRadius = 9, estimatorMinimum = 0, estimatorCurve = 0.4;
  JWildfireFinish jwildfire;
  double saturation = 1;            // 0: grey
  glm::dvec3 balance{1};            // factors to red, green and blue
  std::array<ToneCurve, 4> curves;  // of all channels, red, green, blue
  double hue = 0;
  int paletteNumber = -1;  // of flam3's library; -1: the genome holds the palette
  PaletteMode paletteMode = PaletteMode::Step;
  Interpolation interpolation = Interpolation::Linear;
  MatrixInterpolation matrixInterpolation = MatrixInterpolation::Log;
  PaletteInterpolation paletteInterpolation = PaletteInterpolation::HsvCircular;
  double hsvRgbPaletteBlend = 0;
  int soloXform = -1;  // all others get opacity 0

  std::vector<Layer> layers;             // further ones, into the same histogram (exposure.h)
  std::vector<UnsupportedFeature> lost;  // by the reader, most xforms first
  Attributes other;                      // nick, url, version, ... of <flame>
  std::vector<std::string> children;     // elements that were not understood (<edit>), as XML text
  bool operator==(const Genome&) const = default;
};

/// Whether some hits land beside their place: JWildfire's antialiasing.
inline bool hasJitterAntialiasing(const Genome& g) {
  return g.dialect == Dialect::JWildfire && g.jwildfire.antialiasAmount > 1e-8 &&
         g.jwildfire.antialiasRadius > 1e-8;
}

/// Buckets per unit along an axis and what follows from size, scale and zoom.
inline double pixelsPerUnit(const Genome& g) {
  double zoomed = g.scale * g.cameraZoom;
  if (g.zoom != 0) zoomed *= __builtin_exp2(g.zoom);
  return zoomed;
}

}  // namespace fathom::flame
