// SPDX-License-Identifier: BSD-3-Clause
// Values of the program as numpy arrays. Arrays that show memory of a value keep it alive and
// cannot be written to: values never change, so that several threads may use them at once.
#pragma once

#include "app/engine/core/deep_image.h"
#include "app/engine/core/image.h"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace fathom::python {

namespace py = pybind11;

/// The type of a channel's values: float16, float32, uint32.
py::dtype dtypeOf(ChannelType type);

/// An array over memory that `owner` keeps; strides in bytes.
py::array viewOf(const py::dtype& type, std::vector<py::ssize_t> shape,
                 std::vector<py::ssize_t> strides, const void* data,
                 std::shared_ptr<const void> owner);

/// An object that may be let go on any thread.
std::shared_ptr<const void> kept(py::object object);

/// float32[height][width][4] that shows the picture's memory.
py::array arrayOf(Image&& picture);
/// A picture of linear, premultiplied values from float16 or float32 [height][width], or with 1, 3
/// (alpha 1) or 4 channels; copied. Throws UsageError.
Image imageFrom(const py::array& array);

/// A name as text; none when it is no text, or one that is no Unicode.
std::optional<std::string> textFrom(const py::handle& name);

/// A value in one short line, for messages; an array as its type and shape.
std::string brief(const py::handle& value);

/// What an array is, for messages: "float64 of shape (3, 4)".
std::string described(const py::array& array);

}  // namespace fathom::python
