# SPDX-License-Identifier: BSD-3-Clause
# Tests that mpirun starts, with more ranks than cores where need be. Without MPI they are listed and
# skipped.
set(FATHOM_MPIRUN ${MPIEXEC_EXECUTABLE} --oversubscribe --bind-to none -q)
set(FATHOM_MPI_ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1)

# fathom_mpi_test(active-pixel.mpi-compositor RANKS 1 3 4 SOURCES ... LIBS ... LABELS ...): the executable
# has its own main(), makes a Job and runs all its tests on every rank.
function(fathom_mpi_test name)
  cmake_parse_arguments(TEST "" "" "RANKS;SOURCES;LIBS;LABELS" ${ARGN})
  string(REGEX REPLACE "[.-]" "_" target "${name}_tests")
  add_executable(${target} ${TEST_SOURCES})
  target_link_libraries(${target} PRIVATE ${TEST_LIBS} fathom_test_support GTest::gtest)
  foreach(ranks ${TEST_RANKS})
    if(FATHOM_ICET)
      add_test(NAME ${name}.${ranks} COMMAND ${FATHOM_MPIRUN} ${MPIEXEC_NUMPROC_FLAG} ${ranks}
        $<TARGET_FILE:${target}> --gtest_brief=1)
    else()
      add_test(NAME ${name}.${ranks} COMMAND sh -c "echo built without ${FATHOM_ICET_MISSING}; exit 77")
    endif()
    set_tests_properties(${name}.${ranks} PROPERTIES LABELS "${TEST_LABELS}" TIMEOUT 60
      SKIP_RETURN_CODE 77 PROCESSORS 2 ENVIRONMENT "${FATHOM_MPI_ENVIRONMENT}")
  endforeach()
endfunction()

fathom_mpi_test(active-pixel.mpi-compositor RANKS 1 3 4 LIBS active_pixel_test_frames
  LABELS cpu mpi active-pixel SOURCES mpi_compositor_test.cpp)

fathom_test(active-pixel.mpi-program LIBS fathom_active_pixel fathom_test_program
  LABELS gpu cli mpi active-pixel SOURCES mpi_program_test.cpp)
target_compile_definitions(active_pixel_mpi_program_tests PRIVATE
  FATHOM_MPIRUN="${MPIEXEC_EXECUTABLE}")
