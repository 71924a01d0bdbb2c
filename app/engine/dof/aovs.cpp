// SPDX-License-Identifier: BSD-3-Clause
// What a channel is follows from its name, its type and the attributes of Cryptomattes.
#include "app/engine/dof/aovs.h"

#include "app/engine/core/error.h"
#include "app/engine/core/text.h"
#include "app/engine/dof/input.h"
#include "app/engine/dof/splats/point_lists.h"
#include "app/engine/io/exr/cryptomatte.h"
#include "app/engine/io/exr/id_filter.h"

namespace fathom::dof {
namespace {

/// A channel that a file has besides color and alpha.
struct Found {
  int part = 0;
  std::string name;    // in the file
  std::string title;   // as it is written; of ranks of a Cryptomatte, its layer
  std::string rank{};  // "00.R"; empty: it is none
  ChannelType type = ChannelType::Half;
  bool isDepth = false;
};

Found foundOf(const ExrPartInfo::Channel& channel, int part, const SharedAttributes& attributes) {
  Found found{part, channel.name, channel.name, {}, channel.type};
  for (const std::string& layer : cryptomatteLayers(attributes ? *attributes : Attributes())) {
    if (!channel.name.starts_with(layer)) continue;
    const std::string rank = channel.name.substr(layer.size());
    if (rank.size() == 4 && numberIn<unsigned>(rank.substr(0, 2)))
      found.title = layer, found.rank = rank;
  }
  return found;
}

/// Vectors and coordinates are not premultiplied; all else stands for light, or for a share.
bool isVector(const std::string& title) {
  const std::string name = lowered(title);
  return std::ranges::any_of(
      std::array{"*.x",      "*.y",        "*.z",      "*.u",     "*.v",      "u",
                 "v",        "n.*",        "*.n.*",    "p.*",     "*.p.*",    "ng.*",
                 "ns.*",     "uv.*",       "st.*",     "pref.*",  "*normal*", "*position*",
                 "*motion*", "*velocity*", "*vector*", "*worldp*"},
      [&](const char* pattern) { return matchesPattern(name, pattern); });
}

bool isLike(const std::string& title, const std::vector<std::string>& patterns) {
  return std::ranges::any_of(patterns, [&](const std::string& p) {
    return p == "all" || (p != "" && (matchesPattern(title, p) || matchesPattern(title, p + ".*")));
  });
}

/// Leaves those that are asked for. Throws Error where a pattern is like none.
void choose(std::vector<Found>& found, const std::string& file, const AovChoice& choice,
            Aovs& aovs) {
  const std::vector<std::string> patterns = splitAt(choice.channels, ',');
  for (const std::string& p : patterns)
    if (!p.empty() && !isLike("R", {p}) && !isLike("A", {p}) &&
        std::ranges::none_of(found, [&](const Found& f) { return isLike(f.title, {p}); }))
      fail("{}: expected a channel \"{}\", found {}", file, p,
           found.empty() ? "color and alpha" : joined(found, ", ", &Found::name));
  std::erase_if(found, [&](const Found& f) {
    const bool isLeft = !isLike(f.title, patterns);
    if (isLeft && !f.isDepth) aovs.left.insert(f.title);
    return isLeft;
  });
}

/// Adds a chosen channel.
void add(Aovs& aovs, const Found& f, const DeepChannel& values, bool straight, bool asFloat) {
  const auto number = numberIn<std::size_t>(f.rank.substr(0, 2));
  if (number || (f.type == ChannelType::Uint && !f.isDepth)) {
    std::string layer = number ? f.title : "crypto_" + f.title;
    if (!number) std::ranges::replace(layer, '.', '_');
    auto mattes = std::ranges::find(aovs.mattes, layer, &AovMattes::layer);
    if (mattes == aovs.mattes.end())
      mattes = aovs.mattes.insert(mattes, {layer, number ? "" : f.title, {}});
    const std::size_t component = number ? std::string("rgba").find(lowered(f.rank)[3]) : 0;
    if (component > 3) return;
    const std::size_t rank = 2 * number.value_or(0) + component / 2;
    mattes->ranks.resize(std::max(mattes->ranks.size(), rank + 1));
    mattes->ranks[rank][component % 2] = &values;
    return;
  }
  const bool isFloat = asFloat || f.isDepth || f.type != ChannelType::Half;
  aovs.averaged.push_back({f.isDepth  ? Aov::Kind::Depth
                           : straight ? Aov::Kind::Straight
                                      : Aov::Kind::Premultiplied,
                           &values, isFloat ? ChannelType::Float : ChannelType::Half});
}

/// Ranks are whole; values of one kind lie side by side.
std::shared_ptr<const Aovs> finished(std::shared_ptr<Aovs> made, const AovChoice& choice) {
  Aovs& aovs = *made;
  for (AovMattes& m : aovs.mattes)
    std::erase_if(m.ranks, [&](const auto& r) { return !r[0] || (m.numbers.empty() && !r[1]); });
  std::ranges::stable_sort(aovs.averaged, {}, &Aov::kind);
  if (choice.asFloat) aovs.colorType = ChannelType::Float;
  return made;
}

}  // namespace

std::shared_ptr<const Aovs> aovsOf(const ExrFileInfo& file, const std::string& part,
                                   const FlatLayers& layers, const AovChoice& choice) {
  const ExrPartInfo& color = file.parts[std::size_t(layers.colorPart)];
  std::vector<ExrPartInfo> parts{color};
  for (const ExrPartInfo& from : file.parts)
    if (from.index != color.index && !from.deep && from.dataWindow == color.dataWindow &&
        (part.empty() ? from.view == color.view : from.is(part)))
      parts.push_back(from);
  auto aovs = std::make_shared<Aovs>();
  std::vector<Found> found;
  std::set<std::string> titles{"R", "G", "B", "A"};
  for (const ExrPartInfo& from : parts)
    for (const ExrPartInfo::Channel& channel : from.channels) {
      const bool isOwn = from.index == color.index;
      if (isOwn && channel.name.size() == layers.prefix.size() + 1 &&
          channel.name.starts_with(layers.prefix) &&
          std::string("RGBAY").find(channel.name.back()) < 5) {
        if (channel.type != ChannelType::Half) aovs->colorType = ChannelType::Float;
        continue;
      }
      Found f = foundOf(channel, from.index, from.attributes);
      f.isDepth = depthRank(from, f.name) > 0;
      if (!isOwn && f.title.find('.') == std::string::npos && f.rank.empty())
        f.title = from.name + "." + f.title;
      while (f.rank.empty() && !titles.insert(f.title).second) f.title = from.name + "." + f.title;
      found.push_back(std::move(f));
    }
  choose(found, file.file.string(), choice, *aovs);
  for (const Found& f : found) aovs->planes.push_back({f.title, f.type, {}});
  for (const ExrPartInfo& from : parts) {
    std::vector<std::string> names;
    for (const Found& f : found)
      if (f.part == from.index) names.push_back(f.name);
    if (names.empty()) continue;
    std::vector<DeepChannel> read = loadExrChannels(file.file, from.index, names);
    for (std::size_t i = 0, next = 0; i < found.size(); ++i)
      if (found[i].part == from.index) aovs->planes[i].values = std::move(read[next++].values);
    for (const Attribute& a : from.attributes ? *from.attributes : Attributes())
      if (from.index != color.index && a.name.starts_with("cryptomatte/"))
        aovs->described.push_back(a);
  }
  const std::vector<std::string> straight = splitAt(choice.straight, ',');
  for (std::size_t i = 0; i < found.size(); ++i)
    add(*aovs, found[i], aovs->planes[i],
        choice.straight.empty() ? isVector(found[i].title) : isLike(found[i].title, straight),
        choice.asFloat);
  return finished(aovs, choice);
}

std::shared_ptr<const Aovs> aovsOf(const DeepImage& image, const std::string& file,
                                   const AovChoice& choice) {
  auto aovs = std::make_shared<Aovs>();
  std::vector<Found> found;
  for (const DeepChannel& c : image.channels)
    if (std::set<std::string>{"R", "G", "B", "A", "Y", "AR", "AG", "AB"}.contains(c.name)) {
      if (c.type != ChannelType::Half) aovs->colorType = ChannelType::Float;
    } else if (c.name != "ZBack" && c.name != kHeldChannel) {
      found.push_back(foundOf({c.name, c.type}, 0, image.attributes));
      found.back().isDepth = c.name == "Z";
    }
  choose(found, file, choice, *aovs);
  for (const Found& f : found)
    add(*aovs, f, *channelNamed(image.channels, f.name),
        isLike(f.title, splitAt(choice.straight, ',')), choice.asFloat);
  return finished(aovs, choice);
}

}  // namespace fathom::dof
