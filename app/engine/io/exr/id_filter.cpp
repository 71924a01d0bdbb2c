// SPDX-License-Identifier: BSD-3-Clause
// Patterns are resolved once; a fragment is then a look into a set.
#include "app/engine/io/exr/id_filter.h"

#include "app/engine/core/bytes.h"
#include "app/engine/core/text.h"

namespace fathom {
bool matchesPattern(std::string_view text, std::string_view pattern) {
  // The last * is the only one that may have to take more.
  std::size_t t = 0, p = 0, star = std::string_view::npos, taken = 0;
  while (t < text.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t]) && pattern[p] != '*') {
      ++t, ++p;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++, taken = t;
    } else if (star != std::string_view::npos) {
      p = star + 1, t = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

IdFilter::IdFilter(const DeepImage& image, const std::string& patterns) {
  const std::vector<IdNames> manifest =
      image.attributes ? idManifestOf(*image.attributes) : std::vector<IdNames>();
  std::vector<std::string> wanted = splitAt(patterns, '|');
  std::erase(wanted, "");
  std::set<std::string> found;
  for (std::size_t c = 0; c < image.channels.size(); ++c) {
    if (image.channels[c].type != ChannelType::Uint) continue;
    Channel& channel = channels_.emplace_back(Channel{c, {}});
    const IdNames* names = namesFor(manifest, image.channels[c].name);
    for (const std::string& pattern : wanted) {
      if (const auto id = numberIn<std::uint32_t>(pattern))
        channel.ids.insert(*id), found.insert(pattern);
      if (!names) continue;
      for (const auto& [id, texts] : names->names)
        if (matchesPattern(names->nameOf(id), pattern))
          channel.ids.insert(std::uint32_t(id)), found.insert(pattern);
    }
  }
  std::copy_if(wanted.begin(), wanted.end(), std::back_inserter(unmatched_),
               [&](const std::string& pattern) { return !found.contains(pattern); });
}

bool IdFilter::has(const DeepImage& image, std::size_t index, std::uint32_t firstIndex) const {
  if (image.format != FragmentFormat::Indexed) return false;
  const std::size_t at = image.words[index * kWideWords] - firstIndex;
  return std::any_of(channels_.begin(), channels_.end(), [&](const Channel& channel) {
    return channel.ids.contains(
        load<std::uint32_t>(image.channels[channel.channel].values.data() + 4 * at));
  });
}

IdNaming::IdNaming(const SharedAttributes& attributes, const std::vector<DeepChannel>& channels) {
  for (const DeepChannel& channel : channels)
    if (channel.type == ChannelType::Uint) channels_.push_back(channel.name);
  if (attributes && !channels_.empty()) manifest_ = idManifestOf(*attributes);
}

std::string IdNaming::nameOf(std::size_t channel, std::uint32_t id) const {
  const IdNames* names = namesFor(manifest_, channels_[channel]);
  const std::string name = names ? names->nameOf(id) : "";
  return name.empty() ? std::to_string(id) : name;
}

}  // namespace fathom
