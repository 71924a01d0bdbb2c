// SPDX-License-Identifier: BSD-3-Clause
// The face of a technique, as seen by registry, window, commands and benches: which inputs it
// accepts and how they are read (TechniqueEntry), and the engine that turns inputs and settings
// into frames. The window adds pages and tools (window/parts.h), the command line subcommands
// (cli/registry.h) and the laboratory benches (lab/catalog.h); an engine knows none of them. "How
// to add a technique" stands in docs/architecture.md.
#pragma once

#include "app/engine/core/fields.h"
#include "app/engine/core/image.h"
#include "app/engine/core/progress.h"
#include "app/engine/gpu/context.h"
#include "app/engine/gpu/texture.h"
#include "app/engine/inspect.h"
#include "app/engine/scene/camera.h"

namespace fathom {

struct Info {
  std::string name;   // "deep": subcommand, folder, session key
  std::string title;  // "Deep images"
  std::string about;  // one sentence
  std::string paper;
  std::vector<std::string> endings;  // ".exr", ".ply": a hint for dialogs; accepts() decides
};

/// Inputs as they were read: values only, made on any thread. Each technique derives its own, which
/// its engine adopts.
struct LoadedInputs {
  virtual ~LoadedInputs() = default;
  std::vector<std::string> names;  // as given: files, scene specs
};

/// The picture of an engine.
struct Frame {
  /// Linear RGBA, premultiplied (Rgba32f or Rgba16f); null: there is none yet.
  const gpu::Texture* picture = nullptr;
  glm::ivec2 size{0};  // of the picture in pixels, known before it is made; (0, 0): nothing is open
  glm::ivec2 origin{0};  // where its pixel (0, 0) lies in the data (EXR windows may start anywhere)
  float pixelAspect = 1;  // width of a pixel by its height, above 0
  bool partial = false;   // more steps are needed to complete it
  bool refines = false;   // partial pictures are worth showing: they get better with each step
};

/// The engine: turns inputs and settings into frames. Lives on the GL thread.
class Engine {
 public:
  virtual ~Engine() = default;

  /// Settings, section "Settings: declared once" of docs/architecture.md. Has no side effects and
  /// does not throw: step() acts on what has changed.
  virtual void describe(FieldVisitor& field) = 0;
  Describe settings() {
    return [this](FieldVisitor& field) { describe(field); };
  }

  /// Makes inputs current that the technique's own read() returned. Throws Error; the old inputs
  /// stay.
  virtual void adopt(std::unique_ptr<LoadedInputs> inputs) = 0;
  virtual const std::vector<std::string>& inputs() const = 0;

  /// The room that there is for the picture, in pixels. Scenes fill it, files have their own size.
  virtual void setSize(int width, int height) = 0;

  /// The camera, when what is open has one (scenes); its owner may change it between steps.
  virtual Camera* camera() { return nullptr; }
  /// The camera to go back to (Home), where it is not the one that came with the inputs.
  virtual std::optional<Camera> homeCamera() const { return std::nullopt; }

  /// Brings the picture up to date with inputs, settings, camera and size, as far as `budgetMs` of
  /// GPU time go; infinite on the command line. The frame is partial while more calls are needed.
  /// What an earlier call has made of the same values is not made again. Throws Error.
  Frame step(gpu::Context& gpu, double budgetMs) {
    const bool complete = work(gpu, budgetMs);
    Frame made = frame();
    made.partial = !complete;
    return made;
  }
  /// The picture as it is now. Its texture stays until the next step() or adopt().
  virtual Frame frame() const = 0;
  /// True when step() would begin another picture than its last call worked on. Cheap: the window
  /// asks several times per frame.
  virtual bool stale() const = 0;
  /// The next step() makes everything anew (shaders were reloaded; a bench measures it).
  virtual void restart() = 0;
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
  /// Not empty when the picture shows classes by color.
  virtual std::vector<LegendEntry> legend() const { return {}; }

 private:
  /// One slice of step(); true when the picture is complete.
  virtual bool work(gpu::Context& gpu, double budgetMs) = 0;
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

/// The first of `preferred` (names, best first; unknown ones are passed over) that accepts the
/// inputs together, else the first of `available` that does; null when none does.
const TechniqueEntry* findTechnique(const std::vector<TechniqueEntry>& available,
                                    const std::vector<std::string>& inputs,
                                    const std::vector<std::string>& preferred = {});

/// The same, but throws Error that says why none does.
const TechniqueEntry& chooseTechnique(const std::vector<TechniqueEntry>& available,
                                      const std::vector<std::string>& inputs,
                                      const std::vector<std::string>& preferred = {});

/// All that accept the inputs together, in the order of `available`.
std::vector<const TechniqueEntry*> techniquesFor(const std::vector<TechniqueEntry>& available,
                                                 const std::vector<std::string>& inputs);

}  // namespace fathom
