// SPDX-License-Identifier: BSD-3-Clause
// How nodes, edges and animations are read and put together; an edge names the nodes it joins.
#include "app/engine/flame/cuburn/film.h"

#include <glm/common.hpp>

#include <algorithm>
#include <cstdlib>

namespace fathom::flame::cuburn {
namespace {

namespace fs = std::filesystem;

Node loadedNode(const Document& document, Film& film, reading::Warnings& warnings) {
  if (document.type != DocumentType::Node)
    document.place("type").fail("\"node\"", document.find("type")->shown());
  Node node = readNode(document, warnings);
  const Place place(document.file.string());
  if (node.xforms.empty()) place.fail("at least one xform", "none");
  if (!node.palette) warnings.add(place, "expected a palette, found none; the picture stays black");
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

// Animations
// ------------------------------------------------------------------------------------------------

TimedPalettes animationPalettes(const Document& document, reading::Warnings& warnings) {
  const JsonTree* json = document.find("palette");
  const Place place = document.place("palette");
  if (!json) {
    warnings.add(Place(document.file.string()),
                 "expected a palette, found none; the picture stays black");
    return {{0, Palette{}}};
  }
  const bool single = json->is(JsonTree::Kind::List) && !json->items.empty() &&
                      json->items[0].is(JsonTree::Kind::Text);
  if (single) return {{0, readPalette(*json, place)}};
  TimedPalettes list = readTimedPalettes(*json, place);
  if (list.empty()) place.fail("a palette", "none");
  return list;
}

FilmXform animationXform(const Document& document, const std::string& prefix, const Fields& fields,
                         double duration, reading::Warnings& warnings) {
  FilmXform xform;
  visitXformFields(document, prefix, fields, warnings,
                   [&](const std::string& path, const SplineKind& kind, const JsonTree& value) {
                     const Spline spline =
                         readSpline(value, duration, document.place(prefix + path));
                     xform.curves[path] = curveOf(spline, kind, duration);
                   });
  return xform;
}

Film animationFilm(const Document& document, reading::Warnings& warnings) {
  Film film;
  film.type = DocumentType::Animation;
  film.name = document.text("name", document.file.stem().string());
  film.author = document.text("author.name"), film.url = document.text("author.url");
  film.duration = document.number("time.duration", 1, 1e-3, 1e3);
  film.files = {document.file};
  visitFields(
      document, warnings,
      [&](const std::string& path, const SplineKind& kind, const JsonTree& value) {
        const Spline spline = readSpline(value, film.duration, document.place(path));
        film.curves[path] = curveOf(spline, kind, film.duration);
      },
      film.missingFilters);
  for (const auto& [id, fields] : fieldsById(document, "xforms.")) {
    film.xforms.push_back(
        animationXform(document, "xforms." + id + ".", fields, film.duration, warnings));
    film.xforms.back().from = film.xforms.back().to = id;
  }
  std::sort(film.xforms.begin(), film.xforms.end(),
            [](const FilmXform& a, const FilmXform& b) { return naturalLess(a.from, b.from); });
  if (film.xforms.empty()) Place(document.file.string()).fail("at least one xform", "none");
  if (const Fields fields = finalFields(document); !fields.empty())
    film.finalXform = animationXform(document, "final_xform.", fields, film.duration, warnings);
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
  Film film;
  switch (document.type) {
    case DocumentType::Node:
      film = loopOf(document, warnings);
      break;
    case DocumentType::Edge:
      film = edgeFilm(document, warnings);
      break;
    case DocumentType::Animation:
      film = animationFilm(document, warnings);
      break;
    case DocumentType::Profile:
      document.place("type").fail("\"node\", \"edge\" or \"animation\"",
                                  "\"profile\", which says how films of these are drawn");
  }
  for (std::string& line : warnings.take())  // both ends of an edge may be one file
    if (std::find(film.warnings.begin(), film.warnings.end(), line) == film.warnings.end())
      film.warnings.push_back(std::move(line));
  return film;
}

}  // namespace fathom::flame::cuburn
