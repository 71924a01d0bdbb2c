// SPDX-License-Identifier: BSD-3-Clause
// Other codecs, to be compared with at the same bytes: programs of the system, run on files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace fathom::smoe {

struct Codec {
  std::string name;               // "JPEG 4:2:0"
  std::string ending;             // of its files
  std::string settings;           // what it is run with, for the page
  int lowest = 0, highest = 100;  // quality, rising
  /// The command lines for a picture at a quality; the second decodes to a PNG, empty: not needed.
  using Line = std::vector<std::string>;
  std::function<Line(const std::string& picture, int quality, const std::string& out)> encode = {};
  std::function<Line(const std::string& file, const std::string& png)> decode = {};
  bool takesPpm = false;
};

/// JPEG, WebP and AVIF, as far as their programs are installed.
std::vector<Codec> installedCodecs();

/// The file of the best quality that takes at most `bytes`, and what it decodes to, in `folder`;
/// quality -1: even the lowest takes more.
struct CodecResult {
  int quality = -1;
  std::uint64_t bytes = 0;
  std::string decoded;  // a picture file
};
CodecResult encodeWithin(const Codec& codec, const std::string& picture, std::uint64_t bytes,
                         const std::filesystem::path& folder);

}  // namespace fathom::smoe
