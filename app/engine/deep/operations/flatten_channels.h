// SPDX-License-Identifier: BSD-3-Clause
// All channels of a deep image as a flat picture: colors and data by over, IDs by what shows most,
// depth in the ways that there are; and the coverage of each ID, for mattes.
#pragma once

#include "app/engine/deep/operations/operations.h"
#include "app/engine/io/exr/cryptomatte.h"

namespace fathom::deep {

enum class FlatDepth {
  Front,         // Z of the first fragment that shows
  Back,          // of the last one
  Mean,          // of all that show, each counting the same
  AlphaWeighted  // each by how much of it shows
};
/// "front", "back", "mean", "alpha-weighted".
const char* nameOf(FlatDepth depth);

/// What a flat picture holds.
struct FlatPlan {
  std::vector<std::string> channels;  // of the deep image; Z and ZBack are not among them
  std::vector<FlatDepth> depths;      // one is called Z, several front.Z and so on
  bool asFloat = false;               // half channels too
};

/// The channels of the flat picture, without values, in alphabetical order.
std::vector<DeepChannel> flatChannels(const DeepImage& header, const FlatPlan& plan);

/// The rows of an image (its data window) as those channels, values[height][width]. Colors of each
/// layer are composited with its alpha; other numbers as a color is, with A; of uint channels the
/// ID that shows most. A pixel without fragments has 0, and infinite depth.
std::vector<DeepChannel> flattenChannels(const DeepImage& image, const MergeEdit& edit,
                                         const FlatPlan& plan);

/// How much of each pixel of the data window the IDs of a uint channel cover.
std::vector<Coverage> idCoverage(const DeepImage& image, const MergeEdit& edit,
                                 const std::string& channel);

}  // namespace fathom::deep
