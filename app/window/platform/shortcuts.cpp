// SPDX-License-Identifier: BSD-3-Clause
// Keys as text, in both directions, and dispatch through the table.
#include "app/window/platform/shortcuts.h"

#include "app/window/parts.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace fathom::viewer {
namespace {
const std::map<int, std::string>& namedKeys() {
  static const std::map<int, std::string> names = {
      {GLFW_KEY_SPACE, "Space"},    {GLFW_KEY_ESCAPE, "Esc"},      {GLFW_KEY_HOME, "Home"},
      {GLFW_KEY_EQUAL, "+"},        {GLFW_KEY_MINUS, "-"},         {GLFW_KEY_TAB, "Tab"},
      {GLFW_KEY_LEFT_BRACKET, "["}, {GLFW_KEY_RIGHT_BRACKET, "]"}, {GLFW_KEY_DELETE, "Delete"},
      {GLFW_KEY_PAGE_UP, "PgUp"},   {GLFW_KEY_PAGE_DOWN, "PgDn"},  {GLFW_KEY_LEFT, "Left"},
      {GLFW_KEY_RIGHT, "Right"},    {GLFW_KEY_END, "End"},         {GLFW_KEY_ENTER, "Enter"},
      {GLFW_KEY_UP, "Up"},          {GLFW_KEY_DOWN, "Down"}};
  return names;
}

/// The keypad's keys and Shift+= mean what their neighbors mean that stand in the table.
KeyPress plainKey(KeyPress press) {
  if (press.key == GLFW_KEY_KP_ADD) press.key = GLFW_KEY_EQUAL;
  if (press.key == GLFW_KEY_KP_SUBTRACT) press.key = GLFW_KEY_MINUS;
  if (press.key == GLFW_KEY_KP_ENTER) press.key = GLFW_KEY_ENTER;
  if (press.key >= GLFW_KEY_KP_0 && press.key <= GLFW_KEY_KP_9)
    press.key = GLFW_KEY_0 + (press.key - GLFW_KEY_KP_0);
  if (press.key == GLFW_KEY_EQUAL) press.mods &= ~GLFW_MOD_SHIFT;  // "+" itself
  return press;
}

/// The inverse of keyText(); key 0 when the text is no key.
KeyPress keyNamed(const std::string& text) {
  KeyPress press;
  std::string rest = text;
  const std::pair<std::string, int> modifiers[] = {
      {"Ctrl+", GLFW_MOD_CONTROL}, {"Shift+", GLFW_MOD_SHIFT}, {"Alt+", GLFW_MOD_ALT}};
  for (const auto& [name, mod] : modifiers)
    if (rest.starts_with(name)) rest = rest.substr(name.size()), press.mods |= mod;
  const bool plain = rest.size() == 1 && std::isupper(static_cast<unsigned char>(rest[0]));
  if (plain || (rest.size() == 1 && std::isdigit(static_cast<unsigned char>(rest[0]))))
    press.key = rest[0];
  for (const auto& [key, name] : namedKeys())
    if (rest == name) press.key = key;
  return press.key ? press : KeyPress{};
}

}  // namespace

std::string keysOf(const Shortcut& shortcut) {
  return shortcut.key ? keyText(shortcut.key, shortcut.mods) : shortcut.gesture;
}

std::string keyText(int key, int mods) {
  std::string text;
  if (mods & GLFW_MOD_CONTROL) text += "Ctrl+";
  if (mods & GLFW_MOD_SHIFT) text += "Shift+";
  if (mods & GLFW_MOD_ALT) text += "Alt+";
  const auto found = namedKeys().find(key);
  if (found != namedKeys().end()) return text + found->second;
  if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F25)
    return text + "F" + std::to_string(key - GLFW_KEY_F1 + 1);
  return text + char(key);  // letters and digits have their ASCII codes
}

std::vector<Shortcut> shortcutsOf(PictureTools* tools) {
  std::vector<Shortcut> list;
  if (!tools) return list;
  for (TechniqueAction& action : tools->actions()) {
    const KeyPress press = action.run ? keyNamed(action.keys) : KeyPress{};
    list.push_back({action.group, action.text, press.key, press.mods, std::move(action.run),
                    press.key ? std::string() : action.keys});
  }
  return list;
}

bool dispatch(const std::vector<Shortcut>& shortcuts, const KeyPress& press) {
  const KeyPress plain = plainKey(press);
  for (const Shortcut& shortcut : shortcuts) {
    const bool meant = (shortcut.key == press.key && shortcut.mods == press.mods) ||
                       (shortcut.key == plain.key && shortcut.mods == plain.mods);
    if (!meant || !shortcut.action) continue;
    if (possibleNow(shortcut)) shortcut.action();
    return true;
  }
  return false;
}

}  // namespace fathom::viewer
