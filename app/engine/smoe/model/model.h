// SPDX-License-Identifier: BSD-3-Clause
// A steered mixture-of-experts model on the CPU. Each component is a gate (a Gaussian over the
// coordinates) and an expert (a color that is linear in them), kept in whitened form: with
// R_XX = L L^T and W = L^-1, z = W (x - mu) gives the squared distance |z|^2, the logarithm of the
// weight c - |z|^2 / 2 and the expert mu_Y + H z (Avramelos et al., eqs. 5, 8 and 9).
//
// Coordinates are (x, y) for images, (t, x, y) for video, (a1, a2, x, y) for light fields: the
// spatial ones last, so that a view is a slice. Units: pixels from the upper left corner, y
// downward, samples at pixel centers (i + 0.5, j + 0.5); view steps; frames.
#pragma once

namespace fathom::smoe {

/// What the experts' colors mean; all are in 0..1 where a pixel is. Ycbcr709 is full range over
/// encoded (sRGB) colors, with 1/2 added to Cb and Cr. Asinh keeps light above 1: asinh(100 light)
/// over asinh(100 peak). Of gray ones all three are the same: Gray is linear (alpha), the others
/// are pictures.
enum class ColorSpace { Srgb, Linear, Ycbcr709, Gray, GraySrgb, Asinh, GrayAsinh };
/// As files and Python call them, by ColorSpace.
inline const std::vector<std::string> kColorSpaceWords{"srgb",      "linear", "ycbcr709",  "gray",
                                                       "gray-srgb", "asinh",  "gray-asinh"};

constexpr bool isGray(ColorSpace space) {
  return space == ColorSpace::Gray || space == ColorSpace::GraySrgb ||
         space == ColorSpace::GrayAsinh;
}
constexpr bool isAsinh(ColorSpace space) {
  return space == ColorSpace::Asinh || space == ColorSpace::GrayAsinh;
}

inline constexpr double kAsinhSlope = 100;
inline constexpr double kMaxPeak = 1e30;  // what sinh() of float32 can still give

/// How colors are light.
struct Coding {
  Coding(ColorSpace colors, double light = 1) : space(colors), peak(light) {}
  ColorSpace space;
  double peak;  // of asinh: the light that is 1
  bool operator==(const Coding&) const = default;
};

/// One component in float64. The leading coordinates a are (a1, a2), (t) or none; of their arrays
/// only the first model.leading() entries are read. s denotes (x, y).
struct Record {
  double c = 0;                      // ln pi + sum ln diag(W), all of W
  glm::dvec2 center{0};              // mu_s, px
  double w11 = 1, w21 = 0, w22 = 1;  // W_s, lower triangular, 1/px
  glm::dvec3 color{0};               // mu_Y
  std::array<glm::dvec2, 3> h{};     // H_s: per color, along z1 and z2
  // Leading part: conditioning on a moves the center by M (a - mu_a), the color by H_a z_a.
  glm::dvec2 leadCenter{0};                      // mu_a
  double leadW11 = 1, leadW21 = 0, leadW22 = 1;  // W_a, lower triangular
  std::array<glm::dvec2, 2> m{};                 // M = R_sa R_aa^-1: row x, row y
  std::array<glm::dvec2, 3> leadH{};             // H_a: per color
};

/// A component as it is stored and uploaded: float32, the spatial center in fixed point, because
/// rounding centers is what costs precision.
struct Component {
  std::int32_t cx = 0, cy = 0;  // px * 2^centerFractionBits
  float c = 0;
  float w11 = 1, w21 = 0, w22 = 1;
  float color[3] = {0, 0, 0};
  float h[3][2] = {};
  float leadCenter[2] = {0, 0};
  float leadW11 = 1, leadW21 = 0, leadW22 = 1;
  float m[2][2] = {};  // [x, y][leading]
  float leadH[3][2] = {};
  bool operator==(const Component&) const = default;
};

struct Model {
  int dims = 2;               // p: 2 image, 3 video, 4 light field
  int width = 0, height = 0;  // px
  int frames = 1;             // p = 3
  glm::ivec2 views{1};        // p = 4: the grid, along a1 and a2
  glm::dvec2 viewOrigin{0};   // index of the view with a = 0
  ColorSpace colorSpace = ColorSpace::Srgb;
  double peak = 1;              // of asinh: the light that is 1
  int centerFractionBits = 20;  // 15..20
  std::vector<Component> components;
  std::string source, fit;  // where it came from, how it was made; free text
  double psnr = 0;          // dB against the source; 0: unknown
  /// Alpha of an image, a gray image of the same size with components of its own; the colors are
  /// then premultiplied in linear light. Null: opaque.
  std::shared_ptr<const Model> alpha;

