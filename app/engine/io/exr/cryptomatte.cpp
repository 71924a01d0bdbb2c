// SPDX-License-Identifier: BSD-3-Clause
// The attributes of layers, and their channels.
#include "app/engine/io/exr/cryptomatte.h"

#include "app/engine/core/bytes.h"
#include "app/engine/core/progress.h"
#include "app/engine/core/text.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/exr/exr_attributes.h"
#include "app/engine/io/json.h"

namespace fathom {

std::uint32_t cryptomatteId(std::string_view name) {
  const std::uint32_t hash = murmurHash3(name), exponent = hash >> 23 & 255u;
  return exponent == 0 || exponent == 255 ? hash ^ 1u << 23 : hash;
}

std::vector<std::string> cryptomatteLayers(const Attributes& attributes) {
  std::vector<std::string> layers;
  for (const Attribute& a : attributes)
    if (a.name.starts_with("cryptomatte/") && a.name.ends_with("/name"))
      layers.push_back(textNamed(attributes, a.name).value_or(""));
  return layers;
}

std::vector<Cryptomatte> cryptomattesOf(const Attributes& attributes, const fs::path& folder) {
  std::vector<Cryptomatte> all;
  for (const Attribute& a : attributes) {
    if (!a.name.starts_with("cryptomatte/") || !a.name.ends_with("/name")) continue;
    const std::string key = a.name.substr(0, a.name.size() - std::strlen("name"));
    Cryptomatte& one =
        all.emplace_back(Cryptomatte{textNamed(attributes, a.name).value_or(""), {}});
    const std::string file = textNamed(attributes, key + "manif_file").value_or("");
    constexpr std::uint64_t kMaxManifest = 1 << 28;
    const std::string manifest = file.empty()
                                     ? textNamed(attributes, key + "manifest").value_or("")
                                     : readFile(folder / fs::path(file).filename(), kMaxManifest);
    const Json texts = Json::parse(manifest, nullptr, false);
    if (!texts.is_object()) continue;
    for (const auto& [name, value] : texts.items()) {
      if (!value.is_string()) continue;
      const auto& hex = value.get_ref<const std::string&>();
      if (const auto id = numberIn<std::uint32_t>(hex, 16)) one.ids[name] = *id;
    }
  }
  return all;
}

void addCryptomatte(Attributes& attributes, const std::string& layer,
                    const std::map<std::string, std::uint32_t>& ids) {
  const std::string key = fmt::format("{:08x}", murmurHash3(layer)).substr(0, 7);
  const auto set = [&](const std::string& what, const std::string& text) {
    setAttribute(attributes, attributeOf("cryptomatte/" + key + "/" + what, text));
  };
  Json manifest = Json::object();
  for (const auto& [name, id] : ids) manifest[name] = fmt::format("{:08x}", id);
  set("name", layer);
  set("hash", "MurmurHash3_32");
  set("conversion", "uint32_to_float32");
  set("manifest", manifest.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void sortCoverage(Coverage& coverage) {
  std::ranges::sort(coverage, [](const auto& a, const auto& b) {
    return a.second > b.second || (a.second == b.second && a.first < b.first);
  });
}

MatteRanks::MatteRanks(std::string layer, std::vector<Coverage> pixels)
    : layer_(std::move(layer)), pixels_(std::move(pixels)) {
  for (const Coverage& coverage : pixels_) most_ = std::max(most_, coverage.size());
  for (std::size_t rank = 0; rank < std::clamp(most_, kUsual, kMost); rank += 2)
    for (const char component : {'R', 'G', 'B', 'A'})
      channels_.push_back(
          {fmt::format("{}{:02}.{}", layer_, rank / 2, component), ChannelType::Float, {}});
}

void MatteRanks::nameIds(const std::string& channel, Attributes& attributes) {
  const std::vector<IdNames> manifest = idManifestOf(attributes);
  const IdNames* names = namesFor(manifest, channel);
  std::map<std::string, std::uint32_t> hashes;
  std::unordered_map<std::uint32_t, std::uint32_t> hashOf;
  for (Coverage& coverage : pixels_)
    for (auto& [id, share] : coverage) {
      const auto [known, isNew] = hashOf.try_emplace(id);
      if (isNew) {
        std::string name = names ? names->nameOf(id) : "";
        if (name.empty()) name = fmt::format("id_{}", id);
        known->second = hashes[name] = cryptomatteId(name);
      }
      id = known->second;
    }
  addCryptomatte(attributes, layer_, hashes);
}

const std::vector<DeepChannel>& MatteRanks::rows(std::size_t first, std::size_t count) {
  for (DeepChannel& channel : channels_) channel.values.assign(count * 4, std::byte(0));
  for (std::size_t p = 0; p < count; ++p) {
    const Coverage& coverage = pixels_[first + p];
    for (std::size_t rank = 0; rank < coverage.size() && rank * 2 < channels_.size(); ++rank) {
      store(channels_[rank * 2].values.data() + 4 * p, coverage[rank].first);
      store(channels_[rank * 2 + 1].values.data() + 4 * p, coverage[rank].second);
    }
  }
  return channels_;
}

void MatteRanks::warnOfMore(const std::string& file) const {
  if (most_ > kMost)
    log::warn("{}: pixels have up to {} IDs, the first {} are kept", file, most_, kMost);
}

std::size_t MatteRanks::idCount() const {
  std::unordered_set<std::uint32_t> ids;
  for (const Coverage& coverage : pixels_)
    for (const auto& [id, share] : coverage) ids.insert(id);
  return ids.size();
}

}  // namespace fathom
