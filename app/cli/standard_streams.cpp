// SPDX-License-Identifier: BSD-3-Clause
// A folder of its own for each run, gone when it ends.
#include "app/cli/standard_streams.h"

#include "app/engine/core/error.h"
#include "app/engine/io/atomic_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>

namespace fathom::commands {
namespace {

namespace fs = std::filesystem;

fs::path newFolder() {
  std::string name = (fs::temp_directory_path() / "fathom-XXXXXX").string();
  if (!::mkdtemp(name.data()))
    fail("{}: expected room for a temporary folder, found: {}", name, std::strerror(errno));
  return name;
}

void copyInput(const fs::path& to) {
  AtomicFile file(to);
  std::vector<std::byte> block(1 << 20);
  std::size_t all = 0;
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), stdin)) {
    file.append(std::span(block).first(count));
    all += count;
  }
  if (all == 0) fail("standard input: expected a file, found nothing");
  file.commit();
}

void copyOutput(const fs::path& from) {
  std::ifstream in(from, std::ios::binary);
  std::cout << in.rdbuf() << std::flush;
  if (!std::cout) fail("standard output: expected room to write, found a closed one");
}

}  // namespace

StandardStreams::StandardStreams(const std::vector<std::string>& inputs, const std::string& output,
                                 const Command& command)
    : inputs_(inputs), output_(output) {
  const auto count = std::count(inputs.begin(), inputs.end(), "-");
  if (count > 1) throw UsageError("expected standard input as one of the inputs, found it twice");
  if (count == 0 && output != "-") return;
  folder_ = newFolder();
  if (count == 1) {
    inputFile_ = (folder_ / "standard-input").string();
    copyInput(inputFile_);
    std::replace(inputs_.begin(), inputs_.end(), std::string("-"), inputFile_);
  }
  if (output == "-") {
    const std::string ending = command.outputEndings.empty() ? "" : command.outputEndings[0];
    output_ = outputFile_ = (folder_ / ("output" + ending)).string();
  }
}

StandardStreams::~StandardStreams() {
  std::error_code error;
  if (!folder_.empty()) fs::remove_all(folder_, error);
}

void StandardStreams::run(const std::function<void()>& command) {
  try {
    command();
  } catch (const UsageError&) {
    throw;
  } catch (const NoDeviceError&) {
    throw;
  } catch (const NotBuiltError&) {
    throw;
  } catch (const Error& error) {
    std::string text = error.what();
    const std::size_t at = inputFile_.empty() ? std::string::npos : text.find(inputFile_);
    if (at == std::string::npos) throw;
    throw Error(text.replace(at, inputFile_.size(), "standard input"));
  }
  if (writesOutput()) copyOutput(outputFile_);
}

}  // namespace fathom::commands
