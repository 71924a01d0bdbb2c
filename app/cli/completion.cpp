// SPDX-License-Identifier: BSD-3-Clause
// Completion of subcommands, flags and the values of choices for bash, zsh and fish, as static
// scripts.
#include "app/cli/flag_table.h"
#include "app/engine/core/error.h"
#include "app/engine/scene/load_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fathom::commands {
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
  if (shell == "bash") return bashScript(texts, common);
  if (shell == "zsh") return zshScript(texts, common);
  if (shell == "fish") return fishScript(texts, common);
  throw UsageError(fmt::format("--completion: expected bash, zsh or fish, found \"{}\"", shell));
}

}  // namespace fathom::commands
