// SPDX-License-Identifier: BSD-3-Clause
// The command line: the subcommands as a table, and running one of them. run() maps exceptions to
// the exit codes of the contract: 0 done, 1 could not be done, 2 wrong command line, 3 a compared
// difference, 77 no OpenGL 4.5, 78 not built, 130 interrupted.
#pragma once

#include "app/cli/command.h"
#include "app/cli/flags.h"

namespace fathom::viewer {
struct ViewOptions;
}

namespace fathom::commands {

/// Runs the subcommand once its flags are parsed; returns the exit code, throws Error and its kin.
using Action = std::function<int()>;

struct Subcommand {
  std::string name;     // "compare", "deep merge"
  std::string help;     // one sentence
  std::string example;  // a whole command line
  /// Declares the subcommand's own flags. The common ones are declared already.
  std::function<Action(FlagTable& table, const CommonOptions& common)> declare;
};

Action declareView(FlagTable& table, const CommonOptions& common);
Action declareInfo(FlagTable& table, const CommonOptions& common);
Action declareCompare(FlagTable& table, const CommonOptions& common);
Action declareBench(FlagTable& table, const CommonOptions& common);
Action declareReport(FlagTable& table, const CommonOptions& common);
Action declareTune(FlagTable& table, const CommonOptions& common);

/// "deep capture", "deep merge", ... of every technique in the registry.
std::vector<Subcommand> techniqueSubcommands();

/// The program has a window, which this opens (viewer::run); without one `view` says so. To be
/// called before the others.
void offerWindow(int (*open)(const viewer::ViewOptions& options));

/// All of them, in the order of the help.
const std::vector<Subcommand>& subcommands();

struct ExitCodeText {
  int code;
  std::string meaning;
};
/// Every code that the program ends with.
const std::vector<ExitCodeText>& exitCodes();

/// The whole program; returns its exit code.
int run(int argc, char** argv);

/// Runs one command ("deep merge") inside another program, which catches what it throws: Error and
/// its kin, Cancelled. Returns the exit code. Leaves signals alone.
int runInside(const std::string& name, std::vector<std::string> arguments);

}  // namespace fathom::commands

namespace fathom {

/// The subcommands of the technique of this name ("deep"), in the order of the manual; empty: none.
const std::vector<Command>& commandsOf(const std::string& technique);

}  // namespace fathom
