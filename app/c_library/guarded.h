// SPDX-License-Identifier: BSD-3-Clause
// What the C interfaces have in common: no exception leaves them, and each failure is a code and a
// text of the calling thread.
#pragma once

#include "app/engine/core/error.h"

namespace fathom::c_library {

/// What the host did wrong, with its code.
struct Refused {
  int status;
  std::string text;
};

inline std::string& message() {
  thread_local std::string text;
  return text;
}

/// Does the work; `statusOf(exception)` finds the code of what it throws, and its text.
template <class Status, class Work, class StatusOf>
Status guarded(const char* library, const Work& work, const StatusOf& statusOf) {
  const auto failed = [&](int status, const std::string& text) {
    message() = std::string(library) + ": " + text;
    return Status(status);
  };
  try {
    work();
    return Status(0);
  } catch (const Refused& refused) {
    return failed(refused.status, refused.text);
  } catch (const std::exception& error) {
    const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
    return failed(statusOf(error),
                  memory ? "expected enough memory, found too little" : std::string(error.what()));
  }
}

}  // namespace fathom::c_library
