# SPDX-License-Identifier: BSD-3-Clause
# Run by CPack: the libraries in lib/fathom come with the package and ask for no other one.
set(lines "")
file(GLOB libraries RELATIVE ${CPACK_TEMPORARY_DIRECTORY}/Unspecified/usr/lib/fathom
  ${CPACK_TEMPORARY_DIRECTORY}/Unspecified/usr/lib/fathom/*.so.*)
foreach(library IN LISTS libraries)
  string(REGEX REPLACE "\\.so\\." " " name_and_version ${library})
  string(APPEND lines "${name_and_version}\n")
endforeach()
file(WRITE ${CPACK_TEMPORARY_DIRECTORY}/Unspecified/debian/shlibs.local "${lines}")
