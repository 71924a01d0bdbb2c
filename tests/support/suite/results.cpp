// SPDX-License-Identifier: BSD-3-Clause
// The results file, read by skipping from record to record.
#include "tests/support/suite/results.h"

#include <unistd.h>

#include <fstream>

namespace fathom::test {

void writeResults(const std::filesystem::path& file, const std::vector<TestRecord>& records) {
  const std::string draft = file.string() + "." + std::to_string(getpid());
  std::ofstream out(draft, std::ios::binary);
  for (const TestRecord& record : records)
    out << record.status << ' ' << record.milliseconds << ' ' << record.output.size() << ' '
        << record.name << '\n'
        << record.output << '\n';
  out.close();
  if (!out) throw std::runtime_error(draft + ": could not be written");
  std::filesystem::rename(draft, file);
}

std::optional<TestRecord> findResult(const std::filesystem::path& file, const std::string& name) {
  std::ifstream in(file, std::ios::binary);
  TestRecord record;
  std::size_t bytes = 0;
  while (in >> record.status >> record.milliseconds >> bytes >> record.name && in.get()) {
    if (record.name == name) {
      record.output.resize(bytes);
      in.read(record.output.data(), std::streamsize(bytes));
      return record;
    }
    in.seekg(std::streamoff(bytes), std::ios::cur);
  }
  return std::nullopt;
}

}  // namespace fathom::test
