// SPDX-License-Identifier: BSD-3-Clause
// The JSON files of cuburn: nodes, edges and animations, their splines, the profiles by which films
// are drawn, and which fields both have.
#pragma once

#include "app/engine/flame/genome/io_parts.h"
#include "app/engine/flame/genome/text.h"
#include "app/engine/flame/motion/motion.h"
#include "app/engine/io/json.h"

namespace fathom::flame::cuburn {

// ---- Splines: over the time 0..1 of an animation from a position and a velocity to a
// position and a velocity; periodic ones (angles) turn as their velocities ask. Velocities are per
// turn of the sheep, the unit of durations.

/// What is known of a quantity before any document is read.
struct SplineKind {
  double fallback = 0;  // where a document says nothing
  double period = 0;    // 0: not periodic
  CurveDomain domain = CurveDomain::Plain;
  CurveLimit limit = CurveLimit::None;
};

/// A quantity of a node: where it is and how it moves.
struct Value {
  double position = 0, velocity = 0;
  bool operator==(const Value&) const = default;
};

struct Spline {
  Value from, to;           // at the times 0 and 1
  std::vector<Knot> inner;  // ascending, none at 0 or 1; those before 0 and after 1 shape the ends
};

// Reading; all throw Error at `place`.
/// `v` or `[v]` or `[v, velocity]`, of nodes.
Value readValue(const Json& json, const Place& place);
/// `[t, v, t, v, ...]`, of edges, ascending; a null instead of v leaves the knot out.
std::vector<Knot> readKnots(const Json& json, const Place& place);
/// `v`, `[v0, v1]` (a straight line) or `[v0, velocity0, v1, velocity1, t, v, t, v, ...]`, of
/// animations of this duration.
Spline readSpline(const Json& json, double duration, const Place& place);

/// The value after `turns`: periodic ones have advanced.
Value shifted(const Value& value, const SplineKind& kind, double turns);

/// From one node's value to another's. Where the quantity is periodic the destination is moved by
/// whole periods, so that the way is the nearest one to what both velocities ask for.
Spline between(const Value& from, const Value& to, const SplineKind& kind, double duration);

/// Knots of an edge. Those at exactly 0 and 1 shift the ends of periodic splines by whole periods
/// and say nothing to others. Throws Error at `place` for equal times and more knots than fit.
void addKnots(Spline& spline, const std::vector<Knot>& knots, const SplineKind& kind,
              const Place& place);

/// The curve over the time 0..1. Where no inner knot lies beyond an end, a knot two units of time
/// outside it gives the tangent there the velocity. Constant splines become one knot.
Curve curveOf(const Spline& spline, const SplineKind& kind, double duration);

// ---- Documents

// Limits of files: beyond them a message, never a hang.
constexpr std::uint64_t kMaxDocumentBytes = 2u << 20;  // bytes
constexpr int kMaxDocumentDepth = 32;                  // levels of nesting
constexpr std::size_t kMaxBases = 16;                  // documents that inherit from one another
constexpr double kMaxNumber = 1e9;                     // of either sign

enum class DocumentType { Node, Edge, Animation, Profile };

/// "xforms.0.variations.julia.weight" and what stands there: anything but an object.
using Fields = std::map<std::string, Json>;

struct Document {
  fs::path file;
  DocumentType type = DocumentType::Node;
  Fields fields;

