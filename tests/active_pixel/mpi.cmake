# SPDX-License-Identifier: BSD-3-Clause
# Compositing by IceT over MPI, and the program that does it.
fathom_mpi_test(active-pixel.mpi-compositor RANKS 1 3 4 LIBS active_pixel_test_frames
  LABELS cpu mpi active-pixel SOURCES mpi_compositor_test.cpp)

fathom_test(active-pixel.mpi-program LIBS fathom_active_pixel fathom_test_program
  LABELS gpu cli mpi active-pixel SOURCES mpi_program_test.cpp)
target_compile_definitions(active_pixel_mpi_program_tests PRIVATE
  FATHOM_MPIRUN="${MPIEXEC_EXECUTABLE}")

# Sanitizers want to be first.
if(FATHOM_ICET AND NOT FATHOM_SANITIZE)
  add_library(wrong_rank MODULE wrong_rank.cpp)
  target_link_libraries(wrong_rank PRIVATE MPI::MPI_CXX)
  target_compile_definitions(active_pixel_mpi_program_tests PRIVATE
    FATHOM_WRONG_RANK="$<TARGET_FILE:wrong_rank>")
  add_dependencies(active_pixel_mpi_program_tests wrong_rank)
endif()
