// SPDX-License-Identifier: BSD-3-Clause
// What a terminal gets to see of the text of strangers.
#include "app/engine/core/text.h"

namespace fathom {
namespace {

TEST(Printable, KeepsTextAndSpellsOutTheRest) {
  EXPECT_EQ(printable("caf\u00e9 \u65e5\u672c \U0001f525 \\"),
            "caf\u00e9 \u65e5\u672c \U0001f525 \\");
  EXPECT_EQ(printable("\033]0;owned\a"), "\\x1b]0;owned\\x07");
  EXPECT_EQ(printable("a\nb\tc\x7f"), "a\\nb\\x09c\\x7f");
  EXPECT_EQ(printable("a\nb\tc\r", true), "a\nb\tc\\x0d");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(Printable, SpellsOutWhatIsNotUtf8) {
  EXPECT_EQ(printable("\xff\x80"), "\\xff\\x80");
  EXPECT_EQ(printable("\xc2"), "\\xc2");           // cut off
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");  // overlong
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b");  // a control character
  EXPECT_EQ(printable("a\u202eb\u2069\u2028"),     // from right to left, and a line
            "a\\xe2\\x80\\xaeb\\xe2\\x81\\xa9\\xe2\\x80\\xa8");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half of a pair
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

TEST(Text, GroupsDigitsByThousands) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(3895721), "3,895,721");
}

}  // namespace
}  // namespace fathom
