// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/system.h"

namespace fathom::test {

void changeVariable(const std::string& change) {
  const std::size_t equals = change.find('=', 1);  // Windows has "=C:=C:\\" among them
  const std::string name = change.substr(0, equals);
  if (equals == change.npos)
    removeVariable(name.c_str());
  else
    setVariable(name.c_str(), change.substr(equals + 1));
}

void restoreVariables(const std::vector<std::string>& before) {
  const std::vector<std::string> now = variables();
  if (now == before) return;
  for (const std::string& variable : now) changeVariable(variable.substr(0, variable.find('=', 1)));
  for (const std::string& variable : before) changeVariable(variable);
}

}  // namespace fathom::test
