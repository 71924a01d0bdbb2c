// SPDX-License-Identifier: BSD-3-Clause
// Deep images: as offsets with one flat array per channel, from files, and to them.
#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"
#include "app/engine/deep/engine.h"
#include "app/engine/io/exr/deep_codec.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/exr/exr_attributes.h"
#include "app/python/bindings.h"
#include "app/python/worker.h"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

namespace fathom::python {
namespace {

constexpr std::size_t kRowsPerJob = 16;
/// Pixels that an image may have; its offsets take 8 bytes each.
constexpr std::int64_t kMaxDeepPixels = std::int64_t(1) << 31;

DeepImage headerOf(const DeepImage& image) {
  DeepImage header = emptyLike(image, image.dataWindow);
  header.repairs = image.repairs, header.attributes = image.attributes;
  return header;
}

class DeepValue : public std::enable_shared_from_this<DeepValue> {
 public:
  virtual ~DeepValue() = default;

  /// Windows, channels and format, without fragments.
  virtual const DeepImage& header() const = 0;
  /// size_t[pixels + 1], valid as long as this.
  virtual const std::vector<std::size_t>& offsets() const = 0;
  /// The values of a channel in its own type, one per fragment, lists front to back.
  virtual py::array channel(std::size_t index) const = 0;
  /// Rows first <= y < last with fragments in order. `asStored`: color and alpha that a reader
  /// would repair stay as they are. Touches no Python object; safe from any thread.
  virtual DeepImage rows(int first, int last, bool asStored) const = 0;
  /// All of it, where it is held that way; null: take rows.
  virtual const DeepImage* whole() const { return nullptr; }
  /// Memory of offsets and values.
  virtual std::size_t bytes() const = 0;

  std::size_t fragmentCount() const { return offsets().back(); }

 protected:
  /// Rows with the offsets of their lists, whose first fragment is `begin`.
  DeepImage rowOffsets(int first, int last, std::size_t& begin) const {
    const Rect& window = header().dataWindow;
    DeepImage out = headerOf(header());
    out.dataWindow = {window.x, first, window.width, last - first};
    const std::size_t* from = offsets().data() + header().pixelIndex(window.x, first);
    begin = from[0];
    out.fragmentOffsets.resize(out.pixelCount() + 1);
    for (std::size_t p = 0; p <= out.pixelCount(); ++p) out.fragmentOffsets[p] = from[p] - begin;
    return out;
  }
};
using Value = std::shared_ptr<const DeepValue>;

/// Fragments of each row of a window of `width` columns.
std::vector<std::uint64_t> rowSums(const std::vector<std::size_t>& offsets, int width, int height) {
  std::vector<std::uint64_t> sums;
  for (int y = 0; y < height; ++y) {
    const std::size_t* row = offsets.data() + std::size_t(y) * std::size_t(width);
    sums.push_back(row[width] - row[0]);
  }
  return sums;
}

class RowsOfValue final : public deep::DeepRows {
 public:
  explicit RowsOfValue(Value value)
      : value_(std::move(value)),
        counts_(rowSums(value_->offsets(), value_->header().dataWindow.width,
                        value_->header().dataWindow.height)) {}
  DeepImage header() const override { return value_->header(); }
  const std::vector<std::uint64_t>& rowCounts() override { return counts_; }
  DeepImage read(int first, int last) override { return value_->rows(first, last, false); }

 private:
  Value value_;
  std::vector<std::uint64_t> counts_;
};

// ---- Words

class PackedValue final : public DeepValue {
 public:
  explicit PackedValue(DeepImage image) : image_(std::move(image)), header_(headerOf(image_)) {
    inOrder_ = indicesAreInOrder();
  }

  const DeepImage& header() const override { return header_; }
  const std::vector<std::size_t>& offsets() const override { return image_.fragmentOffsets; }
  py::array channel(std::size_t index) const override;
  DeepImage rows(int first, int last, bool asStored) const override;
  const DeepImage* whole() const override { return &image_; }
  std::size_t bytes() const override {
    std::size_t sum = image_.words.size() * 4 + image_.fragmentOffsets.size() * 8;
    for (const DeepChannel& channel : image_.channels) sum += channel.values.size();
    return sum;
  }

