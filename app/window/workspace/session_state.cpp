// SPDX-License-Identifier: BSD-3-Clause
// Sessions as sections of values, and unsaved edits as files in the configuration folder.
#include "app/window/workspace/session_state.h"

#include "app/window/workspace/workspace.h"

#include "app/engine/core/text.h"
#include "app/engine/io/atomic_file.h"
#include "app/system/process.h"

namespace fathom::viewer {
namespace {

constexpr const char* kView = "view";

std::string cameraText(const Camera& c) {
  return fmt::format("{} {} {} {} {} {} {} {} {} {}", c.position.x, c.position.y, c.position.z,
                     c.target.x, c.target.y, c.target.z, c.up.x, c.up.y, c.up.z, c.verticalFovDeg);
}

std::optional<glm::vec2> pairFrom(const Session& session, const char* x, const char* y) {
  const auto a = session.number(kView, x), b = session.number(kView, y);
  return a && b ? std::optional(glm::vec2(float(*a), float(*b))) : std::nullopt;
}

std::vector<FileSet> recentFrom(const std::vector<std::string>& texts) {
  std::vector<FileSet> recent;
  for (const std::string& text : texts) {
    FileSet set = splitAt(text, '\n');
    std::erase(set, "");
    if (!set.empty()) recent.push_back(std::move(set));
  }
  return recent;
}

void captureWindow(Workspace& w, Session& session) {
  session.store("display", describing(w.display));
  session.store("layout", describing(w.layout));
  std::vector<std::string> recent;
  for (const FileSet& set : w.recent) recent.push_back(pathsOf(set));
  session.set("recent", "files", recent);
}

void captureView(Workspace& w, Session& session) {
  if (Engine* technique = w.document.technique()) {
    session.set(kView, "technique", w.document.info().name);
    session.set(kView, "inputs", technique->inputs());
    if (const Camera* camera = technique->camera())
      session.set(kView, "camera", cameraText(*camera));
  }
  if (!w.view.fitted()) {
    session.set(kView, "zoom", double(w.view.zoom()));
    session.set(kView, "middle-x", double(w.view.middle().x));
    session.set(kView, "middle-y", double(w.view.middle().y));
  }
  if (const auto pixel = w.inspector.pinned()) {
    session.set(kView, "pixel-x", double(pixel->x));
    session.set(kView, "pixel-y", double(pixel->y));
  }
}

}  // namespace

void captureUser(Workspace& w, Session& session) {
  captureWindow(w, session);
  if (Engine* technique = w.document.technique())
    session.store(w.document.info().name, onlyOfInputs(technique->settings(), false));
}

Session captureSet(Workspace& w) {
  Engine* const technique = w.document.technique();
  Session set = technique ? w.sets.load(technique->inputs()) : Session();  // of other techniques
  set.drop(kView);
  captureView(w, set);
  if (technique) set.store(w.document.info().name, onlyOfInputs(technique->settings(), true));
  return set;
}

void restoreSet(const Info& info, Engine& technique, const std::vector<FieldValue>& defaults,
                const Session& set) {
  const Describe own = onlyOfInputs(technique.settings(), true);
  for (const FieldValue& value : valuesOf(own))
    for (const FieldValue& original : defaults)
      if (original.name == value.name && original.text != value.text)
        assign(own, value.name, original.text);
  if (set.has(info.name)) set.restore(info.name, own);
}

Session captureSession(Workspace& w) {
  Session session;
  captureWindow(w, session);
  if (Engine* technique = w.document.technique())
    session.store(w.document.info().name, technique->settings());
  captureView(w, session);
  if (w.compare.canSwap()) {
    std::vector<std::string> values;
    for (const FieldValue& value : w.compare.values())
      values.push_back(value.name + "=" + value.text);
    session.set("compare", "settings", values);
    session.set("compare", "split", w.compare.show == Comparison::Show::Split ? 1.0 : 0.0);
    session.set("compare", "at", double(w.compare.splitAt));
  }
  return session;
}

void restoreSession(Workspace& w, const Session& session, bool whole) {
  w.reportErrors([&] { session.restore("display", describing(w.display)); });
  w.reportErrors([&] { session.restore("layout", describing(w.layout)); });
  w.recent = existing(recentFrom(session.texts("recent", "files")));
  if (!whole) return;
  if (const auto pixel = pairFrom(session, "pixel-x", "pixel-y"))
    w.inspector.pin(glm::ivec2(*pixel));
  std::vector<FieldValue> values;
  for (const std::string& text : session.texts("compare", "settings")) {
    const std::size_t equal = text.find('=');
    if (equal != std::string::npos)
      values.push_back({text.substr(0, equal), text.substr(equal + 1), {}});
  }
  if (!values.empty())
    w.compare.restore(std::move(values), session.number("compare", "split").value_or(1) != 0);
  w.compare.splitAt = float(session.number("compare", "at").value_or(0.5));
}

void restoreSettings(const Info& info, Engine& technique, const Session& session, bool whole) {
  if (!session.has(info.name)) return;
  const Describe ofInputs = onlyOfInputs(technique.settings(), true);
  const std::vector<FieldValue> before = valuesOf(ofInputs);
  session.restore(info.name, technique.settings());
  if (whole) return;
  for (const FieldValue& value : before) assign(ofInputs, value.name, value.text);
}

void restoreCamera(Engine& technique, const Session& session) {
  Camera* camera = technique.camera();
  const auto text = session.text(kView, "camera");
  if (!camera || !text) return;
  Camera c = *camera;
  const int read = std::sscanf(text->c_str(), "%f %f %f %f %f %f %f %f %f %f", &c.position.x,
                               &c.position.y, &c.position.z, &c.target.x, &c.target.y, &c.target.z,
                               &c.up.x, &c.up.y, &c.up.z, &c.verticalFovDeg);
  if (read == 10) *camera = c;
}

void restoreView(PictureView& view, const Session& session) {
  const auto zoom = session.number(kView, "zoom");
  const auto middle = pairFrom(session, "middle-x", "middle-y");
  if (zoom && middle) view.show(float(*zoom), *middle);
}

std::string techniqueOf(const Session& session) {
  return session.text(kView, "technique").value_or("");
}

std::vector<std::string> inputsOf(const Session& session) { return session.texts(kView, "inputs"); }

std::optional<glm::ivec2> windowSizeOf(const Session& session) {
  const auto width = session.number("window", "width"), height = session.number("window", "height");
  if (!width || !height || *width < 320 || *height < 240 || *width > 16384 || *height > 16384)
    return std::nullopt;
  return glm::ivec2(int(*width), int(*height));
}

// ---- Recovery

namespace {

constexpr std::chrono::seconds kBetweenWrites{2};
constexpr const char* kTechnique = "technique";
constexpr const char* kInputs = "inputs";
constexpr std::size_t kMaxInputsBytes = 1 << 20;

/// Folders are named "PROCESS.NUMBER", as in a container every start may be the same process.
bool isAlive(const std::string& folder) {
  system::ProcessId pid = 0;
  const auto error = std::from_chars(folder.data(), folder.data() + folder.size(), pid).ec;
  if (error != std::errc() || pid <= 0) return true;
  return pid != system::processId() && system::isRunning(pid);
}

}  // namespace

void Recovery::keepIn(fs::path folder) {
  folder_ = std::move(folder);
  std::error_code ignored;
  for (int number = 0; number == 0 || fs::exists(own_, ignored); ++number)
    own_ = folder_ / fmt::format("{}.{}", system::processId(), number);
}

void Recovery::update(const Document& document, bool now) {
  if (folder_.empty()) return;
  if (!document.unsaved()) return remove();
  if (!now && Clock::now() - last_ < kBetweenWrites) return;
  last_ = Clock::now();
  const Editing& editing = *document.active().parts().editing;
  std::string content = editing.content();
  const auto file = editing.savable();
  if (content.empty() || !file || content == written_) return;
  std::error_code ignored;
  fs::create_directories(own_, ignored);
  const std::string name = fs::path(file->suggestion).filename().string();
  writeFile(own_ / kTechnique, document.info().name);
  writeFile(own_ / kInputs, pathsOf(absoluteInputs(document.technique()->inputs())));
  const fs::path to =
      own_ / (name.empty() || name == kTechnique || name == kInputs ? "edits" : name);
  writeFile(to, content);
  if (const fs::path before = std::exchange(file_, to); !before.empty() && before != to)
    fs::remove(before, ignored);  // a variation of a flame has a name of its own
  written_ = std::move(content);
}

void Recovery::remove() {
  if (written_.empty()) return;
  std::error_code ignored;
  fs::remove_all(own_, ignored);
  file_.clear(), written_.clear();
}

std::optional<Recovery::Found> Recovery::find() const {
  std::error_code error;
  if (folder_.empty()) return std::nullopt;
  for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
    if (!it->is_directory(error) || isAlive(it->path().filename().string())) continue;
    Found found;
    found.technique = startOf(it->path() / kTechnique, kMaxInputsBytes);
    std::istringstream inputs(startOf(it->path() / kInputs, kMaxInputsBytes));
    for (std::string line; std::getline(inputs, line);) found.inputs.push_back(line);
    fs::file_time_type newest = fs::file_time_type::min();
    for (fs::directory_iterator inner(it->path(), error), last; !error && inner != last;
         inner.increment(error)) {
      const fs::path file = inner->path().filename();
      const fs::file_time_type time = inner->last_write_time(error);
      if (file != kTechnique && file != kInputs && time > newest)
        newest = time, found.file = inner->path();
    }
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
