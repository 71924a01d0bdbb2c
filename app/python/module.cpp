// SPDX-License-Identifier: BSD-3-Clause
// The module fathom._core, and the program's own errors as exceptions of Python, with the one
// sentence that the command line prints.
#include "app/engine/core/error.h"
#include "app/python/bindings.h"

namespace fathom::python {
namespace {

PyObject* error = nullptr;
PyObject* usageError = nullptr;
PyObject* noDeviceError = nullptr;
PyObject* notBuiltError = nullptr;
PyObject* fileNotFoundError = nullptr;

PyObject* make(py::module_& module, const char* name, const char* about, const py::tuple& bases) {
  PyObject* type = PyErr_NewExceptionWithDoc((std::string("fathom.") + name).c_str(), about,
                                             bases.ptr(), nullptr);
  if (!type) throw py::error_already_set();
  module.add_object(name, type);
  Py_INCREF(type);
  return type;
}

/// Messages hold names of files, which are any bytes.
void raise(PyObject* type, const char* message) {
  PyObject* text = PyUnicode_DecodeUTF8(message, Py_ssize_t(std::strlen(message)), "replace");
  if (!text) return;
  PyErr_SetObject(type, text);
  Py_DECREF(text);
}

/// "FILE: what was expected, ...", where there is no such file.
bool namesNoFile(const std::string& message) {
  const fs::path file = message.substr(0, message.find(": "));
  std::error_code ignored;
  return file.has_extension() && !fs::exists(file, ignored);
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const UsageError& wrong) {
    raise(usageError, wrong.what());
  } catch (const NoDeviceError& none) {
    raise(noDeviceError, none.what());
  } catch (const NotBuiltError& missing) {
    raise(notBuiltError, missing.what());
  } catch (const Error& failed) {
    raise(namesNoFile(failed.what()) ? fileNotFoundError : error, failed.what());
  } catch (const Cancelled&) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
  } catch (const PeerFailed& elsewhere) {
    const int code = elsewhere.exitCode();
    if (code == 130) return PyErr_SetNone(PyExc_KeyboardInterrupt);
    raise(code == 2    ? usageError
          : code == 77 ? noDeviceError
          : code == 78 ? notBuiltError
                       : error,
          elsewhere.what());
  } catch (const std::bad_alloc&) {
    PyErr_SetString(PyExc_MemoryError, "expected enough memory for this, found too little");
  }
}

}  // namespace

void bindErrors(py::module_& module) {
  error = make(module, "Error",
               "What could not be done: a file that is missing or damaged, data that do not fit.",
               py::make_tuple(py::handle(PyExc_RuntimeError)));
  usageError = make(module, "UsageError", "A wrong argument: its name, type, shape or value.",
                    py::make_tuple(py::handle(error), py::handle(PyExc_ValueError)));
  fileNotFoundError = make(module, "FileNotFound", "A file that is not there.",
                           py::make_tuple(py::handle(error), py::handle(PyExc_FileNotFoundError)));
  noDeviceError =
      make(module, "NoDeviceError", "There is no OpenGL 4.5.", py::make_tuple(py::handle(error)));
  notBuiltError =
      make(module, "NotBuiltError", "This build lacks a library that the call needs (IceT, MPI).",
           py::make_tuple(py::handle(error)));
  py::register_exception_translator(translate);
}

}  // namespace fathom::python

PYBIND11_MODULE(_core, module) {
  module.doc() = "The compiled part of the package fathom.";
  fathom::python::bindErrors(module);
  fathom::python::bindCommands(module);
  fathom::python::bindDeep(module);
  fathom::python::bindPictures(module);
  fathom::python::bindModels(module);
}
