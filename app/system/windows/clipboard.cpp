// SPDX-License-Identifier: BSD-3-Clause
// Pictures as "PNG", a format by its name, which browsers and picture programs take.
#include "app/system/clipboard.h"

#include <windows.h>

namespace fathom::system {
namespace {

/// Open while one lives; another program may hold it for a moment.
class Opened {
 public:
  Opened() {
    for (int attempt = 0; attempt < 40 && !::OpenClipboard(nullptr); ++attempt) {
      if (attempt == 39)
        throw std::runtime_error("the clipboard: expected to open it, another program holds it");
      ::Sleep(50);
    }
  }
  ~Opened() { ::CloseClipboard(); }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
};

UINT png() { return ::RegisterClipboardFormatW(L"PNG"); }

}  // namespace

/// The system keeps what was copied.
class PictureClipboard::Owner {};

PictureClipboard::PictureClipboard() = default;
PictureClipboard::~PictureClipboard() = default;

void PictureClipboard::copy(std::string bytes) {
  const HGLOBAL memory = ::GlobalAlloc(GMEM_MOVEABLE, bytes.size());
  if (!memory) throw std::bad_alloc();
  std::memcpy(::GlobalLock(memory), bytes.data(), bytes.size());
  ::GlobalUnlock(memory);
  const Opened clipboard;
  ::EmptyClipboard();
  if (!::SetClipboardData(png(), memory)) ::GlobalFree(memory);  // else the system's
}

std::string PictureClipboard::paste() {
  const Opened clipboard;
  const HGLOBAL memory = ::GetClipboardData(png());
  const void* const bytes = memory ? ::GlobalLock(memory) : nullptr;
  if (!bytes) return {};
  const std::string text(static_cast<const char*>(bytes), ::GlobalSize(memory));
  ::GlobalUnlock(memory);
  return text;
}

}  // namespace fathom::system
