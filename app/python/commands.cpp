// SPDX-License-Identifier: BSD-3-Clause
// The command line from inside Python: the table of all commands with their flags, from which the
// functions of the package are made, and running one with what it prints.
#include "app/cli/subcommands.h"

#include "app/cli/flags.h"
#include "app/engine/core/fields.h"
#include "app/engine/core/launch.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/core/text.h"
#include "app/engine/io/profile.h"
#include "app/engine/ranks/job.h"
#include "app/python/bindings.h"
#include "app/python/worker.h"

#include <pybind11/stl.h>

namespace fathom::python {
namespace {

// ---- Tables

py::dict tableOf(const commands::FlagText& flag) {
  py::dict row;
  row["names"] = flag.names, row["operand"] = flag.operand, row["type"] = flag.type;
  row["default"] = flag.fallback, row["help"] = flag.help, row["group"] = flag.group;
  row["values"] = flag.values, row["required"] = flag.required, row["repeats"] = flag.repeats;
  return row;
}

py::list tableOf(const std::vector<commands::FlagText>& flags) {
  py::list rows;
  for (const commands::FlagText& flag : flags) rows.append(tableOf(flag));
  return rows;
}

/// What stands in a technique's own table: what it reads and writes.
const Command* commandNamed(const std::string& name) {
  const std::size_t space = name.find(' ');
  const TechniqueEntry* entry = techniqueNamed(name.substr(0, space));
  if (!entry || space == std::string::npos) return nullptr;
  for (const Command& command : commandsOf(entry->info.name))
    if (command.name == name.substr(space + 1)) return &command;
  return nullptr;
}

py::list commandTable() {
  py::list rows;
  for (const commands::SubcommandText& text : commands::subcommandTexts()) {
    py::dict row;
    row["name"] = text.name, row["help"] = text.help, row["example"] = text.example;
    row["flags"] = tableOf(text.flags);
    const Command* command = commandNamed(text.name);
    row["technique"] = command != nullptr;
    row["endings"] = command ? command->output.endings : std::vector<std::string>();
    row["output_optional"] = !command || command->output.optional;
    row["output_folder"] = command && command->output.folder;
    row["inputs"] = command ? py::make_tuple(command->inputs.minCount, command->inputs.maxCount)
                            : py::make_tuple(0, -1);
    rows.append(row);
  }
  return rows;
}

py::dict techniqueTable() {
  py::dict table;
  for (const TechniqueEntry& entry : techniques()) {
    py::dict row;
    row["title"] = entry.info.title, row["about"] = entry.info.about;
    row["paper"] = entry.info.paper;
    table[py::str(entry.info.name)] = row;
  }
  return table;
}

// ---- Running

/// What is printed to standard output on this thread's behalf, as text. Nothing else of the process
/// prints through C's stdout: Python has its own buffers.
class Printed {
 public:
  Printed() : before_(stdout), memory_(open_memstream(&text_, &size_)) {
    if (!memory_) throw std::bad_alloc();
    stdout = memory_;
  }
  ~Printed() {
    stdout = before_;
    std::fclose(memory_);
    std::free(text_);
  }
  Printed(const Printed&) = delete;
  Printed& operator=(const Printed&) = delete;
  std::string text() {
    std::fflush(memory_);
    return {text_, size_};
  }

 private:
  char* text_ = nullptr;
  std::size_t size_ = 0;
  std::FILE* before_;
  std::FILE* memory_;
};

/// A communicator of mpi4py, and this process's rank in it.
struct Ranks {
  int handle = 0, rank = 0;
};

/// Lends the worker's device and shows the command's progress while it lives; says of which job the
/// command is a part.
class Lent {
 public:
  explicit Lent(const std::optional<Ranks>& of = {}) {
    launchSaid() = {true, of ? std::optional(of->rank) : std::nullopt};
    ranks::useCommunicator(of ? std::optional(of->handle) : std::nullopt);
    host_.context = [](const gpu::ContextOptions&) { return Worker::instance().context(); };
    host_.watch = [](const Progress* progress) { Worker::instance().watch(progress); };
    CommandHost::ofThread() = &host_;
  }
  ~Lent() { CommandHost::ofThread() = nullptr; }

