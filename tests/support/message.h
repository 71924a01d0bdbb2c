// SPDX-License-Identifier: BSD-3-Clause
// What a user reads when an action fails: tests quote whole messages.
#pragma once

#include "app/engine/core/error.h"

namespace fathom::test {

/// The message of the Error that the action throws; "no error" when it throws none.
template <class Action>
std::string messageOf(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace fathom::test
