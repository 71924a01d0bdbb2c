// SPDX-License-Identifier: BSD-3-Clause
// What a typed name of a file becomes.
#include "app/window/widgets/file_browser.h"

namespace fathom::viewer {
namespace {

TEST(FullPath, HasOneEnding) {
  const std::vector<std::string> endings = {".exr", ".png"};
  EXPECT_EQ(fullPath("/shot/a", endings), "/shot/a.exr");
  EXPECT_EQ(fullPath("/shot/a.png", endings), "/shot/a.png");
  EXPECT_EQ(fullPath("/shot/a.png.exr", endings), "/shot/a.png");
  EXPECT_EQ(fullPath("/shot/a.v2", endings), "/shot/a.v2");
  // Of an ending alone ends.
  // Names with a dot in front have no ending, whatever follows it.
  EXPECT_EQ(fullPath("/shot/.png", {".exr", ".png"}), "/shot/.png.exr");
  EXPECT_EQ(fullPath(".exr.exr", {".exr"}), ".exr.exr");
}

}  // namespace
}  // namespace fathom::viewer
