// SPDX-License-Identifier: BSD-3-Clause
// The manual page in man's macros, and what shells offer while a command line is typed, all from
// the table of flags.
#include "app/cli/flags.h"
#include "app/cli/subcommands.h"
#include "app/engine/core/text.h"
#include "app/engine/scene/load_scene.h"
#include "app/lab/catalog.h"
#include "app/lab/workload.h"

namespace fathom::commands {
namespace {

/// Text as groff prints it unchanged. Lines of the text stay lines.
std::string plain(const std::string& text) {
  std::string out;
  bool lineStarts = true;
  for (const char c : text) {
    if (lineStarts && (c == '.' || c == '\'')) out += "\\&";
    lineStarts = c == '\n';
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '\n')
      out += "\n.br\n";
    else
      out += c;
  }
  return out;
}

std::string bold(const std::string& text) { return "\\fB" + plain(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + plain(text) + "\\fR"; }

std::string flagEntry(const FlagText& flag) {
  std::string head;
  if (flag.names.empty()) head = italic(flag.operand);
  for (const std::string& name : flag.names) head += (head.empty() ? "" : ", ") + bold(name);
  if (!flag.type.empty() && !flag.names.empty()) head += " " + italic(flag.type);
  std::string body = plain(flag.help);
  if (flag.required && !flag.names.empty()) body += " Required.";
  // A list of values ends with its last line, and the default stands apart.
  if (!flag.fallback.empty()) body += "\n.br\nDefault: " + plain(flag.fallback) + ".";
  return ".TP\n" + head + "\n" + body + "\n";
}

/// Settings are the same for all subcommands of a technique: listed once, behind the commands.
bool isSetting(const FlagText& flag) { return flag.group == "Settings"; }

std::string subcommandEntry(const SubcommandText& subcommand) {
  std::string text = ".SS fathom " + plain(subcommand.name) + "\n" + plain(subcommand.help) + "\n";
  const bool ofTechnique = subcommand.name.find(' ') != std::string::npos;
  for (const FlagText& flag : subcommand.flags)
    if (!ofTechnique || !isSetting(flag)) text += flagEntry(flag);
  text += ".PP\nExample:\n.PP\n.nf\n.RS\n" + plain(subcommand.example) + "\n.RE\n.fi\n";
  return text;
}

/// "deep" with the settings that any of its subcommands understands.
std::string settingsOf(const std::vector<SubcommandText>& texts) {
  std::string text;
  std::map<std::string, std::vector<FlagText>> groups;
  for (const SubcommandText& subcommand : texts) {
    const std::size_t space = subcommand.name.find(' ');
    if (space == std::string::npos) continue;
    std::vector<FlagText>& known = groups[subcommand.name.substr(0, space)];
    for (const FlagText& flag : subcommand.flags) {
      const auto same = [&](const FlagText& other) { return other.names == flag.names; };
      if (isSetting(flag) && std::none_of(known.begin(), known.end(), same)) known.push_back(flag);
    }
  }
  for (const auto& [name, flags] : groups) {
    if (flags.empty()) continue;
    text += ".SS Settings of " + plain(name) + "\n";
    for (const FlagText& flag : flags) text += flagEntry(flag);
  }
  return text;
}

}  // namespace

std::string manualPage() {
  const std::vector<SubcommandText> texts = subcommandTexts();
  std::string page = fmt::format(
      ".TH FATHOM 1 \"\" \"Fathom {}\" \"User Commands\"\n"
      ".SH NAME\nfathom \\- viewer and command-line tool for five GPU image techniques\n"
      ".SH SYNOPSIS\n.B fathom\n[\\fIFILE\\fR...]\n.br\n.B fathom\n\\fICOMMAND\\fR "
      "[\\fIARGUMENTS\\fR]\n.br\n.B fathom\n\\fICOMMAND\\fR \\fB\\-\\-help\\fR\n"
      ".SH DESCRIPTION\n"
      "Opens deep EXR images, scenes, fractal flames, steered mixtures of experts and compressed "
      "frames in a window, or processes them on the command line. Reports the GPU time and the "
      "memory of every technique. Without a command, the files are opened in the window. Settings "
      "of a technique are flags of its commands.\n",
      FATHOM_VERSION);
  page += ".SH OPTIONS OF EVERY COMMAND\n";
  for (const FlagText& flag : commonFlags()) page += flagEntry(flag);
  page += ".SH COMMANDS\n";
  for (const SubcommandText& subcommand : texts) page += subcommandEntry(subcommand);
  page += ".SH SETTINGS\n" + settingsOf(texts);
  page +=
      ".SH SCENES\nA file (OBJ, glTF, GLB, PLY, STL), or one made by the program, with parameters "
      "after a colon.\n";
  for (const SceneInfo& scene : builtInScenes())
    page += ".TP\n" + bold(scene.name) + "\n" + plain(scene.about) +
            (scene.parameters.empty() ? "" : ": " + plain(scene.parameters)) + "\n";
  page += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : exitCodes())
    page += fmt::format(".TP\n.B {}\n{}\n", code, plain(meaning));
  page +=
      ".SH ENVIRONMENT\n.TP\n.B FATHOM_SHADERS\nThe folder of the shaders, when it is not next to "
      "the program.\n.TP\n.B XDG_CONFIG_HOME\nWhere settings, sessions and tuned variants are "
      "kept, in a "
      "folder\n.IR fathom ;\n.I ~/.config\nwhen it is not set.\n"
      ".SH SEE ALSO\n.BR oiiotool (1),\n.BR exrinfo (1),\n.BR mpirun (1)\n";
  return page;
}

