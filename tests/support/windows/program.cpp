// SPDX-License-Identifier: BSD-3-Clause
// CreateProcess, and two temporary files for what the program says.
#include "tests/support/program.h"

#include "tests/support/system.h"
#include "tests/support/temp_folder.h"

#include <windows.h>

namespace fathom::test {
namespace {

namespace fs = std::filesystem;

/// As the C library of the program takes it apart.
std::string quoted(const std::string& word) {
  std::string text = "\"";
  std::size_t slashes = 0;
  for (const char c : word) {
    if (c == '"') text.append(slashes + 1, '\\');
    slashes = c == '\\' ? slashes + 1 : 0;
    text += c;
  }
  return text.append(slashes, '\\') + '"';
}

HANDLE openStream(const fs::path& file, DWORD access, DWORD how) {
  SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, TRUE};
  return ::CreateFileW(file.c_str(), access, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited, how,
                       FILE_ATTRIBUTE_NORMAL, nullptr);
}

}  // namespace

Outcome runProgram(const std::vector<std::string>& command, const RunOptions& options) {
  if (options.fileSizeLimit >= 0 || options.interruptAfterMs >= 0)
    throw std::runtime_error("Windows limits no files, and interrupts consoles only");
  const TempFolder folder;
  std::wstring line;
  for (const std::string& word : command)
    line += (line.empty() ? L"" : L" ") + fs::path(quoted(word)).wstring();
  STARTUPINFOW start{};
  start.cb = sizeof start;
  start.dwFlags = STARTF_USESTDHANDLES;
  HANDLE streams[] = {openStream("NUL", GENERIC_READ, OPEN_EXISTING),
                      openStream(folder / "out", GENERIC_WRITE, CREATE_ALWAYS),
                      openStream(folder / "err", GENERIC_WRITE, CREATE_ALWAYS)};
  start.hStdInput = streams[0], start.hStdOutput = streams[1], start.hStdError = streams[2];
  const std::vector<std::string> before = variables();
  for (const std::string& change : options.environment) changeVariable(change);
  PROCESS_INFORMATION made{};
  const BOOL started =
      ::CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, CREATE_NO_WINDOW, nullptr,
                       options.folder.empty() ? nullptr : options.folder.c_str(), &start, &made);
  restoreVariables(before);
  for (const HANDLE stream : streams) ::CloseHandle(stream);
  if (!started) return {127, "", ""};
  if (!options.killWhenThere.empty()) {
    while (!fs::exists(options.killWhenThere) &&
           ::WaitForSingleObject(made.hProcess, 1) == WAIT_TIMEOUT) {
    }
    ::TerminateProcess(made.hProcess, 128 + 9);
  }
  ::WaitForSingleObject(made.hProcess, INFINITE);
  DWORD code = 0;
  ::GetExitCodeProcess(made.hProcess, &code);
  ::CloseHandle(made.hThread);
  ::CloseHandle(made.hProcess);
  return {int(code), readText(folder / "out"), readText(folder / "err")};
}

}  // namespace fathom::test
