// SPDX-License-Identifier: BSD-3-Clause
// The JSON files of cuburn: nodes, edges and animations, the profiles by which films are drawn, and
// which fields both have.
#pragma once

#include "app/engine/flame/cuburn/spline.h"
#include "app/engine/flame/genome/io_parts.h"
#include "app/engine/flame/genome/text.h"
#include "app/engine/io/json.h"

namespace fathom::flame::cuburn {

// Documents
// -------------------------------------------------------------------------------------------------

// Limits of files: beyond them a message, never a hang.
constexpr std::uint64_t kMaxDocumentBytes = 2u << 20;  // bytes
constexpr int kMaxDocumentDepth = 32;                  // levels of nesting
constexpr std::size_t kMaxBases = 16;                  // documents that inherit from one another
constexpr double kMaxNumber = 1e9;                     // of either sign

enum class DocumentType { Node, Edge, Animation, Profile };

/// "xforms.0.variations.julia.weight" and what stands there: anything but an object.
using Fields = std::map<std::string, Json>;

struct Document {
  std::filesystem::path file;
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
Document readDocument(const std::filesystem::path& file);

/// The file that a path in a document means, "nodes/ID", "edges/SOURCE=DESTINATION" or
/// "profiles/NAME": beside the document under the names that cuburn's sample flock has (ID.json,
/// edge.SOURCE=DESTINATION.json, profile.NAME.json), or in the folder that the path names, beside
/// it or one level up. Throws Error when there is none.
std::filesystem::path resolved(const Document& document, const std::string& field,
                               const std::string& path);

/// True when the file is JSON whose "type" is one of the four, or seems to be a damaged one of
/// them; never throws.
bool looksLikeDocument(const std::filesystem::path& file);

/// A value as a message shows it.
std::string shown(const Json& value);
/// Of a value that is text.
inline const std::string& textIn(const Json& value) { return value.get_ref<const std::string&>(); }
/// A number at a place of a document, checked against the limits.
double numberAt(const Json& value, const Place& place, const std::string& expected,
                double low = -kMaxNumber, double high = kMaxNumber);

// Fields
// -------------------------------------------------------------------------------------------------

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

// Nodes
// -------------------------------------------------------------------------------------------------

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

// Profiles
// -------------------------------------------------------------------------------------------------

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

/// True for a document whose type is "profile". Throws Error when it is a damaged one.
bool isProfile(const std::filesystem::path& file);
/// Throws Error (file, field, expected, found).
FilmProfile readProfile(const std::filesystem::path& file);

}  // namespace fathom::flame::cuburn
