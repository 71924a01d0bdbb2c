// SPDX-License-Identifier: BSD-3-Clause
// What every source of the tests is compiled with, precompiled: what the program's are, and
// GoogleTest.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/standard.h"
