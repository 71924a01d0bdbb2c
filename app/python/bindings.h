// SPDX-License-Identifier: BSD-3-Clause
// The parts of the module `fathom._core`, each in a source file of its own; and what they share.
#pragma once

#include "app/engine/io/run_record.h"
#include "app/python/values.h"
#include "app/cli/command.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace fathom::python {

void bindErrors(py::module_& module);
void bindCommands(
    py::module_& module);            // the command line's tables, and running one of its commands
void bindDeep(py::module_& module);  // deep images
void bindPictures(py::module_& module);  // flat ones
void bindModels(py::module_& module);    // SMoE models, genomes of flames, IceT's images

/// Work on the device in a technique's own words, without files: the settings (name and text) are
/// assigned, `work` is run on the worker. Returns what --json would say of it.
std::string runDirect(const std::string& technique, const py::dict& settings,
                      const std::string& command, const py::object& progress,
                      const std::function<void(CommandContext&, Progress&)>& work);

}  // namespace fathom::python
