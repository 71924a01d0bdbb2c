# SPDX-License-Identifier: BSD-3-Clause
# Programs for Windows, compiled by Debian's MinGW-w64 with POSIX threads. FATHOM_WINDOWS_PREFIX: where
# build_libraries.sh has put the libraries.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(triple x86_64-w64-mingw32)
set(CMAKE_C_COMPILER ${triple}-gcc-posix)
set(CMAKE_CXX_COMPILER ${triple}-g++-posix)
set(CMAKE_RC_COMPILER ${triple}-windres)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES FATHOM_WINDOWS_PREFIX)
set(CMAKE_CROSSCOMPILING_EMULATOR env WINEDEBUG=-all wine)  # the build makes sources by programs of its own
set(CMAKE_FIND_ROOT_PATH ${FATHOM_WINDOWS_PREFIX} /usr/${triple})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${FATHOM_WINDOWS_PREFIX}/lib/pkgconfig)
# One program without libraries beside it: all of them are linked into it.
set(ZLIB_LIBRARY /usr/${triple}/lib/libz.a)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
