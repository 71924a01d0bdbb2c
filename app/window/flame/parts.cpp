// SPDX-License-Identifier: BSD-3-Clause
// How the parts hang together: what a new input resets, which frame of a film is shown in place of
// the picture, the table of keys, and the pages.
#include "app/window/flame/parts.h"

#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/genome/palettes.h"
#include "app/system/machine.h"
#include "app/window/flame/editing.h"
#include "app/window/ui/widgets.h"

#include <imgui.h>

namespace fathom::flame {
using namespace ui;
namespace {

constexpr float kStripHeight = 124;

/// Says what an edit would do where the playhead stands; true: nothing can be edited.
bool drawEditHint(const TimelineView& view) {
  const Timeline& timeline = view.timeline();
  const bool playing = view.transport.playing();
  const bool edits = timeline.editable() && timeline.onKeyframe() && !playing;
  if (!timeline.open() || edits) return false;
  const std::string text =
      !timeline.editable()
          ? "This animation is made of curves. Animate ... turns them into keyframes to edit."
      : playing ? "Editing is off while the animation plays."
                : fmt::format("Between keyframes. An edit adds one at {:g}.", timeline.time());
  wrappedText(fonts().small, color::kSecond, text);
  return !timeline.editable() || playing;
}

/// What the genome asks for and the picture does not have.
void drawLost(const Genome& genome) {
  if (genome.lost.empty()) return;
  std::string text = "Unsupported: ";
  for (const UnsupportedFeature& lost : genome.lost) {
    if (&lost != &genome.lost.front()) text += ", ";
    text += lost.name;
    if (lost.xforms > 1) text += fmt::format(" ({} xforms)", lost.xforms);
  }
  wrappedText(fonts().small, color::kSecond, text);
  Landmarks::note("flame:lost");
}

bool widgetIsHeld() { return ImGui::IsAnyItemActive() && !ImGui::GetIO().WantTextInput; }

}  // namespace

FlameWindowParts::FlameWindowParts(FlameEngine& engine)
    : engine_(engine),
      editor_(engine.timeline(), [&engine](const std::string& file) { engine.savedAs(file); }),
      transport_(engine.timeline(), engine.playback()) {
  editing = &editor_, playing = &transport_;
  panels = this, tools = this, background = this, exporting = this;
  exports_.adopt();
  engine.setStandIn([this](gpu::Context& gpu) { return frameOfFilm(gpu); });
}

FlameWindowParts::~FlameWindowParts() { engine_.setStandIn({}); }

// ---- Inputs and changes

void FlameWindowParts::adopted(const std::vector<std::string>& /*before*/) {
  if (std::exchange(adoptions_, engine_.adoptions()) == engine_.adoptions()) return;  // a palette
  editor_.reset(engine_.inputs());
  transport_.reset();
  preview_.reset();
  tool_.reset();
  thumbnails_.reset();
  ruler_.fit(engine_.timeline().firstTime(), engine_.timeline().lastTime());
}

/// Palettes alone.
bool FlameWindowParts::keepsEdits(const std::vector<std::string>& inputs) const {
  return editor_.open() && std::all_of(inputs.begin(), inputs.end(), isPaletteFile);
}

void FlameWindowParts::advance() {
  editor_.advance();
  if (transport_.advance(Transport::Clock::now())) engine_.standInChanged();
  engine_.setQuick(editor_.inGesture() || transport_.scrubbing());
}

std::optional<Engine::Working> FlameWindowParts::working() {
  if (!exports_.running()) return std::nullopt;
  const std::size_t waiting = exports_.waiting();
  return Engine::Working{waiting > 0 ? fmt::format("Exporting, {} waiting", waiting) : "Exporting",
                         exports_.progress(), [this] { exports_.cancel(); }};
}

/// Frames of a film that is played or scrubbed are there already, or will be.
std::optional<const gpu::Texture*> FlameWindowParts::frameOfFilm(gpu::Context& gpu) {
  if (!transport_.playing() && !transport_.scrubbing()) return std::nullopt;
  if (preview_.show(gpu, transport_, engine_.drawing())) return &preview_.picture();
  return transport_.playing() ? std::optional<const gpu::Texture*>(nullptr) : std::nullopt;
}

bool FlameWindowParts::backgroundStep(gpu::Context& gpu, double budgetMs) {
  const bool thumbnails = thumbnails_.step(gpu);
  const bool frames = transport_.playing() &&
                      preview_.step(gpu, transport_, engine_.drawing(), engine_.seed(), budgetMs);
  const bool exports = !frames && exports_.step(gpu, budgetMs);
  // The gesture ends when the wheel rests, which some frame must notice.
  return thumbnails || frames || exports || exports_.running() || editor_.wheelTurning();
}

// ---- Export

glm::ivec2 FlameWindowParts::size() const {
  return editor_.open() ? editor_.genome().size : glm::ivec2(0);
}

double FlameWindowParts::samples() const { return editor_.open() ? editor_.genome().quality : 0; }

bool FlameWindowParts::sizeIsFixed(const ExportChoice& choice) const {
  return isFilm(choice) && !editor_.editable();
}

std::string FlameWindowParts::firstFile(const ExportChoice& choice) const {
  const auto pattern = FramePattern::of(choice.file);
  return pattern ? pattern->at(int(std::ceil(engine_.timeline().firstTime()))) : choice.file;
}

std::string FlameWindowParts::memory(const ExportChoice& choice) const try {
  if (!engine_.rendering()) return {};
  const Genome& shown = engine_.timeline().shown();
  return engine_.rendering()->memoryFor(choice.size.x > 0 ? framed(shown, choice.size) : shown,
                                        engine_.drawing());
} catch (const Error& error) {
  return error.what();
}

void FlameWindowParts::start(const ExportChoice& choice) {
  exports_.start(engine_.timeline(), engine_.drawing(), /*seed=*/1, choice);
}

// ---- Pages

std::vector<TechniquePage> FlameWindowParts::pages() const {
  constexpr auto side = TechniquePage::Place::Side, bottom = TechniquePage::Place::Strip;
  return {{"xforms", "Xforms", "Xforms, their variations, colors and coefs", side},
          {"image", "Image", "Progress, camera, tone, filters", side},
          {"palette", "Palette", "Choose and edit the palette", side},
          {"mutations", "Mutations", "Genomes to pick from", bottom}};
}

void FlameWindowParts::drawPage(const std::string& name) {
  const bool fixed = drawEditHint(view_);
  if (editor_.open()) drawLost(editor_.genome());
  ImGui::BeginDisabled(fixed);
  if (name == "xforms") drawXformPage(editor_, tool_, clipboard_);
  if (name == "image") drawImagePage(editor_, engine_.rendering());
  if (name == "palette") drawPalettePage(editor_);
  if (name == "mutations") drawThumbnailPage(editor_, thumbnails_, favorites_);
  ImGui::EndDisabled();
  editor_.widgetHeld(widgetIsHeld());
}

std::optional<TechniqueStrip> FlameWindowParts::strip() const {
  const Timeline& timeline = view_.timeline();
  return TechniqueStrip{"timeline", "Timeline", "Keyframes, playback, motion", kStripHeight,
                        timeline.open() && timeline.moves()};
}

void FlameWindowParts::drawStrip() {
  if (!view_.timeline().open()) return;
  drawTimeline(view_);
  editor_.widgetHeld(widgetIsHeld());
}

// ---- Mouse and keys: while a film plays, neither edits

bool FlameWindowParts::interact(const PictureInput& input) {
  return !transport_.playing() && tool_.interact(input);
}

void FlameWindowParts::drawOverlay(PictureOverlay& overlay) {
  if (!transport_.playing()) tool_.drawOverlay(overlay);
}

void FlameWindowParts::changeGenome(const std::function<void(Genome&)>& change) {
  if (!transport_.playing()) editor_.change(change);
}

std::vector<Shortcut> FlameWindowParts::xformActions() {
  return {
      {"Fractal flames", "Add an xform", "N",
       [this] {
         changeGenome([](Genome& g) { addXform(g); });
         editor_.select(editor_.genome().xforms.size() - 1);
       }},
      {"Fractal flames", "Duplicate the selected xforms", "Ctrl+D",
       [this] {
         if (editor_.selected() >= editor_.genome().xforms.size()) return;
         changeGenome([this](Genome& g) { duplicateXforms(g, editor_.selection()); });
         editor_.select(editor_.genome().xforms.size() - 1);
       }},
      {"Fractal flames", "Delete the selected xforms", "Delete",
       [this] { changeGenome([this](Genome& g) { removeXforms(g, editor_.selection()); }); }},
      {"Fractal flames", "Copy the flame as XML", "Ctrl+Alt+C", [this] { clipboard_.copyFlame(); }},
      {"Fractal flames", "Copy the selected xforms as XML", "Alt+C",
       [this] { clipboard_.copyXforms(); }},
      {"Fractal flames", "Paste a flame or xforms from XML", "Ctrl+V",
       [this] {
         if (!transport_.playing()) clipboard_.paste();
       }},
      {"Fractal flames", "Show or hide triangles", "W",
       [this] { tool_.triangles = !tool_.triangles; }},
  };
}

std::vector<Shortcut> FlameWindowParts::filmActions() {
  const Timeline& timeline = editor_.timeline();
  return {
      {"Animation", "Play or stop", "Space", [this] { transport_.play(!transport_.playing()); }},
      {"Animation", "Previous frame", "Left", [this] { transport_.goBy(-1); }},
      {"Animation", "Next frame", "Right", [this] { transport_.goBy(1); }},
      {"Animation", "Previous keyframe", "PgUp",
       [this, &timeline] { transport_.goTo(timeline.timeBefore().value_or(timeline.time())); }},
      {"Animation", "Next keyframe", "PgDn",
       [this, &timeline] { transport_.goTo(timeline.timeAfter().value_or(timeline.time())); }},
      {"Animation", "Go to the beginning", "Home",
       [this, &timeline] { transport_.goTo(timeline.firstTime()); }},
      {"Animation", "Go to the end", "End",
       [this, &timeline] { transport_.goTo(timeline.lastTime()); }},
      {"Animation", "Add a keyframe", "Ctrl+K",
       [this] { editor_.edit([](Timeline& t) { t.addKeyframe(); }); }},
      {"Animation", "Delete the keyframe", "Shift+Delete",
       [this] {
         editor_.edit([](Timeline& t) {
           if (t.onKeyframe()) t.removeKeyframe(t.current());
         });
       }},
  };
}

std::vector<Shortcut> FlameWindowParts::actions() {
  std::vector<Shortcut> list = xformActions();
  for (Shortcut& shortcut : filmActions()) list.push_back(std::move(shortcut));
  for (const auto& [text, gesture] :
       {std::pair("Move a corner of a triangle", "Drag"),
        std::pair("Rotate the triangle", "Shift+Drag"),
        std::pair("Scale the triangle", "Ctrl+Drag"), std::pair("Pan", "Drag outside triangles"),
        std::pair("Rotate the camera", "Ctrl+Drag outside triangles"),
        std::pair("Zoom in, zoom out", "Wheel")})
    list.push_back({"Fractal flames", text, gesture, {}});
  return list;
}

}  // namespace fathom::flame