  const Json* find(const std::string& path) const;  // null: there is none
  /// The fields below a path that ends with a dot, named from there on.
  std::map<std::string, const Json*> below(const std::string& prefix) const;
  /// The field's own value, or the fallback when there is none. Throw Error when it is of another
  /// kind or beyond the limits.
  double number(const std::string& path, double fallback, double low = -kMaxNumber,
                double high = kMaxNumber) const;
  std::string text(const std::string& path, const std::string& fallback = "") const;
  /// Names file and field: `FILE: "camera.scale"`.
  Place place(const std::string& path) const;
};

/// Throws Error (file, field, expected, found): no JSON, no type, bases in a circle, ...
Document readDocument(const fs::path& file);

/// The file that a path in a document means, "nodes/ID", "edges/SOURCE=DESTINATION" or
/// "profiles/NAME": beside the document under the names that cuburn's sample flock has (ID.json,
/// edge.SOURCE=DESTINATION.json, profile.NAME.json), or in the folder that the path names, beside
/// it or one level up. Throws Error when there is none.
fs::path resolved(const Document& document, const std::string& field, const std::string& path);

/// True when the file is JSON whose "type" is one of the four, or seems to be a damaged one of
/// them; never throws.
bool looksLikeDocument(const fs::path& file);

/// A value as a message shows it.
std::string shown(const Json& value);
/// Of a value that is text.
inline const std::string& textIn(const Json& value) { return value.get_ref<const std::string&>(); }
/// A number at a place of a document, checked against the limits.
double numberAt(const Json& value, const Place& place, const std::string& expected,
                double low = -kMaxNumber, double high = kMaxNumber);

// ---- Fields

/// "camera.scale", "filters.de.radius", ...; none for what is no such field.
std::optional<SplineKind> fieldKind(const std::string& path);
/// Below an xform: "weight", "pre_affine.angle", "variations.julian.power".
std::optional<SplineKind> xformFieldKind(const std::string& path);
/// cuburn's short names of variations become those of flam3.
std::string xformFieldNamed(const std::string& path);

/// Of "variations.julian.power": "variations.julian.weight"; empty for all that is no parameter.
std::string weightOfParameter(const std::string& path);

/// A quantity of a document.
struct MovingField {
  std::string path;  // below the genome or the xform
  SplineKind kind;
  const Json& value;
  Place place;
};
/// The fields of a genome that move, those of xforms apart; unknown ones are warnings, and filters
/// that Fathom has not go to `missingFilters`.
std::vector<MovingField> genomeFields(const Document& document, reading::Warnings& warnings,
                                      std::set<std::string>& missingFilters);
/// The ids below "xforms.", or "xforms.src." of an edge.
std::set<std::string> xformIds(const Document& document, const std::string& prefix);
/// The fields of one xform: `prefix` is "xforms.0." or kFinalXform.
std::vector<MovingField> xformFields(const Document& document, const std::string& prefix,
                                     reading::Warnings& warnings);
inline const std::string kFinalXform = "final_xform.";
inline bool hasFinalXform(const Document& document) { return !document.below(kFinalXform).empty(); }

/// By path.
using Values = std::map<std::string, Value>;
using Curves = std::map<std::string, Curve>;

/// The curve at a path; the constant default of its kind when there is none.
Curve curveIn(const Curves& curves, const std::string& path);
Curve xformCurveIn(const Curves& curves, const std::string& path);

// ---- Nodes

struct NodeXform {
  std::string id;
  Values values;
  bool has(const std::string& path) const { return values.count(path) != 0; }
  double at(const std::string& path) const;  // its position, or the default
};

struct Node {
  std::string name, author, url;
  double duration = 1;  // time.duration, in turns
  Values values;
  std::vector<NodeXform> xforms;  // in the natural order of their ids
  std::optional<NodeXform> finalXform;
  std::optional<Palette> palette;
  std::set<std::string> missingFilters;  // named there, and Fathom has them not
};

/// `warnings` takes what is not understood and left out. Throws Error.
Node readNode(const Document& document, reading::Warnings& warnings);

/// Palettes and their times, ascending.
using TimedPalettes = std::vector<std::pair<double, Palette>>;

/// `["rgb8", base64, ...]`, 768 bytes: red, green, blue of 256 entries.
Palette readPalette(const Json& json, const Place& place);
/// `[time, "rgb8", base64, ..., time, "rgb8", ...]`.
TimedPalettes readTimedPalettes(const Json& json, const Place& place);

/// Digits count as numbers: "x2" comes before "x10".
bool naturalLess(std::string_view a, std::string_view b);

// ---- Profiles

struct FilmProfile {
  int width = 1280, height = 720;
  double framesPerSecond = 24;
  double secondsPerTurn = 30;
  double frameWidth = 1;             // factor to time.frame_width: how long the shutter is open
  double samplesPerPixel = 2000;     // factor to camera.spp
  int start = 0, end = 0, skip = 0;  // frames [start, end), `skip` left out after each; end
                                     // 0: all, negative: counted from the last one
  std::map<std::string, double> factors;  // to fields such as "filters.de.radius"
  bool estimates = true;                  // filter_order has a filter that smooths sparse places
  std::set<std::string> missingFilters;

  /// Frames of a film that lasts `turns`, at least 1. Throws Error, naming it, beyond 10^6.
  int frameCount(double turns, const std::string& film) const;
  double factorOf(const std::string& path) const;
};

/// True for a document whose type is "profile"; a damaged one is none.
bool isProfile(const fs::path& file);
/// Throws Error (file, field, expected, found).
FilmProfile readProfile(const fs::path& file);

}  // namespace fathom::flame::cuburn
