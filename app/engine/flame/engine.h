// SPDX-License-Identifier: BSD-3-Clause
// Flames as the window, the commands and the benchmarks see them: the genomes of a file, one of
// them (or a moment between two) current, and its picture, which gets better the longer it is
// drawn: a still, a moment between two keyframes or a frame with motion blur. It begins anew only
// when the difference to what it shows asks for it.
#pragma once

#include "app/engine/core/stopwatch.h"
#include "app/engine/engine.h"
#include "app/engine/flame/genome/model.h"
#include "app/engine/flame/render/rendering.h"
#include "app/engine/flame/timeline.h"

namespace fathom::flame {

// ---- What files become: values, without an engine

class CuburnAnimation;  // cuburn/animation.h

/// How genomes are read, besides the files.
struct GenomeReadOptions {
  std::uint64_t seed = 1;   // decides what <symmetry kind="0"/> becomes
  glm::ivec2 size{0};       // of the pictures, unless 0; pixels per unit follow the width
  std::string filmProfile;  // how films of cuburn are drawn; empty: by its defaults
  int flame = 0;            // whose warnings are wanted, from 1; 0: of all flames of a file
};

struct LoadedGenomes : LoadedInputs {
  std::vector<Genome> genomes;                  // at least one, or a palette
  std::optional<Palette> palette;               // for the flame that is shown
  std::shared_ptr<const CuburnAnimation> film;  // what a single file of cuburn moves like, or null
  std::shared_ptr<const Motion> motion;         // that, or a flame of JWildfire that moves, or null
  std::optional<double> time;                   // of it, that is shown at first
  std::vector<std::string> warnings;            // a line each
};

/// Genome files, or documents of cuburn, by their content; palette files by their ending.
bool accepts(const std::vector<std::string>& inputs);
/// Throws Error.
std::unique_ptr<LoadedGenomes> readInputs(const std::vector<std::string>& inputs,
                                          const GenomeReadOptions& options, Progress& progress);
/// With default options, for TechniqueEntry.
std::unique_ptr<LoadedInputs> read(const std::vector<std::string>& inputs, Progress& progress);

// ---- The engine

class FlameEngine : public Engine {
 public:
  /// The settings of drawing, `flame` (which of several in a file is current), `time` (the
  /// playhead), and how films are played.
  void describe(FieldVisitor& field) override;
  /// Genomes take the place of those that are open; a palette alone goes to the one that is shown.
  void adopt(std::unique_ptr<LoadedInputs> inputs) override;
  const std::vector<std::string>& inputs() const override { return names_; }
  /// Of what is adopted from then on: pixels per unit follow the width. A genome that is open has
  /// its own size.
  void setSize(int width, int height) override;
  Frame frame() const override;
  bool stale() const override { return timeline_.open() && asked_ != asking(); }
  void restart() override { begun_ = false, asked_.reset(); }
  std::optional<Working> working() override;
  Image reference() const override;
  std::vector<std::pair<std::string, std::string>> chosen() const override;
  std::vector<std::pair<std::string, std::string>> facts() const override;
  /// What the histogram holds for a pixel, a row per bucket. Waits for the device.
  std::optional<PixelReport> inspect(int x, int y) override;

  // For the window's parts, commands and tests, beyond what all engines have.

  Settings& drawing() { return settings_; }
  const Settings& drawing() const { return settings_; }
  Timeline& timeline() { return timeline_; }
  const Timeline& timeline() const { return timeline_; }
  PlaybackSettings& playback() { return playback_; }
  /// Null before the first step() or draw().
  const Rendering* rendering() const { return rendering_.get(); }
  void setSeed(std::uint64_t seed) { seed_ = seed; }
  std::uint64_t seed() const { return seed_; }
  /// How often genomes were adopted; a palette does not count.
  std::uint64_t adoptions() const { return adoptions_; }
  /// What is open was written there.
  void savedAs(const std::string& file) { names_ = {file}; }
  /// While something is dragged: small and with few samples.
  void setQuick(bool quick) { quick_ = quick; }
  /// Asked by each step() for a picture to show in place of the one it would draw (a frame of a
  /// film that plays); a null texture: none is ready, so that the one shown stays; no answer: draw.
  using StandIn = std::function<std::optional<const gpu::Texture*>(gpu::Context& gpu)>;
  void setStandIn(StandIn standIn);
  /// There is another one to show, or none any more.
  void standInChanged() { asked_.reset(); }

  /// Lets go of what was drawn: the same bytes follow as from a new engine.
  void startAfresh() { rendering_.reset(), begun_ = false; }
  /// Draws what is at the playhead in full; returns the seconds that drawing samples took.
  double draw(gpu::Context& gpu, Progress& progress);
  /// Draws a frame of an animation in full; returns the seconds that drawing samples took.
  double drawFrame(gpu::Context& gpu, std::shared_ptr<const Exposure> exposure, Progress& progress);

 private:
  void adoptPalette(const Palette& palette, const std::string& file);
  void adoptFlames(LoadedGenomes& loaded);
  void adoptGenomes(LoadedGenomes& loaded);
  std::optional<double> timeToShow(const std::vector<std::string>& names) const;
  void adopted(std::vector<std::string> names, std::optional<double> time);
  bool work(gpu::Context& gpu, double budgetMs) override;
  void followPlayhead();
  bool showStandIn(gpu::Context& gpu);
  /// How the picture is drawn besides the settings.
  struct Mode {
    std::uint64_t seed = 1;
    bool quick = false;    // small, while a gesture is in progress
    bool blurred = false;  // with the shutter open, where genomes move
    bool operator==(const Mode&) const = default;
  };
  Mode mode() const { return {seed_, quick_, playback_.motionBlur}; }
  bool isBlurred() const;
  bool fromMotion() const;
  std::shared_ptr<const Exposure> exposureAtPlayhead() const;
  Rendering& renderingOn(gpu::Context& gpu);
  Redo redoOfPicture() const;
  void begin(bool anew, Rendering::Pictures pictures = Rendering::Pictures::Many);
  void drawSlice(gpu::Context& gpu, double budgetMs);
  double drawAll(gpu::Context& gpu, Progress& progress);
  void logFirstPicture();
  const Rendering* renderingShown() const;
  /// Everything that a picture is made of.
  struct Asked {
    Settings drawing;
    Mode mode;
    std::uint64_t adoptions = 0, revision = 0;  // of the timeline
    double time = 0;                            // that is shown
    std::size_t current = 0;
    int flame = 0;        // what the settings ask for, see followPlayhead()
    float askedTime = 0;  // likewise
    bool operator==(const Asked&) const = default;
  };
  Asked asking() const;

  Settings settings_;
  PlaybackSettings playback_;
  std::uint64_t seed_ = 1, adoptions_ = 0;
  glm::ivec2 wantedSize_{0};
  std::vector<std::string> names_;
  Timeline timeline_;
  gpu::Context* gpu_ = nullptr;  // of the rendering
  std::unique_ptr<Rendering> rendering_;
  Genome drawn_;  // that the rendering shows
  Asked key_;     // what it was begun with
  bool begun_ = false;
  bool interrupted_ = false;  // a step was left in its middle, between pieces of a dispatch
  struct Awaited {
    Stopwatch since;
    double processorMs = 0;
  };
  std::optional<Awaited> awaited_;  // a picture of what was begun last
  std::optional<Asked> asked_;      // by the last step()
  bool quick_ = false;
  StandIn standIn_;
  const gpu::Texture* shownInstead_ = nullptr;
};

const TechniqueEntry& entry();

}  // namespace fathom::flame
