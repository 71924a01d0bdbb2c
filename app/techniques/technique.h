// SPDX-License-Identifier: BSD-3-Clause
// The face of a technique, as seen by registry, window, commands and benchmarks. A new technique is
// four folders of one name (app/techniques, shaders, tests, assets) and one line in registry.cpp.
#pragma once

#include "app/core/fields.h"
#include "app/core/image.h"
#include "app/core/progress.h"
#include "app/core/rect.h"
#include "app/gpu/context.h"
#include "app/gpu/texture.h"
#include "app/scene/camera.h"
#include "app/techniques/picture_editing.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace fathom {

struct Info {
  std::string name;   // "deep": command word, folder, session key
  std::string title;  // "Deep images"
  std::string about;  // one sentence
  std::string paper;
  std::vector<std::string> endings;  // ".exr", ".obj": a hint for dialogs; accepts() decides
};

/// What the pixel under the cursor holds: a headline and a table whose first column is a depth when
/// depthPlot.
struct PixelReport {
  std::string headline;  // "pixel 512, 288: 7 fragments"
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  struct Mark {
    float z, zBack, alpha;
    float r, g, b;  // linear, not premultiplied
    int source;     // which input it came from
  };
  std::vector<Mark> marks;  // for the depth plot, front to back
};

/// An entry of the legend that the viewer draws over a false-colour result.
struct LegendEntry {
  float r, g, b;  // linear, as in the picture
  std::string label;
};

class Technique {
 public:
  virtual ~Technique() = default;
  virtual const Info& info() const = 0;

  /// Settings, section "Settings: declared once" of docs/architecture.md.
  virtual void describe(FieldVisitor& field) = 0;
  Describe settings() {
    return [this](FieldVisitor& field) { describe(field); };
  }

  /// True when the technique can show this input (a file, by its content; a scene word).
  virtual bool accepts(const std::string& input) const = 0;
  /// The same for several together, where one alone or too many would not do.
  virtual bool acceptsAll(const std::vector<std::string>& inputs) const {
    return std::all_of(inputs.begin(), inputs.end(),
                       [&](const std::string& input) { return accepts(input); });
  }
  /// Reads the inputs; runs on any thread, touches no state of the technique. Returns the step that
  /// makes them current, to be called on the GL thread. Throws Error (file, expected, found); the
  /// old inputs stay.
  using Adopt = std::function<void()>;
  virtual Adopt read(const std::vector<std::string>& inputs, Progress& progress) = 0;
  virtual const std::vector<std::string>& inputs() const = 0;

  /// The picture's size in pixels, or none when nothing is open. Scenes follow the size asked for,
  /// files have their own.
  virtual void setSize(int width, int height) = 0;
  virtual glm::ivec2 size() const = 0;
  /// Where the window's pixel (0,0) lies in the data (EXR windows may start anywhere).
  virtual glm::ivec2 origin() const { return glm::ivec2(0); }

  /// The camera, when what is open has one (scenes); the owner calls update(Rebuild) after changing
  /// it.
  virtual Camera* camera() { return nullptr; }
  /// The camera to go back to (Home), where it is not the one that came with the inputs.
  virtual std::optional<Camera> firstCamera() const { return std::nullopt; }
  /// World position under a pixel of the current result, for focus by double-click.
  virtual std::optional<glm::vec3> pick(int, int) { return std::nullopt; }

  /// Brings result() up to date: Redraw after a cheap change, Rebuild after new input, camera or
  /// size. Work that would take long is cut into slices: update returns false while more is to be
  /// done, and is then called again with Effect::None in the next frame; result() shows the newest
  /// complete or partial picture. `budgetMs` is the time one call should take on the GPU; infinite
  /// on the command line.
  virtual bool update(gpu::Context& gpu, Effect effect, double budgetMs) = 0;
  /// Linear RGBA, premultiplied (Rgba32f or Rgba16f).
  virtual const gpu::Texture& result() const = 0;
  /// The same picture from the CPU, by the reference.
  virtual Image reference() const = 0;

  virtual std::optional<PixelReport> inspect(int, int) { return std::nullopt; }
  /// Not empty when result() shows classes by colour.
  virtual std::vector<LegendEntry> legend() const { return {}; }
  /// Facts for the panel and --json: {"fragments", "1234567"}, ...
  virtual std::vector<std::pair<std::string, std::string>> facts() const { return {}; }
  /// Widgets that the settings table cannot express. Called inside the technique's ImGui window.
  virtual void drawPanel() {}
  /// More widgets, on pages of their own; drawPage() is called inside the page's ImGui window.
  virtual std::vector<TechniquePage> pages() const { return {}; }
  virtual void drawPage(const std::string& /*name*/) {}
  /// Widgets right below the picture.
  virtual std::optional<TechniqueStrip> strip() const { return std::nullopt; }
  virtual void drawStrip() {}

  /// True when a partial result() is worth showing while update() wants to be called again.
  virtual bool progressive() const { return false; }
  /// What widgets, handles or keys of the technique have changed since the last call; asked once
  /// per frame, and passed to update().
  virtual Effect takeChange() { return Effect::None; }
  /// What its widgets ask of the window since the last call; asked once per frame.
  virtual TechniqueRequest takeRequest() { return {}; }
  /// One slice of work aside from the picture (thumbnails, sweeps); true while more is waiting.
  /// Called once per frame.
  virtual bool backgroundStep(gpu::Context& /*gpu*/, double /*budgetMs*/) { return false; }

  /// True while what is shown goes on by itself (a view that goes round) and never comes to rest.
  virtual bool animated() const { return false; }
  /// When takeChange() has something new though nothing happens (the next frame of a film).
  virtual std::optional<std::chrono::steady_clock::time_point> dueAt() const {
    return std::nullopt;
  }

  /// The mouse over the picture, once per frame. True: the technique uses it, and the window leaves
  /// it alone (no camera, pan, zoom or pinned pixel).
  virtual bool interact(const PictureInput&) { return false; }
  virtual void drawOverlay(PictureOverlay&) {}
  virtual std::vector<TechniqueAction> actions() { return {}; }

  /// Edits that can be taken back, one step per gesture.
  virtual bool canUndo() const { return false; }
  virtual bool canRedo() const { return false; }
  virtual void undo() {}
  virtual void redo() {}

  /// What is edited, if it can be written to a file; save() throws Error. unsaved(): closing would
  /// lose edits.
  virtual std::optional<TechniqueFile> savable() const { return std::nullopt; }
  virtual void save(const std::string& /*file*/) {}
  virtual bool unsaved() const { return false; }
};

struct Command;  // command.h
struct Bench;    // workload.h
struct Tunable;  // tuning.h

struct TechniqueEntry {
  Info info;
  std::unique_ptr<Technique> (*make)();
  const std::vector<Command>& (*commands)() = nullptr;  // words of its own; null: none
  const std::vector<Bench>& (*benches)() = nullptr;     // null: none
  const std::vector<Tunable>& (*tunables)() = nullptr;  // null: nothing to tune
};
const std::vector<TechniqueEntry>& techniques();  // registry.cpp
/// The technique that accepts this input; null when none does.
const TechniqueEntry* techniqueFor(const std::string& input);
const TechniqueEntry* techniqueNamed(const std::string& name);

}  // namespace fathom
