// SPDX-License-Identifier: BSD-3-Clause
// The two ways of holding a deep image. Arrays that Python gave may be written to by it while they
// are used: their values are copied row by row, repaired and packed from the copy, as those of a
// file.
#include "app/python/deep_value.h"

#include "app/engine/core/error.h"
#include "app/engine/core/jobs.h"
#include "app/engine/io/exr/deep_planes.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <map>

namespace fathom::python {
namespace {

constexpr std::size_t kRowsPerJob = 16;

DeepImage headerOf(const DeepImage& image) {
  DeepImage header;
  header.dataWindow = image.dataWindow, header.displayWindow = image.displayWindow;
  header.pixelAspect = image.pixelAspect, header.format = image.format;
  header.hasZBack = image.hasZBack, header.repairs = image.repairs;
  header.attributes = image.attributes;
  for (const DeepChannel& channel : image.channels)
    header.channels.push_back({channel.name, channel.type, {}});
  return header;
}

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
  explicit RowsOfValue(std::shared_ptr<const DeepValue> value)
      : value_(std::move(value)),
        counts_(rowSums(value_->offsets(), value_->header().dataWindow.width,
                        value_->header().dataWindow.height)) {}
  DeepImage header() const override { return value_->header(); }
  const std::vector<std::uint64_t>& rowCounts() override { return counts_; }
  DeepImage read(int first, int last) override { return value_->rows(first, last, false); }

 private:
  std::shared_ptr<const DeepValue> value_;
  std::vector<std::uint64_t> counts_;
};

// Words
// -------------------------------------------------------------------------------------------------

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
  const Rect& window = image_.dataWindow;
  DeepImage out = headerOf(image_);
  out.dataWindow = {window.x, first, window.width, last - first};
  const std::size_t* offsets =
      image_.fragmentOffsets.data() + std::size_t(first - window.y) * std::size_t(window.width);
  const std::size_t pixels = std::size_t(out.dataWindow.area());
  const std::size_t begin = offsets[0], count = offsets[pixels] - begin;
  const auto stride = std::size_t(image_.stride());
  out.fragmentOffsets.resize(pixels + 1);
  for (std::size_t p = 0; p <= pixels; ++p) out.fragmentOffsets[p] = offsets[p] - begin;
  const std::uint32_t* words = image_.words.data() + begin * stride;
  out.words.assign(words, words + count * stride);
  if (image_.format != FragmentFormat::Indexed) return out;
  for (std::size_t c = 0; c < out.channels.size(); ++c) {
    const std::size_t bytes = bytesPerValue(out.channels[c].type);
    const std::byte* from = image_.channels[c].values.data();
    std::vector<std::byte>& to = out.channels[c].values;
    to.resize(count * bytes);
    for (std::size_t i = 0; i < count; ++i)
      std::memcpy(to.data() + i * bytes, from + words[i * stride] * bytes, bytes);
  }
  for (std::size_t i = 0; i < count; ++i) out.words[i * stride] = std::uint32_t(i);
  return out;
}

// Arrays
// -------------------------------------------------------------------------------------------------

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
  void packRow(int y, bool asStored, std::size_t base, std::vector<std::byte>& row, DeepImage& out,
               DeepRepairs& repairs) const;

  DeepImage header_;
  std::vector<std::size_t> offsets_;
  std::vector<ArrayPlane> arrays_;
  std::vector<deep_planes::Plane> planes_;
};

