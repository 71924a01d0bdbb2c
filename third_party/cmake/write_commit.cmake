# SPDX-License-Identifier: BSD-3-Clause
# cmake -DSOURCE=FOLDER -DOUT=FILE.cpp -P write_commit.cmake: the commit of a working tree as a C++
# constant. Run at every build; the file changes only when the commit does.
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=10 HEAD
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit "")
else()
  execute_process(COMMAND git -C ${SOURCE} diff-index --quiet HEAD -- app shaders RESULT_VARIABLE changed)
  if(changed)
    string(APPEND commit "+")
  endif()
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT [=[
// SPDX-License-Identifier: BSD-3-Clause
// Written at build time.

namespace fathom::bench {
extern const char* const kCommit;
const char* const kCommit = "@commit@";
}  // namespace fathom::bench
]=] @ONLY)
