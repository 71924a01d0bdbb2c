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
using Fields = std::map<std::string, JsonTree>;

struct Document {
  std::filesystem::path file;
  DocumentType type = DocumentType::Node;
  Fields fields;

  const JsonTree* find(const std::string& path) const;
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

/// A number at a place of a document, checked against the limits.
double numberAt(const JsonTree& value, const Place& place, const std::string& expected,
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

/// A filter of cuburn that Fathom has: logscale, colorclip or de. The others (bilateral, smearclip,
/// plainclip, haloclip, logencode, yuv) are named to the user and left out.
bool hasFilter(std::string_view name);

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
Palette readPalette(const JsonTree& json, const Place& place);
/// `[time, "rgb8", base64, ..., time, "rgb8", ...]`.
TimedPalettes readTimedPalettes(const JsonTree& json, const Place& place);

/// Calls `take(path, kind, value)` for each field of a genome that moves, those of xforms apart,
/// and adds filters that Fathom has not to `missing`.
using TakeField =
    std::function<void(const std::string& path, const SplineKind& kind, const JsonTree& value)>;
void visitFields(const Document& document, reading::Warnings& warnings, const TakeField& take,
                 std::set<std::string>& missing);

/// The fields below a path that belong to ids: "xforms.0.color" below "xforms." is "color" of "0".
std::map<std::string, Fields, std::less<>> fieldsById(const Document& document,
                                                      const std::string& prefix);
/// The fields of one xform (`prefix` is "xforms.0."), unknown ones as warnings.
void visitXformFields(const Document& document, const std::string& prefix, const Fields& fields,
                      reading::Warnings& warnings, const TakeField& take);
/// The fields below "final_xform.".
Fields finalFields(const Document& document);

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