namespace {

// Of all three: what the program itself offers behind the words so far. <files> stands for files,
// which shells know best.
constexpr const char* kBash = R"(# Completion of fathom for bash, made by: fathom --completion bash
_fathom() {
  local IFS=$'\n' current=${COMP_WORDS[COMP_CWORD]} offered
  offered=$("$1" --candidates "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1)
  COMPREPLY=($(compgen -W "${offered//<files>/}" -- "$current"))
  [[ $offered != *'<files>'* ]] || COMPREPLY+=($(compgen -f -- "$current"))
}
complete -o filenames -F _fathom fathom
)";
constexpr const char* kZsh = R"(#compdef fathom
# Completion of fathom for zsh, made by: fathom --completion zsh
_fathom() {
  local -a offered
  offered=("${(@f)$($words[1] --candidates "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  ((${offered[(I)<files>]})) && _files
  offered=("${(@)${(@)offered:#<files>}/$'\t'/:}")
  _describe fathom offered
}
_fathom "$@"
)";
constexpr const char* kFish = R"(# Completion of fathom for fish, made by: fathom --completion fish
function __fathom_candidates
  set -l words (commandline -opc) (commandline -ct)
  $words[1] --candidates $words[2..-1] 2>/dev/null | string match -v '<files>'
end
complete -c fathom -a '(__fathom_candidates)'
)";

}  // namespace

std::string completionFor(const std::string& shell) {
  constexpr const char* kScripts[] = {kBash, kZsh, kFish};
  return kScripts[wordIndex("--completion", shell, {"bash", "zsh", "fish"})];
}

std::string candidatesFor(const std::vector<std::string>& words) {
  std::string before;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) before += words[i] + " ";
  const std::string last = words.empty() ? "" : words.back();
  const std::vector<SubcommandText> texts = subcommandTexts();
  const SubcommandText* command = nullptr;
  std::map<std::string, std::string> offered;
  for (const SubcommandText& text : texts) {
    if (before.starts_with(text.name + " ")) command = &text;
    if (!text.name.starts_with(before)) continue;
    const std::string rest = text.name.substr(before.size()), next = rest.substr(0, rest.find(' '));
    offered[next] = next == rest ? text.help : "Commands of " + next;
  }
  std::vector<FlagText> flags = command ? command->flags : std::vector<FlagText>();
  for (const FlagText& flag : commonFlags()) flags.push_back(flag);
  for (const FlagText& flag : flags)
    for (const std::string& name : flag.names) {
      const bool wantsValue = command && !flag.type.empty() && before.ends_with(" " + name + " ");
      if (wantsValue && !flag.values.empty())
        return fmt::format("{}\n", fmt::join(flag.values, "\n"));
      if (wantsValue) return "<files>\n";
      if (command && last.starts_with('-'))
        offered[name] = flag.help.substr(0, flag.help.find('\n'));
    }
  if (last.starts_with('-')) offered["--help"] = "Show the help of this command";
  const bool takesBenches = command && command->name == "bench";
  if (takesBenches)
    for (const Bench* each : bench::allBenches()) offered[each->name] = each->about;
  const bool takesInput = command || before.empty();
  if (takesInput && !takesBenches)
    for (const SceneInfo& scene : builtInScenes()) offered[scene.name] = scene.about;
  std::string lines = takesInput ? "<files>\n" : "";
  for (const auto& [name, help] : offered) lines += fmt::format("{}\t{}\n", name, help);
  return lines;
}

}  // namespace fathom::commands
