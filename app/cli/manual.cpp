// SPDX-License-Identifier: BSD-3-Clause
// The manual page in man's macros, and completion for bash, zsh and fish, all from the table of
// flags.
#include "app/cli/flags.h"
#include "app/cli/subcommands.h"
#include "app/engine/core/text.h"
#include "app/engine/scene/load_scene.h"

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

/// Subcommands by the first part of their name: "deep" with "deep capture", ...; "info" alone.
struct CommandGroup {
  std::string name, help;
  std::vector<const SubcommandText*> subcommands;  // of one part: the subcommand itself
};

std::vector<CommandGroup> commandGroups(const std::vector<SubcommandText>& texts) {
  std::vector<CommandGroup> list;
  for (const SubcommandText& subcommand : texts) {
    const std::string first = subcommand.name.substr(0, subcommand.name.find(' '));
    if (list.empty() || list.back().name != first)
      list.push_back(
          {first, subcommand.name == first ? subcommand.help : "Commands of " + first, {}});
    list.back().subcommands.push_back(&subcommand);
  }
  return list;
}

std::string secondPart(const SubcommandText& subcommand) {
  const std::size_t space = subcommand.name.find(' ');
  return space == std::string::npos ? "" : subcommand.name.substr(space + 1);
}

std::vector<FlagText> flagsOf(const SubcommandText& subcommand,
                              const std::vector<FlagText>& common) {
  std::vector<FlagText> flags = subcommand.flags;
  flags.insert(flags.end(), common.begin(), common.end());
  std::erase_if(flags, [](const FlagText& flag) { return flag.names.empty(); });
  return flags;
}

std::string sceneNames() {
  std::vector<std::string> names;
  for (const SceneInfo& scene : builtInScenes()) names.push_back(scene.name);
  return fmt::format("{}", fmt::join(names, " "));
}

/// One line of a flag's help.
std::string briefly(const std::string& help) { return help.substr(0, help.find('\n')); }

std::string bashScript(const std::vector<SubcommandText>& texts,
                       const std::vector<FlagText>& common) {
  std::string cases, values;
  std::set<std::string> firsts;
  std::vector<std::string> seconds;
  for (const CommandGroup& first : commandGroups(texts)) {
    firsts.insert(first.name);
    std::vector<std::string> parts;
    for (const SubcommandText* subcommand : first.subcommands) {
      if (!secondPart(*subcommand).empty()) parts.push_back(secondPart(*subcommand));
      std::vector<std::string> names;
      for (const FlagText& flag : flagsOf(*subcommand, common)) {
        names.insert(names.end(), flag.names.begin(), flag.names.end());
        if (!flag.values.empty())
          values += fmt::format("    '{} {}') words='{}' ;;\n", subcommand->name, flag.names.back(),
                                fmt::join(flag.values, " "));
      }
      cases += fmt::format("    '{}') flags='{}' ;;\n", subcommand->name, fmt::join(names, " "));
    }
    if (!parts.empty())
      seconds.push_back(fmt::format("    {}) words='{}' ;;\n", first.name, fmt::join(parts, " ")));
  }
  return fmt::format(
      R"(# Completion of fathom for bash, made by: fathom --completion bash
_fathom() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
  local command=${{COMP_WORDS[1]-}} words='' flags=''
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '{0} {1} --help --version' -- "$current") $(compgen -f -- "$current"))
    return
  fi
  case $command in
{2}  esac
  if [[ -n $words ]]; then
    if ((COMP_CWORD == 2)); then
      COMPREPLY=($(compgen -W "$words --help" -- "$current"))
      return
    fi
    command="$command ${{COMP_WORDS[2]}}"
    words=''
  fi
  case "$command $before" in
{3}  esac
  if [[ -n $words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  case $command in
{4}  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$flags --help" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current") $(compgen -W '{1}' -- "$current"))
  fi
}}
complete -o filenames -F _fathom fathom
)",
      fmt::join(firsts, " "), sceneNames(), fmt::join(seconds, ""), values, cases);
}

/// Text within single quotes.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

