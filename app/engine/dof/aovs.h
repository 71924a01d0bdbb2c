// SPDX-License-Identifier: BSD-3-Clause
// Channels beside color and alpha (AOVs) that are blurred along: which ones a file has, which of
// them are asked for, and what their values mean, by their names.
#pragma once

#include "app/engine/core/deep_image.h"
#include "app/engine/io/exr/deep_exr.h"

namespace fathom::dof {

struct FlatLayers;

/// Names and layers between commas, with * and ?.
struct AovChoice {
  std::string channels;  // "all"; empty: none
  std::string
      straight;  // not premultiplied; empty: in flat files by their names, in deep ones none
  bool asFloat = false;  // what is half
};

/// A channel that is averaged.
struct Aov {
  enum class Kind {
    Premultiplied,  // by alpha, as color is
    Straight,       // weighted by alpha, and divided by what that is afterwards
    Depth           // the same without the background; infinite where there is nothing else
  };
  Kind kind = Kind::Premultiplied;
  const DeepChannel* values = nullptr;  // by pixel of a flat picture, or by fragment
  ChannelType type = ChannelType::Float;
};

/// IDs are not: how much each of them covers is.
struct AovMattes {
  std::string layer;    // of the Cryptomatte
  std::string numbers;  // the channel (uint) of IDs that are no hashes yet
  std::vector<std::array<const DeepChannel*, 2>> ranks;  // IDs, and what they cover; null: alpha
};

struct Aovs {
  std::vector<DeepChannel> planes;  // of a flat picture, [height][width]
  std::vector<Aov> averaged;
  std::vector<AovMattes> mattes;
  ChannelType colorType = ChannelType::Half;
  std::set<std::string> left;  // what is there and not blurred
  Attributes described;        // of Cryptomattes, from other parts than that of the color
  bool empty() const { return averaged.empty() && mattes.empty(); }
};

/// How certain a channel is depth; 0: it is none.
int depthRank(const ExrPartInfo& part, const std::string& channel);

/// Of a flat file: parts of the color's view and window, or the part that is asked for. Bare names
/// of other parts are written behind those of their parts: "diffuse.R". Throws Error.
std::shared_ptr<const Aovs> aovsOf(const ExrFileInfo& file, const std::string& part,
                                   const FlatLayers& layers, const AovChoice& choice);
/// Of a deep image, by the name of its file.
std::shared_ptr<const Aovs> aovsOf(const DeepImage& image, const std::string& file,
                                   const AovChoice& choice);

}  // namespace fathom::dof
