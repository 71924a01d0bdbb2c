// SPDX-License-Identifier: BSD-3-Clause
// How nodes and edges become curves of one film: which xforms of two nodes belong together, how
// their values go over into each other, and all edges one after the other.
#include "app/engine/flame/cuburn/animation.h"

#include "app/engine/flame/genome/variations.h"

namespace fathom::flame::cuburn {
namespace {

using Xforms = std::vector<NodeXform>;

constexpr std::array<std::string_view, 4> kSorts{"weightflip", "weight", "natural", "color"};
const std::string kPad = "pad", kDup = "dup";

/// An id may be written as a number.
std::string idOf(const Json& json, const Place& place) {
  if (json.is_string()) return textIn(json);
  if (json.is_number()) return shown(json);
  place.fail("the id of an xform, \"pad\" or \"dup\"", shown(json));
}

/// An affine map with a spread from 90 to 180 degrees turns the plane over.
bool turnsOver(const NodeXform& xform, const std::string& affine) {
  const double spread = xform.at(affine + ".spread");
  return spread - 180 * std::floor(spread / 180) > 90;
}

int classOf(const NodeXform& xform) {
  return (turnsOver(xform, "pre_affine") ? 2 : 0) + (turnsOver(xform, "post_affine") ? 1 : 0);
}

/// Indices of those of a class that are not taken, in the order of the sort. The xforms stand in
/// their natural order.
std::vector<int> sorted(const Xforms& xforms, const std::vector<bool>& taken, int wanted,
                        XformSort sort, bool isDestination) {
  std::vector<int> order;
  for (std::size_t i = 0; i < xforms.size(); ++i)
    if (!taken[i] && classOf(xforms[i]) == wanted) order.push_back(int(i));
  if (sort == XformSort::Natural) return order;
  const char* path = sort == XformSort::Color ? "color" : "weight";
  std::ranges::stable_sort(order, {}, [&](int i) { return xforms[std::size_t(i)].at(path); });
  if (sort == XformSort::WeightFlip && isDestination) std::reverse(order.begin(), order.end());
  return order;
}

/// The index of an xform that is not taken; it is then.
int claim(const Xforms& xforms, std::vector<bool>& taken, const std::string& id, const char* whose,
          const Place& place) {
  for (std::size_t i = 0; i < xforms.size(); ++i)
    if (xforms[i].id == id && !taken[i]) {
      taken[i] = true;
      return int(i);
    }
  place.fail(fmt::format("each xform of the {} once", whose), quote(id));
}

std::string field(std::string_view variation, std::string_view part) {
  return fmt::format("variations.{}.{}", variation, part);
}

/// Turning these inside out is smoother than fading them in from nothing.
bool turnsInsideOut(const NodeXform& xform) {
  constexpr std::array<std::string_view, 8> kinds{
      "spherical", "ngon", "julian", "juliascope", "polar", "wedge_sph", "wedge_julia", "bipolar"};
  return std::any_of(kinds.begin(), kinds.end(), [&](std::string_view kind) {
    return xform.has(field(kind, "weight")) && xform.at(field(kind, "weight")) > 0;
  });
}

/// Parameters with which a variation leaves points where they are.
struct Identity {
  std::string_view variation;
  std::vector<std::pair<std::string_view, double>> parameters;
};

bool padWithIdentities(NodeXform& padding, const NodeXform& partner) {
  static const std::vector<Identity> identities{
      {"rectangles", {{"x", 0}, {"y", 0}}},
      {"fan2", {{"x", 0}, {"y", 0}}},
      {"blob", {{"low", 1}, {"high", 1}, {"waves", 1}}},
      {"perspective", {{"angle", 0}}},
      {"super_shape", {{"n1", 2}, {"n2", 2}, {"n3", 2}, {"rnd", 0}, {"holes", 0}}}};
  std::vector<std::string> weights;
  for (const Identity& identity : identities) {
    const std::string weight = field(identity.variation, "weight");
    if (!partner.has(weight) || !(partner.at(weight) > 0)) continue;
    weights.push_back(weight);
    for (const ParameterInfo& info :
         variations()[std::size_t(variationNamed(identity.variation))].parameters) {
      const std::string path = field(identity.variation, info.name);
      padding.values[path].position = partner.at(path);  // unless the identity needs another
    }
    for (const auto& [name, value] : identity.parameters)
      padding.values[field(identity.variation, name)].position = value;
  }
  for (const std::string& weight : weights)
    padding.values[weight].position = 1.0 / double(weights.size());
  return !weights.empty();
}

}  // namespace

Blend readBlend(const Document& document) {
  Blend blend;
  blend.duration = document.number("blend.duration", blend.duration, 1e-3, 1e3);
  const std::string sort = document.text("blend.xform_sort", std::string(kSorts[0]));
  const auto known = std::find(kSorts.begin(), kSorts.end(), sort);
  if (known == kSorts.end())
    document.place("blend.xform_sort")
        .fail(fmt::format("\"{}\"", fmt::join(kSorts, "\" or \"")), quote(sort));
  blend.sort = XformSort(known - kSorts.begin());
  const Json* map = document.find("blend.xform_map");
  if (!map) return blend;
  const Place place = document.place("blend.xform_map");
  if (!map->is_array()) place.fail("pairs [[source, destination], ...]", shown(*map));
  for (const Json& pair : *map) {
    if (!pair.is_array() || pair.size() != 2) place.fail("[source, destination]", shown(pair));
    blend.map.emplace_back(idOf(pair[0], place), idOf(pair[1], place));
  }
  return blend;
}

std::vector<XformPair> paired(const std::vector<NodeXform>& from, const std::vector<NodeXform>& to,
                              const Blend& blend, const Place& place) {
  std::vector<XformPair> pairs;
  std::vector<bool> fromTaken(from.size()), toTaken(to.size());
  const auto stands = [](const std::string& id) { return id != kPad && id != kDup; };
  for (const auto& [source, destination] : blend.map) {
    if (!stands(source) && !stands(destination)) place.fail("an xform", "none in a pair");
    XformPair& pair = pairs.emplace_back();
    if (stands(source)) pair.from = claim(from, fromTaken, source, "source", place);
    if (stands(destination)) pair.to = claim(to, toTaken, destination, "destination", place);
    pair.copies = source == kDup || destination == kDup;
  }
  for (int wanted = 0; wanted < 4; ++wanted) {
    const std::vector<int> a = sorted(from, fromTaken, wanted, blend.sort, false);
    const std::vector<int> b = sorted(to, toTaken, wanted, blend.sort, true);
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
      pairs.push_back({i < a.size() ? a[i] : -1, i < b.size() ? b[i] : -1, false});
  }
  if (pairs.size() > std::size_t(kMaxXforms))
    place.fail(fmt::format("at most {} pairs of xforms", kMaxXforms), std::to_string(pairs.size()));
  return pairs;
}

NodeXform paddingFor(const NodeXform& partner) {
  NodeXform padding;
  if (turnsInsideOut(partner)) {
    padding.values["pre_affine.angle"].position = 45 + 180;
    padding.values[field("linear", "weight")].position = -1;
  } else if (!padWithIdentities(padding, partner)) {
    padding.values[field("linear", "weight")].position = 1;
  }
  return padding;
}

// ---- Edges

namespace {

using KnotsByPath = std::map<std::string, std::pair<std::vector<Knot>, Place>>;

/// What an edge itself says.
struct EdgeKnots {
  KnotsByPath fields, final;
  std::map<std::string, KnotsByPath, std::less<>> source, destination;  // by the xform's id
  TimedPalettes palettes;
  std::set<std::string> missingFilters;
};

/// Positions and velocities on one side of the film.
struct Side {
  const Values& values;
  double turns;
};

Value valueOn(const Side& side, const Side& other, const std::string& path,
              const SplineKind& kind) {
  auto at = side.values.find(path);
  if (at != side.values.end()) return shifted(at->second, kind, side.turns);
  // A variation that this side lacks has the other's parameters.
  const std::string weight = weightOfParameter(path);
  at = other.values.find(path);
  if (!weight.empty() && !side.values.count(weight) && at != other.values.end()) return at->second;
  return {kind.fallback, 0};
}

/// A curve for each path that a side or a knot names. `kindOf`: fieldKind or xformFieldKind.
Curves curvesBetween(const Side& from, const Side& to, double duration,
                     std::optional<SplineKind> (*kindOf)(const std::string&),
                     const std::vector<const KnotsByPath*>& knots) {
  std::set<std::string> paths;
  for (const auto* values : {&from.values, &to.values})
    for (const auto& [path, value] : *values) paths.insert(path);
  for (const KnotsByPath* some : knots)
    for (const auto& [path, list] : *some) paths.insert(path);
  Curves curves;
  for (const std::string& path : paths) {
    const std::optional<SplineKind> kind = kindOf(path);
    Spline spline =
        between(valueOn(from, to, path, *kind), valueOn(to, from, path, *kind), *kind, duration);
    for (const KnotsByPath* some : knots)
      if (const auto at = some->find(path); at != some->end())
        addKnots(spline, at->second.first, *kind, at->second.second);
    curves[path] = curveOf(spline, *kind, duration);
  }
  return curves;
}

// ---- Knots of an edge

KnotsByPath knotsIn(const std::vector<MovingField>& fields) {
  KnotsByPath knots;
  for (const MovingField& field : fields)
    knots.emplace(field.path, std::pair(readKnots(field.value, field.place), field.place));
  return knots;
}

EdgeKnots readEdgeKnots(const Document& edge, reading::Warnings& warnings) {
  EdgeKnots knots;
  knots.fields = knotsIn(genomeFields(edge, warnings, knots.missingFilters));
  knots.final = knotsIn(xformFields(edge, kFinalXform, warnings));
  for (const auto& [side, byId] :
       {std::pair{"xforms.src.", &knots.source}, std::pair{"xforms.dst.", &knots.destination}})
    for (const std::string& id : xformIds(edge, side))
      (*byId)[id] = knotsIn(xformFields(edge, side + id + ".", warnings));
  if (const Json* palettes = edge.find("palette"))
    knots.palettes = readTimedPalettes(*palettes, edge.place("palette"));
  return knots;
}

/// Knots of ids that no xform has.
void warnOfStrangers(const std::map<std::string, KnotsByPath, std::less<>>& knots,
                     const std::vector<NodeXform>& xforms, const Document& edge, const char* side,
                     reading::Warnings& warnings) {
  for (const auto& [id, list] : knots)
    if (std::ranges::find(xforms, id, &NodeXform::id) == xforms.end())
      warnings.add(edge.place(fmt::format("xforms.{}.{}", side, id)),
                   "expected an xform of the node, left out");
}

// ---- Xforms

/// The partner without weight.
NodeXform faded(NodeXform xform) {
  xform.values["weight"] = {};
  return xform;
}

FilmXform blendedXform(const NodeXform* from, const NodeXform* to, bool copies, double fromTurns,
                       double toTurns, double duration, const EdgeKnots& knots) {
  const NodeXform& known = from ? *from : *to;
  const NodeXform standIn = copies ? faded(known) : paddingFor(known);
  const NodeXform& a = from ? *from : standIn;
  const NodeXform& b = to ? *to : standIn;
  // A copy moves on with what it copies.
  const double aTurns = !from && copies ? toTurns : fromTurns;
  const double bTurns = !to && copies ? fromTurns : toTurns;
  std::vector<const KnotsByPath*> own;
  const auto add = [&](const NodeXform* xform, const auto& byId) {
    if (const auto at = xform ? byId.find(xform->id) : byId.end(); at != byId.end())
      own.push_back(&at->second);
  };
  add(from, knots.source), add(to, knots.destination);
  return {from ? from->id : "", to ? to->id : "",
          curvesBetween({a.values, aTurns}, {b.values, bTurns}, duration, xformFieldKind, own)};
}

/// Stands in for a final xform: changes neither places nor colors.
NodeXform finalPadding(const NodeXform& partner) {
  NodeXform padding = paddingFor(partner);
  padding.values["color"].position = partner.at("color");
  padding.values["color_speed"].position = 0;
  return padding;
}

const NodeXform* xformAt(const std::vector<NodeXform>& xforms, int index) {
  return index < 0 ? nullptr : &xforms[std::size_t(index)];
}

}  // namespace

Film blended(const Node& from, double fromTurns, const Node& to, double toTurns, const Blend& blend,
             const Document* edge, reading::Warnings& warnings) {
  const EdgeKnots knots = edge ? readEdgeKnots(*edge, warnings) : EdgeKnots{};
  Film film;
  film.duration = blend.duration;
  film.curves = curvesBetween({from.values, fromTurns}, {to.values, toTurns}, blend.duration,
                              fieldKind, {&knots.fields});
  const Place place = edge ? edge->place("blend.xform_map") : Place(from.name);
  for (const XformPair& pair : paired(from.xforms, to.xforms, blend, place))
    film.xforms.push_back(blendedXform(xformAt(from.xforms, pair.from), xformAt(to.xforms, pair.to),
                                       pair.copies, fromTurns, toTurns, blend.duration, knots));
  if (from.finalXform || to.finalXform) {
    const NodeXform& a = from.finalXform ? *from.finalXform : finalPadding(*to.finalXform);
    const NodeXform& b = to.finalXform ? *to.finalXform : finalPadding(*from.finalXform);
    film.finalXform = FilmXform{"", "",
                                curvesBetween({a.values, fromTurns}, {b.values, toTurns},
                                              blend.duration, xformFieldKind, {&knots.final})};
  }
  if (edge) {
    warnOfStrangers(knots.source, from.xforms, *edge, "src", warnings);
    warnOfStrangers(knots.destination, to.xforms, *edge, "dst", warnings);
  }
  film.missingFilters = knots.missingFilters;
  film.palettes = knots.palettes;
  film.palettes.emplace_back(0, from.palette.value_or(Palette{}));
  if (&from != &to) film.palettes.emplace_back(1, to.palette.value_or(Palette{}));
  std::ranges::stable_sort(film.palettes, {}, [](const auto& timed) { return timed.first; });
  return film;
}

// ---- The film

namespace {

Node loadedNode(const Document& document, Film& film, reading::Warnings& warnings) {
  if (document.type != DocumentType::Node)
    document.place("type").fail("\"node\"", shown(*document.find("type")));
  Node node = readNode(document, warnings);
  const Place place(document.file.string());
  if (node.xforms.empty()) place.fail("at least one xform", "none");
  if (!node.palette) warnings.add(place, "expected a palette, found none; the image stays black");
  film.files.push_back(document.file);
  film.missingFilters.insert(node.missingFilters.begin(), node.missingFilters.end());
  return node;
}

/// A node alone turns as often as it lasts.
Film loopOf(const Document& document, reading::Warnings& warnings) {
  Film read;
  const Node node = loadedNode(document, read, warnings);
  const Blend blend{node.duration, XformSort::Natural, {}};
  Film film = blended(node, 0, node, 1, blend, nullptr, warnings);
  film.name = node.name, film.author = node.author, film.url = node.url;
  film.files = std::move(read.files), film.missingFilters = std::move(read.missingFilters);
  return film;
}

/// "nodes/ID@OFFSET": the node and how many turns it has moved on.
struct Link {
  Node node;
  double turns = 0;
};

Link linked(const Document& edge, const std::string& end, Film& film, reading::Warnings& warnings) {
  const std::string field = "link." + end;
  const std::string text = edge.text(field);
  if (text.empty()) edge.place(field).fail("\"nodes/ID@TURNS\"", "no such field");
  const std::size_t at = text.rfind('@');
  Link link;
  if (at != std::string::npos) {
    const std::optional<double> turns = realOf(text.substr(at + 1));
    if (!turns || !(std::abs(*turns) <= 1e6))
      edge.place(field).fail("\"nodes/ID@TURNS\"", quote(text));
    link.turns = *turns;
  }
  link.node = loadedNode(readDocument(resolved(edge, field, text.substr(0, at))), film, warnings);
  return link;
}

Film edgeFilm(const Document& edge, reading::Warnings& warnings) {
  Film read;
  const Link from = linked(edge, "src", read, warnings), to = linked(edge, "dst", read, warnings);
  Film film = blended(from.node, from.turns, to.node, to.turns, readBlend(edge), &edge, warnings);
  film.type = DocumentType::Edge;
  const bool sameNode = read.files[0] == read.files[1];
  film.name = edge.text("name", sameNode ? from.node.name : from.node.name + " to " + to.node.name);
  film.missingFilters.merge(read.missingFilters);
  film.files = std::move(read.files);
  film.files.insert(film.files.begin(), edge.file);
  return film;
}

// ---- Animations

TimedPalettes animationPalettes(const Document& document, reading::Warnings& warnings) {
  const Json* json = document.find("palette");
  const Place place = document.place("palette");
  if (!json) {
    warnings.add(Place(document.file.string()),
                 "expected a palette, found none; the image stays black");
    return {{0, Palette{}}};
  }
  const bool single = json->is_array() && !json->empty() && json->front().is_string();
  if (single) return {{0, readPalette(*json, place)}};
  TimedPalettes list = readTimedPalettes(*json, place);
  if (list.empty()) place.fail("a palette", "none");
  return list;
}

Curves readCurves(const std::vector<MovingField>& fields, double duration) {
  Curves curves;
  for (const MovingField& field : fields)
    curves[field.path] =
        curveOf(readSpline(field.value, duration, field.place), field.kind, duration);
  return curves;
}

Film animationFilm(const Document& document, reading::Warnings& warnings) {
  Film film;
  film.type = DocumentType::Animation;
  film.name = document.text("name", document.file.stem().string());
  film.author = document.text("author.name"), film.url = document.text("author.url");
  film.duration = document.number("time.duration", 1, 1e-3, 1e3);
  film.files = {document.file};
  film.curves = readCurves(genomeFields(document, warnings, film.missingFilters), film.duration);
  for (const std::string& id : xformIds(document, "xforms."))
    film.xforms.push_back(
        {id, id, readCurves(xformFields(document, "xforms." + id + ".", warnings), film.duration)});
  std::ranges::sort(film.xforms, naturalLess, &FilmXform::from);
  if (film.xforms.empty()) Place(document.file.string()).fail("at least one xform", "none");
  if (hasFinalXform(document))
    film.finalXform =
        FilmXform{"", "", readCurves(xformFields(document, kFinalXform, warnings), film.duration)};
  film.palettes = animationPalettes(document, warnings);
  return film;
}

}  // namespace

Palette Film::paletteAt(double time) const {
  const auto next = std::find_if(palettes.begin(), palettes.end(),
                                 [&](const auto& timed) { return timed.first > time; });
  if (next == palettes.begin()) return next->second;
  if (next == palettes.end()) return palettes.back().second;
  const auto& before = *(next - 1);
  const float share = float((time - before.first) / (next->first - before.first));
  Palette mixed;
  for (std::size_t i = 0; i < mixed.size(); ++i)
    mixed[i] = glm::mix(before.second[i], next->second[i], share);
  return mixed;
}

Film readFilm(const fs::path& file) {
  reading::Warnings warnings;
  const Document document = readDocument(file);
  if (document.type == DocumentType::Profile)
    document.place("type").fail("\"node\", \"edge\" or \"animation\"",
                                "\"profile\", which says how to render animations");
  Film film = document.type == DocumentType::Node   ? loopOf(document, warnings)
              : document.type == DocumentType::Edge ? edgeFilm(document, warnings)
                                                    : animationFilm(document, warnings);
  for (std::string& line : warnings.take())  // both ends of an edge may be one file
    if (std::find(film.warnings.begin(), film.warnings.end(), line) == film.warnings.end())
      film.warnings.push_back(std::move(line));
  return film;
}

}  // namespace fathom::flame::cuburn