std::string zshSpec(const FlagText& flag) {
  const auto escaped = [](std::string text) {
    for (char& c : text)
      if (c == '[' || c == ']' || c == ':') c = ' ';
    return text;
  };
  const std::string value = flag.type.empty() ? ""
                            : flag.values.empty()
                                ? fmt::format(":{}:_files", escaped(flag.type))
                                : fmt::format(":value:({})", fmt::join(flag.values, " "));
  std::string lines;
  for (const std::string& name : flag.names)
    lines += "      " + quoted(fmt::format("{}[{}]{}", name, escaped(briefly(flag.help)), value)) +
             " \\\n";
  return lines;
}

std::string zshScript(const std::vector<SubcommandText>& texts,
                      const std::vector<FlagText>& common) {
  std::string firsts, seconds, cases;
  for (const CommandGroup& first : commandGroups(texts)) {
    firsts += "    " + quoted(first.name + ":" + first.help) + "\n";
    std::string parts;
    for (const SubcommandText* subcommand : first.subcommands) {
      if (!secondPart(*subcommand).empty())
        parts += " " + quoted(secondPart(*subcommand) + ":" + subcommand->help);
      cases += fmt::format("    {})\n      _arguments \\\n", quoted(subcommand->name));
      for (const FlagText& flag : flagsOf(*subcommand, common)) cases += zshSpec(flag);
      cases += "      '*:file:_files' ;;\n";
    }
    if (!parts.empty()) seconds += fmt::format("    {}) parts=({}) ;;\n", first.name, parts);
  }
  return fmt::format(
      R"(#compdef fathom
# Completion of fathom for zsh, made by: fathom --completion zsh
_fathom() {{
  local -a firsts parts
  local command=${{words[2]}}
  firsts=(
{}  )
  if ((CURRENT == 2)); then
    _describe command firsts
    _files
    return
  fi
  case $command in
{}  esac
  if ((${{#parts}})); then
    if ((CURRENT == 3)); then
      _describe command parts
      return
    fi
    command="$command ${{words[3]}}"
  fi
  case $command in
{}    *) _files ;;
  esac
}}
_fathom "$@"
)",
      firsts, seconds, cases);
}

std::string fishScript(const std::vector<SubcommandText>& texts,
                       const std::vector<FlagText>& common) {
  std::string lines = "# Completion of fathom for fish, made by: fathom --completion fish\n";
  const auto complete = [&](const std::string& condition, const std::string& rest) {
    lines += fmt::format("complete -c fathom -n {} {}\n", quoted(condition), rest);
  };
  for (const CommandGroup& first : commandGroups(texts)) {
    complete("__fish_use_subcommand", fmt::format("-a {} -d {}", first.name, quoted(first.help)));
    std::vector<std::string> parts;
    for (const SubcommandText* subcommand : first.subcommands)
      parts.push_back(secondPart(*subcommand));
    for (const SubcommandText* subcommand : first.subcommands) {
      const std::string second = secondPart(*subcommand);
      const std::string seen = "__fish_seen_subcommand_from ";
      std::string condition = seen + first.name;
      if (!second.empty()) {
        complete(fmt::format("{}; and not {}{}", condition, seen, fmt::join(parts, " ")),
                 fmt::format("-a {} -d {}", second, quoted(subcommand->help)));
        condition += "; and " + seen + second;
      }
      for (const FlagText& flag : flagsOf(*subcommand, common)) {
        std::string rest;
        for (const std::string& name : flag.names)
          rest += name.rfind("--", 0) == 0 ? "-l " + name.substr(2) + " "
                                           : "-s " + name.substr(1) + " ";
        if (!flag.type.empty()) rest += "-r ";
        if (!flag.values.empty()) rest += fmt::format("-f -a '{}' ", fmt::join(flag.values, " "));
        complete(condition, rest + "-d " + quoted(briefly(flag.help)));
      }
    }
  }
  return lines;
}

}  // namespace

std::string completionFor(const std::string& shell) {
  const std::vector<SubcommandText> texts = subcommandTexts();
  const std::vector<FlagText> common = commonFlags();
  constexpr decltype(&bashScript) kScripts[] = {bashScript, zshScript, fishScript};
  return kScripts[wordIndex("--completion", shell, {"bash", "zsh", "fish"})](texts, common);
}

}  // namespace fathom::commands
