// SPDX-License-Identifier: BSD-3-Clause
// What a file holds, from its header and count tables; the parts of a multi-part file by name.
#include "app/engine/deep/files/input_file.h"

#include "app/system/machine.h"

#include <algorithm>
#include <filesystem>

namespace fathom::deep {
namespace {

std::string gib(std::uint64_t bytes) {
  return fmt::format("{:.1f} GiB", double(bytes) / double(1u << 30));
}

std::string nameOf(const ExrPartInfo& part) {
  if (!part.name.empty()) return part.name;
  return part.view.empty() ? std::to_string(part.index) : part.view;
}

bool isMeant(const ExrPartInfo& part, const std::string& wanted) {
  if (wanted.empty()) return part.deep;
  return part.name == wanted || part.view == wanted || std::to_string(part.index) == wanted;
}

}  // namespace

std::pair<std::string, std::string> splitInput(const std::string& input) {
  std::error_code error;
  const std::size_t mark = input.rfind('#');
  if (mark == std::string::npos || std::filesystem::exists(input, error)) return {input, ""};
  return {input.substr(0, mark), input.substr(mark + 1)};
}

InputFile describeInput(const std::string& input, Progress& progress) {
  const auto [path, wanted] = splitInput(input);
  const ExrFileInfo info = describeExr(path, &progress);
  InputFile file{path, wanted, info.fileBytes, {}, {}};
  bool found = false;
  for (std::size_t i = 0; i < info.parts.size(); ++i) {
    const ExrPartInfo& part = info.parts[i];
    if (part.deep) file.parts.push_back(nameOf(part));
    if (found || !isMeant(part, wanted)) continue;
    found = true;
    file.part = nameOf(part);
    if (info.totals[i]) file.totals = *info.totals[i];
  }
  return file;  // a part that is not there is refused by who reads it
}

std::string memoryQuestion(std::span<const InputFile> files, std::uint64_t limit) {
  std::uint64_t need = 0, fragments = 0;
  for (const InputFile& file : files)
    need += file.totals.memoryBytes, fragments += file.totals.fragmentCount;
  if (need <= limit) return {};
  return fmt::format("{} fragments need {} of memory; up to {} are taken without asking.",
                     fragments, gib(need), gib(limit));
}

std::uint64_t memoryWithoutAsking() { return system::memoryBytes() / 2; }

}  // namespace fathom::deep
