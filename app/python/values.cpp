// SPDX-License-Identifier: BSD-3-Clause
// Flat pictures and other values as numpy arrays, and back.
#include "app/engine/core/error.h"
#include "app/engine/io/exr/deep_exr.h"
#include "app/engine/io/picture.h"
#include "app/python/bindings.h"
#include "app/python/worker.h"

#include <pybind11/stl/filesystem.h>

namespace fathom::python {
namespace {

py::capsule capsuleOf(std::shared_ptr<const void> owner) {
  return py::capsule(new std::shared_ptr<const void>(std::move(owner)),
                     [](void* held) { delete static_cast<std::shared_ptr<const void>*>(held); });
}

void lock(const py::array& array) {
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
}

/// Channels of a picture's array; 0 when it is none.
int channelsOf(const py::array& array) {
  if (array.ndim() == 2) return 1;
  if (array.ndim() != 3) return 0;
  const py::ssize_t channels = array.shape(2);
  return channels == 1 || channels == 3 || channels == 4 ? int(channels) : 0;
}

}  // namespace

py::dtype dtypeOf(ChannelType type) {
  switch (type) {
    case ChannelType::Half:
      return py::dtype("float16");
    case ChannelType::Float:
      return py::dtype("float32");
    case ChannelType::Uint:
      break;
  }
  return py::dtype("uint32");
}

py::array viewOf(const py::dtype& type, std::vector<py::ssize_t> shape,
                 std::vector<py::ssize_t> strides, const void* data,
                 std::shared_ptr<const void> owner) {
  py::array array(type, std::move(shape), std::move(strides), data, capsuleOf(std::move(owner)));
  lock(array);
  return array;
}

std::shared_ptr<const void> kept(py::object object) {
  return {object.release().ptr(), [](PyObject* held) {
            if (!Py_IsInitialized()) return;
            const py::gil_scoped_acquire lock;
            Py_DECREF(held);
          }};
}

std::optional<std::string> textFrom(const py::handle& name) {
  if (!py::isinstance<py::str>(name)) return std::nullopt;
  Py_ssize_t bytes = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(name.ptr(), &bytes);
  if (text) return std::string(text, std::size_t(bytes));
  PyErr_Clear();
  return std::nullopt;
}

std::string described(const py::array& array) {
  return py::str("{} of shape {}")
      .format(py::str(array.dtype()), py::str(array.attr("shape")))
      .cast<std::string>();
}

std::string brief(const py::handle& value) {
  constexpr std::size_t kLongest = 60;
  if (py::isinstance<py::array>(value)) return described(py::reinterpret_borrow<py::array>(value));
  std::string text = textFrom(py::repr(value)).value_or("something else");
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (text.size() <= kLongest) return text;
  std::size_t cut = kLongest;
  while ((text[cut] & 0xC0) == 0x80) --cut;  // between characters
  return text.substr(0, cut) + "...";
}

py::array arrayOf(Image&& picture) {
  const auto held = std::make_shared<const Image>(std::move(picture));
  const auto width = py::ssize_t(held->width), height = py::ssize_t(held->height);
  return viewOf(py::dtype("float32"), {height, width, 4}, {width * 16, 16, 4}, held->pixels.data(),
                held);
}

Image imageFrom(const py::array& array, const std::string& name) {
  constexpr py::ssize_t kMaxSide = 65536;
  const int channels = channelsOf(array);
  const char kind = array.dtype().kind();
  const py::ssize_t bytes = array.dtype().itemsize();
  const bool isByte = kind == 'u' && bytes == 1;
  if (channels == 0 || !(isByte || (kind == 'f' && bytes <= 8)) || array.shape(0) < 1 ||
      array.shape(1) < 1 || array.shape(0) > kMaxSide || array.shape(1) > kMaxSide)
    failUsage(
        "{}: expected float16, float32, float64 or uint8 of shape (height, width, 1, 3 "
        "or 4), found {}",
        name, described(array));
  const auto values = py::array_t<float, py::array::c_style | py::array::forcecast>(array);
  Image picture(int(array.shape(1)), int(array.shape(0)));
  const float* from = values.data();
  for (glm::vec4& pixel : picture.pixels) {
    if (channels == 1)
      pixel = {from[0], from[0], from[0], isByte ? 255 : 1};
    else
      pixel = {from[0], from[1], from[2], channels == 4 ? from[3] : isByte ? 255.0f : 1.0f};
    from += channels;
  }
  if (!isByte) return picture;
  std::array<float, 256> linear{};
  for (std::size_t i = 0; i < linear.size(); ++i) linear[i] = linearFromSrgb(float(i) / 255.0f);
  for (glm::vec4& pixel : picture.pixels) {
    pixel.a /= 255.0f;
    for (int c = 0; c < 3; ++c) pixel[c] = linear[std::size_t(pixel[c])] * pixel.a;
  }
  return picture;
}

namespace {

py::tuple readFile(const fs::path& path) {
  Picture picture;
  Worker::instance().run([&](Progress&) { picture = readPicture(path); });
  const auto width = py::ssize_t(picture.image.width), height = py::ssize_t(picture.image.height);
  py::object depth = py::none();
  if (!picture.depth.empty()) {
    const auto held = std::make_shared<const std::vector<float>>(std::move(picture.depth));
    depth = viewOf(py::dtype("float32"), {height, width}, {width * 4, 4}, held->data(), held);
  }
  return py::make_tuple(arrayOf(std::move(picture.image)), depth, tupleOf(picture.dataWindow),
                        tupleOf(picture.displayWindow), picture.hasAlpha);
}

/// The channels of the first flat part beside color, alpha and Z, each [height, width]: float32, of
/// IDs uint32; and whether it has color.
py::tuple readChannels(const fs::path& path) {
  py::dict channels;
  for (const ExrPartInfo& part : exrParts(path)) {
    if (part.deep) continue;
    const py::ssize_t width = part.dataWindow.width, height = part.dataWindow.height;
    for (const ExrPartInfo::Channel& channel : part.channels) {
      if (std::string("R G B A Y Z").find(channel.name) != std::string::npos) continue;
      std::shared_ptr<std::vector<float>> values;
      Worker::instance().run([&](Progress&) {
        values = std::make_shared<std::vector<float>>(
            loadExrChannel(path, part.index, channel.name, true));
      });
      channels[py::str(channel.name)] =
          viewOf(py::dtype(channel.type == ChannelType::Uint ? "uint32" : "float32"),
                 {height, width}, {width * 4, 4}, values->data(), values);
    }
    return py::make_tuple(channels,
                          part.has("R") || part.has("G") || part.has("B") || part.has("Y"));
  }
  return py::make_tuple(channels, true);
}

/// Depth in the shape of the picture; float32, copied.
std::vector<float> depthFrom(const py::object& given, const Image& image) {
  if (given.is_none()) return {};
  const auto array = py::array::ensure(given);
  if (!array || array.ndim() != 2 || array.shape(0) != image.height ||
      array.shape(1) != image.width || array.dtype().kind() != 'f')
    failUsage("depth: expected floats of shape ({}, {}), found {}", image.height, image.width,
              array ? described(array) : "something else");
  const auto values = py::array_t<float, py::array::c_style | py::array::forcecast>(array);
  return {values.data(), values.data() + values.size()};
}

/// As a picture has them: float32[height][width][4].
py::array pixelsOf(const py::array& pixels, const py::object& depth) {
  Image image = imageFrom(pixels);
  depthFrom(depth, image);
  return arrayOf(std::move(image));
}

void writeFile(const py::array& pixels, const fs::path& path, const py::object& depth, bool asFloat,
               const std::string& name) {
  const Image image = imageFrom(pixels, name);
  const std::vector<float> z = depthFrom(depth, image);
  checkPictureEnding(path);
  if (!z.empty() && path.extension() != ".exr")
    failUsage("{}: expected a name that ends in .exr for an image with depth", path.string());
  FlatExrOptions options;
  options.asFloat = asFloat, options.depth = z;
  options.withAlpha = pixels.ndim() == 3 && pixels.shape(2) == 4;
  Worker::instance().run([&](Progress&) { writePicture(path, image, options); });
}

}  // namespace

void bindPictures(py::module_& module) {
  module.def("read_picture", readFile, py::arg("path"));
  module.def("read_channels", readChannels, py::arg("path"));
  module.def("write_picture", writeFile, py::arg("pixels"), py::arg("path"), py::arg("depth"),
             py::arg("as_float"), py::arg("name") = "picture");
  module.def("pixels_of", pixelsOf, py::arg("pixels"), py::arg("depth"));
  module.def("kind_of", [](const fs::path& path) {
    const FileKind kind = kindOf(path);
    if (kind == FileKind::DeepExr) return "deep";
    return kind == FileKind::FlatExr || isPlainPicture(kind) ? "picture" : "unknown";
  });
}

}  // namespace fathom::python
