// SPDX-License-Identifier: BSD-3-Clause
// The techniques' command tables become subcommands: flags from the settings and the command's own
// table, checks before any work, the report after it.
#include "app/cli/registry.h"
#include "app/cli/cli_flags.h"
#include "app/cli/progress_line.h"
#include "app/cli/sequence_run.h"
#include "app/cli/standard_streams.h"
#include "app/cli/subcommands.h"
#include "app/engine/core/launch.h"
#include "app/cli/command.h"

namespace fathom::commands {
namespace {

/// What a parsed command line leaves; lives as long as the action.
struct Call {
  std::unique_ptr<Engine> technique;
  CliFlags settings;
  std::vector<std::string> inputs;
  std::map<std::string, std::string> texts;
  std::map<std::string, CLI::Option*> options;
};

std::vector<CommandFlag> allFlagsOf(const Command& command) {
  std::vector<CommandFlag> flags = command.flags;
  if (command.sequences)
    flags.insert(flags.end(), sequenceFlags().begin(), sequenceFlags().end());
  return flags;
}

void declareFlags(CLI::App& app, const Command& command, Call& call) {
  for (const CommandFlag& flag : allFlagsOf(command)) {
    std::string& text = call.texts[flag.name];
    CLI::Option* option = nullptr;
    if (flag.valueName.empty())
      option = app.add_flag("--" + flag.name, flag.help);
    else
      option = app.add_option("--" + flag.name, text, flag.help)->type_name(flag.valueName);
    if (!flag.fallback.empty()) option->default_str(flag.fallback);
    if (flag.required) option->required();
    call.options[flag.name] = option;
  }
}

void checkInputs(const Command& command, const std::vector<std::string>& inputs) {
  const CommandInputs& wanted = command.inputs;
  const int count = int(inputs.size());
  if (count < wanted.minCount)
    throw UsageError(fmt::format("expected {} {}, found {}",
                                 wanted.minCount == wanted.maxCount ? "" : "at least",
                                 fmt::format("{} {}", wanted.minCount, wanted.name), count));
  if (wanted.maxCount >= 0 && count > wanted.maxCount)
    throw UsageError(
        fmt::format("expected at most {} {}, found {}", wanted.maxCount, wanted.name, count));
}

/// What a command runs in, with what the command line says.
std::unique_ptr<CommandContext> makeContext(const TechniqueEntry& entry, const Command& command,
                                            const Call& call, const CommonOptions& common,
                                            const StandardStreams& streams,
                                            std::unique_ptr<Engine> technique) {
  gpu::ContextOptions contextOptions = common.contextOptions();
  contextOptions.device = launchLocalRank();
  auto context = std::make_unique<CommandContext>(std::move(technique), contextOptions);
  context->inputs = streams.inputs();
  context->output = streams.output();
  context->size = common.pictureSize();
  context->seed = common.seed;
  context->silent = common.jsonToStandardOutput() || streams.writesOutput();
  context->record.command = entry.info.name + " " + command.name;
  for (const CommandFlag& flag : allFlagsOf(command)) {
    const CLI::Option& option = *call.options.at(flag.name);
    const bool given = option.count() > 0;
    std::string text = given ? call.texts.at(flag.name) : flag.fallback;
    if (flag.valueName.empty()) {
      text = flag.fallback.empty() ? "off" : flag.fallback;
      if (given) text = option.as<bool>() ? "on" : "off";  // --stream=off
    }
    context->setFlag(flag.name, std::move(text), given);
  }
  return context;
}

int runCommand(const TechniqueEntry& entry, const Command& command, Call& call,
               const CommonOptions& common) {
  Reporting reporting(common);
  checkInputs(command, call.inputs);
  const bool writes = command.outputFolder || !command.outputEndings.empty();
  if (!writes && !common.output.empty()) throw UsageError("--output: this command writes no file");
  if (writes && !command.outputOptional && common.output.empty())
    throw UsageError("expected --output PATH, found none");
  if (command.outputFolder)
    checkOutputFolder(common.output);
  else
    // Of the processes that mpirun starts, the first writes.
    if (launchRank().value_or(0) == 0 && common.output != "-")
      checkOutput(common.output, command.outputEndings);
  call.settings.assignTo(call.technique->settings());

  StandardStreams streams(call.inputs, common.output, command);
  const bool sequence = command.sequences && namesSequence(call.inputs, common.output);
  const auto contextFor = [&](std::unique_ptr<Engine> technique) {
    return makeContext(entry, command, call, common, streams, std::move(technique));
  };
  const std::unique_ptr<CommandContext> made = contextFor(std::move(call.technique));
  CommandContext& context = *made;
  int exitCode = 0;
  {
    Progress frames;
    const ProgressLine line(sequence ? frames : context.progress, !common.quiet);
    if (sequence)
      exitCode = runSequence(command, context, [&] {
        std::unique_ptr<Engine> technique = entry.make();
        call.settings.assignTo(technique->settings());
        return contextFor(std::move(technique));
      }, frames);
    else
      streams.run([&] { command.run(context); });
  }
  context.progress.throwIfCancelled();
  if (context.hasGpu()) context.finishTimings();
  context.record.settings = valuesOf(context.technique().settings());
  reporting.finish(context.record, context.hasGpu() ? &context.gpu() : nullptr);
  return sequence ? exitCode : context.exitCode;
}

Action declareCommand(const TechniqueEntry& entry, const Command& command, CLI::App& app,
                      const CommonOptions& common) {
  const auto call = std::make_shared<Call>();
  call->technique = entry.make();
  if (command.inputs.maxCount != 0)
    app.add_option(command.inputs.name, call->inputs, command.inputs.help)
        ->type_name("")
        ->expected(0, -1);
  declareFlags(app, command, *call);
  if (command.takesSettings) call->settings.declare(app, call->technique->settings());
  return [&entry, &command, call, &common] { return runCommand(entry, command, *call, common); };
}

}  // namespace

std::vector<Subcommand> techniqueSubcommands() {
  std::vector<Subcommand> list;
  for (const TechniqueEntry& entry : techniques()) {
    for (const Command& command : commandsOf(entry.info.name))
      list.push_back({entry.info.name + " " + command.name, command.help, command.example,
                      [&entry, &command](CLI::App& app, const CommonOptions& common) {
                        return declareCommand(entry, command, app, common);
                      }});
  }
  return list;
}

}  // namespace fathom::commands
