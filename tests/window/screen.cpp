// SPDX-License-Identifier: BSD-3-Clause
#include "tests/window/screen.h"

#include "app/engine/io/exr/flat_exr.h"
#include "app/engine/io/picture.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <iostream>

namespace fathom::viewer {
namespace {

constexpr int kWidth = 1280, kHeight = 720, kTitleBar = 40;
constexpr std::chrono::seconds kPatience{60};  // runners may be starved of processors

/// Starts a program; `prepare` runs in the child before it becomes that program.
pid_t launch(const std::vector<std::string>& command, const std::function<void()>& prepare) {
  const pid_t child = fork();
  if (child < 0) fail("{}: expected a new process, found none", command[0]);
  if (child > 0) return child;
  prepare();
  test::execute(command);
}

void stop(pid_t& process) {
  if (process <= 0) return;
  kill(process, SIGTERM);
  for (int i = 0; i < 40; ++i) {
    if (waitpid(process, nullptr, WNOHANG) == process) return void(process = -1);
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
  }
  kill(process, SIGKILL);
  waitpid(process, nullptr, 0);
  process = -1;
}

}  // namespace

glm::ivec3 Shot::at(int x, int y) const {
  const std::size_t i = (std::size_t(y) * std::size_t(width) + std::size_t(x)) * 3;
  return {rgb.at(i), rgb.at(i + 1), rgb.at(i + 2)};
}

int Shot::nextEdge(int x, int y) const {
  const glm::ivec3 first = at(x, y);
  while (x < width && at(x, y) == first) ++x;
  return x;
}

XServer::XServer() {
  // The server picks a free display and tells its number through a pipe.
  int ends[2];
  if (pipe(ends) != 0) fail("Xvfb: expected a pipe, found none");
  process_ =
      launch({"Xvfb", "-displayfd", std::to_string(ends[1]), "-screen", "0",
              fmt::format("{}x{}x24", kWidth + kTitleBar, kHeight + kTitleBar), "-nolisten", "tcp"},
             [&] {
               close(ends[0]);
               const int nowhere = open("/dev/null", O_WRONLY);
               dup2(nowhere, STDERR_FILENO);
             });
  close(ends[1]);
  char digit = 0;
  while (read(ends[0], &digit, 1) == 1 && digit != '\n') display_ += digit;
  close(ends[0]);
  if (display_.empty()) fail("Xvfb: expected a display number, found none");
  display_ = ":" + display_;
}

XServer::~XServer() { stop(process_); }

Screen::Screen(const TempFolder& folder) : XClient(display()), folder_(folder) {}

Screen::~Screen() {
  if (::testing::Test::HasFailure()) std::cerr << "the window showed:\n" << state() << errors();
  stopWindow();
}

void Screen::stopWindow() {
  if (running()) {
    signal(SIGTERM);
    key("Pause");  // a window at rest looks for signals once a second, and when an event wakes it
  }
  stop(window_);
}

void Screen::start(std::vector<std::string> arguments,
                   const std::vector<std::string>& environment) {
  arguments.insert(arguments.begin(), VIEWER_DRIVER);
  launchWindow(std::move(arguments), environment, "idle");
}

void Screen::startFathom(const std::vector<std::string>& arguments, const std::string& until) {
  std::vector<std::string> command = {FATHOM_PROGRAM, "view"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  launchWindow(std::move(command), {}, until);
}

void Screen::launchWindow(std::vector<std::string> command,
                          const std::vector<std::string>& environment, const std::string& until) {
  stopWindow();
  std::filesystem::remove(folder_ / "landmarks");
  marks_ = 0;
  command.insert(command.end(), {"--landmarks", folder_.file("landmarks"), "--size",
                                 fmt::format("{}x{}", kWidth, kHeight)});
  window_ = launch(command, [&] {
    setenv("DISPLAY", display().c_str(), 1);
    setenv("XDG_CONFIG_HOME", folder_.file("config").c_str(), 1);
    for (const std::string& variable : environment) putenv(const_cast<char*>(variable.c_str()));
    if (chdir(folder_.path().c_str()) != 0) _exit(126);
    const int errors = open("errors", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    dup2(errors, STDERR_FILENO);
  });
  if (!eventually([&] { return has(until) || !running(); }) || !running())
    fail("the window: expected it to show a picture, found it gone or busy");
  moveToCorner(kWidth, kHeight);
}

std::string Screen::errors() const {
  return std::filesystem::exists(folder_ / "errors") ? readText(folder_ / "errors") : "";
}

/// The landmarks and where each thread waits, or that the program is gone.
std::string Screen::state() {
  if (!running()) return "(it is gone)\n";
  std::string text;
  std::error_code gone;
  for (const auto& task :
       std::filesystem::directory_iterator(fmt::format("/proc/{}/task", window_), gone)) {
    std::string name, waitsIn;
    std::ifstream(task.path() / "comm") >> name;
    std::ifstream(task.path() / "wchan") >> waitsIn;
    text += fmt::format("  thread {}: {}\n", name, waitsIn);
  }
  for (const auto& [name, at] : landmarks())
    text += fmt::format("  {} {} {} {} {}\n", name, at.x, at.y, at.width, at.height);
  return text;
}

bool Screen::running() {
  siginfo_t end{};  // its exit code stays for waitForExit()
  return window_ > 0 && waitid(P_PID, id_t(window_), &end, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         end.si_pid == 0;
}

void Screen::signal(int number) { kill(window_, number); }

int Screen::waitForExit() {
  int status = 0;
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (waitpid(window_, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > end) return -1;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  window_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

test::Outcome Screen::run(const std::vector<std::string>& command) const {
  return test::runProgram(command, {.environment = {"DISPLAY=" + display()}});
}

void Screen::clickAt(glm::ivec2 at) {
  move(at.x, at.y);
  settle();
  click(1);
}

void Screen::clickOn(const std::string& landmark) {
  awaitTaken();  // what was pressed before may move it
  Place at = place(landmark);
  // A window that has just appeared may still find its place.
  eventually([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    const Place before = std::exchange(at, place(landmark));
    return before.x == at.x && before.y == at.y;
  });
  move(at.x + at.width / 2, at.y + at.height / 2);
  awaitTaken();  // hovering comes before pressing
  click(1);
}

void Screen::drag(int fromX, int fromY, int toX, int toY, int button) {
  move(fromX, fromY);
  awaitTaken();  // hovering comes before pressing
  press(button);
  for (int step = 1; step <= 8; ++step) {
    move(fromX + (toX - fromX) * step / 8, fromY + (toY - fromY) * step / 8);
    awaitTaken();
  }
  release(button);
}

/// Events keep their order: once this key was taken in, all before it were.
void Screen::awaitTaken() {
  key("Pause");
  ++marks_;
  const auto taken = [&] {
    const auto all = landmarks();
    const auto marks = all.find("marks");
    return marks != all.end() && marks->second.x >= marks_;
  };
  if (!eventually([&] { return taken() || !running(); }) || !running())
    fail("the window: expected it to take in events, found it {}", running() ? "busy" : "gone");
}

void Screen::settle() {
  awaitTaken();
  if (!eventually([&] { return has("idle") || !running(); }) || !running())
    fail("the window: expected it to come to rest, found it {}", running() ? "busy" : "gone");
}

std::map<std::string, Place> Screen::landmarks() const {
  std::map<std::string, Place> all;
  std::ifstream file(folder_ / "landmarks");
  for (std::string line; std::getline(file, line);) {
    // The name may hold blanks: the four numbers are what is behind it.
    std::size_t end = line.size();
    for (int i = 0; i < 4 && end != std::string::npos; ++i) end = line.rfind(' ', end - 1);
    if (end == std::string::npos) continue;
    Place place;
    std::istringstream(line.substr(end)) >> place.x >> place.y >> place.width >> place.height;
    all[line.substr(0, end)] = place;
  }
  return all;
}

Place Screen::place(const std::string& landmark) {
  std::optional<Place> found;  // it may be gone in the next frame
  const auto look = [&] {
    const auto all = landmarks();
    if (const auto at = all.find(landmark); at != all.end()) found = at->second;
    return found.has_value();
  };
  if (!eventually(look))
    fail("the window: expected \"{}\" on the screen, found it missing", landmark);
  return *found;
}

Shot Screen::shot() { return {kWidth, kHeight, capture(kWidth, kHeight)}; }

std::vector<std::uint8_t> Screen::restingPicture() {
  for (const int x : {kWidth / 2 + 1, kWidth / 2}) {
    move(x, kHeight - 8);  // the status line; a mouse that moves ends help on what keys reached
    settle();
  }
  Shot last = shot();
  eventually([&] {  // the server may still have a frame to show
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const Shot now = shot();
    const bool same = now.rgb == last.rgb && has("idle");
    last = now;
    return same;
  });
  const Place area = place("picture");
  std::vector<std::uint8_t> rows;
  for (int y = area.y; y < area.y + area.height; ++y) {
    const auto row = last.rgb.begin() + (std::ptrdiff_t(y) * last.width + area.x) * 3;
    rows.insert(rows.end(), row, row + area.width * 3);
  }
  return rows;
}

double Screen::cpuSeconds() const {
  const std::string text = readText(fmt::format("/proc/{}/stat", window_));
  std::istringstream fields(text.substr(text.rfind(')') + 2));  // the name may hold anything
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  double user = 0, kernel = 0;
  fields >> user >> kernel;
  return (user + kernel) / double(sysconf(_SC_CLK_TCK));
}

std::pair<double, int> Screen::holds() const {
  const std::filesystem::path process = fmt::format("/proc/{}", window_);
  std::istringstream pages(readText(process / "statm"));
  double whole = 0, resident = 0;
  pages >> whole >> resident;
  const std::filesystem::directory_iterator descriptors(process / "fd");
  return {resident * double(sysconf(_SC_PAGESIZE)) / (1 << 20),
          int(std::distance(begin(descriptors), end(descriptors)))};
}

bool Screen::eventually(const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < end) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return holds();
}

void Screen::answer(const std::string& field, const std::string& path) {
  place(field);
  place("typing");  // the field has the keyboard
  if (!path.empty()) type(path);
  key("Return");
}

void Screen::scrollTo(const std::string& landmark) {
  move(1200, 500);
  for (int i = 0; i < 14 && place(landmark).y > 640; ++i) {
    for (int notch = 0; notch < 4; ++notch) click(5);
    settle();
  }
}

bool ScreenTest::shows(const std::string& title) {
  return Screen::eventually([&] {
    return std::ranges::any_of(screen.titles(),
                               [&](const std::string& each) { return each.starts_with(title); });
  });
}

std::string ScreenTest::flatPicture(const char* name, glm::vec4 linear) const {
  writePicture(folder / name, Image(64, 48, linear));
  return folder.file(name);
}

void ScreenTest::TearDown() {
  std::string errors = screen.errors();
  if (errors.starts_with("OpenGL 4")) errors.erase(0, errors.find('\n'));  // --verbose: the device
  for (const char* alarm : {"OpenGL", "Sanitizer", "runtime error", "equal ID", "stale figure"})
    EXPECT_EQ(errors.find(alarm), std::string::npos) << errors;
}

std::string ScreenTest::layers(glm::ivec2 at, glm::ivec2 frame,
                               const std::vector<std::string>& names) const {
  DeepImage like;
  like.dataWindow = {at.x, at.y, 40, 30}, like.displayWindow = {0, 0, frame.x, frame.y};
  std::vector<DeepChannel> channels;
  for (const std::string& name : names) {
    const std::vector<float> values(40 * 30, name == "diffuse.R" ? 0.5f : 0.0f);
    channels.push_back({name, ChannelType::Float, std::vector<std::byte>(values.size() * 4)});
    std::memcpy(channels.back().values.data(), values.data(), values.size() * 4);
  }
  FlatChannelWriter out(folder / "layers.exr", like, channels);
  out.writeRows(channels, 30);
  out.finish();
  return folder.file("layers.exr");
}

void PictureTest::start(std::vector<std::string> more,
                        const std::vector<std::string>& environment) {
  more.insert(more.begin(), picture);
  screen.start(std::move(more), environment);
  const Place area = screen.place("picture");
  left = {area.x + area.width / 4, area.y + area.height / 2};
  right = {area.x + area.width * 3 / 4, left.y};
}

void PictureTest::open(const std::string& path) {
  screen.key("ctrl+o");
  screen.answerFile(path);
  screen.awaitTaken();
}

}  // namespace fathom::viewer
