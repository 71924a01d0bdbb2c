// SPDX-License-Identifier: BSD-3-Clause
// What every source of the tests is compiled with, precompiled: what the program's are, GoogleTest,
// and the words that tests are written in.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/standard.h"

#include "tests/support/message.h"
#include "tests/support/temp_folder.h"
#include "tests/support/tolerance.h"

namespace fathom {

using test::messageOf, test::readText, test::sourcePath, test::TempFolder;
using testing::AllOf, testing::Contains, testing::ElementsAre, testing::HasSubstr, testing::IsEmpty,
    testing::Not, testing::SizeIs, testing::StartsWith;

/// Of a suite whose tests read and write files.
class FolderTest : public testing::Test {
 protected:
  const TempFolder folder;
};

}  // namespace fathom
