// SPDX-License-Identifier: BSD-3-Clause
// Which xform of one node becomes which of the other.
#include "app/engine/flame/cuburn/film.h"
#include "app/engine/flame/genome/variations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace fathom::flame::cuburn {
namespace {

using Kind = JsonTree::Kind;
using Xforms = std::vector<NodeXform>;

constexpr std::array<std::string_view, 4> kSorts{"weightflip", "weight", "natural", "color"};
const std::string kPad = "pad", kDup = "dup";

/// An id may be written as a number.
std::string idOf(const JsonTree& json, const Place& place) {
  if (json.is(Kind::Text)) return json.text;
  if (json.is(Kind::Number)) return json.shown();
  place.fail("the id of an xform, \"pad\" or \"dup\"", json.shown());
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
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return xforms[std::size_t(a)].at(path) < xforms[std::size_t(b)].at(path);
  });
  if (sort == XformSort::WeightFlip && isDestination) std::reverse(order.begin(), order.end());
  return order;
}

class Pairing {
 public:
  Pairing(const Xforms& from, const Xforms& to, const Place& place)
      : from_(from), to_(to), place_(place), fromTaken_(from.size()), toTaken_(to.size()) {}

  void addMapped(const std::string& source, const std::string& destination) {
    const bool sourceIs = source != kPad && source != kDup;
    const bool destinationIs = destination != kPad && destination != kDup;
    if (!sourceIs && !destinationIs) place_.fail("an xform", "none in a pair");
    XformPair pair;
    if (sourceIs) pair.from = claim(from_, fromTaken_, source, "source");
    if (destinationIs) pair.to = claim(to_, toTaken_, destination, "destination");
    pair.copies = source == kDup || destination == kDup;
    pairs_.push_back(pair);
  }

  void addSorted(XformSort sort) {
    for (int wanted = 0; wanted < 4; ++wanted) {
      const std::vector<int> a = sorted(from_, fromTaken_, wanted, sort, false);
      const std::vector<int> b = sorted(to_, toTaken_, wanted, sort, true);
      for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
        pairs_.push_back({i < a.size() ? a[i] : -1, i < b.size() ? b[i] : -1, false});
    }
  }

  std::vector<XformPair> take() { return std::move(pairs_); }

 private:
  int claim(const Xforms& xforms, std::vector<bool>& taken, const std::string& id,
            const char* whose) {
    for (std::size_t i = 0; i < xforms.size(); ++i)
      if (xforms[i].id == id && !taken[i]) {
        taken[i] = true;
        return int(i);
      }
    place_.fail(fmt::format("each xform of the {} once", whose), quote(id));
  }

  const Xforms &from_, &to_;
  const Place& place_;
  std::vector<bool> fromTaken_, toTaken_;
  std::vector<XformPair> pairs_;
};

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
  const JsonTree* map = document.find("blend.xform_map");
  if (!map) return blend;
  const Place place = document.place("blend.xform_map");
  if (!map->is(Kind::List)) place.fail("pairs [[source, destination], ...]", map->shown());
  for (const JsonTree& pair : map->items) {
    if (!pair.is(Kind::List) || pair.items.size() != 2)
      place.fail("[source, destination]", pair.shown());
    blend.map.emplace_back(idOf(pair.items[0], place), idOf(pair.items[1], place));
  }
  return blend;
}

std::vector<XformPair> paired(const std::vector<NodeXform>& from, const std::vector<NodeXform>& to,
                              const Blend& blend, const Place& place) {
  Pairing pairing(from, to, place);
  for (const auto& [source, destination] : blend.map) pairing.addMapped(source, destination);
  pairing.addSorted(blend.sort);
  std::vector<XformPair> pairs = pairing.take();
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

}  // namespace fathom::flame::cuburn
