// SPDX-License-Identifier: BSD-3-Clause
// The film from one node to another: a spline for everything that either of them says.
#include "app/engine/flame/cuburn/film.h"

#include <algorithm>
#include <set>

namespace fathom::flame::cuburn {
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

// Knots of an edge
// ------------------------------------------------------------------------------------------------

void readXformKnots(const Document& edge, const std::string& prefix, const Fields& fields,
                    reading::Warnings& warnings, KnotsByPath& knots) {
  visitXformFields(edge, prefix, fields, warnings,
                   [&](const std::string& path, const SplineKind&, const JsonTree& value) {
                     const Place place = edge.place(prefix + path);
                     knots.emplace(path, std::pair(readKnots(value, place), place));
                   });
}

EdgeKnots readEdgeKnots(const Document& edge, reading::Warnings& warnings) {
  EdgeKnots knots;
  visitFields(
      edge, warnings,
      [&](const std::string& path, const SplineKind&, const JsonTree& value) {
        const Place place = edge.place(path);
        knots.fields.emplace(path, std::pair(readKnots(value, place), place));
      },
      knots.missingFilters);
  readXformKnots(edge, "final_xform.", finalFields(edge), warnings, knots.final);
  for (const auto& [side, byId] :
       {std::pair{"xforms.src.", &knots.source}, std::pair{"xforms.dst.", &knots.destination}})
    for (const auto& [id, fields] : fieldsById(edge, side))
      readXformKnots(edge, side + id + ".", fields, warnings, (*byId)[id]);
  if (const JsonTree* palettes = edge.find("palette"))
    knots.palettes = readTimedPalettes(*palettes, edge.place("palette"));
  return knots;
}

/// Knots of ids that no xform has.
void warnOfStrangers(const std::map<std::string, KnotsByPath, std::less<>>& knots,
                     const std::vector<NodeXform>& xforms, const Document& edge, const char* side,
                     reading::Warnings& warnings) {
  for (const auto& [id, list] : knots)
    if (std::none_of(xforms.begin(), xforms.end(),
                     [&, &wanted = id](const NodeXform& xform) { return xform.id == wanted; }))
      warnings.add(edge.place(fmt::format("xforms.{}.{}", side, id)),
                   "expected an xform of the node, left out");
}

// Xforms
// --------------------------------------------------------------------------------------------------

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
  if (from)
    if (const auto at = knots.source.find(from->id); at != knots.source.end())
      own.push_back(&at->second);
  if (to)
    if (const auto at = knots.destination.find(to->id); at != knots.destination.end())
      own.push_back(&at->second);
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
  std::stable_sort(film.palettes.begin(), film.palettes.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  return film;
}

}  // namespace fathom::flame::cuburn
