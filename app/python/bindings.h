// SPDX-License-Identifier: BSD-3-Clause
// The parts of the module fathom._core, each in a source file of its own, and what they share:
// values of the program as numpy arrays. Arrays that show memory of a value keep it alive and
// cannot be written to: values never change, so that several threads may use them at once.
#pragma once

#include "app/cli/command.h"
#include "app/engine/core/deep_image.h"
#include "app/engine/core/image.h"
#include "app/engine/io/run_record.h"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

namespace fathom::python {

namespace py = pybind11;

/// The type of a channel's values: float16, float32, uint32.
py::dtype dtypeOf(ChannelType type);

/// An array over memory that `owner` keeps; strides in bytes.
py::array viewOf(const py::dtype& type, std::vector<py::ssize_t> shape,
                 std::vector<py::ssize_t> strides, const void* data,
                 std::shared_ptr<const void> owner);

/// (x, y, width, height)
inline py::tuple tupleOf(const Rect& r) { return py::make_tuple(r.x, r.y, r.width, r.height); }

/// An object that may be let go on any thread.
std::shared_ptr<const void> kept(py::object object);

/// float32[height][width][4] that shows the picture's memory.
py::array arrayOf(Image&& picture);
/// A picture of linear, premultiplied values from floats [height][width], or with 1, 3 (alpha 1) or
/// 4 channels; or from bytes as PNG files have them, sRGB and straight; copied. Throws UsageError,
/// which calls it `name`.
Image imageFrom(const py::array& array, const std::string& name = "picture");

/// A name as text; none when it is no text, or one that is no Unicode.
std::optional<std::string> textFrom(const py::handle& name);

/// A value in one short line, for messages; an array as its type and shape.
std::string brief(const py::handle& value);

/// What an array is, for messages: "float64 of shape (3, 4)".
std::string described(const py::array& array);

void bindErrors(py::module_& module);
void bindCommands(py::module_& module);  // tables of the command line, and running its commands
void bindDeep(py::module_& module);      // deep images
void bindPictures(py::module_& module);  // flat ones
void bindModels(py::module_& module);    // SMoE models, genomes of flames, IceT's images

/// Work on the device in a technique's own words, without files: the settings (name and text) are
/// assigned, `work` is run on the worker. Returns what --json would say of it.
std::string runDirect(const std::string& technique, const py::dict& settings,
                      const std::string& command, const py::object& progress,
                      const std::function<void(CommandContext&, Progress&)>& work);

}  // namespace fathom::python
