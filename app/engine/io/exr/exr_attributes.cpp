// SPDX-License-Identifier: BSD-3-Clause
// Headers are lists of name, type, size and bytes; only what is united, shown or handed to the
// OpenEXR library is looked into.
#include "app/engine/io/exr/exr_attributes.h"

#include "app/engine/core/bytes.h"
#include "app/engine/core/error.h"
#include "app/engine/io/exr/id_manifest.h"

#include <ImfHeader.h>
#include <ImfOpaqueAttribute.h>
#include <ImfStdIO.h>
#include <ImfVersion.h>

#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <map>

namespace fathom {
namespace {

constexpr std::uint32_t kManyParts = 0x1000;
constexpr std::size_t kMaxNameBytes = 255;

/// Reads headers; knows how long the file is, so that no claim of it is believed beyond that.
class HeaderReader {
 public:
  explicit HeaderReader(const std::filesystem::path& file)
      : file_(file), in_(file, std::ios::binary) {
    std::error_code error;
    length_ = std::filesystem::file_size(file, error);
    if (error) damaged("a file of a known length", error.message());
  }

  std::uint32_t word() {
    std::uint32_t value = 0;
    read(&value, sizeof value);
    return value;
  }
  std::string name() {
    std::string text;
    for (char c = 0; read(&c, 1), c != 0; text += c)
      if (text.size() > kMaxNameBytes) damaged("a name of at most 255 bytes", "a longer one");
    return text;
  }
  std::vector<std::byte> bytes() {
    const std::uint32_t size = word();
    if (size > length_) damaged("an attribute that fits the file", fmt::format("{} bytes", size));
    std::vector<std::byte> value(size);
    read(value.data(), size);
    return value;
  }

 private:
  void read(void* to, std::size_t count) {
    if (count > 0 && !in_.read(static_cast<char*>(to), std::streamsize(count)))
      damaged("a whole header", "the end of the file");
  }
  [[noreturn]] void damaged(const std::string& expected, const std::string& found) const {
    fail("{}: expected {}, found {}", file_.string(), expected, found);
  }
  std::filesystem::path file_;
  std::ifstream in_;
  std::uint64_t length_ = 0;
};

Attributes readHeader(HeaderReader& in) {
  Attributes header;
  for (std::string name = in.name(); !name.empty(); name = in.name()) {
    Attribute& attribute = header.emplace_back();
    attribute.name = std::move(name);
    attribute.type = in.name();
    attribute.value = in.bytes();
  }
  return header;
}

std::string stringOf(const Attribute& attribute) {
  return {reinterpret_cast<const char*>(attribute.value.data()), attribute.value.size()};
}

template <class T>
std::vector<std::byte> rawBytes(const T& value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

/// "cryptomatte/1a2b3c4/manifest"
bool isNameTable(const Attribute& a) {
  return a.type == "string" && a.name.starts_with("cryptomatte/") && a.name.ends_with("/manifest");
}

/// Adds what another input says; false when it says something else, which is then not kept.
bool addAttribute(Attributes& all, const Attribute& more) {
  const Attribute* own = findAttribute(all, more.name);
  if (!own) {
    all.push_back(more);
    return true;
  }
  if (*own == more) return true;
  if (own->type == "idmanifest" && more.type == "idmanifest") {
    std::vector<IdNames> names = idManifestOf(*own);
    const std::vector<IdNames> others = idManifestOf(more);
    if (names.empty() || others.empty()) return false;
    const std::size_t differing = addNames(names, others);
    setAttribute(all, idManifestAttribute(names));
    return differing == 0;
  }
  if (!isNameTable(*own) || !isNameTable(more)) return false;
  const std::string united = unitedJsonObject(stringOf(*own), stringOf(more));
  if (united.empty()) return false;
  setAttribute(all, attributeOf(more.name, united));
  return true;
}

/// The numbers of a type that is nothing but numbers: how each is stored; 0 for other types.
char numbersIn(const std::string& type) {
  static const std::map<std::string, char> kinds{
      {"box2i", 'i'}, {"v2i", 'i'},     {"v3i", 'i'},         {"int", 'i'},
      {"keycode", 'i'}, {"timecode", 'x'}, {"rational", 'i'},
      {"box2f", 'f'}, {"v2f", 'f'},     {"v3f", 'f'},         {"float", 'f'},
      {"m33f", 'f'},  {"m44f", 'f'},    {"chromaticities", 'f'}, {"floatvector", 'f'},
      {"double", 'd'}, {"v2d", 'd'},    {"v3d", 'd'},         {"m33d", 'd'},
      {"m44d", 'd'},  {"envmap", 'b'},  {"lineOrder", 'b'},   {"compression", 'b'},
      {"deepImageState", 'b'}};
  const auto kind = kinds.find(type);
  return kind == kinds.end() ? '\0' : kind->second;
}

std::string numbersOf(const std::vector<std::byte>& value, char kind) {
  const std::size_t size = kind == 'd' ? 8 : kind == 'b' ? 1 : 4;
  std::string text;
  for (std::size_t at = 0; at + size <= value.size(); at += size) {
    if (at > 0) text += ' ';
    const std::byte* v = value.data() + at;
    text += kind == 'i'   ? fmt::format("{}", load<std::int32_t>(v))
            : kind == 'x' ? fmt::format("{:08x}", load<std::uint32_t>(v))
            : kind == 'f' ? fmt::format("{:.7g}", load<float>(v))
            : kind == 'd' ? fmt::format("{:.15g}", load<double>(v))
                          : fmt::format("{}", int(*v));
  }
  return text;
}

/// Without what would end the line or move the cursor.
std::string shownLine(std::string text) {
  constexpr std::size_t kLongest = 200;
  if (text.size() > kLongest) text = fmt::format("{} ... ({} bytes)", text.substr(0, kLongest), text.size());
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == 127) c = ' ';
  return text;
}

std::string namesText(const Attribute& attribute) {
  std::string text;
  for (const IdNames& names : idManifestOf(attribute))
    text += fmt::format("{}{} entries for channels {}", text.empty() ? "" : "; ",
                        names.names.size(), fmt::join(names.channels, ", "));
  return text.empty() ? fmt::format("a damaged one of {} bytes", attribute.value.size()) : text;
}

std::string textVector(const std::vector<std::byte>& value) {
  std::string text;
  for (std::size_t at = 0; at + 4 <= value.size();) {
    const auto size = std::size_t(load<std::uint32_t>(value.data() + at));
    at += 4;
    if (size > value.size() - at) break;
    text += (text.empty() ? "" : ", ") +
            std::string(reinterpret_cast<const char*>(value.data() + at), size);
    at += size;
  }
  return text;
}

}  // namespace

std::vector<Attributes> readAttributes(const std::filesystem::path& file) {
  HeaderReader in(file);
  in.word();
  const bool many = (in.word() & kManyParts) != 0;
  std::vector<Attributes> parts;
  for (Attributes header = readHeader(in); !header.empty();
       header = many ? readHeader(in) : Attributes())
    parts.push_back(std::move(header));
  return parts;
}

bool describesStorage(std::string_view name) {
  for (const char* one :
       {"channels", "compression", "dataWindow", "displayWindow", "lineOrder", "pixelAspectRatio",
        "tiles", "type", "version", "chunkCount", "maxSamplesPerPixel", "deepImageState",
        "preview"})
    if (name == one) return true;
  return false;
}

Attributes unitedAttributes(std::span<const SharedAttributes> inputs,
                            std::span<const std::string> names, std::vector<std::string>* notes) {
  Attributes all;
  std::size_t first = inputs.size();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i]) continue;
    if (first == inputs.size()) {
      first = i, all = *inputs[i];
      continue;
    }
    std::string lost;
    for (const Attribute& more : *inputs[i])
      if (!describesStorage(more.name) && !addAttribute(all, more))
        lost += (lost.empty() ? "" : ", ") + shownLine(more.name);
    if (notes && !lost.empty())
      notes->push_back(fmt::format("{}: {} differ from what {} says, which is kept", names[i], lost,
                                   names[first]));
  }
  return all;
}

