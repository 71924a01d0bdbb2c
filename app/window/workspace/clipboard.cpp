// SPDX-License-Identifier: BSD-3-Clause
// Pictures on the clipboard. GLFW has only text, so the system's helper holds and fetches them:
// xclip under X11 (and XWayland), wl-copy and wl-paste under Wayland.
#include "app/engine/io/config_paths.h"
#include "app/engine/io/png.h"
#include "app/window/workspace/actions.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

extern char** environ;

namespace fathom::viewer {
namespace {

/// Runs a helper, its standard input or output being a file; true when it ended well.
bool runHelper(std::vector<std::string> command, const std::string& file, bool reads) {
  std::vector<char*> arguments;
  for (std::string& part : command) arguments.push_back(part.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, reads ? file.c_str() : "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, reads ? "/dev/null" : file.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed) return false;
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool onWayland() { return std::getenv("WAYLAND_DISPLAY") && !std::getenv("DISPLAY"); }

std::string pictureFile(const char* name) {
  std::error_code ignored;
  std::filesystem::create_directories(configFolder(), ignored);
  return (configFolder() / name).string();
}

}  // namespace

void copyImage(Workspace& w) {
  if (!w.document.hasPicture()) return;
  const gpu::Texture& picture = *w.document.picture();
  const std::string file = pictureFile("copied.png");
  writePngBytes(
      file, picture.width(), picture.height(), 4,
      w.viewport.displayed(w.gpu, picture, picture.size(), w.display, w.valueRange(), w.color));
  const bool done =
      onWayland() ? runHelper({"wl-copy", "--type", "image/png"}, file, true)
                  : runHelper({"xclip", "-selection", "clipboard", "-t", "image/png"}, file, true);
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  if (!done)
    fail("the clipboard: expected {}, found none that works", onWayland() ? "wl-copy" : "xclip");
  w.messages.note("Image copied");
}

void pasteImage(Workspace& w) {
  const std::string file = pictureFile("pasted.png");
  const bool done =
      onWayland()
          ? runHelper({"wl-paste", "--type", "image/png"}, file, false)
          : runHelper({"xclip", "-selection", "clipboard", "-t", "image/png", "-o"}, file, false);
  std::error_code ignored;
  if (!done || std::filesystem::file_size(file, ignored) == 0)
    return w.messages.note("There is no image on the clipboard");
  w.open({file});
}

}  // namespace fathom::viewer
