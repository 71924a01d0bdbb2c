// SPDX-License-Identifier: BSD-3-Clause
// Readers of files that are fuzzed alike: each works on any bytes and answers with a value or with
// Error, whose message begins with the name of the file.
#pragma once

namespace fathom::fuzz {

struct Reader {
  const char* name;  // of the folder of its corpus
  void (*read)(const std::filesystem::path& file);
};

/// All of them.
std::span<const Reader> readers();

/// Hands the bytes over as a file; whether they were read. Ends the program at anything but a value
/// or an Error.
bool feed(const Reader& reader, std::string_view bytes);

}  // namespace fathom::fuzz