std::string textOf(const Attribute& a) {
  if (a.type == "string") return shownLine(stringOf(a));
  if (a.type == "stringvector") return shownLine(textVector(a.value));
  if (a.type == "idmanifest") return shownLine(namesText(a));
  if (const char kind = numbersIn(a.type)) return shownLine(numbersOf(a.value, kind));
  return fmt::format("{} bytes of type {}", a.value.size(), shownLine(a.type));
}

Attribute attributeOf(const std::string& name, float value) {
  return {name, "float", rawBytes(value)};
}
Attribute attributeOf(const std::string& name, const std::string& value) {
  const auto* bytes = reinterpret_cast<const std::byte*>(value.data());
  return {name, "string", {bytes, bytes + value.size()}};
}
Attribute attributeOf(const std::string& name, glm::vec2 value) {
  return {name, "v2f", rawBytes(value)};
}
Attribute attributeOf(const std::string& name, const glm::mat4& value) {
  return {name, "m44f", rawBytes(value)};
}

void setAttribute(Attributes& attributes, Attribute attribute) {
  for (Attribute& own : attributes)
    if (own.name == attribute.name) {
      own = std::move(attribute);
      return;
    }
  attributes.push_back(std::move(attribute));
}

std::optional<float> floatNamed(const Attributes& attributes, std::string_view name) {
  const Attribute* a = findAttribute(attributes, name);
  if (!a || a->type != "float" || a->value.size() != sizeof(float)) return std::nullopt;
  return load<float>(a->value.data());
}
std::optional<std::string> textNamed(const Attributes& attributes, std::string_view name) {
  const Attribute* a = findAttribute(attributes, name);
  return a && a->type == "string" ? std::optional(stringOf(*a)) : std::nullopt;
}
std::optional<glm::mat4> matrixNamed(const Attributes& attributes, std::string_view name) {
  const Attribute* a = findAttribute(attributes, name);
  if (!a || a->type != "m44f" || a->value.size() != sizeof(glm::mat4)) return std::nullopt;
  return load<glm::mat4>(a->value.data());
}

void insertAttributes(const Attributes& attributes, Imf::Header& header) {
  for (const Attribute& a : attributes) {
    if (describesStorage(a.name)) continue;
    try {
      // The library writes manifests but misreads them: as bytes they stay what they are.
      const std::unique_ptr<Imf::Attribute> value(
          a.type != "idmanifest" && Imf::Attribute::knownType(a.type.c_str())
              ? Imf::Attribute::newAttribute(a.type.c_str())
              : new Imf::OpaqueAttribute(a.type.c_str()));
      Imf::StdISStream in;
      in.str(stringOf(a));
      value->readValueFrom(in, int(a.value.size()), Imf::EXR_VERSION);
      header.insert(a.name, *value);
    } catch (const std::exception&) {
      // A value that its own type cannot hold is of no use to a reader either.
    }
  }
}

}  // namespace fathom
