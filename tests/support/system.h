// SPDX-License-Identifier: BSD-3-Clause
// What tests ask the operating system for beyond what the program does (app/system): posix/ and
// windows/ do it.
#pragma once

#include "app/system/machine.h"

namespace fathom::test {

using system::setVariable;
void removeVariable(const char* name);
/// "NAME=VALUE" sets, "NAME" removes one.
void changeVariable(const std::string& change);
/// All that there are, as NAME=VALUE.
std::vector<std::string> variables();
/// Has these again, and no others.
void restoreVariables(const std::vector<std::string>& before);

/// The id of a process that has ended and that its parent, this one, has not heard of; else of one
/// that has ended.
class EndedChild {
 public:
  EndedChild();
  ~EndedChild();
  EndedChild(const EndedChild&) = delete;
  EndedChild& operator=(const EndedChild&) = delete;
  int id() const { return id_; }

 private:
  int id_;
};

}  // namespace fathom::test
