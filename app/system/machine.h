// SPDX-License-Identifier: BSD-3-Clause
// What the system says of this machine, of its streams, and of the places that it has for files;
// and a file written at positions, with the system's own reasons for what fails.
#pragma once

namespace fathom::system {

/// Bytes of memory that the machine has.
std::uint64_t memoryBytes();
/// Bytes of memory that this process may take: those of the machine, or of its container.
std::uint64_t memoryLimitBytes();
/// The most that this process has taken so far; 0 when the system does not tell.
std::uint64_t peakMemoryBytes();
/// As if the machine had no more than that: memoryBytes() says so, and what takes more fails.
void limitMemory(std::uint64_t bytes);
/// "Linux 6.1.0"
std::string name();
/// "Debian GNU/Linux 12 (bookworm)" and "AMD EPYC 7B13"; "unknown" when the system does not tell.
std::string distribution();
std::string processorName();

/// A person sees what is printed there.
bool isTerminal(std::FILE* stream);

/// Some bytes of standard input, as soon as there are any; none at its end and once `stopped` says
/// so.
std::size_t readInput(std::span<std::byte> bytes, bool (*stopped)());

/// Sets a variable of the environment, for libraries and for children; unless `replace`, only where
/// there is none yet.
void setVariable(const char* name, const std::string& value, bool replace = true);

/// strtod() in the "C" locale, whatever the locale of the program.
double toDouble(const char* text, char** end);

/// Where Fathom keeps what outlives a run: $XDG_CONFIG_HOME/fathom, else ~/.config/fathom.
fs::path configFolder();
/// Makes a folder that only this user may look into, for temporary files; its name begins so.
fs::path newTemporaryFolder(const std::string& beginning, std::error_code& failure);
/// The program of this process; empty when the system does not tell.
fs::path programFile();
/// The program or shared library that holds this address; empty when the system does not tell.
fs::path fileOfAddress(const void* address);

class OutputFile {
 public:
  OutputFile() = default;
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// A file that is not there yet.
  std::error_code create(const fs::path& path);
  /// What is there: a device, a pipe.
  std::error_code open(const fs::path& path);
  /// All of the bytes, at a position from the beginning.
  std::error_code writeAt(std::uint64_t offset, std::span<const std::byte> bytes);
  /// All of the bytes, behind those written last: for what has no positions.
  std::error_code write(std::span<const std::byte> bytes);
  /// Some failures of writing show only here.
  std::error_code close();

 private:
  int descriptor_ = -1;
};

/// Whether this user may make files in it; else why not.
std::error_code mayWriteIn(const fs::path& folder);

}  // namespace fathom::system
