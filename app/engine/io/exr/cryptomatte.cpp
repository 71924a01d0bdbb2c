// SPDX-License-Identifier: BSD-3-Clause
// Hashing, and the manifest as JSON.
#include "app/engine/io/exr/cryptomatte.h"

#include "app/engine/io/exr/exr_attributes.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bit>

namespace fathom {

std::uint32_t murmurHash3(std::string_view text) {
  const auto byteAt = [&](std::size_t i) { return std::uint32_t(static_cast<unsigned char>(text[i])); };
  const auto mixed = [](std::uint32_t word) {
    return std::rotl(word * 0xcc9e2d51u, 15) * 0x1b873593u;
  };
  std::uint32_t hash = 0;
  std::size_t at = 0;
  for (; at + 4 <= text.size(); at += 4) {
    const std::uint32_t word = byteAt(at) | byteAt(at + 1) << 8 | byteAt(at + 2) << 16 | byteAt(at + 3) << 24;
    hash = std::rotl(hash ^ mixed(word), 13) * 5 + 0xe6546b64u;
  }
  std::uint32_t rest = 0;
  for (std::size_t i = text.size(); i > at; --i) rest = rest << 8 | byteAt(i - 1);
  hash ^= mixed(rest) ^ std::uint32_t(text.size());
  hash = (hash ^ hash >> 16) * 0x85ebca6bu;
  hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
  return hash ^ hash >> 16;
}

std::uint32_t cryptomatteId(std::string_view name) {
  const std::uint32_t hash = murmurHash3(name), exponent = hash >> 23 & 255u;
  return exponent == 0 || exponent == 255 ? hash ^ 1u << 23 : hash;
}

void addCryptomatte(Attributes& attributes, const std::string& layer,
                    const std::map<std::string, std::uint32_t>& ids) {
  const std::string key = fmt::format("{:08x}", murmurHash3(layer)).substr(0, 7);
  const auto set = [&](const std::string& what, const std::string& text) {
    setAttribute(attributes, attributeOf("cryptomatte/" + key + "/" + what, text));
  };
  nlohmann::json manifest = nlohmann::json::object();
  for (const auto& [name, id] : ids) manifest[name] = fmt::format("{:08x}", id);
  set("name", layer);
  set("hash", "MurmurHash3_32");
  set("conversion", "uint32_to_float32");
  // Names are bytes; what is no UTF-8 of them is replaced.
  set("manifest", manifest.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace fathom
