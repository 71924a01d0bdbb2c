// SPDX-License-Identifier: BSD-3-Clause
// The face of a technique, as seen by registry, window, commands and benches. It is two things:
//   input    free functions of TechniqueEntry: which inputs it accepts, and reading them into
//   values engine   an Engine: from settings and inputs to a picture, with what it costs
// The window adds pages and tools (window/parts.h), the command line subcommands (cli/registry.h)
// and the laboratory benches (lab/catalog.h); an engine knows none of them. "How to add a
// technique" stands in docs/architecture.md.
#pragma once

#include "app/engine/core/fields.h"
#include "app/engine/core/image.h"
#include "app/engine/core/progress.h"
#include "app/engine/gpu/context.h"
#include "app/engine/gpu/texture.h"
#include "app/engine/inspect.h"
#include "app/engine/scene/camera.h"

namespace fathom {

class Background;
class Editing;
class Panels;
class PictureTools;
class Playing;

struct Info {
  std::string name;   // "deep": subcommand, folder, session key
  std::string title;  // "Deep images"
  std::string about;  // one sentence
  std::string paper;
  std::vector<std::string> endings;  // ".exr", ".obj": a hint for dialogs; accepts() decides
};

/// Inputs as they were read: values only, made on any thread. Each technique derives its own, which
/// its engine adopts.
struct LoadedInputs {
  virtual ~LoadedInputs() = default;
  std::vector<std::string> names;  // as given: files, scene specs
};

/// The engine. Lives on the GL thread.
class Engine {
 public:
  virtual ~Engine() = default;

  /// Settings, section "Settings: declared once" of docs/architecture.md. Has no side effects and
  /// does not throw: update() acts on what has changed.
  virtual void describe(FieldVisitor& field) = 0;
  Describe settings() {
    return [this](FieldVisitor& field) { describe(field); };
  }

  /// Makes inputs current that the technique's own read() returned. Throws Error; the old inputs
  /// stay.
  virtual void adopt(std::unique_ptr<LoadedInputs> inputs) = 0;
  virtual const std::vector<std::string>& inputs() const = 0;

  /// The picture's size in pixels; (0, 0) when nothing is open. Scenes follow the size asked for,
  /// files have their own.
  virtual void setSize(int width, int height) = 0;
  virtual glm::ivec2 size() const = 0;
  /// Where the picture's pixel (0, 0) lies in the data (EXR windows may start anywhere).
  virtual glm::ivec2 origin() const { return glm::ivec2(0); }

  /// The camera, when what is open has one (scenes); its owner calls update(Rebuild) after changing
  /// it.
  virtual Camera* camera() { return nullptr; }
  /// The camera to go back to (Home), where it is not the one that came with the inputs.
  virtual std::optional<Camera> homeCamera() const { return std::nullopt; }

  /// Brings result() up to date: Redraw after a cheap change, Rebuild after new input, camera or
  /// size. Long work is cut into slices: update returns false while more is to be done, and is then
  /// called again with Effect::None in the next frame; result() shows the newest complete or
  /// partial picture. `budgetMs` is the time that one call should take on the GPU; infinite on the
  /// command line. Throws Error.
  virtual bool update(gpu::Context& gpu, Effect effect, double budgetMs) = 0;
  /// True when a partial result() is worth showing while update() wants to be called again.
  virtual bool progressive() const { return false; }
  /// What panels, tools, playing or undo have changed since the last call; asked once per frame,
  /// and passed to update().
  virtual Effect takeChange() { return Effect::None; }

  /// Linear RGBA, premultiplied (Rgba32f or Rgba16f).
  virtual const gpu::Texture& result() const = 0;
  /// The same picture from the CPU, by the reference.
  virtual Image reference() const = 0;
  /// What settings that are left to the program stand for now: {"layout", "bia"}; only those that
  /// are known. The window shows them beside the setting.
  virtual std::vector<std::pair<std::string, std::string>> chosen() const { return {}; }
  /// Long work on the picture or beside it, as a share done; the window shows it with the time
  /// left.
  struct Working {
    std::string what;                 // "Rendering"
    double share = 0;                 // 0..1
    std::function<void()> stop = {};  // null: it cannot be stopped
  };
  virtual std::optional<Working> working() { return std::nullopt; }
  /// For the panel and --json: {"fragments", "1234567"}, ...
  virtual std::vector<std::pair<std::string, std::string>> facts() const { return {}; }

  /// What a pixel of the picture holds; none outside the picture or while there is no complete one.
  virtual std::optional<PixelReport> inspect(int /*x*/, int /*y*/) { return std::nullopt; }
  /// World position under a pixel, for focus by double-click.
  virtual std::optional<glm::vec3> pick(int /*x*/, int /*y*/) { return std::nullopt; }
  /// Not empty when result() shows classes by color.
  virtual std::vector<LegendEntry> legend() const { return {}; }
  /// Width of a pixel of the picture by its height, above 0.
  virtual float pixelAspect() const { return 1; }

  // Facets; null: the technique has none of this. They live as long as the technique.
  virtual Editing* editing() { return nullptr; }
  virtual Playing* playing() { return nullptr; }
  virtual Panels* panels() { return nullptr; }
  virtual PictureTools* tools() { return nullptr; }
  virtual Background* background() { return nullptr; }
};

struct TechniqueEntry {
  Info info;

  /// True when the technique can show these inputs together (a file, by its content; a scene spec).
  bool (*accepts)(const std::vector<std::string>& inputs);
  /// Reads inputs into values; runs on any thread. Throws Error (file, expected, found).
  std::unique_ptr<LoadedInputs> (*read)(const std::vector<std::string>& inputs, Progress& progress);
  /// The settings with their defaults, belonging to no engine: names, ranges and help.
  Describe (*settings)();
  std::unique_ptr<Engine> (*make)();
};

/// For TechniqueEntry::settings: the defaults of a plain struct with a describe() of its own.
template <class Settings>
Describe defaultSettings() {
  return [settings = std::make_shared<Settings>()](FieldVisitor& field) {
    describe(*settings, field);
  };
}

/// For TechniqueEntry::make.
template <class Own>
std::unique_ptr<Engine> makeEngine() {
  return std::make_unique<Own>();
}

/// For Engine::adopt: inputs as the technique's own type.
template <class Own>
Own& ownInputs(LoadedInputs& inputs) {
  auto* own = dynamic_cast<Own*>(&inputs);
  FATHOM_CHECK(own != nullptr);
  return *own;
}

const std::vector<TechniqueEntry>& techniques();  // registry.cpp
const TechniqueEntry* techniqueNamed(const std::string& name);

}  // namespace fathom
