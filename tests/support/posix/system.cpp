// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/system.h"

#include <sys/wait.h>
#include <unistd.h>

namespace fathom::test {

void removeVariable(const char* name) { unsetenv(name); }

std::vector<std::string> variables() {
  std::vector<std::string> all;
  for (char** variable = environ; *variable; ++variable) all.emplace_back(*variable);
  return all;
}

EndedChild::EndedChild() : id_(fork()) {
  if (id_ == 0) _exit(0);
  siginfo_t ended;
  waitid(P_PID, id_t(id_), &ended, WEXITED | WNOWAIT);
}

EndedChild::~EndedChild() { waitpid(id_, nullptr, 0); }

}  // namespace fathom::test
