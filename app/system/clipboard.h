// SPDX-License-Identifier: BSD-3-Clause
// Pictures on the clipboard: GLFW has only text. What is copied is there while the program runs;
// the clipboard manager of a desktop may keep it longer.
#pragma once

namespace fathom::system {

class PictureClipboard {
 public:
  PictureClipboard();
  ~PictureClipboard();
  /// The bytes of a PNG file, for other programs and for this one. Any thread. Throws
  /// std::runtime_error.
  void copy(std::string png);
  /// Those that are there, of whoever holds them; empty: no picture. Waits for the other program.
  /// Any thread but the one that another call is on. Throws std::runtime_error.
  static std::string paste();

 private:
  class Owner;
  std::unique_ptr<Owner> owner_;  // null: nothing was copied
};

}  // namespace fathom::system
