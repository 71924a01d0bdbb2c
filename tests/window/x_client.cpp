// SPDX-License-Identifier: BSD-3-Clause
// Keys and pointer by the XTEST extension. Apart from the tests, since the macros of Xlib.h suit no
// other header.
#include "tests/window/x_client.h"

#include <X11/XKBlib.h>
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XTest.h>
#include <unistd.h>

namespace fathom::viewer {
namespace {

/// The other side of a drag: enter, position, drop, and the list of addresses when it is asked for.
class DragSource {
 public:
  DragSource(Display* display, const std::vector<std::string>& files) : display_(display) {
    own_ = XCreateSimpleWindow(display_, DefaultRootWindow(display_), 0, 0, 1, 1, 0, 0, 0);
    for (const std::string& file : files) list_ += "file://" + file + "\r\n";
    XSetSelectionOwner(display_, atom("XdndSelection"), own_, CurrentTime);
  }
  ~DragSource() { XDestroyWindow(display_, own_); }

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

void addTitles(Display* display, ::Window window, std::vector<std::string>& titles) {
  if (char* name = nullptr; XFetchName(display, window, &name) != 0) {
    titles.emplace_back(name);
    XFree(name);
  }
  ::Window root = 0, parent = 0, *children = nullptr;
  unsigned count = 0;
  if (XQueryTree(display, window, &root, &parent, &children, &count) == 0) return;
  for (unsigned i = 0; i < count; ++i) addTitles(display, children[i], titles);
  XFree(children);
}

}  // namespace

XClient::XClient(const std::string& display) : display_(XOpenDisplay(display.c_str())) {
  if (!display_) fail("expected an X server at {}, found none", display);
  // Windows come and go while their titles are read.
  XSetErrorHandler([](Display*, XErrorEvent*) { return 0; });
}

XClient::~XClient() { XCloseDisplay(display_); }

XClient::Code XClient::codeOf(const std::string& name) const {
  static const std::map<std::string, std::string> modifiers = {
      {"ctrl", "Control_L"}, {"shift", "Shift_L"}, {"alt", "Alt_L"}};
  const auto modifier = modifiers.find(name);
  KeySym symbol = XStringToKeysym((modifier == modifiers.end() ? name : modifier->second).c_str());
  if (symbol == NoSymbol && name.size() == 1) symbol = KeySym(name[0]);  // Latin 1
  const KeyCode code = XKeysymToKeycode(display_, symbol);
  if (code == 0) fail("expected a key of X's, found \"{}\"", name);
  return {code, XkbKeycodeToKeysym(display_, code, 0, 0) != symbol};
}

void XClient::send(unsigned char key, bool down) {
  XTestFakeKeyEvent(display_, key, down, CurrentTime);
  XSync(display_, False);
}

void XClient::key(const std::string& chord) {
  std::vector<unsigned char> held;
  std::istringstream names(chord);
  for (std::string name; std::getline(names, name, '+');) {
    const Code code = codeOf(name);
    if (code.shift) held.push_back(codeOf("shift").key);
    held.push_back(code.key);
  }
  for (const unsigned char key : held) send(key, true);
  for (; !held.empty(); held.pop_back()) send(held.back(), false);
  // GLFW takes a release and a press of one key within 20 ms for the keyboard's repeating.
  std::this_thread::sleep_for(std::chrono::milliseconds(25));
}

void XClient::keyDown(const std::string& name) { send(codeOf(name).key, true); }
void XClient::keyUp(const std::string& name) { send(codeOf(name).key, false); }

void XClient::type(const std::string& text) {
  for (const char letter : text) key({letter});
}

void XClient::move(int x, int y) {
  XTestFakeMotionEvent(display_, -1, x, y, CurrentTime);
  XSync(display_, False);
}

void XClient::press(int button) {
  XTestFakeButtonEvent(display_, unsigned(button), True, CurrentTime);
  XSync(display_, False);
}

void XClient::release(int button) {
  XTestFakeButtonEvent(display_, unsigned(button), False, CurrentTime);
  XSync(display_, False);
}

void XClient::moveToCorner(int width, int height) {
  ::Window root = 0, parent = 0, *children = nullptr;
  unsigned count = 0;
  XQueryTree(display_, DefaultRootWindow(display_), &root, &parent, &children, &count);
  for (unsigned i = 0; i < count; ++i) {
    XWindowAttributes has{};
    if (XGetWindowAttributes(display_, children[i], &has) != 0 && has.width == width &&
        has.height == height && (has.x != 0 || has.y != 0))
      XMoveWindow(display_, children[i], 0, 0);
  }
  if (children) XFree(children);
  XSync(display_, False);
}

std::vector<std::uint8_t> XClient::capture(int width, int height) {
  XImage* const image = XGetImage(display_, DefaultRootWindow(display_), 0, 0, unsigned(width),
                                  unsigned(height), AllPlanes, ZPixmap);
  if (!image || image->bits_per_pixel != 32)
    fail("expected an X display of 24 bits per pixel, found another");
  std::vector<std::uint8_t> rgb(std::size_t(width) * std::size_t(height) * 3);
  std::uint8_t* to = rgb.data();
  for (int y = 0; y < height; ++y) {
    const char* from = image->data + std::ptrdiff_t(y) * image->bytes_per_line;
    for (int x = 0; x < width; ++x, from += 4, to += 3) {
      to[0] = std::uint8_t(from[2]);
      to[1] = std::uint8_t(from[1]);
      to[2] = std::uint8_t(from[0]);
    }
  }
  XDestroyImage(image);
  return rgb;
}

std::vector<std::string> XClient::titles() {
  std::vector<std::string> titles;
  addTitles(display_, DefaultRootWindow(display_), titles);
  return titles;
}

bool XClient::dropFiles(const std::vector<std::string>& files) {
  return DragSource(display_, files).drop();
}

}  // namespace fathom::viewer