 private:
  bool indicesAreInOrder() const;
  /// The byte of a fragment where a channel's value lies as it is; negative: nowhere.
  int byteInWords(const DeepChannel& channel) const;

  DeepImage image_;
  DeepImage header_;
  bool inOrder_ = false;  // Indexed: fragment i has value i
};

bool PackedValue::indicesAreInOrder() const {
  if (image_.format != FragmentFormat::Indexed) return false;
  for (std::size_t i = 0; i < image_.fragmentCount(); ++i)
    if (image_.words[i * kWideWords] != i) return false;
  return true;
}

int PackedValue::byteInWords(const DeepChannel& channel) const {
  if (image_.format != FragmentFormat::Half) return -1;
  using deep_planes::Role;
  const Role role = deep_planes::roleOf(channel);
  if (role <= Role::Alpha && channel.type == ChannelType::Half) return 2 * int(role);
  if (channel.type != ChannelType::Float) return -1;
  return role == Role::Depth ? 8 : role == Role::BackDepth ? 12 : -1;
}

py::array PackedValue::channel(std::size_t index) const {
  const DeepChannel& channel = image_.channels[index];
  const py::dtype type = dtypeOf(channel.type);
  const auto count = py::ssize_t(fragmentCount());
  const auto bytes = py::ssize_t(bytesPerValue(channel.type));
  if (const int byte = byteInWords(channel); byte >= 0)
    return viewOf(type, {count}, {py::ssize_t(kWideWords * 4)},
                  reinterpret_cast<const std::byte*>(image_.words.data()) + byte,
                  shared_from_this());
  if (inOrder_) return viewOf(type, {count}, {bytes}, channel.values.data(), shared_from_this());
  const auto values = std::make_shared<std::vector<std::byte>>(std::size_t(count * bytes));
  const deep_planes::Plane plane{deep_planes::roleOf(channel), channel.type, index};
  {
    const py::gil_scoped_release released;
    deep_planes::unpackWords({plane}, image_, image_.words.data(), fragmentCount(), *values);
  }
  return viewOf(type, {count}, {bytes}, values->data(), values);
}

DeepImage PackedValue::rows(int first, int last, bool) const {
  std::size_t begin = 0;
  DeepImage out = rowOffsets(first, last, begin);
  const std::size_t count = out.fragmentCount(), stride = std::size_t(image_.stride());
  const std::uint32_t* words = image_.words.data() + begin * stride;
  out.words.assign(words, words + count * stride);
  if (image_.format == FragmentFormat::Indexed) gather(std::span(&image_, 1), out);
  return out;
}

// ---- Arrays

struct ArrayPlane {
  const std::byte* values = nullptr;
  std::shared_ptr<const void> owner;  // of the array
};

class ArraysValue final : public DeepValue {
 public:
  ArraysValue(DeepImage header, std::vector<std::size_t> offsets, std::vector<ArrayPlane> planes)
      : header_(std::move(header)), offsets_(std::move(offsets)), arrays_(std::move(planes)) {
    planes_ = deep_planes::planesOf(header_.channels);
  }

  const DeepImage& header() const override { return header_; }
  const std::vector<std::size_t>& offsets() const override { return offsets_; }
  py::array channel(std::size_t index) const override {
    const ArrayPlane& plane = arrays_[index];
    const ChannelType type = header_.channels[index].type;
    return viewOf(dtypeOf(type), {py::ssize_t(fragmentCount())}, {py::ssize_t(bytesPerValue(type))},
                  plane.values, plane.owner);
  }
  DeepImage rows(int first, int last, bool asStored) const override;
  std::size_t bytes() const override {
    return offsets_.size() * 8 + fragmentCount() * deep_planes::fragmentBytes(planes_);
  }

