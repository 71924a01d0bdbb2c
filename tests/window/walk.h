// SPDX-License-Identifier: BSD-3-Clause
// The net under the window: notices two controls of one ImGui ID in any frame of viewer_driver, and
// opens every list, popup, menu, section, tab and page without a mouse.
#pragma once

namespace fathom::viewer {

/// From the next frame on, one thing after the other; the pages again at each further size. Then
/// the program is asked to end. `planted`: with two buttons of one ID beside it.
void walk(std::vector<glm::ivec2> sizes, bool planted);
/// How many things were opened, and whether IDs were equal, which standard error tells.
int openedByWalk();
bool equalIdsFound();

}  // namespace fathom::viewer
