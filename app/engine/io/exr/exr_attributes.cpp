// SPDX-License-Identifier: BSD-3-Clause
// Attributes in the bytes of the file, and what some of them mean.
#include "app/engine/io/exr/exr_attributes.h"

#include "app/engine/core/bytes.h"
#include "app/engine/core/error.h"
#include "app/engine/core/text.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/io/deflate.h"
#include "app/engine/io/json.h"

#include <ImfHeader.h>
#include <ImfIDManifest.h>
#include <ImfIDManifestAttribute.h>
#include <ImfOpaqueAttribute.h>
#include <ImfStdIO.h>
#include <ImfVersion.h>
#include <OpenEXR/ImfHeader.h>

namespace fathom {
namespace {

constexpr std::uint32_t kManyParts = 0x1000;
constexpr std::size_t kMaxNameBytes = 255;

/// Reads headers; knows how long the file is, so that no claim of it is believed beyond that.
class HeaderReader {
 public:
  explicit HeaderReader(const fs::path& file) : file_(file), in_(openFile(file)) {
    std::error_code error;
    length_ = fs::file_size(file, error);
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
  std::uint64_t place() { return std::uint64_t(in_.tellg()); }

 private:
  void read(void* to, std::size_t count) {
    if (count > 0 && !in_.read(static_cast<char*>(to), std::streamsize(count)))
      damaged("a whole header", "the end of the file");
  }
  [[noreturn]] void damaged(const std::string& expected, const std::string& found) const {
    fail("{}: expected {}, found {}", file_.string(), expected, found);
  }
  fs::path file_;
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
  OrderedJson united = OrderedJson::parse(stringOf(*own), nullptr, false);
  const OrderedJson others = OrderedJson::parse(stringOf(more), nullptr, false);
  if (!united.is_object() || !others.is_object()) return false;
  for (const auto& [name, value] : others.items())
    if (!united.contains(name)) united[name] = value;
  setAttribute(all, attributeOf(more.name, united.dump()));
  return true;
}

/// The numbers of a type that is nothing but numbers: how each is stored; 0 for other types.
char numbersIn(const std::string& type) {
  static const std::pair<char, std::set<std::string>> kinds[] = {
      {'i', {"box2i", "v2i", "v3i", "int", "keycode", "rational"}},
      {'x', {"timecode"}},
      {'f', {"box2f", "v2f", "v3f", "float", "m33f", "m44f", "chromaticities", "floatvector"}},
      {'d', {"double", "v2d", "v3d", "m33d", "m44d"}},
      {'b', {"envmap", "lineOrder", "compression", "deepImageState"}}};
  for (const auto& [kind, types] : kinds)
    if (types.contains(type)) return kind;
  return '\0';
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

std::string namesText(const Attribute& attribute) {
  const std::string text = joined(idManifestOf(attribute), "; ", [](const IdNames& names) {
    return fmt::format("{} entries for channels {}", names.names.size(),
                       fmt::join(names.channels, ", "));
  });
  return text.empty() ? fmt::format("a damaged one of {} bytes", attribute.value.size()) : text;
}

std::vector<std::string> textsIn(const Attribute& a) {
  std::vector<std::string> texts;
  for (std::size_t at = 0; at + 4 <= a.value.size();) {
    const auto size = std::size_t(load<std::uint32_t>(a.value.data() + at));
    at += 4;
    if (size > a.value.size() - at) break;
    texts.emplace_back(reinterpret_cast<const char*>(a.value.data() + at), size);
    at += size;
  }
  return texts;
}

/// Says so when one of two inputs alone names the primaries of its colors.
void notePrimaries(const Attributes& first, const Attributes& more, const std::string& firstName,
                   const std::string& moreName, std::vector<std::string>& notes) {
  const bool firstHas = findAttribute(first, "chromaticities") != nullptr;
  if (firstHas == (findAttribute(more, "chromaticities") != nullptr)) return;
  const std::string& with = firstHas ? firstName : moreName;
  notes.push_back(fmt::format(
      "{} has chromaticities and {} has none: colors stay as they are, the output has those of {}",
      with, firstHas ? moreName : firstName, with));
}

}  // namespace

std::string shownLine(std::string text) {
  constexpr std::size_t kLongest = 200;
  if (text.size() > kLongest)
    text = fmt::format("{} ... ({} bytes)", text.substr(0, kLongest), text.size());
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == 127) c = ' ';
  return text;
}

std::vector<Attributes> readAttributes(const fs::path& file, std::uint64_t* end) {
  HeaderReader in(file);
  in.word();
  const bool many = (in.word() & kManyParts) != 0;
  std::vector<Attributes> parts;
  for (Attributes header = readHeader(in); !header.empty();
       header = many ? readHeader(in) : Attributes())
    parts.push_back(std::move(header));
  if (end) *end = in.place();
  return parts;
}

bool describesStorage(std::string_view name) {
  for (const char* one : {"channels", "compression", "dataWindow", "displayWindow", "lineOrder",
                          "pixelAspectRatio", "tiles", "type", "version", "chunkCount",
                          "maxSamplesPerPixel", "deepImageState", "preview"})
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
    if (notes) notePrimaries(all, *inputs[i], names[first], names[i], *notes);
    std::string lost;
    for (const Attribute& more : *inputs[i])
      if (!describesStorage(more.name) && !addAttribute(all, more))
        lost += (lost.empty() ? "" : ", ") + shownLine(more.name);
    if (notes && !lost.empty())
      notes->push_back(fmt::format("{}: other values than in {}, which are kept: {}", names[i],
                                   names[first], lost));
  }
  return all;
}

std::string textOf(const Attribute& a) {
  if (a.type == "string") return shownLine(stringOf(a));
  if (a.type == "stringvector") return shownLine(fmt::format("{}", fmt::join(textsIn(a), ", ")));
  if (a.type == "idmanifest") return shownLine(namesText(a));
  if (const char kind = numbersIn(a.type)) return shownLine(numbersOf(a.value, kind));
  return fmt::format("{} bytes of type {}", a.value.size(), shownLine(a.type));
}

Attribute attributeOf(const std::string& name, float value) {
  return {name, "float", ByteWriter().put(value).bytes()};
}
Attribute attributeOf(const std::string& name, const std::string& value) {
  const auto* bytes = reinterpret_cast<const std::byte*>(value.data());
  return {name, "string", {bytes, bytes + value.size()}};
}
Attribute attributeOf(const std::string& name, glm::vec2 value) {
  return {name, "v2f", ByteWriter().put(value).bytes()};
}
Attribute attributeOf(const std::string& name, const glm::mat4& value) {
  return {name, "m44f", ByteWriter().put(value).bytes()};
}

void setAttribute(Attributes& attributes, Attribute attribute) {
  const auto own = std::ranges::find(attributes, attribute.name, &Attribute::name);
  (own == attributes.end() ? attributes.emplace_back() : *own) = std::move(attribute);
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

std::optional<unsigned> byteNamed(const Attributes* attributes, std::string_view name) {
  const Attribute* a = attributes ? findAttribute(*attributes, name) : nullptr;
  return a && a->value.size() == 1 ? std::optional(unsigned(a->value[0])) : std::nullopt;
}

void insertAttributes(const Attributes& attributes, Imf::Header& header) {
  for (const Attribute& a : attributes) {
    if (describesStorage(a.name)) continue;
    try {
      // The library writes manifests but misreads them: as bytes they stay what they are.
      const std::unique_ptr<Imf::Attribute> value(a.type != "idmanifest" &&
                                                          Imf::Attribute::knownType(a.type.c_str())
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

/// Of openexrid (Mercenaries Engineering): names one after the other, each ended by a 0; the ID is
/// a name's number. Packed by zlib; from version 3 on that in base64.
IdNames namesOfOpenExrId(const Attributes& attributes) {
  IdNames found;
  found.channels = {"Id"};
  const std::string packed = textNamed(attributes, "EXRIdNames").value_or("");
  const Attribute* version = findAttribute(attributes, "EXRIdVersion");
  const bool isText = version && version->value.size() == sizeof(std::int32_t) &&
                      load<std::int32_t>(version->value.data()) >= 3;
  const auto names = splitAt(inflatedZlib(isText ? decodedBase64(packed) : packed), '\0');
  for (std::size_t id = 0; id < names.size(); ++id)
    if (!names[id].empty()) found.names[id] = {names[id]};
  return found;
}

/// "objectID" of OpenEXR's examples before manifests: "model,material,3182339638" each.
IdNames namesOfObjectId(const Attributes& attributes) {
  IdNames found;
  found.channels = {"id", "Id", "ID", "objectID"};
  const Attribute* list = findAttribute(attributes, "objectID");
  if (!list || list->type != "stringvector") return found;
  for (const std::string& line : textsIn(*list)) {
    const std::size_t comma = line.rfind(',');
    if (comma == std::string::npos) continue;
    if (const auto id = numberIn<std::uint32_t>(line.substr(comma + 1))) {
      std::string name = line.substr(0, comma);
      std::replace(name.begin(), name.end(), ',', '/');
      found.names[*id] = {std::move(name)};
    }
  }
  return found;
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
  std::vector<IdNames> all = attribute ? idManifestOf(*attribute) : std::vector<IdNames>();
  for (IdNames& own : all) {
    if (own.encodingScheme != Imf::IDManifest::ID2_SCHEME) continue;
    std::set<std::string> lowWords;
    for (auto c = own.channels.begin(); c != own.channels.end(); ++c) {
      lowWords.insert(*c);
      if (++c == own.channels.end()) break;
    }
    own.channels = std::move(lowWords);
    for (const auto& [id, texts] : std::exchange(own.names, {}))
      own.names.emplace(std::uint32_t(id), texts);
  }
  for (IdNames (*const read)(const Attributes&) : {namesOfOpenExrId, namesOfObjectId})
    if (IdNames names = read(attributes); !names.names.empty()) all.push_back(std::move(names));
  return all;
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

std::uint32_t murmurHash3(std::string_view text) {
  const auto byteAt = [&](std::size_t i) {
    return std::uint32_t(static_cast<unsigned char>(text[i]));
  };
  const auto mixed = [](std::uint32_t word) {
    return std::rotl(word * 0xcc9e2d51u, 15) * 0x1b873593u;
  };
  std::uint32_t hash = 0;
  std::size_t at = 0;
  for (; at + 4 <= text.size(); at += 4) {
    const std::uint32_t word =
        byteAt(at) | byteAt(at + 1) << 8 | byteAt(at + 2) << 16 | byteAt(at + 3) << 24;
    hash = std::rotl(hash ^ mixed(word), 13) * 5 + 0xe6546b64u;
  }
  std::uint32_t rest = 0;
  for (std::size_t i = text.size(); i > at; --i) rest = rest << 8 | byteAt(i - 1);
  hash ^= mixed(rest) ^ std::uint32_t(text.size());
  hash = (hash ^ hash >> 16) * 0x85ebca6bu;
  hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
  return hash ^ hash >> 16;
}

}  // namespace fathom
