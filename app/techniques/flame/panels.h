// SPDX-License-Identifier: BSD-3-Clause
// The editor's pages. They read the genome from the editor and give back a changed one; nothing of
// the interface library appears here.
#pragma once

#include "app/techniques/flame/editor.h"

namespace fathom::flame {
class FlameTechnique;

void drawXformPage(Editor& editor);                              // panel_xforms.cpp
void drawImagePage(Editor& editor, const Rendering* rendering);  // panel_image.cpp
void drawPalettePage(Editor& editor);                            // panel_palette.cpp
void drawOffers(Editor& editor);                                 // panel_offers.cpp
void drawTimelineMenus(FlameTechnique& flame);                   // panel_timeline_menus.cpp
/// The variations of an xform: those in use, and a list to add from; true when it was changed.
bool drawVariations(Xform& xform);  // panel_variations.cpp

}  // namespace fathom::flame
