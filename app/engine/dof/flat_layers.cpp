// SPDX-License-Identifier: BSD-3-Clause
// Which channels are meant follows from their names alone.
#include "app/engine/dof/flat_layers.h"

#include "app/engine/core/error.h"
#include "app/engine/io/exr/flat_exr.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace fathom::dof {
namespace {

/// "ViewLayer.Depth.Z": prefix "ViewLayer.Depth.", last "Z".
struct Name {
  explicit Name(const std::string& channel)
      : prefix(channel.substr(0, channel.rfind('.') + 1)), last(channel.substr(prefix.size())) {}
  std::string prefix, last;
};

std::string lower(std::string text) {
  for (char& c : text) c = char(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// 0: no depth; more: the more certain.
int depthRank(const ExrPartInfo& part, const std::string& channel) {
  const Name name(channel);
  const std::string last = lower(name.last), prefix = lower(name.prefix);
  if (channel == "Z") return 5;
  const bool isVector = part.has(name.prefix + "X") || part.has(name.prefix + "x");
  const bool saysDepth = prefix.find("depth") != std::string::npos || prefix == "z.";
  if (last == "z" && isVector) return 0;
  if (last == "z") return saysDepth || lower(part.name).find("depth") != std::string::npos ? 4 : 3;
  if (last == "depth") return 2;
  return saysDepth && (last == "v" || last == "y" || last == "r") ? 1 : 0;
}

bool isAskedFor(const ExrPartInfo& part, const std::string& wish) {
  return wish.empty() || wish == std::to_string(part.index) || part.name == wish ||
         part.view == wish;
}

void findColor(const ExrPartInfo& part, FlatLayers& layers) {
  std::vector<std::string> prefixes{""};
  for (const ExrPartInfo::Channel& channel : part.channels)
    if (const Name name(channel.name); name.last == "R") prefixes.push_back(name.prefix);
  // What is called the combined or final picture, before passes of it.
  std::stable_sort(prefixes.begin() + 1, prefixes.end(), [](const auto& a, const auto& b) {
    const auto isWhole = [](const std::string& prefix) {
      const std::string text = lower(prefix);
      return text.find("combined") != std::string::npos || text.find("rgba") != std::string::npos ||
             text.find("beauty") != std::string::npos;
    };
    return isWhole(a) > isWhole(b);
  });
  for (const std::string& prefix : prefixes) {
    const bool gray = prefix.empty() && part.has("Y");
    if (!gray && !(part.has(prefix + "R") && part.has(prefix + "G") && part.has(prefix + "B")))
      continue;
    layers.colorPart = part.index, layers.prefix = prefix;
    layers.hasAlpha = part.has(prefix + "A");
    return;
  }
}

}  // namespace

FlatLayers findLayers(const ExrFileInfo& file, const std::string& part) {
  FlatLayers layers;
  bool any = false;
  for (const ExrPartInfo& candidate : file.parts) {
    if (candidate.deep || !isAskedFor(candidate, part)) continue;
    any = true;
    if (layers.colorPart < 0) findColor(candidate, layers);
  }
  if (!any)
    fail("{}: expected a flat part \"{}\", found {} parts without it", file.file.string(), part,
         file.parts.size());
  const ExrPartInfo& color = file.parts[std::size_t(std::max(0, layers.colorPart))];
  int best = 0;
  const auto offer = [&](const ExrPartInfo& from, const std::string& channel, int rank) {
    const std::string title =
        from.index == color.index ? channel : fmt::format("{}#{}", channel, from.index);
    if (rank <= best) {
      layers.others += (layers.others.empty() ? "" : ", ") + title;
      return;
    }
    if (best > 0) layers.others += (layers.others.empty() ? "" : ", ") + layers.depth;
    best = rank, layers.depth = channel, layers.depthPart = from.index;
  };
  // In the part of the color first: its ranks count double.
  for (const ExrPartInfo& from : file.parts) {
    if (from.deep || !(from.dataWindow == color.dataWindow)) continue;
    for (const ExrPartInfo::Channel& channel : from.channels)
      if (const int rank = depthRank(from, channel.name); rank > 0)
        offer(from, channel.name, from.index == color.index ? 10 * rank : rank);
  }
  return layers;
}

Picture readLayers(const ExrFileInfo& file, const FlatLayers& layers) {
  const ExrPartInfo& part = file.parts[std::size_t(layers.colorPart)];
  Picture picture;
  if (layers.prefix.empty()) {
    picture = *loadFlatExr(file.file, std::to_string(part.index));
  } else {
    picture.dataWindow = part.dataWindow, picture.displayWindow = part.displayWindow;
    picture.pixelAspect = part.pixelAspect;
    picture.image = Image(part.dataWindow.width, part.dataWindow.height, glm::vec4(0, 0, 0, 1));
    const char* const names[] = {"R", "G", "B", "A"};
    for (int c = 0; c < (layers.hasAlpha ? 4 : 3); ++c) {
      const auto values = loadExrChannel(file.file, part.index, layers.prefix + names[c]);
      for (std::size_t i = 0; i < values.size(); ++i) picture.image.pixels[i][c] = values[i];
    }
    picture.hasAlpha = layers.hasAlpha;
  }
  if (layers.depthPart >= 0)
    picture.depth = loadExrChannel(file.file, layers.depthPart, layers.depth);
  return picture;
}

}  // namespace fathom::dof
