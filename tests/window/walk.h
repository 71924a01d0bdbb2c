// SPDX-License-Identifier: BSD-3-Clause
// The net under the window: notices two controls of one ImGui ID in any frame of viewer_driver,
// texts that are cut without an ellipsis, and opens every list, popup, menu, section, tab and page
// without a mouse.
#pragma once

namespace fathom::viewer {

/// What is put beside the window, to see whether it is found.
enum class Planted { Nothing, EqualIds, UnbalancedPush };

/// From the next frame on, one thing after the other; the pages again at each further size. Then
/// the program is asked to end.
void walk(std::vector<glm::ivec2> sizes, Planted planted);
/// How many things were opened, and whether IDs were equal or texts cut, which standard error
/// tells.
int openedByWalk();
bool faultsFound();

/// From the next frame on, so many inputs by chance, then an end as by a signal: clicks and drags
/// on what is on the screen, keys, text, turns of the wheel, drops of these files, other sizes.
/// Folders are not left, and the program is not asked to quit.
void walkAtRandom(std::uint32_t seed, int inputs, std::vector<std::string> files);
/// The title of the window, as it was set last.
const std::string& windowTitle();

}  // namespace fathom::viewer
