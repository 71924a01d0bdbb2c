// SPDX-License-Identifier: BSD-3-Clause
// CreateProcess, and two temporary files for what the program says.
#include "tests/support/program.h"

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

/// The variables of this process with those changes, as a process begins with them.
std::wstring environmentBlock(const std::vector<std::string>& changes) {
  std::map<std::wstring, std::wstring> variables;
  const auto add = [&](const std::wstring& text, bool orRemove) {
    const std::size_t equals = text.find(L'=', 1);  // "=C:=C:\\" is one
    if (equals != text.npos)
      variables[text.substr(0, equals)] = text.substr(equals);
    else if (orRemove)
      variables.erase(text);
  };
  wchar_t* const mine = ::GetEnvironmentStringsW();
  for (const wchar_t* text = mine; *text; text += std::wcslen(text) + 1) add(text, false);
  ::FreeEnvironmentStringsW(mine);
  for (const std::string& change : changes) add(fs::path(change).wstring(), true);
  std::wstring block;
  for (const auto& [name, value] : variables) block += name + value + L'\0';
  return block + L'\0';
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
  std::wstring environment = environmentBlock(options.environment);
  PROCESS_INFORMATION made{};
  const BOOL started = ::CreateProcessW(
      nullptr, line.data(), nullptr, nullptr, TRUE, CREATE_UNICODE_ENVIRONMENT | CREATE_NO_WINDOW,
      environment.data(), options.folder.empty() ? nullptr : options.folder.c_str(), &start, &made);
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
