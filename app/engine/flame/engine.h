// SPDX-License-Identifier: BSD-3-Clause
// Flames as the window, the commands and the benchmarks see them: the genomes of a file, one of
// them (or a moment between two) current and open to edits, and its picture, which gets better the
// longer it is drawn.
#pragma once

#include "app/window/parts.h"
#include "app/window/flame/editor.h"
#include "app/window/flame/editor_widgets.h"
#include "app/engine/flame/genome_input.h"
#include "app/engine/flame/hit_inspection.h"
#include "app/engine/flame/playhead_picture.h"
#include "app/engine/flame/film/film_preview.h"
#include "app/engine/flame/film/transport.h"
#include "app/engine/flame/render/settings.h"
#include "app/engine/engine.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fathom::flame {

class FlameEngine : public Engine {
 public:
  FlameEngine();
  /// The settings of drawing, `flame` (which of several in a file is current), `time` (the
  /// playhead), and how films are played.
  void describe(FieldVisitor& field) override;
  void adopt(std::unique_ptr<LoadedInputs> inputs) override;
  bool keepsEdits(const std::vector<std::string>& inputs) const;
  std::string exporting() const { return widgets_.exports.file(); }
  const std::vector<std::string>& inputs() const override { return editor_.names(); }
  /// Of what is adopted from then on: pixels per unit follow the width. A genome that is open has
  /// its own size.
  void setSize(int width, int height) override;
  glm::ivec2 size() const override;
  bool update(gpu::Context& gpu, Effect effect, double budgetMs) override;
  bool progressive() const override { return true; }
  std::optional<Working> working() override;
  Effect takeChange() override;
  const gpu::Texture& result() const override;
  Image reference() const override;
  std::vector<std::pair<std::string, std::string>> chosen() const override;
  std::vector<std::pair<std::string, std::string>> facts() const override;

  Editing* editing() override { return &editor_; }
  Playing* playing() override { return &transport_; }
  Panels* panels() override { return &widgets_.panels; }
  PictureTools* tools() override { return &widgets_.tools; }
  std::optional<PixelReport> inspect(int x, int y) override { return inspection_.inspect(x, y); }
  Background* background() override { return &background_; }

  // For commands and tests, beyond what the window needs.
  Settings& drawing() { return settings_; }
  const Settings& drawing() const { return settings_; }
  const Timeline& timeline() const { return timeline_; }
  /// Makes another genome current.
  void select(std::size_t index) { timeline_.select(index); }
  Editor& editor() { return editor_; }
  Transport& transport() { return transport_; }
  const FilmPreview& preview() const { return preview_; }
  const PlayheadPicture& picture() const { return picture_; }
  void setSeed(std::uint64_t seed) { seed_ = seed; }
  void startAfresh() { picture_.reset(); }
  /// Draws what is at the playhead in full; returns the seconds that drawing samples took.
  double draw(gpu::Context& gpu, Progress& progress);
  /// The same for a frame of an animation.
  double drawFrame(gpu::Context& gpu, std::shared_ptr<const Exposure> exposure, Progress& progress);

 private:
  /// Long work beside the picture: thumbnails, frames of a film that plays.
  class BackgroundWork : public Background {
   public:
    explicit BackgroundWork(FlameEngine& flame) : flame_(flame) {}
    bool backgroundStep(gpu::Context& gpu, double budgetMs) override;

   private:
    FlameEngine& flame_;
  };

  void adoptFlames(LoadedGenomes& loaded);
  void adoptPalette(const Palette& palette, const std::string& file);
  void adoptGenomes(LoadedGenomes& loaded);
  std::optional<double> timeToShow(const std::vector<std::string>& names) const;
  void adopted(std::vector<std::string> names, std::optional<double> time);
  void followPlayhead();
  bool showPreview(gpu::Context& gpu);
  PlayheadPicture::Mode mode() const;
  const Rendering* renderingShown() const;

  Settings settings_;
  std::uint64_t seed_ = 1;
  glm::ivec2 wantedSize_{0};
  Timeline timeline_;
  Editor editor_{timeline_};
  Transport transport_{timeline_};
  FilmPreview preview_;
  PlayheadPicture picture_{editor_};
  EditorWidgets widgets_;
  HitInspection inspection_;
  BackgroundWork background_{*this};
  bool showsPreview_ = false;
};

}  // namespace fathom::flame
