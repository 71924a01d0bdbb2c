// SPDX-License-Identifier: BSD-3-Clause
// What the header of an EXR part says: attributes between files and memory, and the names of
// numbers in ID channels (idManifest).
#pragma once

#include "app/engine/core/deep_image.h"

namespace Imf_3_1 {
class Header;
}

namespace fathom {

/// How an EXR file begins, and a packed deep one.
inline constexpr std::string_view kExrMagic = "\x76\x2f\x31\x01", kPackedMagic = "fdp\x03";

/// The header of each part; in `end` the first byte behind them. Throws Error when the file ends
/// inside of them.
std::vector<Attributes> readAttributes(const fs::path& file, std::uint64_t* end = nullptr);

/// Windows, channels, compression, line order, tiles, part type and the like; also what describes
/// the pixels that were there before (preview, maxSamplesPerPixel).
bool describesStorage(std::string_view name);

/// One list for what several inputs become: of a name that several have, the first one's value.
/// idManifest and the manifests of Cryptomatte hold the entries of all. The preview of one picture
/// is not that of several and goes. `notes`, when given, gets a line for each input whose values
/// gave way: "FILE: comments, owner differ from those of FILE, which are kept".
Attributes unitedAttributes(std::span<const SharedAttributes> inputs,
                            std::span<const std::string> names,
                            std::vector<std::string>* notes = nullptr);

/// A text of a file without what would end the line or move the cursor, cut where it is long.
std::string shownLine(std::string text);
/// The value for people: numbers, texts, "3 entries for channels id"; of an unknown type its size.
std::string textOf(const Attribute& attribute);

Attribute attributeOf(const std::string& name, float value);
Attribute attributeOf(const std::string& name, const std::string& value);
Attribute attributeOf(const std::string& name, glm::vec2 value);
/// Of a matrix that multiplies columns; EXR's multiply rows, so it is stored as GLM holds it.
Attribute attributeOf(const std::string& name, const glm::mat4& value);
/// Replaces or appends.
void setAttribute(Attributes& attributes, Attribute attribute);

/// None when there is no such attribute, or one of another type.
std::optional<std::string> textNamed(const Attributes& attributes, std::string_view name);
std::optional<glm::mat4> matrixNamed(const Attributes& attributes, std::string_view name);
/// The same of one byte, whatever its type; none are known: none.
std::optional<unsigned> byteNamed(const Attributes* attributes, std::string_view name);

/// Those that do not describe storage, into a header of the OpenEXR library; values that it cannot
/// read are left out.
void insertAttributes(const Attributes& attributes, Imf_3_1::Header& header);

/// The names of the IDs in some channels.
struct IdNames {
  std::set<std::string> channels;
  std::vector<std::string> components{"name"};  // what each text of an entry is
  std::string hashScheme = "none", encodingScheme = "id";
  int lifetime = 2;  // as in EXR: 0 the frame, 1 the shot, 2 stable
  std::map<std::uint64_t, std::vector<std::string>> names;

  /// The texts of an entry as one, "set/tree"; empty when there is none.
  std::string nameOf(std::uint64_t id) const;
};

/// Nothing when it is damaged.
std::vector<IdNames> idManifestOf(const Attribute& attribute);
/// The names by what channels store, from the manifest among the attributes, if any: an ID of 64
/// bits lies in two channels (scheme id2), by name the low word first, and goes by that. Those of
/// openexrid ("EXRIdNames") and of OpenEXR's older examples ("objectID") besides.
std::vector<IdNames> idManifestOf(const Attributes& attributes);
Attribute idManifestAttribute(std::span<const IdNames> manifest);

/// Adds the entries of `more` to those of the same channels and components. Returns how many IDs
/// have another name in it; they keep their first.
std::size_t addNames(std::vector<IdNames>& manifest, std::span<const IdNames> more);

/// The names for a channel; null when there are none.
const IdNames* namesFor(std::span<const IdNames> manifest, const std::string& channel);

/// MurmurHash3_x86_32 (A. Appleby, public domain) with seed 0.
std::uint32_t murmurHash3(std::string_view text);

}  // namespace fathom
