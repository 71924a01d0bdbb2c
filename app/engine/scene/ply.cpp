// SPDX-License-Identifier: BSD-3-Clause
// PLY files (Turk 1994), text and binary.
#include "app/engine/core/image.h"
#include "app/engine/core/text.h"
#include "app/engine/io/atomic_file.h"
#include "app/engine/scene/scene_builder.h"

namespace fathom {
namespace {

constexpr std::size_t kMaxHeader = 1 << 16, kMaxList = 1 << 16;

// Two names each
constexpr std::string_view kTypes[] = {"char",   "int8",    "uchar",  "uint8",  "short", "int16",
                                       "ushort", "uint16",  "int",    "int32",  "uint",  "uint32",
                                       "float",  "float32", "double", "float64"};
constexpr std::string_view kNames[] = {"x",  "y",   "z",     "nx",        "ny",
                                       "nz", "red", "green", "blue",      "s",
                                       "t",  "u",   "v",     "texture_u", "texture_v"};
enum Slot { kX, kNormal = 3, kRed = 6, kU = 9, kOther = 11, kIndices };  // of a value

struct Property {
  int type = 0, count = -1;  // into pairs of kTypes; count: of a list
  int slot = kOther;
};

struct Element {
  std::string name;
  std::uint64_t count = 0;
  std::vector<Property> properties;
  bool has(int slot) const {
    return std::ranges::find(properties, slot, &Property::slot) != properties.end();
  }
};

class PlyReader {
 public:
  PlyReader(Scene& scene, const fs::path& file)
      : file_(file), stream_(openFile(file)), builder_(scene, file) {
    const std::string start = startOf(file, kMaxHeader);
    const std::size_t end = start.find("\nend_header"), data = start.find('\n', end + 1);
    if (!start.starts_with("ply") || end == start.npos || data == start.npos)
      fail("{}: expected a PLY file, found no header of one", file_.string());
    for (const std::string& line : splitAt(start.substr(3, end - 3), '\n'))
      if (!headerLine(line))
        fail("{}: expected a PLY header, found \"{}\" in it", file_.string(),
             printable(trimmed(line)));
    stream_.seekg(std::streamoff(data + 1));
  }

  void read(const std::string& part, Progress& progress) {
    std::uint64_t all = 0;
    for (const Element& element : elements_) all += element.count;
    progress.begin("reading " + file_.filename().string(), double(all));
    for (const Element& element : elements_)
      for (std::uint64_t i = 0; i < element.count; ++i) {
        if (i % 65536 == 0) progress.advance(std::min(double(element.count - i), 65536.0));
        for (const Property& property : element.properties) readProperty(property);
        if (element.name == "vertex") addVertex(element);
        if (element.name == "face") addFace();
      }
    builder_.finish(part, std::move(colors_), progress);
  }

 private:
  /// False for what does not belong into a header.
  bool headerLine(const std::string& line) {
    std::istringstream words(line);
    std::string word, name, count;
    words >> word >> name >> count;
    if (word == "comment" && name == "TextureFile")
      useTexture(line.substr(line.find(name) + name.size()));
    if (word == "format") {
      isText_ = name == "ascii", bigEndian_ = name == "binary_big_endian";
      return isText_ || bigEndian_ || name == "binary_little_endian";
    }
    if (word == "element") {
      elements_.push_back({name, numberIn<std::uint64_t>(count).value_or(UINT64_MAX), {}});
      return elements_.back().count <= fs::file_size(file_);  // a byte each
    }
    if (word != "property") return word.empty() || word == "comment" || word == "obj_info";
    const auto indexOf = [](auto& all, const std::string& one) {
      return int(std::ranges::find(all, one) - std::begin(all));
    };
    Property property;
    if (name == "list") {
      property.count = indexOf(kTypes, count) / 2;
      words >> name >> count;
      if (count.starts_with("vertex_ind")) property.slot = kIndices;
    } else if (const int slot = indexOf(kNames, count); slot < int(std::size(kNames))) {
      property.slot = slot < kOther ? slot : kU + (slot - kU) % 2;
    }
    property.type = indexOf(kTypes, name) / 2;
    if (!elements_.empty()) elements_.back().properties.push_back(property);
    return !elements_.empty() && std::max(property.type, property.count) < 8;
  }