 private:
  CommandHost host_;
};

std::optional<Ranks> ranksOf(const py::object& communicator) {
  if (communicator.is_none()) return std::nullopt;
  if (!ranks::mpiAvailable()) throw NotBuiltError(ranks::mpiMissing());
  if (!py::hasattr(communicator, "py2f"))
    throw UsageError("comm: expected a communicator of mpi4py");
  return Ranks{communicator.attr("py2f")().cast<int>(),
               communicator.attr("Get_rank")().cast<int>()};
}

/// Work for all ranks of the communicator: where one throws, all do.
void runLent(const py::object& communicator, const py::object& progress,
             const std::function<void()>& work) {
  const std::optional<Ranks> of = ranksOf(communicator);
  Worker::instance().run(
      [&](Progress&) {
        const Lent lent(of);
        try {
          work();
        } catch (...) {
          if (of) ranks::tellFailure();
          throw;
        }
      },
      progress);
}

/// Arguments that are no command line yet were wrong.
void refuse(const std::string& message, const py::object& communicator) {
  runLent(communicator, py::none(), [&] { throw UsageError(message); });
}

py::tuple runCommand(const std::string& name, const std::vector<std::string>& arguments,
                     const py::object& progress, const py::object& communicator) {
  int code = 0;
  std::string text;
  runLent(communicator, progress, [&] {
    Printed printed;
    code = commands::runInside(name, arguments);
    text = printed.text();
  });
  // What a command prints may hold names of files, which are any bytes.
  return py::make_tuple(code, py::reinterpret_steal<py::str>(PyUnicode_DecodeUTF8(
                                  text.data(), py::ssize_t(text.size()), "replace")));
}

py::dict deviceFacts(const gpu::Context& gpu) {
  py::dict facts;
  facts["vendor"] = gpu.device().vendor, facts["renderer"] = gpu.device().renderer;
  facts["version"] = gpu.device().version, facts["software"] = gpu.device().software;
  return facts;
}

py::dict device(const py::object& backend, int index) {
  gpu::ContextOptions options;
  const std::string name = backend.is_none() ? "" : backend.cast<std::string>();
  constexpr gpu::Backend kBackends[] = {gpu::Backend::Auto, gpu::Backend::Egl,
                                        gpu::Backend::Window};
  if (!name.empty())
    options.backend = kBackends[wordIndex("backend", name.c_str(), {"auto", "egl", "window"})];
  if (index < -1) failUsage("index: expected 0 or more, found {}", index);
  options.device = std::max(0, index);
  const bool chooses = !name.empty() || index >= 0;
  std::shared_ptr<gpu::Context> gpu;
  Worker::instance().run([&](Progress&) {
    if (chooses) Worker::instance().choose(options);
    gpu = Worker::instance().context();
  });
  const py::dict facts = deviceFacts(*gpu);
  // Contexts are let go where they were made.
  Worker::instance().run([moved = std::move(gpu)](Progress&) {});
  return facts;
}

}  // namespace

std::string runDirect(const std::string& technique, const py::dict& settings,
                      const std::string& command, const py::object& progress,
                      const std::function<void(CommandContext&, Progress&)>& work) {
  std::unique_ptr<Engine> engine = techniqueNamed(technique)->make();
  for (const auto& [name, value] : settings)
    assign(engine->settings(), name.cast<std::string>(), value.cast<std::string>());
  std::string json;
  Worker::instance().run(
      [&](Progress& shown) {
        const Stopwatch watch;
        const Lent lent;
        useProfile(Profile::defaultPath());
        CommandContext context(std::move(engine), {});
        context.record.command = command;
        work(context, shown);
        if (context.hasGpu()) context.finishTimings();
        context.record.settings = valuesOf(context.technique().settings());
        if (context.hasGpu())
          for (const gpu::PassTiming& pass : context.gpu().timings().passes())
            context.record.passes.push_back({pass.name, pass.gpuMs, pass.cpuMs, pass.count});
        context.record.wallMs = watch.ms();
        json = context.record.json();
      },
      progress);
  return json;
}

void bindCommands(py::module_& module) {
  module.def("command_table", commandTable);
  module.def("technique_table", techniqueTable);
  module.def("common_flags", [] { return tableOf(commands::commonFlags()); });
  module.def("nearest_name", &nearestName);
  module.def("run", runCommand, py::arg("name"), py::arg("arguments"),
             py::arg("progress") = py::none(), py::arg("comm") = py::none());
  module.def("refuse", refuse, py::arg("message"), py::arg("comm"));
  module.def("device", device, py::arg("backend") = py::none(), py::arg("index") = -1);
  module.def("stop", [] {
    const py::gil_scoped_release released;
    Worker::instance().stop();
  });
  module.attr("version") = FATHOM_VERSION;
}

}  // namespace fathom::python
