// SPDX-License-Identifier: BSD-3-Clause
// What the system says of this machine, of its streams, and of the places that it has for files.
#pragma once

namespace fathom::system {

/// Bytes of memory that the machine has.
std::uint64_t memoryBytes();
/// Bytes of memory that this process may take: those of the machine, or of its container.
std::uint64_t memoryLimitBytes();
/// "Linux 6.1.0"
std::string name();

/// A person sees what is printed there.
bool isTerminal(std::FILE* stream);

/// strtod() in the "C" locale, whatever the locale of the program.
double toDouble(const char* text, char** end);

/// Where Fathom keeps what outlives a run: $XDG_CONFIG_HOME/fathom, else ~/.config/fathom.
std::filesystem::path configFolder();
/// Where it keeps what can be made again: $XDG_CACHE_HOME/fathom, else ~/.cache/fathom; empty when
/// there is no place.
std::filesystem::path cacheFolder();
/// The program of this process; empty when the system does not tell.
std::filesystem::path programFile();
/// The program or shared library that holds this address; empty when the system does not tell.
std::filesystem::path fileOfAddress(const void* address);

}  // namespace fathom::system
