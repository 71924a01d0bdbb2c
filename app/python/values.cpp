// SPDX-License-Identifier: BSD-3-Clause
// Arrays and owners. An owner is a shared pointer inside a capsule, or a Python object inside a
// shared pointer whose end takes the interpreter's lock.
#include "app/python/values.h"

#include "app/engine/core/error.h"

#include <algorithm>
#include <cstring>
#include <vector>

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

Image imageFrom(const py::array& array) {
  constexpr py::ssize_t kMaxSide = 65536;
  const int channels = channelsOf(array);
  const bool isNumber = array.dtype().kind() == 'f' && array.dtype().itemsize() <= 4;
  if (channels == 0 || !isNumber || array.shape(0) < 1 || array.shape(1) < 1 ||
      array.shape(0) > kMaxSide || array.shape(1) > kMaxSide)
    throw UsageError(fmt::format(
        "picture: expected float16 or float32 of shape (height, width, 1, 3 or 4), found {}",
        described(array)));
  const auto values = py::array_t<float, py::array::c_style | py::array::forcecast>(array);
  Image picture(int(array.shape(1)), int(array.shape(0)));
  const float* from = values.data();
  for (glm::vec4& pixel : picture.pixels) {
    if (channels == 1)
      pixel = {from[0], from[0], from[0], 1};
    else
      pixel = {from[0], from[1], from[2], channels == 4 ? from[3] : 1};
    from += channels;
  }
  return picture;
}

}  // namespace fathom::python
