// SPDX-License-Identifier: BSD-3-Clause
// The module fathom._core: what the package beside it is made of. Its parts are in bindings.h.
#include "app/python/bindings.h"

PYBIND11_MODULE(_core, module) {
  module.doc() = "The compiled part of the package fathom.";
  fathom::python::bindErrors(module);
  fathom::python::bindCommands(module);
  fathom::python::bindDeep(module);
  fathom::python::bindPictures(module);
  fathom::python::bindModels(module);
}
