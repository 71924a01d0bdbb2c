// SPDX-License-Identifier: BSD-3-Clause
// What a person and their other programs do on an X display: keys, pointer, drops of files, a look.
#pragma once

struct _XDisplay;  // Xlib's Display

namespace fathom::viewer {

class XClient {
 public:
  explicit XClient(const std::string& display);
  ~XClient();
  XClient(const XClient&) = delete;
  XClient& operator=(const XClient&) = delete;

  /// X's names, joined by +: "ctrl+shift+Tab". An unknown one throws.
  void key(const std::string& chord);
  template <class... More>  // one after the other
  void key(const std::string& chord, const std::string& next, const More&... more) {
    key(chord), key(next, more...);
  }
  void keyDown(const std::string& name);
  void keyUp(const std::string& name);
  void type(const std::string& text);  // of ASCII
  void move(int x, int y);
  void press(int button);
  void release(int button);
  void click(int button) { press(button), release(button); }

  /// The display's upper left corner: uint8_t[height][width][3].
  std::vector<std::uint8_t> capture(int width, int height);
  /// Moves the window of that size there, as a window manager does: Wine leaves room for a title
  /// bar.
  void moveToCorner(int width, int height);
  /// Those of all windows that have one.
  std::vector<std::string> titles();
  /// Drops the files onto the window under the pointer, as a file manager does (XDND 5); true when
  /// the window has taken them. False after ten seconds without an answer.
  bool dropFiles(const std::vector<std::string>& files);

 private:
  struct Code {
    unsigned char key;
    bool shift;
  };
  Code codeOf(const std::string& name) const;
  void send(unsigned char key, bool down);

  _XDisplay* display_;
};

}  // namespace fathom::viewer
