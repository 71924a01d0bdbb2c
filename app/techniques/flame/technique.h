// SPDX-License-Identifier: BSD-3-Clause
// Flames as the window, the commands and the benchmarks see them: the genomes of a file, one of
// them (or a moment between two) current and open to edits, and its picture, which gets better the
// longer it is drawn.
#pragma once

#include "app/techniques/flame/editor.h"
#include "app/techniques/flame/model.h"
#include "app/techniques/flame/playback.h"
#include "app/techniques/flame/rendering.h"
#include "app/techniques/flame/ruler.h"
#include "app/techniques/flame/settings.h"
#include "app/techniques/flame/space.h"
#include "app/techniques/flame/timeline.h"
#include "app/techniques/flame/tuning.h"
#include "app/techniques/facets.h"
#include "app/techniques/technique.h"

#include <memory>
#include <string>
#include <vector>

namespace fathom::flame {

class CuburnAnimation;  // cuburn_motion.h

/// How genomes are read, beyond the files.
struct GenomeReadOptions {
  std::uint64_t seed = 1;   // decides what <symmetry kind="0"/> becomes
  glm::ivec2 size{0};       // of the pictures, unless 0; pixels per unit follow the width
  std::string filmProfile;  // how films of cuburn are drawn; empty: by its defaults
};

struct LoadedGenomes : LoadedInputs {
  std::vector<Genome> genomes;                  // at least one
  std::shared_ptr<const CuburnAnimation> film;  // what a single file of cuburn moves like, or null
  std::vector<std::string> warnings;            // a line each
};

/// Genome files, or documents of cuburn.
bool accepts(const std::vector<std::string>& inputs);
/// Throws Error.
std::unique_ptr<LoadedGenomes> readInputs(const std::vector<std::string>& inputs,
                                          const GenomeReadOptions& options, Progress& progress);
std::unique_ptr<LoadedInputs> read(const std::vector<std::string>& inputs, Progress& progress);

class FlameTechnique : public Technique,
                       public Editing,
                       public Playing,
                       public Panels,
                       public PictureTools,
                       public Inspection,
                       public Background {
 public:
  /// The settings, `flame` (which of several in a file is current), `time` (the playhead), and how
  /// films are played.
  void describe(FieldVisitor& field) override;
  void adopt(std::unique_ptr<LoadedInputs> inputs) override;
  Editing* editing() override { return this; }
  Playing* playing() override { return this; }
  Panels* panels() override { return this; }
  PictureTools* tools() override { return this; }
  Inspection* inspection() override { return this; }
  Background* background() override { return this; }
  const std::vector<std::string>& inputs() const override { return inputs_; }
  /// Of what is read from then on: pixels per unit follow the width. A genome that is open has its
  /// own size, see resize().
  void setSize(int width, int height) override;
  glm::ivec2 size() const override;
  bool update(gpu::Context& gpu, Effect effect, double budgetMs) override;
  const gpu::Texture& result() const override;
  bool progressive() const override { return true; }
  Image reference() const override;
  std::optional<PixelReport> inspect(int x, int y) override;
  std::vector<std::pair<std::string, std::string>> facts() const override;

  // Editing, in panel*.cpp and editor.h.
  std::vector<TechniquePage> pages() const override;
  void drawPage(const std::string& name) override;
  std::vector<TechniqueAction> actions() override;
  Effect takeChange() override;
  bool backgroundStep(gpu::Context& gpu, double budgetMs) override;
  bool interact(const PictureInput& input) override {
    return !playback_.playing() && editor_.interact(input);
  }
  void drawOverlay(PictureOverlay& overlay) override {
    if (!playback_.playing()) editor_.drawOverlay(overlay);
  }
  bool canUndo() const override { return editor_.canUndo(); }
  bool canRedo() const override { return editor_.canRedo(); }
  void undo() override { editor_.undo(); }
  void redo() override { editor_.redo(); }
  std::optional<TechniqueFile> savable() const override;
  void save(const std::string& file) override;
  bool unsaved() const override { return editor_.unsaved(); }
  Editor& editor() { return editor_; }

  // Films, in film.cpp and panel_timeline.cpp.
  std::optional<TechniqueStrip> strip() const override;
  void drawStrip() override;
  bool animated() const override { return playback_.playing(); }
  std::optional<std::chrono::steady_clock::time_point> dueAt() const override {
    return playback_.dueAt();
  }
  const Timeline& timeline() const { return timeline_; }
  Playback& playback() { return playback_; }
  Ruler& ruler() { return ruler_; }
  /// Moves the playhead; what is played stops.
  void goTo(double time);
  /// To a whole frame beside it, from the end to the beginning where it loops.
  void goBy(int frames);
  void play(bool on);
  /// While the playhead is dragged, pictures are quick rather than good.
  void setScrubbing(bool on);

  // For editor and commands, beyond what the window needs.
  Settings& settingsStruct() { return settings_; }
  const Settings& settingsStruct() const { return settings_; }
  const std::vector<Genome>& genomes() const { return timeline_.genomes(); }
  /// Index of the current one.
  std::size_t current() const { return timeline_.current(); }
  void setCurrent(std::size_t index);
  /// The current one or, between two keyframes, what is seen there.
  const Genome& genome() const { return timeline_.shown(); }
  /// Takes the place of the current one; the next update() does what the difference asks for.
  void setGenome(Genome genome);
  /// Makes genomes current that come from elsewhere; at least one.
  void adoptGenomes(std::vector<Genome> genomes, std::vector<std::string> names);
  /// The same of a film that is no list of keyframes; it can be played, not edited.
  void adoptFilm(std::shared_ptr<const Motion> film, Genome first, std::vector<std::string> names);
  /// The current genome in another size; pixels per unit follow the width.
  void resize(glm::ivec2 size);
  void setSeed(std::uint64_t seed) { seed_ = seed; }
  /// What a single file of cuburn that is open moves like; null: something else is open.
  const std::shared_ptr<const CuburnAnimation>& cuburnFilm() const { return cuburnFilm_; }

  /// Draws the current genome in full, without pictures on the way, and develops it. Returns the
  /// seconds that drawing samples took.
  double draw(gpu::Context& gpu, Progress& progress);
  /// The same for a frame of an animation.
  double drawFrame(gpu::Context& gpu, std::shared_ptr<const Exposure> exposure, Progress& progress);
  /// "atomic", ...: what Auto became.
  std::string accumulationText() const;
  /// Null before the first update() or draw().
  const Rendering* rendering() const { return rendering_.get(); }

 private:
  Rendering& renderingOn(gpu::Context& gpu);
  double drawAll(Rendering& rendering, Progress& progress);
  std::optional<double> timeToShow(const std::vector<std::string>& names) const;
  void adopted(std::vector<std::string> names, std::optional<double> time);
  void followPlayhead();
  void begin(bool anew);
  bool showPreview(gpu::Context& gpu);

  Settings settings_;
  std::vector<std::string> inputs_;
  Timeline timeline_;
  Editor editor_{timeline_};
  Playback playback_{timeline_};
  Ruler ruler_;
  Genome drawn_;  // the genome that the rendering shows
  glm::ivec2 wantedSize_{0};
  std::uint64_t seed_ = 1;
  std::shared_ptr<const CuburnAnimation> cuburnFilm_;
  gpu::Context* gpu_ = nullptr;
  std::unique_ptr<Rendering> rendering_;
  std::string tunedFor_;  // the class of sizes that its forms were chosen for
  TunedChoice tuned_{"flame", kSpace};
  Effect asked_ = Effect::None;  // by widgets
  bool changed_ = false, begun_ = false;
  bool scrubbing_ = false, showsPreview_ = false;
};

const TechniqueEntry& entry();

}  // namespace fathom::flame
