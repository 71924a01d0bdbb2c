// SPDX-License-Identifier: BSD-3-Clause
// CreateProcess(), which takes one line of arguments and lends no handles but the three streams.
#include "app/system/process.h"

#include <fcntl.h>
#include <io.h>
#include <windows.h>

namespace fathom::system {

using Clock = std::chrono::steady_clock;

// ---- This process and others

ProcessId processId() { return ProcessId(::GetCurrentProcessId()); }

bool isRunning(ProcessId process) {
  const HANDLE found = ::OpenProcess(SYNCHRONIZE, FALSE, DWORD(process));
  if (!found) return ::GetLastError() == ERROR_ACCESS_DENIED;
  const bool runs = ::WaitForSingleObject(found, 0) == WAIT_TIMEOUT;
  ::CloseHandle(found);
  return runs;
}

void exitNow(int code) {
  ::TerminateProcess(::GetCurrentProcess(), UINT(code));
  std::abort();  // never reached
}

std::FILE* openErrorsOfParent() { return nullptr; }

std::string findProgram(const std::string& name) {
  std::wstring file(32768, L'\0');
  const DWORD length = ::SearchPathW(nullptr, fs::path(name).c_str(), L".exe", DWORD(file.size()),
                                     file.data(), nullptr);
  file.resize(length);
  return fs::path(file).string();
}

// ---- Programs that are started

// The C library of a program splits its command line: a quote and the backslashes before it are
// preceded by a backslash. Quotes also keep cmd.exe from reading operators.
std::string shellWord(const std::string& word) {
  if (!word.empty() && word.find_first_of(" \t\"&|<>^()") == std::string::npos) return word;
  std::string text = "\"";
  std::size_t slashes = 0;
  for (const char c : word) {
    if (c == '"') text.append(slashes + 1, '\\');
    slashes = c == '\\' ? slashes + 1 : 0;
    text += c;
  }
  return text.append(slashes, '\\') + '"';
}

namespace {

class Handle {
 public:
  Handle() = default;
  explicit Handle(HANDLE handle) : handle_(handle == INVALID_HANDLE_VALUE ? nullptr : handle) {}
  Handle(Handle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Handle() {
    if (handle_) ::CloseHandle(handle_);
  }
  HANDLE get() const { return handle_; }
  HANDLE take() { return std::exchange(handle_, nullptr); }

 private:
  HANDLE handle_ = nullptr;
};

SECURITY_ATTRIBUTES inherited{sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};

Handle openStream(const std::string& file, bool forWriting) {
  return Handle(::CreateFileW(fs::path(file.empty() ? "NUL" : file).c_str(),
                              forWriting ? GENERIC_WRITE : GENERIC_READ, FILE_SHARE_READ,
                              &inherited, forWriting ? CREATE_ALWAYS : OPEN_EXISTING,
                              FILE_ATTRIBUTE_NORMAL, nullptr));
}

/// Both ends of a pipe; the program that is started inherits the one it needs.
struct Pipe {
  Handle read, write;
  bool make(bool childReads) {
    HANDLE ends[2];
    if (!::CreatePipe(&ends[0], &ends[1], &inherited, 1 << 16)) return false;
    read = Handle(ends[0]), write = Handle(ends[1]);
    return ::SetHandleInformation(childReads ? ends[1] : ends[0], HANDLE_FLAG_INHERIT, 0) != 0;
  }
};

/// Null when there is no such program.
Handle spawn(const std::vector<std::string>& command, const Handle& input, const Handle& output,
             const Handle& errors, DWORD flags = 0) {
  std::string line;
  for (const std::string& word : command) line += (line.empty() ? "" : " ") + shellWord(word);
  std::wstring wide = fs::path(line).wstring();
  STARTUPINFOW start{};
  start.cb = sizeof start;
  start.dwFlags = STARTF_USESTDHANDLES;
  start.hStdInput = input.get(), start.hStdOutput = output.get(), start.hStdError = errors.get();
  PROCESS_INFORMATION made{};
  if (!::CreateProcessW(nullptr, wide.data(), nullptr, nullptr, TRUE, flags | CREATE_NO_WINDOW,
                        nullptr, nullptr, &start, &made))
    return {};
  ::CloseHandle(made.hThread);
  return Handle(made.hProcess);
}

int exitCodeOf(HANDLE process) {
  DWORD code = 0;
  ::GetExitCodeProcess(process, &code);
  return code < 128 ? int(code) : 128;  // exceptions have large ones
}

}  // namespace

std::optional<int> run(const std::vector<std::string>& command, const std::string& input,
                       const std::string& output) {
  const Handle process =
      spawn(command, openStream(input, false), openStream(output, true), openStream({}, true));
  if (!process.get()) return std::nullopt;
  ::WaitForSingleObject(process.get(), INFINITE);
  return exitCodeOf(process.get());
}

std::string outputOf(const std::vector<std::string>& command, std::chrono::milliseconds maxWait) {
  constexpr std::size_t kMaxOutput = std::size_t(1) << 16;
  Pipe pipe;
  if (command.empty() || !pipe.make(false)) return "";
  const Clock::time_point until = Clock::now() + maxWait;
  const Handle process = spawn(command, openStream({}, false), pipe.write, openStream({}, true));
  if (!process.get()) return "";
  pipe.write = {};  // so that it ends with the program
  std::string text;
  for (DWORD waiting = 0;
       ::PeekNamedPipe(pipe.read.get(), nullptr, 0, nullptr, &waiting, nullptr);) {
    if (Clock::now() > until) break;
    char bytes[4096];
    DWORD count = 0;
    if (waiting == 0)
      ::Sleep(2);
    else if (::ReadFile(pipe.read.get(), bytes, sizeof bytes, &count, nullptr))
      text.append(bytes, std::min<std::size_t>(count, kMaxOutput - text.size()));
  }
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
  if (::WaitForSingleObject(process.get(), DWORD(std::max<long long>(left, 0))) == WAIT_OBJECT_0)
    return exitCodeOf(process.get()) == 0 ? text : "";
  ::TerminateProcess(process.get(), 1);
  return "";
}

// ---- A program that is fed

FedProgram::Started FedProgram::start(const std::string& program,
                                      const std::vector<std::string>& arguments) {
  std::error_code failure;
  static std::atomic<unsigned> count{0};
  const fs::path messages =
      fs::temp_directory_path(failure) / fmt::format("fathom-{}-{}.txt", processId(), count++);
  Pipe pipe;
  Handle file(::CreateFileW(messages.c_str(), GENERIC_READ | GENERIC_WRITE, 0, &inherited,
                            CREATE_NEW, FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE,
                            nullptr));
  if (!file.get() || !pipe.make(true)) return Started::NoFile;
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  // A group of its own: Ctrl+C is for us, who then end it.
  Handle process = spawn(words, pipe.read, file, file, CREATE_NEW_PROCESS_GROUP);
  if (!process.get()) return Started::NoProcess;
  input_ = ::_open_osfhandle(std::intptr_t(pipe.write.take()), _O_BINARY);
  messages_ = ::_open_osfhandle(std::intptr_t(file.take()), _O_BINARY);
  process_ = ProcessId(std::intptr_t(process.take()));  // its handle, which 32 bits hold
  return Started::Yes;
}

FedProgram::~FedProgram() {
  if (process_ > 0) ::TerminateProcess(HANDLE(std::intptr_t(process_)), 1);
  wait();
  if (messages_ >= 0) ::_close(messages_);
}

int FedProgram::wait() {
  if (input_ >= 0) ::_close(std::exchange(input_, -1));
  if (process_ <= 0) return -1;
  const Handle process(HANDLE(std::intptr_t(std::exchange(process_, -1))));
  ::WaitForSingleObject(process.get(), INFINITE);
  return exitCodeOf(process.get());
}

bool FedProgram::feed(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const int written =
        ::_write(input_, bytes.data(), unsigned(std::min<std::size_t>(bytes.size(), 1 << 20)));
    if (written <= 0) return false;
    bytes = bytes.subspan(std::size_t(written));
  }
  return true;
}

FedProgram::Ending FedProgram::finish() {
  const int status = wait();
  Ending ending;
  ending.well = status == 0;
  std::array<char, 400> text{};
  ::_lseek(messages_, 0, SEEK_SET);
  const int length = ::_read(messages_, text.data(), unsigned(text.size() - 1));
  ending.printed = length > 0;
  ending.message.assign(text.data(), std::size_t(std::max(length, 0)));
  ending.message = ending.message.substr(0, ending.message.find_first_of("\r\n"));
  if (ending.message.empty()) ending.message = "no reason given";
  return ending;
}

// ---- Ctrl+C, and crashes

namespace {

bool (*interruptHandler)(double seconds) = nullptr;

/// On a thread of its own. FALSE: the next handler, which ends the process.
BOOL WINAPI interrupted(DWORD) {
  const std::chrono::duration<double> now = Clock::now().time_since_epoch();
  return interruptHandler(now.count()) ? FALSE : TRUE;
}

}  // namespace

void onInterrupt(bool (*handle)(double seconds)) {
  interruptHandler = handle;
  ::SetConsoleCtrlHandler(interrupted, TRUE);
}

void outliveClosedPipes() {}  // no signal ends it here

struct CrashHandlersKept::Handlers {
  LPTOP_LEVEL_EXCEPTION_FILTER filter;
};

CrashHandlersKept::CrashHandlersKept() : before_(std::make_unique<Handlers>()) {
  before_->filter = ::SetUnhandledExceptionFilter(nullptr);
  ::SetUnhandledExceptionFilter(before_->filter);
}

CrashHandlersKept::~CrashHandlersKept() { ::SetUnhandledExceptionFilter(before_->filter); }

}  // namespace fathom::system
