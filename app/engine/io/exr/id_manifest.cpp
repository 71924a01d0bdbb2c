// SPDX-License-Identifier: BSD-3-Clause
// The OpenEXR library packs and unpacks manifests; sizes are checked before it allocates.
#include "app/engine/io/exr/id_manifest.h"

#include "app/engine/core/bytes.h"

#include <ImfIDManifest.h>
#include <ImfIDManifestAttribute.h>
#include <ImfStdIO.h>
#include <ImfVersion.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace fathom {
namespace {

/// zlib cannot do better than this.
constexpr std::uint64_t kMaxManifestRatio = 1032;

using Group = Imf::IDManifest::ChannelGroupManifest;

IdNames namesOf(const Group& group) {
  IdNames names;
  names.channels = group.getChannels();
  names.components = group.getComponents();
  names.hashScheme = group.getHashScheme();
  names.encodingScheme = group.getEncodingScheme();
  names.lifetime = int(group.getLifetime());
  for (auto entry = group.begin(); entry != group.end(); ++entry)
    names.names[entry.id()] = entry.text();
  return names;
}

Group groupOf(const IdNames& names) {
  Group group;
  group.setChannels(names.channels);
  group.setComponents(names.components);
  group.setHashScheme(names.hashScheme);
  group.setEncodingScheme(names.encodingScheme);
  group.setLifetime(Imf::IDManifest::IdLifetime(names.lifetime));
  for (const auto& [id, texts] : names.names) group.insert(id, texts);
  return group;
}

}  // namespace

std::string IdNames::nameOf(std::uint64_t id) const {
  const auto entry = names.find(id);
  return entry == names.end() ? "" : fmt::format("{}", fmt::join(entry->second, "/"));
}

std::vector<IdNames> idManifestOf(const Attribute& attribute) {
  const std::vector<std::byte>& bytes = attribute.value;
  // The size when unpacked, then what is packed. (OpenEXR 3.1's own attribute reads four bytes more
  // than there are.)
  constexpr std::size_t kSizeBytes = 8;
  if (attribute.type != "idmanifest" || bytes.size() <= kSizeBytes) return {};
  const std::size_t count = bytes.size() - kSizeBytes;
  const auto unpacked = load<std::uint64_t>(bytes.data());
  if (unpacked > kMaxManifestRatio * count || count > std::size_t(INT32_MAX)) return {};
  try {
    Imf::CompressedIDManifest packed;
    packed._compressedDataSize = int(count);
    packed._uncompressedDataSize = unpacked;
    packed._data = static_cast<unsigned char*>(std::malloc(count));  // it frees it
    if (!packed._data) return {};
    std::memcpy(packed._data, bytes.data() + kSizeBytes, count);
    const Imf::IDManifest manifest(packed);
    std::vector<IdNames> all;
    for (std::size_t i = 0; i < manifest.size(); ++i) all.push_back(namesOf(manifest[i]));
    return all;
  } catch (const std::exception&) {
    return {};  // damaged: it is passed on as it is
  }
}

std::vector<IdNames> idManifestOf(const Attributes& attributes) {
  const Attribute* attribute = findAttribute(attributes, "idManifest");
  return attribute ? idManifestOf(*attribute) : std::vector<IdNames>();
}

Attribute idManifestAttribute(std::span<const IdNames> names) {
  Imf::IDManifest manifest;
  for (const IdNames& one : names) manifest.add(groupOf(one));
  const Imf::CompressedIDManifest packed(manifest);
  Imf::StdOSStream out;
  Imf::IDManifestAttribute(packed).writeValueTo(out, Imf::EXR_VERSION);
  const std::string text = out.str();
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  return {"idManifest", "idmanifest", {bytes, bytes + text.size()}};
}

std::size_t addNames(std::vector<IdNames>& manifest, std::span<const IdNames> more) {
  std::size_t differing = 0;
  for (const IdNames& group : more) {
    const auto same = std::find_if(manifest.begin(), manifest.end(), [&](const IdNames& own) {
      return own.channels == group.channels && own.components == group.components;
    });
    if (same == manifest.end()) {
      manifest.push_back(group);
      continue;
    }
    for (const auto& [id, texts] : group.names)
      differing += same->names.emplace(id, texts).first->second != texts;
  }
  return differing;
}

const IdNames* namesFor(std::span<const IdNames> manifest, const std::string& channel) {
  for (const IdNames& names : manifest)
    if (names.channels.contains(channel)) return &names;
  return nullptr;
}

std::string unitedJsonObject(const std::string& first, const std::string& second) {
  using Json = nlohmann::ordered_json;
  Json a = Json::parse(first, nullptr, false), b = Json::parse(second, nullptr, false);
  if (!a.is_object() || !b.is_object()) return {};
  for (const auto& [name, value] : b.items())
    if (!a.contains(name)) a[name] = value;
  return a.dump();
}

}  // namespace fathom
