// SPDX-License-Identifier: BSD-3-Clause
// The published check value of CRC-32.
#include "app/engine/io/deflate.h"

namespace fathom {
namespace {

TEST(Crc32, HasTheCheckValueOfTheStandard) {
  EXPECT_EQ(0xcbf43926u, crc32(std::as_bytes(std::span(std::string_view("123456789")))));
  EXPECT_EQ(0u, crc32({}));
}

}  // namespace
}  // namespace fathom
