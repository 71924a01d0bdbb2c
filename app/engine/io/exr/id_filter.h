// SPDX-License-Identifier: BSD-3-Clause
// Fragments by ID: numbers and names of the manifest, chosen by patterns.
#pragma once

#include "app/engine/core/deep_image.h"
#include "app/engine/io/exr/exr_attributes.h"

namespace fathom {

/// "*" is any text, "?" any character.
bool matchesPattern(std::string_view text, std::string_view pattern);

class IdFilter {
 public:
  /// Of all uint channels of an image, whose attributes hold the names. `patterns`: texts between
  /// "|", each a number or a pattern of names.
  IdFilter(const DeepImage& image, const std::string& patterns);

  /// Whether fragment `index` of this image, or of rows of it, has one of the IDs.
  bool has(const DeepImage& image, std::size_t index, std::uint32_t firstIndex) const;
  /// The patterns that are neither numbers nor like any name.
  const std::vector<std::string>& unmatched() const { return unmatched_; }

 private:
  struct Channel {
    std::size_t channel;
    std::unordered_set<std::uint32_t> ids;
  };
  std::vector<Channel> channels_;
  std::vector<std::string> unmatched_;
};

/// The names of an image's IDs, by channel in the order of its uint channels; "" where there is
/// none.
class IdNaming {
 public:
  explicit IdNaming(const SharedAttributes& attributes, const std::vector<DeepChannel>& channels);
  const std::vector<std::string>& channels() const { return channels_; }
  /// "tree", or "17" where the manifest has no name for it.
  std::string nameOf(std::size_t channel, std::uint32_t id) const;

 private:
  std::vector<std::string> channels_;
  std::vector<IdNames> manifest_;
};

}  // namespace fathom