  int leading() const { return dims - 2; }
  Coding coding() const { return {colorSpace, peak}; }
};

/// Fraction bits that hold every center of a picture of this size with its margins:
/// clamp(30 - ceil(log2(largest coordinate)), 15, 20), where centers may lie one picture outside.
int fractionBitsFor(int width, int height);
/// To the nearest step of 2^-fractionBits; ends at +-(2^31 - 1). NaN becomes 0.
std::int32_t fixedPoint(double value, int fractionBits);

Record exact(const Component& component, const Model& model);
/// Rounds to float32 and fixed point; centers that fixed point cannot hold end at its limits.
Component rounded(const Record& record, const Model& model);

/// Standard deviations along both axes of the ellipse, px: from the singular values of W_s.
struct Axes {
  double minor, major;
  explicit Axes(const Record& r);
};

/// A component at a place, px.
struct Evaluation {
  glm::dvec2 d, z;  // z = W d
  double log;       // ln of prior times density, up to a constant of all components
  Evaluation(const Record& r, glm::dvec2 at)
      : d(at - r.center),
        z(r.w11 * d.x, r.w21 * d.x + r.w22 * d.y),
        log(r.c - glm::dot(z, z) / 2) {}
  /// Eq. 5 of Avramelos et al.: the expert's.
  glm::dvec3 color(const Record& r) const {
    return r.color + glm::dvec3(glm::dot(r.h[0], z), glm::dot(r.h[1], z), glm::dot(r.h[2], z));
  }
};

/// How many components there are, those of alpha included.
std::size_t allComponents(const Model& model);
/// The median of Component::c, of one component at least.
float medianC(std::span<const Component> components);
/// A gray model of the first of the three channels, of alpha unless it is gray already; its colors
/// were fitted to equal ones.
Model asGray(Model model);

/// A general mixture: what other software fits, and what EM works on. Rows of `covariance` are
/// p + 3 long, coordinates first, then color.
struct Gaussian {
  double prior = 0;
  std::array<double, 7> mean{};                       // coordinates, then color
  std::array<std::array<double, 7>, 7> covariance{};  // symmetric
};
/// Factors in float64. Throws Error when R_XX is not positive definite after adding 1e-6 of its
/// mean diagonal; `what` names the component in the message.
Record whiten(const Gaussian& gaussian, int dims, const std::string& what);
/// The mixture view of a record; R_YY is what H needs at least, H H^T.
Gaussian unwhiten(const Record& record, int dims);

/// A view of the model: for video a.x is the frame, for light fields a is in view steps from the
/// origin. Ignored for images.
using ViewCoordinates = glm::dvec2;

/// Conditions on a view: the result is exactly a 2-D record (its leading part is meaningless); W_s
/// and H_s are unchanged.
Record slice(const Record& record, int leading, ViewCoordinates a);

/// Copies of the model side by side over a picture of width x height, without those components
/// whose center lies outside it. Frames and views stay.
Model tiled(const Model& model, int width, int height);

// ---- Which part of a model a picture shows, and the texts in which settings and flags name it

/// Which part of the model a picture shows.
struct ViewWindow {
  glm::ivec2 size{0};     // picture pixels
  glm::dvec2 corner{0};   // model px of the picture's upper left corner
  double step = 1;        // model px per picture pixel; above 1 is zoomed out
  int samples = 1;        // per pixel and axis
  ViewCoordinates at{0};  // view steps or frame
  bool operator==(const ViewWindow&) const = default;
};

/// A rectangle of the model's plane, px.
struct ModelRect {
  glm::dvec2 corner{0}, extent{0};
};

/// "X,Y,W,H"; none when the text is empty. Throws UsageError.
std::optional<ModelRect> parseWindow(const std::string& text);
std::string windowText(const ModelRect& rect);
/// "A1,A2" for light fields, "T" for video; the origin when the text is empty. Throws UsageError.
ViewCoordinates parseView(const std::string& text, int leading);
std::string viewText(ViewCoordinates at, int leading);

constexpr double kOrbitSeconds = 8;  // once around
constexpr double kOrbitShare = 0.4;  // of the grid's sides: half axes of the ellipse
constexpr double kFramesPerSecond = 24;

/// The view at a time: light fields go around an ellipse in the grid, videos from the first frame
/// to the last and again. Images stay.
ViewCoordinates orbitView(const Model& model, double seconds);

}  // namespace fathom::smoe
