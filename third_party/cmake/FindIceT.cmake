# SPDX-License-Identifier: BSD-3-Clause
# IceT, the compositing library: Debian ships it inside ParaView, without a CMake package of its own
# (and find_package(ParaView) stops the whole configure there). Gives IceT::Core and IceT::MPI; the
# OpenGL library of IceT is left alone, it needs the fixed pipeline.
find_path(IceT_INCLUDE_DIR IceT.h PATH_SUFFIXES
  paraview-5.11/vtkicet/src/include paraview-5.12/vtkicet/src/include
  paraview-5.13/vtkicet/src/include paraview-5.10/vtkicet/src/include
  paraview-5.9/vtkicet/src/include icet include)
find_library(IceT_CORE_LIBRARY NAMES vtkIceTCore-pv5.11 vtkIceTCore-pv5.12 vtkIceTCore-pv5.13
  vtkIceTCore-pv5.10 vtkIceTCore-pv5.9 IceTCore)
find_library(IceT_MPI_LIBRARY NAMES vtkIceTMPI-pv5.11 vtkIceTMPI-pv5.12 vtkIceTMPI-pv5.13
  vtkIceTMPI-pv5.10 vtkIceTMPI-pv5.9 IceTMPI)

set(IceT_VERSION "")
if(IceT_INCLUDE_DIR AND EXISTS ${IceT_INCLUDE_DIR}/IceTConfig.h)
  file(STRINGS ${IceT_INCLUDE_DIR}/IceTConfig.h icet_line REGEX "define ICET_VERSION ")
  string(REGEX REPLACE ".*\"([0-9.]+)\".*" "\\1" IceT_VERSION "${icet_line}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(IceT
  REQUIRED_VARS IceT_CORE_LIBRARY IceT_MPI_LIBRARY IceT_INCLUDE_DIR VERSION_VAR IceT_VERSION)
mark_as_advanced(IceT_INCLUDE_DIR IceT_CORE_LIBRARY IceT_MPI_LIBRARY)

if(IceT_FOUND AND NOT TARGET IceT::Core)
  add_library(IceT::Core UNKNOWN IMPORTED)
  set_target_properties(IceT::Core PROPERTIES IMPORTED_LOCATION ${IceT_CORE_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${IceT_INCLUDE_DIR})
  add_library(IceT::MPI UNKNOWN IMPORTED)
  set_target_properties(IceT::MPI PROPERTIES IMPORTED_LOCATION ${IceT_MPI_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${IceT_INCLUDE_DIR} INTERFACE_LINK_LIBRARIES IceT::Core)
endif()
