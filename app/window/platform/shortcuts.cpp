// SPDX-License-Identifier: BSD-3-Clause
// Keys from their text, and dispatch through the table.
#include "app/window/platform/shortcuts.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace fathom::viewer {
namespace {
/// The keypad's keys and Shift+= mean what their neighbors mean that stand in the table.
KeyPress plainKey(KeyPress press) {
  if (press.key == GLFW_KEY_KP_ADD) press.key = GLFW_KEY_EQUAL;
  if (press.key == GLFW_KEY_KP_SUBTRACT) press.key = GLFW_KEY_MINUS;
  if (press.key >= GLFW_KEY_KP_0 && press.key <= GLFW_KEY_KP_9)
    press.key = GLFW_KEY_0 + (press.key - GLFW_KEY_KP_0);
  if (press.key == GLFW_KEY_EQUAL) press.mods &= ~GLFW_MOD_SHIFT;  // "+" itself
  return press;
}

/// Key 0 when the text is no key.
KeyPress keyNamed(std::string_view text) {
  static const std::map<std::string_view, int> named = {
      {"Space", GLFW_KEY_SPACE},    {"Esc", GLFW_KEY_ESCAPE},      {"Home", GLFW_KEY_HOME},
      {"+", GLFW_KEY_EQUAL},        {"-", GLFW_KEY_MINUS},         {"Tab", GLFW_KEY_TAB},
      {"[", GLFW_KEY_LEFT_BRACKET}, {"]", GLFW_KEY_RIGHT_BRACKET}, {"Delete", GLFW_KEY_DELETE},
      {"PgUp", GLFW_KEY_PAGE_UP},   {"PgDn", GLFW_KEY_PAGE_DOWN},  {"Left", GLFW_KEY_LEFT},
      {"Right", GLFW_KEY_RIGHT},    {"End", GLFW_KEY_END},         {"Up", GLFW_KEY_UP},
      {"Down", GLFW_KEY_DOWN},      {"F3", GLFW_KEY_F3},           {"F5", GLFW_KEY_F5},
      {"F6", GLFW_KEY_F6},          {"F12", GLFW_KEY_F12}};
  constexpr std::pair<std::string_view, int> modifiers[] = {
      {"Ctrl+", GLFW_MOD_CONTROL}, {"Shift+", GLFW_MOD_SHIFT}, {"Alt+", GLFW_MOD_ALT}};
  KeyPress press;
  for (const auto& [name, mod] : modifiers)
    if (text.starts_with(name)) text.remove_prefix(name.size()), press.mods |= mod;
  if (const auto found = named.find(text); found != named.end())
    press.key = found->second;
  else if (text.size() == 1)
    press.key = text[0];  // letters and digits have their ASCII codes
  return press;
}

}  // namespace

bool dispatch(const std::vector<Shortcut>& shortcuts, const KeyPress& press) {
  const KeyPress plain = plainKey(press);
  for (const Shortcut& shortcut : shortcuts) {
    if (!shortcut.action) continue;
    const KeyPress own = keyNamed(shortcut.keys);
    const bool meant = (own.key == press.key && own.mods == press.mods) ||
                       (own.key == plain.key && own.mods == plain.mods);
    if (!meant) continue;
    if (possibleNow(shortcut)) shortcut.action();
    return true;
  }
  return false;
}

}  // namespace fathom::viewer