void ArraysValue::packRow(int y, bool asStored, std::size_t base, std::vector<std::byte>& row,
                          DeepImage& out, DeepRepairs& repairs) const {
  const Rect& window = header_.dataWindow;
  const std::size_t* offsets =
      offsets_.data() + std::size_t(y - window.y) * std::size_t(window.width);
  const std::size_t begin = offsets[0], count = offsets[window.width] - begin;
  if (count == 0) return;
  row.resize(count * deep_planes::fragmentBytes(planes_));
  std::byte* to = row.data();
  for (std::size_t c = 0; c < arrays_.size(); ++c) {
    const std::size_t bytes = bytesPerValue(planes_[c].type);
    std::memcpy(to, arrays_[c].values + begin * bytes, count * bytes);
    to += count * bytes;
  }
  deep_planes::sanitize(planes_, row, count, asStored, repairs);
  std::uint32_t* words = out.words.data() + (begin - base) * kWideWords;
  deep_planes::packWords(planes_, row, count, header_.format, begin - base, words);
  if (header_.format == FragmentFormat::Indexed) {
    const std::byte* from = row.data();
    for (DeepChannel& channel : out.channels) {
      const std::size_t bytes = bytesPerValue(channel.type);
      std::memcpy(channel.values.data() + (begin - base) * bytes, from, count * bytes);
      from += count * bytes;
    }
  }
  for (int x = 0; x < window.width; ++x)
    if (offsets[x + 1] - offsets[x] > 1)
      deep_planes::sortList(
          {words + (offsets[x] - begin) * kWideWords, (offsets[x + 1] - offsets[x]) * kWideWords});
}

DeepImage ArraysValue::rows(int first, int last, bool asStored) const {
  const Rect& window = header_.dataWindow;
  DeepImage out = headerOf(header_);
  out.dataWindow = {window.x, first, window.width, last - first};
  const std::size_t* offsets =
      offsets_.data() + std::size_t(first - window.y) * std::size_t(window.width);
  const std::size_t pixels = std::size_t(out.dataWindow.area());
  const std::size_t base = offsets[0], count = offsets[pixels] - base;
  out.fragmentOffsets.resize(pixels + 1);
  for (std::size_t p = 0; p <= pixels; ++p) out.fragmentOffsets[p] = offsets[p] - base;
  out.words.resize(count * kWideWords);
  if (out.format == FragmentFormat::Indexed)
    for (DeepChannel& channel : out.channels)
      channel.values.resize(count * bytesPerValue(channel.type));
  parallelFor(std::size_t(last - first), kRowsPerJob, [&](std::size_t from, std::size_t to) {
    std::vector<std::byte> row;
    DeepRepairs repairs;
    for (std::size_t y = from; y < to; ++y)
      packRow(first + int(y), asStored, base, row, out, repairs);
  });
  return out;
}

// Checks
// -------------------------------------------------------------------------------------------------

Rect rectOf(const std::array<std::int64_t, 4>& window, const char* what) {
  constexpr std::int64_t kFar = 1 << 30;
  const auto [x, y, width, height] = window;
  if (std::abs(x) > kFar || std::abs(y) > kFar || width < 1 || height < 1 || width > kFar ||
      height > kFar || width * height > kMaxDeepPixels)
    throw UsageError(
        fmt::format("{}: expected (x, y, width, height) with sizes from 1 and at most 2^31 pixels, "
                    "found ({}, {}, {}, {})",
                    what, x, y, width, height));
  return {int(x), int(y), int(width), int(height)};
}

/// A copy, as size_t: what is checked here cannot change any more.
std::vector<std::size_t> checkedOffsets(const py::array& given, std::int64_t pixels) {
  const char kind = given.dtype().kind();
  if (given.ndim() != 1 || (kind != 'u' && kind != 'i'))
    throw UsageError(fmt::format("offsets: expected whole numbers of shape ({},), found {}",
                                 pixels + 1, described(given)));
  if (given.shape(0) != pixels + 1)
    throw UsageError(fmt::format("offsets: expected {} (a pixel each, and the end), found {}",
                                 pixels + 1, given.shape(0)));
  // uint64 would read as negative what is beyond 2^63: both are refused as falling.
  const auto whole = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>(given);
  std::vector<std::size_t> offsets(std::size_t(pixels) + 1);
  std::memcpy(offsets.data(), whole.data(), offsets.size() * sizeof(std::size_t));
  if (offsets[0] != 0)
    throw UsageError(fmt::format("offsets: expected 0 first, found {}", std::int64_t(offsets[0])));
  for (std::size_t i = 1; i < offsets.size(); ++i)
    if (std::int64_t(offsets[i]) < std::int64_t(offsets[i - 1]))
      throw UsageError(fmt::format("offsets: expected ascending numbers, found {} after {} at {}",
                                   std::int64_t(offsets[i]), offsets[i - 1], i));
  return offsets;
}

