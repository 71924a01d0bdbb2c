// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/system.h"

#include <process.h>
#include <windows.h>

namespace fathom::test {

void removeVariable(const char* name) { ::_putenv_s(name, ""); }

std::vector<std::string> variables() {
  std::vector<std::string> all;
  for (char** variable = _environ; *variable; ++variable) all.emplace_back(*variable);
  return all;
}

EndedChild::EndedChild() {
  const std::intptr_t child = ::_spawnlp(_P_NOWAIT, "cmd", "cmd", "/c", "exit", nullptr);
  id_ = int(::GetProcessId(reinterpret_cast<HANDLE>(child)));
  ::_cwait(nullptr, child, 0);
}

EndedChild::~EndedChild() = default;

}  // namespace fathom::test