 private:
  DeepImage header_;
  std::vector<std::size_t> offsets_;
  std::vector<ArrayPlane> arrays_;
  std::vector<deep_planes::Plane> planes_;
};

DeepImage ArraysValue::rows(int first, int last, bool asStored) const {
  std::size_t base = 0;
  DeepImage out = rowOffsets(first, last, base);
  const std::size_t count = out.fragmentCount();
  out.words.resize(count * kWideWords);
  if (out.format == FragmentFormat::Indexed)
    for (DeepChannel& channel : out.channels)
      channel.values.resize(count * bytesPerValue(channel.type));
  parallelFor(std::size_t(last - first), kRowsPerJob, [&](std::size_t from, std::size_t to) {
    std::vector<std::byte> row;
    DeepRepairs repairs;
    for (int y = first + int(from); y < first + int(to); ++y) {
      const std::size_t* offsets = out.fragmentOffsets.data() + out.pixelIndex(out.dataWindow.x, y);
      const std::size_t fragments = offsets[out.dataWindow.width] - offsets[0];
      if (fragments == 0) continue;
      row.resize(fragments * deep_planes::fragmentBytes(planes_));
      std::byte* at = row.data();
      for (std::size_t c = 0; c < arrays_.size(); ++c) {
        const std::size_t bytes = bytesPerValue(planes_[c].type);
        std::memcpy(at, arrays_[c].values + (base + offsets[0]) * bytes, fragments * bytes);
        at += fragments * bytes;
      }
      deep_planes::sanitize(planes_, row, fragments, asStored, repairs);
      deep_planes::placeRow(planes_, row, out.dataWindow.x, y, out.dataWindow.width, true, out,
                            repairs);
    }
  });
  return out;
}

// ---- Checks

Rect rectOf(const std::array<std::int64_t, 4>& window, const char* what) {
  constexpr std::int64_t kFar = 1 << 30;
  const auto [x, y, width, height] = window;
  if (std::max(x, y) > kFar || std::min(x, y) < -kFar || std::min(width, height) < 1 ||
      std::max(width, height) > kFar || width * height > kMaxDeepPixels)
    failUsage(
        "{}: expected (x, y, width, height) with sizes from 1 and at most 2^31 pixels, "
        "found ({}, {}, {}, {})",
        what, x, y, width, height);
  return {int(x), int(y), int(width), int(height)};
}

/// A copy, as size_t: what is checked here cannot change any more.
std::vector<std::size_t> checkedOffsets(const py::array& given, std::int64_t pixels) {
  const char kind = given.dtype().kind();
  if (given.ndim() != 1 || (kind != 'u' && kind != 'i'))
    failUsage("offsets: expected whole numbers of shape ({},), found {}", pixels + 1,
              described(given));
  if (given.shape(0) != pixels + 1)
    failUsage("offsets: expected {} (a pixel each, and the end), found {}", pixels + 1,
              given.shape(0));
  // uint64 would read as negative what is beyond 2^63: both are refused as falling.
  const auto whole = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>(given);
  std::vector<std::size_t> offsets(std::size_t(pixels) + 1);
  std::memcpy(offsets.data(), whole.data(), offsets.size() * sizeof(std::size_t));
  if (offsets[0] != 0) failUsage("offsets: expected 0 first, found {}", std::int64_t(offsets[0]));
  for (std::size_t i = 1; i < offsets.size(); ++i)
    if (std::int64_t(offsets[i]) < std::int64_t(offsets[i - 1]))
      failUsage("offsets: expected ascending numbers, found {} after {} at {}",
                std::int64_t(offsets[i]), offsets[i - 1], i);
  return offsets;
}

ChannelType typeOf(const std::string& name, const py::array& array) {
  const char kind = array.dtype().kind();
  const py::ssize_t bytes = array.dtype().itemsize();
  if (kind == 'f' && bytes == 2) return ChannelType::Half;
  if (kind == 'f' && (bytes == 4 || bytes == 8)) return ChannelType::Float;
  const bool isDepth = name == "Z" || name == "ZBack";
  if (kind == 'u' && bytes == 4 && !isDepth) return ChannelType::Uint;
  failUsage("channel {}: expected float16, float32{} float64{}, found {}", name,
            isDepth ? " or" : ",", isDepth ? "" : " or uint32", described(array));
}

/// `where`: what the message begins with.
void checkName(const std::string& where, const std::string& name, const char* what = "name") {
  constexpr std::size_t kLongest = 255;  // of names in EXR
  if (name.empty() || name.size() > kLongest || name.find('\0') != std::string::npos)
    failUsage("{}: expected a {} of 1 to {} bytes", where, what, kLongest);
}

void checkDepth(const std::string& name, const py::array& array) {
  const py::object isNan = py::module_::import("numpy").attr("isnan")(array);
  if (!isNan.attr("any")().cast<bool>()) return;
  failUsage("channel {}: expected depths, found NaN at {}", name,
            isNan.attr("argmax")().cast<py::ssize_t>());
}

/// Contiguous, in this machine's byte order; the array itself where it is that already.
ArrayPlane planeOf(const std::string& name, const py::array& given, ChannelType type,
                   std::size_t count) {
  if (given.ndim() != 1 || std::size_t(given.shape(0)) != count)
    failUsage("channel {}: expected shape ({},) as the offsets end, found {}", name, count,
              described(given));
  py::array array = py::module_::import("numpy").attr("ascontiguousarray")(given, dtypeOf(type));
  if (name == "Z" || name == "ZBack") checkDepth(name, array);
  const auto* values = static_cast<const std::byte*>(array.data());
  return {values, kept(std::move(array))};
}

Value valueOf(DeepImage image) { return std::make_shared<PackedValue>(std::move(image)); }

/// From arrays, which are kept and not copied where they are contiguous; offsets are copied. Throws
/// UsageError that names what is wrong: type, shape, order, NaN depth.
Value valueFrom(const py::array& offsets, const py::dict& channels, DeepImage header) {
  std::vector<std::size_t> checked = checkedOffsets(offsets, header.dataWindow.area());

  std::map<std::string, py::array> byName;  // files keep channels in this order
  for (const auto& [key, value] : channels) {
    const std::optional<std::string> given = textFrom(key);
    if (!given) throw UsageError("channels: expected names of channels, found a key that is none");
    const std::string& name = *given;
    checkName(fmt::format("channel \"{}\"", name.c_str()), name);
    if (!py::isinstance<py::array>(value))
      failUsage("channel {}: expected an array, found {}", name,
                py::str(py::type::of(value).attr("__name__")).cast<std::string>());
    byName.emplace(name, py::reinterpret_borrow<py::array>(value));
  }
  if (!byName.contains("Z")) throw UsageError("channels: expected one named Z, found none");
  std::vector<ArrayPlane> planes;
  for (const auto& [name, array] : byName) {
    const ChannelType type = typeOf(name, array);
    header.channels.push_back({name, type, {}});
    planes.push_back(planeOf(name, array, type, checked.back()));
  }
  header.format = deep_planes::formatFor(header.channels);
  header.hasZBack = byName.contains("ZBack");
  if (header.format == FragmentFormat::Indexed && checked.back() > UINT32_MAX)
    failUsage(
        "channels: expected at most {} fragments with channels beyond half color and "
        "depth, found {}",
        UINT32_MAX, checked.back());
  return std::make_shared<ArraysValue>(std::move(header), std::move(checked), std::move(planes));
}

// ---- The value

/// What Python calls fathom.DeepImage; it may carry what a call measured as further attributes.
struct DeepObject {
  Value value;
};

std::int64_t wholeNumber(const py::handle& value, const char* what) {
  try {
    return value.cast<std::int64_t>();
  } catch (const py::cast_error&) {
    failUsage("{}: expected a whole number, found {}", what, brief(value));
  }
}

double number(const py::handle& value, const char* what) {
  const double number = PyFloat_AsDouble(value.ptr());
  if (number != -1 || !PyErr_Occurred()) return number;
  PyErr_Clear();
  failUsage("{}: expected a number, found {}", what, brief(value));
}

std::optional<Rect> windowFrom(const py::object& given, const char* what) {
  if (given.is_none()) return std::nullopt;
  if (!py::isinstance<py::sequence>(given) || py::len(given) != 4)
    failUsage("{}: expected (x, y, width, height), found {}", what, brief(given));
  std::array<std::int64_t, 4> window{};
  std::size_t i = 0;
  for (const py::handle& value : given) window[i++] = wholeNumber(value, what);
  return rectOf(window, what);
}

std::string textOf(const py::handle& object) { return py::str(object).cast<std::string>(); }
std::string typeOf(const py::handle& object) {
  return textOf(py::type::of(object).attr("__name__"));
}

/// As attributes of the header name it; none when it is none of these.
std::optional<std::string> compressionOf(const DeepObject& image) {
  const auto own = byteNamed(image.value->header().attributes.get(), "compression");
  for (const auto& [name, compression] : kDeepCompressions)
    if (own == unsigned(compression)) return name;
  return std::nullopt;
}

/// The bytes of a Python object.
std::vector<std::byte> bytesOf(const py::handle& object) {
  const auto text = object.cast<std::string_view>();
  const auto* at = reinterpret_cast<const std::byte*>(text.data());
  return {at, at + text.size()};
}

void checkAttribute(const Attribute& attribute, const std::string& shown) {
  checkName("attribute " + shown, attribute.name);
  checkName("attribute " + shown, attribute.type, "type");
  if (describesStorage(attribute.name))
    failUsage("attribute {}: expected one that does not say how a file is stored", shown);
  if (attribute.value.size() > std::size_t(INT32_MAX))
    failUsage("attribute {}: expected at most {} bytes, found {}", shown, INT32_MAX,
              attribute.value.size());
}

/// Of a mapping of values; the Python half of the package knows how each is written.
SharedAttributes attributesFrom(const py::object& given) {
  if (given.is_none()) return nullptr;
  auto attributes = std::make_shared<Attributes>();
  const py::object packed = py::module_::import("fathom._attributes").attr("packed")(given);
  for (const py::handle& one : packed) {
    const auto parts = one.cast<py::tuple>();
    attributes->push_back(
        {parts[0].cast<std::string>(), parts[1].cast<std::string>(), bytesOf(parts[2])});
    checkAttribute(attributes->back(), brief(parts[3]));
  }
  return attributes;
}

py::object attributes(const DeepObject& image) {
  py::list packed;
  if (const SharedAttributes& all = image.value->header().attributes)
    for (const Attribute& one : *all)
      if (!describesStorage(one.name))
        packed.append(py::make_tuple(
            py::bytes(one.name), py::bytes(one.type),
            py::bytes(reinterpret_cast<const char*>(one.value.data()), one.value.size())));
  return py::module_::import("fathom._attributes").attr("Attributes")(packed);
}

/// The windows that Python says, or those of width and height.
DeepImage frameFrom(const py::object& width, const py::object& height, const py::object& dataWindow,
                    const py::object& displayWindow, const py::object& pixelAspect) {
  std::optional<Rect> data = windowFrom(dataWindow, "data_window");
  const std::optional<Rect> display = windowFrom(displayWindow, "display_window");
  const double aspect = number(pixelAspect, "pixel_aspect");
  if (data && !(width.is_none() && height.is_none()))
    throw UsageError("data_window: expected it or width and height, found both");
  if (!data) {
    if (width.is_none() || height.is_none())
      throw UsageError("width, height: expected both, or data_window, found none");
    data =
        rectOf({0, 0, wholeNumber(width, "width"), wholeNumber(height, "height")}, "data_window");
  }
  if (!(aspect > 0 && aspect < 1e6))
    failUsage("pixel_aspect: expected a number above 0, found {}", aspect);
  DeepImage frame;
  frame.dataWindow = *data, frame.displayWindow = display.value_or(*data);
  frame.pixelAspect = float(aspect);
  return frame;
}

DeepObject fromArrays(const py::object& offsets, const py::object& channels,
                      const py::object& width, const py::object& height,
                      const py::object& dataWindow, const py::object& displayWindow,
                      const py::object& pixelAspect, const py::object& attributes) {
  const auto array = py::array::ensure(offsets);
  if (!array || offsets.is_none())
    failUsage("offsets: expected an array, found {}", typeOf(offsets));
  if (!py::isinstance<py::dict>(channels))
    failUsage("channels: expected a dict of arrays by name, found {}", typeOf(channels));
  DeepImage header = frameFrom(width, height, dataWindow, displayWindow, pixelAspect);
  header.attributes = attributesFrom(attributes);
  return {valueFrom(array, py::reinterpret_borrow<py::dict>(channels), std::move(header))};
}

py::tuple channelNames(const DeepObject& image) {
  py::list names;
  for (const DeepChannel& channel : image.value->header().channels) names.append(channel.name);
  return py::tuple(names);
}

py::array channel(const DeepObject& image, const py::object& key) {
  const std::optional<std::string> given = textFrom(key);
  if (!given) throw py::key_error("expected the name of a channel");
  const std::string& name = *given;
  const std::vector<DeepChannel>& channels = image.value->header().channels;
  if (const DeepChannel* found = channelNamed(channels, name))
    return image.value->channel(std::size_t(found - channels.data()));
  throw py::key_error(
      fmt::format("no channel \"{}\", there are {}", name.c_str(),
                  py::str(", ").attr("join")(channelNames(image)).cast<std::string>()));
}

py::array offsets(const DeepObject& image) {
  const std::vector<std::size_t>& all = image.value->offsets();
  return viewOf(py::dtype("uint64"), {py::ssize_t(all.size())}, {8}, all.data(), image.value);
}

py::slice fragmentsOf(const DeepObject& image, int x, int y) {
  const Rect& window = image.value->header().dataWindow;
  if (!window.contains(x, y))
    failUsage("pixel: expected one from {},{} to {},{}, found {},{}", window.x, window.y,
              window.right() - 1, window.bottom() - 1, x, y);
  const std::size_t p = image.value->header().pixelIndex(x, y);
  return {py::ssize_t(image.value->offsets()[p]), py::ssize_t(image.value->offsets()[p + 1]), 1};
}

std::string shown(const DeepObject& image) {
  const DeepImage& header = image.value->header();
  return fmt::format("<fathom.DeepImage {}x{}, {} fragments, {}, {:.1f} MB>",
                     header.dataWindow.width, header.dataWindow.height,
                     image.value->fragmentCount(),
                     py::str(" ").attr("join")(channelNames(image)).cast<std::string>(),
                     double(image.value->bytes()) / 1e6);
}

// ---- Files

/// The compression of a file that a call made for itself says nothing about its image.
void forgetCompression(DeepImage& image) {
  if (!image.attributes) return;
  auto kept = std::make_shared<Attributes>(*image.attributes);
  std::erase_if(*kept, [](const Attribute& one) { return one.name == "compression"; });
  image.attributes = std::move(kept);
}

DeepObject readFile(const fs::path& path, const std::string& part, bool keepBadValues,
                    bool isOfACall, const py::object& progress) {
  DeepReadOptions options{.part = part, .keepBadValues = keepBadValues};
  Value value;
  Worker::instance().run(
      [&](Progress& shown) {
        options.progress = &shown;
        DeepImage image = readDeepExr(path, options);
        if (isOfACall) forgetCompression(image);
        value = valueOf(std::move(image));
      },
      progress);
  return {value};
}

/// None: that of the file which the image came from, else zips.
std::optional<DeepCompression> compressionNamed(const std::optional<std::string>& given) {
  return given ? std::optional(deepCompressionNamed(given->c_str(), "compression")) : std::nullopt;
}

/// Rows that a writer is handed at once: a few megabytes.
int rowsAtOnce(const DeepValue& value, int step) {
  constexpr std::size_t kFragments = 1 << 20;
  const Rect& window = value.header().dataWindow;
  const std::size_t perRow = value.fragmentCount() / std::size_t(std::max(1, window.height)) + 1;
  const auto rows =
      int(std::clamp<std::size_t>(kFragments / perRow, 1, std::size_t(window.height)));
  return (rows + step - 1) / step * step;
}

void writeFile(const DeepObject& image, const fs::path& path,
               const std::optional<std::string>& compression, bool tiled,
               const py::object& progress) {
  DeepWriteOptions options{.compression = compressionNamed(compression), .tiled = tiled};
  Worker::instance().run(
      [&, value = image.value](Progress& shown) {
        const Rect& window = value->header().dataWindow;
        options.progress = &shown;
        shown.begin("writing", window.height);
        DeepExrWriter writer(path, value->header(), options);
        if (const DeepImage* whole = value->whole()) {
          writer.writeRows(*whole);
          return writer.finish();
        }
        const int step = rowsAtOnce(*value, writer.rowStep());
        for (int y = window.y; y < window.bottom(); y += step) {
          const int last = std::min(y + step, window.bottom());
          writer.writeRows(value->rows(y, last, true));
        }
        writer.finish();
      },
      progress);
}

// ---- Merging

std::vector<Value> valuesOfAll(const py::sequence& images) {
  std::vector<Value> values;
  for (const py::handle& image : images) values.push_back(image.cast<DeepObject>().value);
  if (values.empty()) throw UsageError("expected at least 1 image, found 0");
  return values;
}

/// Of bands: half of what the command takes, since inputs and result are in memory besides.
constexpr std::uint64_t kBandBytes = 64u << 20;

/// The engine with the images open, which are then merged band by band.
deep::BandMerger openAll(CommandContext& context, const std::vector<Value>& images) {
  auto& technique = context.as<deep::DeepEngine>();
  std::vector<std::string> names;
  std::vector<std::unique_ptr<deep::DeepRows>> rows;
  for (const Value& image : images) {
    names.push_back(fmt::format("image {}", names.size() + 1));
    rows.push_back(std::make_unique<RowsOfValue>(image));
  }
  technique.adopt(deep::loaded(std::make_shared<deep::StreamedFiles>(names, std::move(rows))));
  deep::checkInputCount(technique.settingsStruct(), technique.opened().count());
  context.record.size = {technique.frame().size.x, technique.frame().size.y};
  return technique.bandMerger(context.gpu());
}

void report(CommandContext& context, const deep::BandMerger& merger, std::uint64_t out) {
  context.as<deep::DeepEngine>().keepResolved();
  context.record.set("fragments_in", merger.facts().fragmentsIn);
  context.record.set("fragments_out", out);
  if (merger.setup().edits(deep::Purpose::File).merged.maxCount > 0)
    context.record.set("largest_move", double(merger.facts().thinned.move));
}

py::tuple merge(const py::sequence& images, const py::dict& settings, const py::object& progress) {
  const std::vector<Value> values = valuesOfAll(images);
  DeepObject merged;
  const std::string json = runDirect(
      "deep", settings, "deep merge", progress, [&](CommandContext& context, Progress& shown) {
        deep::BandMerger merger = openAll(context, values);
        merger.setBudget(kBandBytes);
        const deep::Inputs& opened = context.as<deep::DeepEngine>().opened();
        DeepImage all = deep::savedHeader(opened, merger.setup());
        all.words.reserve(opened.fragmentCount() * std::size_t(all.stride()));
        all.fragmentOffsets.reserve(all.pixelCount() + 1);
        merger.merge(shown, [&](DeepImage&& band) { deep::appendLists(all, std::move(band)); });
        merged.value = valueOf(std::move(all));
        report(context, merger, merged.value->fragmentCount());
      });
  return py::make_tuple(merged, json);
}

py::tuple flatten(const py::sequence& images, const py::dict& settings,
                  const py::object& progress) {
  const std::vector<Value> values = valuesOfAll(images);
  Image picture;
  Rect window;
  const std::string json = runDirect(
      "deep", settings, "deep flatten", progress, [&](CommandContext& context, Progress& shown) {
        deep::BandMerger merger = openAll(context, values);
        merger.setBudget(kBandBytes);
        window =
            deep::savedHeader(context.as<deep::DeepEngine>().opened(), merger.setup()).dataWindow;
        picture = Image(window.width, window.height);
        auto to = picture.pixels.begin();
        merger.flatten(shown, [&](Image&& rows) { to = std::ranges::copy(rows.pixels, to).out; });
        report(context, merger, merger.facts().fragmentsIn);
      });
  return py::make_tuple(arrayOf(std::move(picture)), tupleOf(window), json);
}

}  // namespace

void bindDeep(py::module_& module) {
  py::class_<DeepObject>(module, "DeepImage", py::dynamic_attr(),
                         "A deep image: for every pixel a list of fragments, as offsets and one "
                         "flat array per channel. It does not change; its arrays cannot be "
                         "written to.")
      .def(py::init(&fromArrays), py::arg("offsets"), py::arg("channels"),
           py::arg("width") = py::none(), py::arg("height") = py::none(), py::kw_only(),
           py::arg("data_window") = py::none(), py::arg("display_window") = py::none(),
           py::arg("pixel_aspect") = 1.0, py::arg("attributes") = py::none(),
           "From arrays: pixel p of the data window, in raster order, has the fragments "
           "offsets[p] to offsets[p + 1] of each channel. Contiguous arrays are not copied.")
      .def_property_readonly(
          "width", [](const DeepObject& image) { return image.value->header().dataWindow.width; })
      .def_property_readonly(
          "height", [](const DeepObject& image) { return image.value->header().dataWindow.height; })
      .def_property_readonly(
          "data_window",
          [](const DeepObject& image) { return tupleOf(image.value->header().dataWindow); },
          "(x, y, width, height) of the pixels that may hold fragments.")
      .def_property_readonly(
          "display_window",
          [](const DeepObject& image) { return tupleOf(image.value->header().displayWindow); })
      .def_property_readonly(
          "pixel_aspect", [](const DeepObject& image) { return image.value->header().pixelAspect; })
      .def_property_readonly("attributes", &attributes,
                             "What its header says besides windows and storage: a mapping of "
                             "values by name, of all inputs where images were merged.")
      .def_property_readonly("_compression", &compressionOf)
      .def_property_readonly("channels", &channelNames, "Names of the channels.")
      .def_property_readonly("offsets", &offsets, "uint64[height * width + 1]")
      .def_property_readonly(
          "fragments", [](const DeepObject& image) { return image.value->fragmentCount(); },
          "How many fragments all pixels hold.")
      .def_property_readonly("nbytes", [](const DeepObject& image) { return image.value->bytes(); })
      .def(
          "fragments_of", &fragmentsOf, py::arg("x"), py::arg("y"),
          "The slice of a pixel's fragments, front to back: image[\"Z\"][image.fragments_of(x, y)]")
      .def("__getitem__", &channel)
      .def("__contains__",
           [](const DeepObject& image, const py::object& key) {
             const std::optional<std::string> name = textFrom(key);
             return name && channelNamed(image.value->header().channels, *name);
           })
      .def("__iter__", [](const DeepObject& image) { return py::iter(channelNames(image)); })
      .def("keys", &channelNames)
      .def("__len__", [](const DeepObject& image) { return image.value->header().channels.size(); })
      .def("__repr__", &shown);
  module.def("read_deep", readFile, py::arg("path"), py::arg("part"), py::arg("keep_bad_values"),
             py::arg("is_of_a_call"), py::arg("progress"));
  module.def("write_deep", writeFile, py::arg("image"), py::arg("path"), py::arg("compression"),
             py::arg("tiled"), py::arg("progress"));
  module.def("merge_deep", merge, py::arg("images"), py::arg("settings"), py::arg("progress"));
  module.def("flatten_deep", flatten, py::arg("images"), py::arg("settings"), py::arg("progress"));
}

}  // namespace fathom::python
