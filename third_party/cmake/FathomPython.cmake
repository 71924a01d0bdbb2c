# SPDX-License-Identifier: BSD-3-Clause
# FATHOM_PYTHON=AUTO|ON|OFF: whether the package for Python is built, for the system's Python. Sets
# FATHOM_PYTHON_FOUND.
set_property(CACHE FATHOM_PYTHON PROPERTY STRINGS AUTO ON OFF)
if(NOT FATHOM_PYTHON MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "FATHOM_PYTHON: expected AUTO, ON or OFF, found \"${FATHOM_PYTHON}\"")
endif()
set(FATHOM_PYTHON_FOUND OFF)
if(NOT FATHOM_PYTHON STREQUAL "OFF")
  # An environment of the user's own (pyenv, conda) may come first in PATH, without numpy; packages
  # are those of the system.
  if(NOT DEFINED Python_EXECUTABLE AND EXISTS /usr/bin/python3)
    set(Python_EXECUTABLE /usr/bin/python3)
  endif()
  set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
  find_package(Python 3.9 QUIET COMPONENTS Interpreter Development.Module NumPy)
  if(Python_FOUND)
    # That of the interpreter first: a numpy of its own (2.0) asks for one that knows it.
    execute_process(COMMAND ${Python_EXECUTABLE} -m pybind11 --cmakedir OUTPUT_VARIABLE own
      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    find_package(pybind11 2.10 QUIET HINTS ${own})
  endif()
  if(Python_FOUND AND pybind11_FOUND)
    set(FATHOM_PYTHON_FOUND ON)
    message(STATUS "Package for Python: ${Python_VERSION}, pybind11 ${pybind11_VERSION}")
  elseif(FATHOM_PYTHON STREQUAL "ON")
    message(FATAL_ERROR
      "FATHOM_PYTHON=ON: expected Python with headers and numpy, and pybind11 (packages python3-dev, "
      "python3-numpy, pybind11-dev), did not find them")
  else()
    message(STATUS "Package for Python: no, without Python's headers, numpy or pybind11")
  endif()
endif()
