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
      {"deep", {"inputs", "depth"}, deep::makeWindowParts},
      {"dof", {"lens", "variants", "pull"}, dof::makeWindowParts},
      {"flame", {"xforms", "image", "palette", "mutations", "timeline"}, flame::makeWindowParts},
      {"smoe", {"model", "fit"}, smoe::makeWindowParts},
      {"active-pixel", {"parts", "modes"}, active_pixel::makeWindowParts},
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
