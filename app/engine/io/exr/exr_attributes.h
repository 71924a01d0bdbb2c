// SPDX-License-Identifier: BSD-3-Clause
// The attributes of EXR headers: read byte for byte, united where several inputs become one, made
// from values and shown as text. Which of them describe how a file is stored is known here; writers
// make those anew and pass on the others.
#pragma once

#include "app/engine/core/attributes.h"

#include <glm/mat4x4.hpp>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace Imf_3_1 {
class Header;
}

namespace fathom {

/// The header of each part. Throws Error when the file ends inside of them.
std::vector<Attributes> readAttributes(const std::filesystem::path& file);

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
std::optional<float> floatNamed(const Attributes& attributes, std::string_view name);
std::optional<std::string> textNamed(const Attributes& attributes, std::string_view name);
std::optional<glm::mat4> matrixNamed(const Attributes& attributes, std::string_view name);

/// Those that do not describe storage, into a header of the OpenEXR library; values that it cannot
/// read are left out.
void insertAttributes(const Attributes& attributes, Imf_3_1::Header& header);

}  // namespace fathom