  void useTexture(const std::string& name) {
    const int texture = builder_.texture(name, [&](std::size_t bytes) {
      return readTexture(file_.parent_path(), std::string(trimmed(name)), "", bytes);
    });
    if (textured_ = texture >= 0; textured_)
      builder_.useMaterial(builder_.addMaterial(glm::vec4(1), glm::vec3(0), texture));
  }

  template <class T>
  double binary() {
    std::array<char, sizeof(T)> bytes{};
    stream_.read(bytes.data(), sizeof(T));
    if (bigEndian_) std::ranges::reverse(bytes);
    return double(std::bit_cast<T>(bytes));
  }

  double number(int type) {
    constexpr double (PlyReader::*kBinary[])() = {
        &PlyReader::binary<std::int8_t>,  &PlyReader::binary<std::uint8_t>,
        &PlyReader::binary<std::int16_t>, &PlyReader::binary<std::uint16_t>,
        &PlyReader::binary<std::int32_t>, &PlyReader::binary<std::uint32_t>,
        &PlyReader::binary<float>,        &PlyReader::binary<double>};
    double value = 0;
    if (isText_)
      stream_ >> value;
    else
      value = (this->*kBinary[type])();
    if (!stream_)
      fail("{}: expected as many numbers as its header says, found fewer", file_.string());
    return value;
  }

  void readProperty(const Property& property) {
    const double count = property.count < 0 ? 1 : number(property.count);
    if (!(count >= 0 && count <= kMaxList))
      fail("{}: expected lists of at most {} values, found {}", file_.string(), kMaxList, count);
    list_.resize(std::size_t(count));
    for (double& value : list_) value = number(property.type);
    // Whole numbers as colors are shares of the largest of their type.
    const double one = property.type == 1 ? 255 : property.type == 3 ? 65535 : 1;
    if (property.count < 0)
      values_[std::size_t(property.slot)] =
          float(property.slot / 3 == kRed / 3 ? list_[0] / one : list_[0]);
    if (property.slot == kIndices) std::swap(indices_, list_);
  }

  void addVertex(const Element& element) {
    const float* const v = values_.data();
    builder_.position({v[0], v[1], v[2]});
    if (element.has(kNormal)) builder_.normal({v[3], v[4], v[5]});
    if (element.has(kU) && textured_) builder_.texcoord({v[kU], v[kU + 1]});
    if (!element.has(kRed)) return;
    colors_.resize(builder_.positions(), 0xFFFFFF), colors_.back() = 0;
    for (int c = kRed; c < kU; ++c)
      colors_.back() = colors_.back() << 8 | byteOf(v[c] > 0 ? v[c] : 0);
  }

  void addFace() {
    std::vector<SceneCorner> corners;
    for (const double index : indices_) {
      if (!(index >= 0 && index < double(builder_.positions())))
        fail("{}: expected indices below {}, found {}", file_.string(), builder_.positions(),
             index);
      const auto i = std::uint32_t(index);
      corners.push_back(
          {i, i < builder_.texcoords() ? i : kNone, i < builder_.normals() ? i : kNone});
    }
    builder_.face(corners);
  }

  fs::path file_;
  std::ifstream stream_;
  SceneBuilder builder_;
  std::vector<Element> elements_;
  bool isText_ = false, bigEndian_ = false, textured_ = false;
  std::array<float, kOther + 1> values_{};  // of a vertex, by slot
  std::vector<double> list_, indices_;      // of a face
  std::vector<std::uint32_t> colors_;
};

}  // namespace

void readPly(Scene& scene, const fs::path& file, const std::string& part, Progress& progress) {
  PlyReader(scene, file).read(part, progress);
}

}  // namespace fathom
