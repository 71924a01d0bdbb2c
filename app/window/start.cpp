// SPDX-License-Identifier: BSD-3-Clause
// Invalid options are reported before a window opens; a script counts its frames.
#include "app/window/start.h"

#include "app/engine/io/atomic_file.h"
#include "app/system/machine.h"
#include "app/window/platform/window.h"
#include "app/window/ui/widgets.h"
#include "app/window/workspace/session_state.h"
#include "app/window/workspace/workspace.h"

#include <fmt/ranges.h>

namespace fathom::viewer {
namespace {

constexpr const char* kDefaultScene = "atrium";

/// Throws UsageError unless what a flag names is one of these, or nothing.
void expectOneOf(const char* flag, const std::string& name, const std::vector<std::string>& names) {
  if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
    failUsage("{}: expected one of {}, found \"{}\"", flag, fmt::join(names, ", "), name);
}

bool knowsAll(const TechniqueEntry& entry,
              const std::vector<std::pair<std::string, std::string>>& settings) {
  DisplaySettings display;
  std::vector<FieldValue> known = valuesOf(entry.settings());
  for (FieldValue& value : valuesOf(describing(display))) known.push_back(std::move(value));
  return std::all_of(settings.begin(), settings.end(), [&](const auto& setting) {
    return std::any_of(known.begin(), known.end(),
                       [&](const FieldValue& value) { return value.name == setting.first; });
  });
}

}  // namespace

void assignSetting(const Describe& settings, DisplaySettings& display, const std::string& name,
                   const std::string& text) {
  const Describe displayFields = describing(display);
  const std::vector<FieldValue> shown = valuesOf(displayFields);
  const bool isDisplay = std::any_of(shown.begin(), shown.end(),
                                     [&](const FieldValue& value) { return value.name == name; });
  assign(isDisplay ? displayFields : settings, name, text);
}

void checkNames(const ViewOptions& options, const std::vector<TechniqueEntry>& available) {
  std::vector<std::string> panels = panelNames(), names;
  for (const TechniqueEntry& entry : available) {
    names.push_back(entry.info.name);
    if (const WindowEntry* const window = windowEntry(entry.info.name))
      panels.insert(panels.end(), window->panelNames.begin(), window->panelNames.end());
  }
  expectOneOf("--open-panel", options.openPanel, panels);
  expectOneOf("--technique", options.technique, names);
}

void checkSettings(const ViewOptions& options, const Session& session,
                   const std::vector<std::string>& inputs,
                   const std::vector<TechniqueEntry>& available) {
  std::string opens;
  bool fits = options.technique.empty();
  for (const TechniqueEntry* entry : techniquesFor(available, inputs)) {
    fits = fits || entry->info.name == options.technique;
    opens += (opens.empty() ? "" : ", ") + entry->info.name;
  }
  if (!fits && !opens.empty())
    failUsage("--technique: expected one that opens {} ({}), found {}", inputs[0], opens,
              options.technique);
  if (options.settings.empty()) return;
  const TechniqueEntry* entry =
      findTechnique(available, inputs, preferredTechniques(options, session, inputs, available));
  if (!entry) return;  // opening reports what is wrong with the inputs
  DisplaySettings display;
  const Describe settings = entry->settings();
  for (const auto& [name, text] : options.settings) assignSetting(settings, display, name, text);
}

std::vector<std::string> preferredTechniques(const ViewOptions& options, const Session& session,
                                             const std::vector<std::string>& inputs,
                                             const std::vector<TechniqueEntry>& available) {
  if (!options.technique.empty()) return {options.technique};
  // A setting belongs to the technique that knows it.
  if (!options.settings.empty())
    for (const TechniqueEntry* entry : techniquesFor(available, inputs))
      if (knowsAll(*entry, options.settings)) return {entry->info.name};
  // The user's own session says how each technique computes, not which one shows these files.
  return {options.session.empty() ? std::string() : techniqueOf(session)};
}

Session initialSession(const ViewOptions& options) {
  if (!options.session.empty() && (options.frames > 0 || fs::exists(options.session)))
    return Session::load(options.session);
  if (options.frames > 0 || !options.session.empty()) return {};
  return Session::kept(system::configFolder() / "session.json");
}

std::vector<std::string> initialInputs(const ViewOptions& options, const Session& session,
                                       const std::vector<TechniqueEntry>& available) {
  std::vector<std::string> inputs = options.inputs;
  if (inputs.empty() && !options.session.empty()) inputs = inputsOf(session);
  const bool shown = options.frames == 0 && options.session.empty();  // the start page
  if (inputs.empty() && !shown && findTechnique(available, {kDefaultScene}))
    inputs = {kDefaultScene};
  return inputs;
}

// ---- A script

void Script::startRecording(Workspace& w) {
  if (options_.record.empty() || recordingStarted_ || !w.document.complete()) return;
  w.reportErrors([&] { w.recorder.start(w.document, options_.record); });
  recordingStarted_ = true;
}

bool Script::countFrame(const Document& document, bool rested) {
  const std::uint64_t picture = document.pictures().generation();
  const bool newPicture =
      document.active().parts().animated() && std::exchange(countedPicture_, picture) != picture;
  return active() && (rested || newPicture) && ++countedFrames_ >= options_.frames;
}

void Script::writeLandmarks(bool idle) {
  if (options_.landmarks.empty()) return;
  std::string text = ui::Landmarks::text() + fmt::format("marks {} 0 0 0\n", marks_);
  if (idle) text += "idle 0 0 0 0\n";
  if (ImGui::GetIO().WantTextInput) text += "typing 0 0 0 0\n";
  if (text != landmarks_) writeFile(options_.landmarks, landmarks_ = text);
}

}  // namespace fathom::viewer
