// SPDX-License-Identifier: BSD-3-Clause
// There are no contexts without a window here: a hidden one serves (offerHiddenWindows()).
#include "app/system/gl_surface.h"

#include "app/system/machine.h"

#include <windows.h>

// By these names drivers find out that the faster of two GPUs is wanted.
extern "C" {
__declspec(dllexport) unsigned long NvOptimusEnablement = 1;
__declspec(dllexport) int AmdPowerXpressRequestHighPerformance = 1;
}

namespace fathom::system {
namespace {

// GLFW unloads this library with its last window, while a thread of Wine's still runs in it.
[[maybe_unused]] const HMODULE keptLoaded = ::LoadLibraryW(L"xinput1_4.dll");

}  // namespace

std::unique_ptr<GlSurface> makeHeadlessSurface(int, bool, std::vector<std::string>& tried) {
  tried.push_back("without a window: Windows has no such contexts");
  return nullptr;
}

int hardwareDeviceCount() { return 0; }

void useDevice(int device) { setVariable("FATHOM_DEVICE", std::to_string(device)); }

std::unique_ptr<HostSurface> currentHostSurface() { return nullptr; }

}  // namespace fathom::system