ChannelType typeOf(const std::string& name, const py::array& array) {
  const char kind = array.dtype().kind();
  const py::ssize_t bytes = array.dtype().itemsize();
  if (kind == 'f' && bytes == 2) return ChannelType::Half;
  if (kind == 'f' && bytes == 4) return ChannelType::Float;
  const bool isDepth = name == "Z" || name == "ZBack";
  if (kind == 'u' && bytes == 4 && !isDepth) return ChannelType::Uint;
  throw UsageError(fmt::format("channel {}: expected float16{} float32{}, found {}", name,
                               isDepth ? " or" : ",", isDepth ? "" : " or uint32",
                               described(array)));
}

void checkName(const std::string& name) {
  constexpr std::size_t kLongest = 255;  // of names in EXR
  if (name.empty() || name.size() > kLongest || name.find('\0') != std::string::npos)
    throw UsageError(
        fmt::format("channel \"{}\": expected a name of 1 to {} bytes", name.c_str(), kLongest));
}

void checkDepth(const std::string& name, const py::array& array) {
  const py::object isNan = py::module_::import("numpy").attr("isnan")(array);
  if (!isNan.attr("any")().cast<bool>()) return;
  throw UsageError(fmt::format("channel {}: expected depths, found NaN at {}", name,
                               isNan.attr("argmax")().cast<py::ssize_t>()));
}

/// Contiguous, in this machine's byte order; the array itself where it is that already.
ArrayPlane planeOf(const std::string& name, const py::array& given, ChannelType type,
                   std::size_t count) {
  if (given.ndim() != 1 || std::size_t(given.shape(0)) != count)
    throw UsageError(fmt::format("channel {}: expected shape ({},) as the offsets end, found {}",
                                 name, count, described(given)));
  py::array array = py::module_::import("numpy").attr("ascontiguousarray")(given, dtypeOf(type));
  if (name == "Z" || name == "ZBack") checkDepth(name, array);
  const auto* values = static_cast<const std::byte*>(array.data());
  return {values, kept(std::move(array))};
}

}  // namespace

std::unique_ptr<deep::DeepRows> DeepValue::asRows() const {
  return std::make_unique<RowsOfValue>(shared_from_this());
}

std::shared_ptr<const DeepValue> valueOf(DeepImage image) {
  return std::make_shared<PackedValue>(std::move(image));
}

std::shared_ptr<const DeepValue> valueFrom(const py::array& offsets, const py::dict& channels,
                                           const DeepWindows& windows,
                                           SharedAttributes attributes) {
  DeepImage header;
  header.dataWindow = rectOf(windows.data.value(), "data_window");
  header.displayWindow =
      windows.display ? rectOf(*windows.display, "display_window") : header.dataWindow;
  if (!(windows.pixelAspect > 0 && windows.pixelAspect < 1e6))
    throw UsageError(
        fmt::format("pixel_aspect: expected a number above 0, found {}", windows.pixelAspect));
  header.pixelAspect = float(windows.pixelAspect);
  header.attributes = std::move(attributes);
  std::vector<std::size_t> checked = checkedOffsets(offsets, header.dataWindow.area());

  std::map<std::string, py::array> byName;  // files keep channels in this order
  for (const auto& [key, value] : channels) {
    const std::optional<std::string> given = textFrom(key);
    if (!given) throw UsageError("channels: expected names of channels, found a key that is none");
    const std::string& name = *given;
    checkName(name);
    if (!py::isinstance<py::array>(value))
      throw UsageError(
          fmt::format("channel {}: expected an array, found {}", name,
                      py::str(py::type::of(value).attr("__name__")).cast<std::string>()));
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
    throw UsageError(
        fmt::format("channels: expected at most {} fragments with channels beyond half color and "
                    "depth, found {}",
                    UINT32_MAX, checked.back()));
  return std::make_shared<ArraysValue>(std::move(header), std::move(checked), std::move(planes));
}

}  // namespace fathom::python
