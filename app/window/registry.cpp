// SPDX-License-Identifier: BSD-3-Clause
// What the window shows of each technique: one line each.
#include "app/window/active_pixel/parts.h"
#include "app/window/deep/parts.h"
#include "app/window/document/flat_picture.h"
#include "app/window/dof/parts.h"
#include "app/window/flame/parts.h"
#include "app/window/parts.h"
#include "app/window/smoe/parts.h"

namespace fathom {
namespace {

std::vector<WindowEntry>& windowEntries() {
  static std::vector<WindowEntry> entries = {
      {"deep", {"inputs", "depth"}, makeParts<deep::DeepWindowParts, deep::DeepEngine>},
      {"dof", {"lens", "variants", "pull"}, makeParts<dof::DofWindowParts, dof::DofEngine>},
      {"flame",
       {"xforms", "image", "palette", "mutations", "timeline"},
       makeParts<flame::FlameWindowParts, flame::FlameEngine>},
      {"smoe", {"model", "fit"}, makeParts<smoe::SmoeWindowParts, smoe::SmoeEngine>},
      {"active-pixel",
       {"parts"},
       makeParts<active_pixel::ActivePixelWindowParts, active_pixel::ActivePixelEngine>},
      {viewer::kFlatPicture, {}, viewer::makeFlatParts}};
  return entries;
}

}  // namespace

const WindowEntry* windowEntry(const std::string& technique) {
  for (const WindowEntry& entry : windowEntries())
    if (entry.name == technique) return &entry;
  return nullptr;
}

void addWindowEntry(const WindowEntry& entry) { windowEntries().push_back(entry); }

}  // namespace fathom
