# SPDX-License-Identifier: BSD-3-Clause
# The program as FATHOM_WITH_ICET=OFF makes it, without building everything twice: the stand-in is
# linked in place of what the library has. And CMake's part of it, for all three values.
add_executable(fathom_without_icet ${PROJECT_SOURCE_DIR}/app/main.cpp
  ${PROJECT_SOURCE_DIR}/app/engine/active_pixel/distribute/icet_absent.cpp
  ${PROJECT_SOURCE_DIR}/app/engine/ranks/ranks_absent.cpp)
target_compile_definitions(fathom_without_icet PRIVATE FATHOM_ICET_MISSING="IceT and MPI"
  FATHOM_MPI_MISSING="IceT and MPI")
target_link_options(fathom_without_icet PRIVATE -Wl,--as-needed)
target_link_libraries(fathom_without_icet PRIVATE fathom_app)
add_test(NAME active-pixel.without-icet COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/without_icet.sh
  $<TARGET_FILE:fathom_without_icet> ${CMAKE_CURRENT_BINARY_DIR}/without_icet)
set_tests_properties(active-pixel.without-icet PROPERTIES LABELS "gpu;cli;active-pixel" TIMEOUT 60)

function(fathom_configure_test name pass)
  add_test(NAME active-pixel.configure-${name} COMMAND ${CMAKE_COMMAND} --fresh -S ${PROJECT_SOURCE_DIR}
    -B ${CMAKE_CURRENT_BINARY_DIR}/configure-${name} -DFATHOM_TESTS=OFF ${ARGN})
  set_tests_properties(active-pixel.configure-${name} PROPERTIES LABELS "cpu;active-pixel" TIMEOUT 60
    PASS_REGULAR_EXPRESSION ${pass})
endfunction()
set(not_there -DCMAKE_DISABLE_FIND_PACKAGE_IceT=ON)
fathom_configure_test(off "without IceT and MPI \\(FATHOM_WITH_ICET=OFF\\)" -DFATHOM_WITH_ICET=OFF)
fathom_configure_test(auto "without IceT \\(package paraview-dev\\)" ${not_there})
fathom_configure_test(on "did not find IceT" -DFATHOM_WITH_ICET=ON ${not_there})
fathom_configure_test(wrong "expected AUTO, ON or OFF, found \"YES\"" -DFATHOM_WITH_ICET=YES)
