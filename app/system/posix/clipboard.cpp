// SPDX-License-Identifier: BSD-3-Clause
// A connection to the X server and a thread of their own, so that other programs get the picture
// while the window works. What is larger than a request goes in pieces (ICCCM 2.7.2, INCR).
#include "app/system/clipboard.h"

#include <X11/Xatom.h>
#include <X11/Xlib.h>

namespace fathom::system {
namespace {

constexpr std::chrono::seconds kPatience{2};  // with a program that holds the clipboard

/// A requestor may go at any time: its window is no reason to end this program, as Xlib's own
/// handler would.
int ignoreError(::Display*, XErrorEvent*) { return 0; }

/// A connection with a window that is never shown.
struct Connection {
  Connection() : display(XOpenDisplay(nullptr)) {
    if (!display) throw std::runtime_error("the clipboard: expected an X server, found none");
    XSetErrorHandler(ignoreError);
    window = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
  }
  ~Connection() { XCloseDisplay(display); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  Atom atom(const char* name) const { return XInternAtom(display, name, False); }

  ::Display* display;
  ::Window window;
  const Atom clipboard = atom("CLIPBOARD"), png = atom("image/png"), incr = atom("INCR"),
             targets = atom("TARGETS"), end = atom("FATHOM_END"), data = atom("FATHOM_DATA");
};

/// The whole property, which is then deleted. Returns its type.
Atom takeProperty(const Connection& x, std::string& bytes) {
  Atom type = None;
  int format = 0;
  unsigned long count = 0, after = 0;
  unsigned char* values = nullptr;
  XGetWindowProperty(x.display, x.window, x.data, 0, LONG_MAX / 4, True, AnyPropertyType, &type,
                     &format, &count, &after, &values);
  if (format == 8 && type != x.incr) bytes.append(reinterpret_cast<const char*>(values), count);
  XFree(values);
  return type;
}

}  // namespace

class PictureClipboard::Owner {
 public:
  explicit Owner(std::string png) : png_(std::move(png)) {
    XSetSelectionOwner(x_.display, x_.clipboard, x_.window, CurrentTime);
    XFlush(x_.display);
    thread_ = std::thread([this] { serve(); });
  }
  ~Owner() {
    {
      const Connection other;  // the thread waits on its own
      XEvent event{};
      event.xclient.type = ClientMessage;
      event.xclient.window = x_.window;
      event.xclient.message_type = x_.end;
      event.xclient.format = 32;
      XSendEvent(other.display, x_.window, False, NoEventMask, &event);
    }
    thread_.join();
  }

 private:
  struct Transfer {
    Atom property;
    std::size_t sent = 0;
  };

  void serve() {
    for (XEvent event;;) {
      XNextEvent(x_.display, &event);
      if (event.type == ClientMessage && event.xclient.message_type == x_.end) return;
      if (event.type == SelectionRequest) answer(event.xselectionrequest);
      if (event.type == PropertyNotify && event.xproperty.state == PropertyDelete)
        goOn(event.xproperty.window, event.xproperty.atom);
    }
  }

  void answer(const XSelectionRequestEvent& request) {
    XEvent reply{};
    XSelectionEvent& notify = reply.xselection;
    notify.type = SelectionNotify;
    notify.requestor = request.requestor;
    notify.selection = request.selection, notify.target = request.target;
    notify.time = request.time;
    notify.property = request.property != None ? request.property : request.target;
    const auto put = [&](Atom type, int format, const void* values, std::size_t count) {
      XChangeProperty(x_.display, request.requestor, notify.property, type, format, PropModeReplace,
                      static_cast<const unsigned char*>(values), int(count));
    };
    if (request.target == x_.targets) {
      const Atom offered[] = {x_.targets, x_.png};
      put(XA_ATOM, 32, offered, std::size(offered));
    } else if (request.target == x_.png && png_.size() <= piece()) {
      put(x_.png, 8, png_.data(), png_.size());
    } else if (request.target == x_.png) {
      XSelectInput(x_.display, request.requestor, PropertyChangeMask);
      transfers_[request.requestor] = {notify.property};
      const long size = long(png_.size());
      put(x_.incr, 32, &size, 1);
    } else {
      notify.property = None;
    }
    XSendEvent(x_.display, request.requestor, False, NoEventMask, &reply);
    XFlush(x_.display);
  }

  /// The requestor has taken the last piece; an empty one ends it.
  void goOn(::Window requestor, Atom property) {
    const auto at = transfers_.find(requestor);
    if (at == transfers_.end() || at->second.property != property) return;
    const std::size_t count = std::min(piece(), png_.size() - at->second.sent);
    XChangeProperty(x_.display, requestor, property, x_.png, 8, PropModeReplace,
                    reinterpret_cast<const unsigned char*>(png_.data() + at->second.sent),
                    int(count));
    at->second.sent += count;
    if (count == 0) transfers_.erase(at);
    XFlush(x_.display);
  }

  /// Bytes that one request may hold, with room for its head.
  std::size_t piece() const { return std::size_t(XMaxRequestSize(x_.display)) * 4 - 256; }

  const std::string png_;
  Connection x_;
  std::map<::Window, Transfer> transfers_;
  std::thread thread_;
};

PictureClipboard::PictureClipboard() = default;
PictureClipboard::~PictureClipboard() = default;

void PictureClipboard::copy(std::string png) {
  owner_.reset();
  owner_ = std::make_unique<Owner>(std::move(png));
}

std::string PictureClipboard::paste() {
  const Connection x;
  XSelectInput(x.display, x.window, PropertyChangeMask);
  XConvertSelection(x.display, x.clipboard, x.png, x.data, x.window, CurrentTime);
  std::string png;
  bool inPieces = false;
  const auto now = std::chrono::steady_clock::now;
  for (auto until = now() + kPatience; now() < until;) {
    if (XPending(x.display) == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      continue;
    }
    XEvent event;
    XNextEvent(x.display, &event);
    if (event.type == SelectionNotify) {
      if (event.xselection.property == None) return {};
      inPieces = takeProperty(x, png) == x.incr;
      if (!inPieces) return png;
    } else if (inPieces && event.type == PropertyNotify &&
               event.xproperty.state == PropertyNewValue) {
      const std::size_t before = png.size();
      takeProperty(x, png);
      if (png.size() == before) return png;
    }
    until = now() + kPatience;
  }
  return {};
}

}  // namespace fathom::system
