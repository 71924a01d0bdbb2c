// SPDX-License-Identifier: BSD-3-Clause
// Enter, position, drop, and the list of addresses when it is asked for. Apart from the tests,
// since the macros of Xlib.h suit no other header.
#include "tests/window/drag_source.h"

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <unistd.h>

namespace fathom::viewer {
namespace {

class DragSource {
 public:
  DragSource(Display* display, const std::vector<std::string>& files) : display_(display) {
    own_ = XCreateSimpleWindow(display_, DefaultRootWindow(display_), 0, 0, 1, 1, 0, 0, 0);
    for (const std::string& file : files) list_ += "file://" + file + "\r\n";
    XSetSelectionOwner(display_, atom("XdndSelection"), own_, CurrentTime);
  }

  bool drop() {
    ::Window root = 0;
    int x = 0, y = 0, inX = 0, inY = 0;
    unsigned mask = 0;
    XQueryPointer(display_, DefaultRootWindow(display_), &root, &target_, &x, &y, &inX, &inY,
                  &mask);
    if (target_ == 0) return false;
    send("XdndEnter", 5L << 24, long(atom("text/uri-list")), 0, 0);
    send("XdndPosition", 0, long(x) << 16 | y, CurrentTime, long(atom("XdndActionCopy")));
    return answer("XdndStatus") && (send("XdndDrop", 0, CurrentTime, 0, 0), answer("XdndFinished"));
  }

 private:
  Atom atom(const char* name) { return XInternAtom(display_, name, False); }

  void send(const char* message, long a, long b, long c, long d) {
    XEvent event{};
    event.xclient.type = ClientMessage;
    event.xclient.window = target_;
    event.xclient.message_type = atom(message);
    event.xclient.format = 32;
    const long data[] = {long(own_), a, b, c, d};
    for (int i = 0; i < 5; ++i) event.xclient.data.l[i] = data[i];
    XSendEvent(display_, target_, False, NoEventMask, &event);
    XFlush(display_);
  }

  /// Waits for the window's message; hands over the list meanwhile.
  bool answer(const char* message) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (std::chrono::steady_clock::now() < end) {
      if (XPending(display_) == 0) {
        usleep(10000);
        continue;
      }
      XEvent event;
      XNextEvent(display_, &event);
      if (event.type == SelectionRequest) handOver(event.xselectionrequest);
      if (event.type == ClientMessage && event.xclient.message_type == atom(message)) return true;
    }
    return false;
  }

  void handOver(const XSelectionRequestEvent& asked) {
    XChangeProperty(display_, asked.requestor, asked.property, asked.target, 8, PropModeReplace,
                    reinterpret_cast<const unsigned char*>(list_.data()), int(list_.size()));
    XEvent event{};
    event.xselection.type = SelectionNotify;
    event.xselection.requestor = asked.requestor;
    event.xselection.selection = asked.selection;
    event.xselection.target = asked.target;
    event.xselection.property = asked.property;
    event.xselection.time = asked.time;
    XSendEvent(display_, asked.requestor, False, NoEventMask, &event);
    XFlush(display_);
  }

  Display* display_;
  ::Window own_ = 0, target_ = 0;
  std::string list_;
};

}  // namespace

bool dropFiles(const std::string& display, const std::vector<std::string>& files) {
  Display* const opened = XOpenDisplay(display.c_str());
  if (!opened) return false;
  const bool taken = DragSource(opened, files).drop();
  XCloseDisplay(opened);
  return taken;
}

}  // namespace fathom::viewer
