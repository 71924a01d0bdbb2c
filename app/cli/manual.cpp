// SPDX-License-Identifier: BSD-3-Clause
// The manual page: every command and flag, from the tables that --help is made from.
#include "app/cli/flag_table.h"
#include "app/engine/scene/load_scene.h"

#include <fmt/format.h>

#include <map>

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

/// Settings are the same for all subcommands of a technique.
bool isSetting(const FlagText& flag) { return flag.group == "Settings"; }

std::string subcommandEntry(const SubcommandText& subcommand) {
  std::string text = ".SS fathom " + plain(subcommand.name) + "\n" + plain(subcommand.help) + "\n";
  for (const FlagText& flag : subcommand.flags)
    if (!isSetting(flag)) text += flagEntry(flag);
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
      ".SH NAME\nfathom \\- explore GPU image techniques on real data\n"
      ".SH SYNOPSIS\n.B fathom\n[\\fIFILE\\fR...]\n.br\n.B fathom\n\\fICOMMAND\\fR "
      "[\\fIARGUMENTS\\fR]\n.br\n.B fathom\n\\fICOMMAND\\fR \\fB\\-\\-help\\fR\n"
      ".SH DESCRIPTION\n"
      "Opens deep EXR images, scenes, fractal flames, steered mixtures of experts and compressed "
      "frames, shows them in a window or works on them from the command line, and tells what each "
      "technique costs in GPU milliseconds and bytes. Without a command the files are opened in "
      "the window. Settings of a technique are flags of its commands.\n",
      FATHOM_VERSION);
  page += ".SH OPTIONS OF EVERY COMMAND\n";
  for (const FlagText& flag : commonFlags()) page += flagEntry(flag);
  page += ".SH COMMANDS\n";
  for (const SubcommandText& subcommand : texts) page += subcommandEntry(subcommand);
  page += ".SH SETTINGS\n" + settingsOf(texts);
  page += ".SH SCENES\nAn OBJ file, or one made by the program, with parameters after a colon.\n";
  for (const SceneInfo& scene : builtInScenes())
    page += ".TP\n" + bold(scene.name) + "\n" + plain(scene.about) +
            (scene.parameters.empty() ? "" : ": " + plain(scene.parameters)) + "\n";
  page += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : exitCodes())
    page += fmt::format(".TP\n.B {}\n{}\n", code, plain(meaning));
  page +=
      ".SH ENVIRONMENT\n.TP\n.B FATHOM_SHADERS\nThe folder of the shaders, when it is not beside "
      "the program.\n.TP\n.B XDG_CONFIG_HOME\nWhere settings, sessions and tuned variants are "
      "kept, "
      "in a folder\n.IR fathom ;\n.I ~/.config\nwhen it is not set.\n"
      ".SH SEE ALSO\n.BR oiiotool (1),\n.BR exrinfo (1),\n.BR mpirun (1)\n";
  return page;
}

}  // namespace fathom::commands
