// SPDX-License-Identifier: BSD-3-Clause
// Mattes of IDs in flat pictures (Cryptomatte, Psyop): what layers a file has, and how much of a
// pixel each ID covers as such a layer.
#pragma once

#include "app/engine/core/deep_image.h"

namespace fathom {

/// The hash of a name as Cryptomatte keeps it: the bits of a float that is a normal number, so that
/// no program changes them.
std::uint32_t cryptomatteId(std::string_view name);

/// A layer of mattes: "CryptoObject00.R" and so on, and the IDs by their names.
struct Cryptomatte {
  std::string layer;
  std::map<std::string, std::uint32_t> ids;
};
/// Those that the attributes name. A manifest in a file of its own lies in `folder`. Throws Error
/// where that cannot be read.
std::vector<Cryptomatte> cryptomattesOf(const Attributes& attributes, const fs::path& folder);
/// The names of the layers alone.
std::vector<std::string> cryptomatteLayers(const Attributes& attributes);

/// cryptomatte/KEY/name, hash, conversion and manifest of a layer, for the names of all IDs.
void addCryptomatte(Attributes& attributes, const std::string& layer,
                    const std::map<std::string, std::uint32_t>& ids);

/// How much of a pixel each ID covers, most first: the sum over them is the flat alpha.
using Coverage = std::vector<std::pair<std::uint32_t, float>>;
void sortCoverage(Coverage& coverage);

/// The mattes of a picture, as ranks.
class MatteRanks {
 public:
  static constexpr std::size_t kUsual = 6, kMost = 64;
  /// Sorted coverages of all pixels; an even number of ranks, of the usual as many as there are.
  MatteRanks(std::string layer, std::vector<Coverage> pixels);
  /// The IDs are numbers of a channel (uint): hashes of their names take their places, and the
  /// layer is described in the attributes, which may hold the names.
  void nameIds(const std::string& channel, Attributes& attributes);
  /// "CryptoObject00.R" for the ID of rank 0, .G for its coverage, .B and .A for rank 1; with the
  /// values of `count` pixels, 0 where there are not as many IDs.
  const std::vector<DeepChannel>& rows(std::size_t first, std::size_t count);
  const std::vector<DeepChannel>& channels() const { return channels_; }
  /// IDs in all, and of the pixel with the most.
  std::size_t idCount() const;
  std::size_t most() const { return most_; }
  /// Where pixels have more than are kept.
  void warnOfMore(const std::string& file) const;

 private:
  std::string layer_;
  std::vector<Coverage> pixels_;
  std::vector<DeepChannel> channels_;
  std::size_t most_ = 0;
};

}  // namespace fathom
