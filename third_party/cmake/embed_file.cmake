# SPDX-License-Identifier: BSD-3-Clause
# cmake -DIN=FILE -DOUT=FILE.cpp -DNAME=kPageCss -DHEADER=app/lab/report/html.h -DNAMESPACE=fathom::bench
# -P embed_file.cmake: the bytes of a file as a C++ constant `const std::string_view NAME`.
file(READ ${IN} hex HEX)
string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
file(SIZE ${IN} size)
file(WRITE ${OUT} "// SPDX-License-Identifier: BSD-3-Clause
// Written at build time from ${IN}.
#include \"${HEADER}\"

namespace ${NAMESPACE} {
namespace {
constexpr unsigned char kBytes[] = {
${bytes}};
}  // namespace
const std::string_view ${NAME}(reinterpret_cast<const char*>(kBytes), ${size});
}  // namespace ${NAMESPACE}
")
