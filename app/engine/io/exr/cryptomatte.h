// SPDX-License-Identifier: BSD-3-Clause
// Cryptomatte (Friedman, Jones, "Fully automatic ID mattes with support for motion blur and
// transparency", SIGGRAPH 2015 posters; its specification 1.2): hashes of names, and the attributes
// that describe a layer of ranked ID and coverage pairs.
#pragma once

#include "app/engine/core/attributes.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace fathom {

/// MurmurHash3_x86_32 (A. Appleby, public domain) with seed 0.
std::uint32_t murmurHash3(std::string_view text);
/// The hash of a name as Cryptomatte keeps it: the bits of a float that is a normal number, so that
/// no program changes them.
std::uint32_t cryptomatteId(std::string_view name);

/// cryptomatte/KEY/name, hash, conversion and manifest of a layer, for the names of all IDs.
void addCryptomatte(Attributes& attributes, const std::string& layer,
                    const std::map<std::string, std::uint32_t>& ids);

}  // namespace fathom
