// SPDX-License-Identifier: BSD-3-Clause
// Flat pictures for Python: arrays of linear, premultiplied RGBA, with depth where the file has it.
#include "app/python/bindings.h"
#include "app/python/worker.h"

#include "app/engine/core/error.h"
#include "app/engine/io/image_file.h"

#include <pybind11/stl/filesystem.h>

#include <filesystem>

namespace fathom::python {
namespace {

py::tuple readFile(const std::filesystem::path& path) {
  Picture picture;
  Worker::instance().run([&](Progress&) { picture = readPicture(path); });
  const auto width = py::ssize_t(picture.image.width), height = py::ssize_t(picture.image.height);
  py::object depth = py::none();
  if (!picture.depth.empty()) {
    const auto held = std::make_shared<const std::vector<float>>(std::move(picture.depth));
    depth = viewOf(py::dtype("float32"), {height, width}, {width * 4, 4}, held->data(), held);
  }
  const auto tupleOf = [](const Rect& r) { return py::make_tuple(r.x, r.y, r.width, r.height); };
  return py::make_tuple(arrayOf(std::move(picture.image)), depth, tupleOf(picture.dataWindow),
                        tupleOf(picture.displayWindow), picture.hasAlpha);
}

/// Depth in the shape of the picture; float32, copied.
std::vector<float> depthFrom(const py::object& given, const Image& image) {
  if (given.is_none()) return {};
  const auto array = py::array::ensure(given);
  if (!array || array.ndim() != 2 || array.shape(0) != image.height ||
      array.shape(1) != image.width || array.dtype().kind() != 'f')
    throw UsageError(fmt::format("depth: expected floats of shape ({}, {}), found {}", image.height,
                                 image.width, array ? described(array) : "something else"));
  const auto values = py::array_t<float, py::array::c_style | py::array::forcecast>(array);
  return {values.data(), values.data() + values.size()};
}

void writeFile(const py::array& pixels, const std::filesystem::path& path, const py::object& depth,
               bool asFloat) {
  const Image image = imageFrom(pixels);
  const std::vector<float> z = depthFrom(depth, image);
  checkPictureEnding(path);
  if (!z.empty() && path.extension() != ".exr")
    throw UsageError(fmt::format("{}: expected a name that ends in .exr for a picture with depth",
                                 path.string()));
  FlatExrOptions options;
  options.asFloat = asFloat, options.depth = z;
  options.withAlpha = pixels.ndim() == 3 && pixels.shape(2) == 4;
  Worker::instance().run([&](Progress&) { writePicture(path, image, options); });
}

}  // namespace

void bindPictures(py::module_& module) {
  module.def("read_picture", readFile, py::arg("path"));
  module.def("write_picture", writeFile, py::arg("pixels"), py::arg("path"), py::arg("depth"),
             py::arg("as_float"));
  module.def("kind_of", [](const std::filesystem::path& path) {
    const FileKind kind = kindOf(path);
    if (kind == FileKind::DeepExr) return "deep";
    return kind == FileKind::FlatExr || isPlainPicture(kind) ? "picture" : "unknown";
  });
}

}  // namespace fathom::python
