// SPDX-License-Identifier: BSD-3-Clause
// A folder per process, named by its number: PID/NAME is the file, PID/technique who opens it,
// PID/inputs what was open, a line each.
#include "app/window/workspace/recovery.h"

#include "app/engine/io/atomic_file.h"

#include <signal.h>
#include <unistd.h>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <system_error>

namespace fathom::viewer {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kBetweenWrites{2};
constexpr const char* kTechnique = "technique";
constexpr const char* kInputs = "inputs";

bool isAlive(const std::string& process) {
  pid_t pid = 0;
  const auto [end, error] = std::from_chars(process.data(), process.data() + process.size(), pid);
  if (error != std::errc() || end != process.data() + process.size() || pid <= 0) return true;
  return kill(pid, 0) == 0 || errno != ESRCH;
}

/// Wherever the next start is.
std::string linesOf(const std::vector<std::string>& inputs) {
  std::string lines;
  for (const std::string& input : inputs) {
    std::error_code ignored;
    lines += fs::exists(input, ignored) ? fs::absolute(input, ignored).string() : input;
    lines += '\n';
  }
  return lines;
}

}  // namespace

fs::path Recovery::own() const { return folder_ / std::to_string(getpid()); }

void Recovery::update(const Document& document, bool now) {
  if (folder_.empty()) return;
  if (!document.unsaved()) return remove();
  if (!now && Clock::now() - last_ < kBetweenWrites) return;
  last_ = Clock::now();
  const Editing& editing = *document.active().editing();
  std::string content = editing.content();
  const auto file = editing.savable();
  if (content.empty() || !file || content == written_) return;
  std::error_code ignored;
  fs::create_directories(own(), ignored);
  const std::string name = fs::path(file->suggestion).filename().string();
  writeFile(own() / kTechnique, document.info().name);
  writeFile(own() / kInputs, linesOf(document.technique()->inputs()));
  writeFile(own() / (name.empty() || name == kTechnique || name == kInputs ? "edits" : name),
            content);
  written_ = std::move(content);
}

void Recovery::remove() {
  if (written_.empty()) return;
  std::error_code ignored;
  fs::remove_all(own(), ignored);
  written_.clear();
}

std::optional<Recovery::Found> Recovery::find() const {
  std::error_code error;
  if (folder_.empty()) return std::nullopt;
  for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
    if (!it->is_directory(error) || isAlive(it->path().filename().string())) continue;
    Found found;
    std::ifstream(it->path() / kTechnique) >> found.technique;
    std::ifstream inputs(it->path() / kInputs);
    for (std::string line; std::getline(inputs, line);) found.inputs.push_back(line);
    for (fs::directory_iterator inner(it->path(), error), last; !error && inner != last;
         inner.increment(error))
      if (inner->path().filename() != kTechnique && inner->path().filename() != kInputs)
        found.file = inner->path();
    if (!found.file.empty()) return found;
  }
  return std::nullopt;
}

void Recovery::discard(const Found& found) const {
  std::error_code ignored;
  if (!folder_.empty() && found.file.parent_path().parent_path() == folder_)
    fs::remove_all(found.file.parent_path(), ignored);
}

}  // namespace fathom::viewer
