// SPDX-License-Identifier: BSD-3-Clause
// The timeline below the picture: buttons to play and to edit keyframes, and a ruler with the
// keyframes, the frames that are kept and the playhead.
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/motion/keyframes.h"
#include "app/window/flame/pages.h"
#include "app/window/ui/widgets.h"

namespace fathom::flame {
using namespace ui;
namespace {

// ---- Menus

constexpr int kMaxKeyframes = 10000;

template <class E>
void comboRow(const char* label, E& value, std::initializer_list<const char*> names) {
  rowLabel(label);
  choiceList(std::string("list:") + label, value, names, -1);
}

void drawShutter(Genome& g) {
  heading("Shutter");
  comboRow("Filter", g.temporalFilter, {"box", "gaussian", "exp"});
  numberRow("Width", g.temporalFilterWidth, 0.005f, 0, 100, "%.3f frames",
            "How long the shutter is open; 0: a still.");
  if (g.temporalFilter == TemporalFilter::Exp)
    numberRow("Exponent", g.temporalFilterExp, 0.01f, -20, 20, "%.2f");
  double samples = g.temporalSamples;
  if (numberRow("Moments", samples, 1, 1, 4096, "%.0f")) g.temporalSamples = int(samples);
}

void drawSegmentMenu(const TimelineView& view) {
  ImGui::SetNextWindowSize({px(340), 0});
  if (!ImGui::BeginPopup("segment")) return;
  const Timeline& timeline = view.timeline();
  const std::vector<Genome>& keys = timeline.genomes();
  const std::size_t index = std::min(timeline.current(), keys.size() - 2);
  Genome next = keys[index];
  textIn(fonts().strong, color::kText,
         fmt::format("Frame {:g} to {:g}", next.time, keys[index + 1].time));
  rowLabel("Motion");
  int how = int(next.interpolation);
  if (segments("interpolation", how, {"linear", "smooth"}, ImGui::GetContentRegionAvail().x))
    next.interpolation = Interpolation(how);
  if (index == 0 || index + 2 >= keys.size())
    wrappedText(fonts().small, color::kDim,
                "The first and the last segment are linear in any case.");
  comboRow("Matrices", next.matrixInterpolation, {"log: turn and grow", "linear", "old", "older"});
  comboRow("Palette", next.paletteInterpolation, {"hsv", "hsv circular", "rgb", "sweep"});
  if (next.paletteInterpolation == PaletteInterpolation::HsvCircular)
    numberRow("RGB share", next.hsvRgbPaletteBlend, 0.005f, 0, 1, "%.2f");
  drawShutter(next);
  if (!(next == keys[index])) view.editor.edit([&](Timeline& t) { t.setAt(index, next); });
  ImGui::Dummy({0, px(4)});
  if (button("Apply to all segments", "segment:all", {-1, 0}))
    view.editor.edit([&](Timeline& t) {
      const auto segment = [](Genome& g) {
        return std::tie(g.interpolation, g.matrixInterpolation, g.paletteInterpolation,
                        g.hsvRgbPaletteBlend, g.temporalFilter, g.temporalFilterWidth,
                        g.temporalFilterExp, g.temporalSamples);
      };
      for (std::size_t i = 0; i < t.genomes().size(); ++i) {
        Genome genome = t.genomes()[i];
        segment(genome) = segment(next);
        t.setAt(i, std::move(genome));
      }
    });
  closeOnEscape();
  ImGui::EndPopup();
}

void makeSequence(const TimelineView& view, int frames, int loops, double stagger) {
  view.editor.edit([&](Timeline& t) {
    std::vector<Genome> flock = t.genomes();
    for (Genome& genome : flock)
      if (genome.size != flock[0].size) genome = framed(genome, flock[0].size);
    t.replaceAll(sheepSequence(flock, frames, loops, stagger), 0, 0);
  });
  view.ruler.fit(view.timeline().firstTime(), view.timeline().lastTime());
  ImGui::CloseCurrentPopup();
}

/// Of what cannot be edited as it is.
void drawFreezing(const TimelineView& view) {
  static double every = 10;
  textIn(fonts().strong, color::kText, "Keyframes of this animation");
  wrappedText(fonts().small, color::kDim,
              "An animation of curves can only be viewed; its keyframes can be edited and saved as "
              "flames.");
  numberRow("Every", every, 0.2f, 1, 10000, "%.0f frames");
  every = std::round(every);
  const double count =
      std::ceil((view.timeline().lastTime() - view.timeline().firstTime()) / every) + 1;
  if (button("Make keyframes", "film:freeze", {-1, 0}, "", count <= kMaxKeyframes)) {
    view.editor.freeze(every);
    ImGui::CloseCurrentPopup();
  }
}

void drawSequences(const TimelineView& view) {
  static double frames = 60, loops = 1, stagger = 0, apart = 60;
  const std::size_t flames = view.timeline().genomes().size();
  textIn(fonts().strong, color::kText, flames == 1 ? "A loop" : "Loops and edges");
  wrappedText(fonts().small, color::kDim,
              flames == 1
                  ? "The flame turns: every frame becomes a keyframe."
                  : "Each flame rotates, then morphs into the next: every frame is a keyframe.");
  numberRow("Frames", frames, 0.5f, 1, 1000, "%.0f", "Of each loop and each edge.");
  numberRow("Loops", loops, 0.05f, flames == 1 ? 1 : 0, 100, "%.0f");
  if (flames > 1)
    numberRow("Stagger", stagger, 0.005f, 0, 1, "%.2f", "How far apart in time xforms change.");
  const double total = frames * (loops * double(flames) + double(flames - 1)) + 1;
  const bool fits = total <= kMaxKeyframes;
  if (button(fits ? fmt::format("Make {:.0f} keyframes", total) : "Too many keyframes",
             "film:sequence", {-1, 0}, "", fits))
    makeSequence(view, int(frames), int(loops), stagger);
  if (flames > 1) {
    ImGui::Dummy({0, px(4)});
    textIn(fonts().strong, color::kText, "Equal spacing");
    numberRow("Frames apart", apart, 0.5f, 1, 10000, "%.0f");
    if (button("Space evenly", "film:spread", {-1, 0})) {
      view.editor.edit([&](Timeline& t) { t.spread(std::round(apart)); });
      view.ruler.fit(view.timeline().firstTime(), view.timeline().lastTime());
      ImGui::CloseCurrentPopup();
    }
  }
}

void drawFilmMenu(const TimelineView& view) {
  ImGui::SetNextWindowSize({px(340), 0});
  if (!ImGui::BeginPopup("film")) return;
  if (view.timeline().editable())
    drawSequences(view);
  else
    drawFreezing(view);
  closeOnEscape();
  ImGui::EndPopup();
}

void drawTimelineMenus(const TimelineView& view) {
  drawSegmentMenu(view);
  drawFilmMenu(view);
}

// ---- The strip

constexpr float kKeyReach = 8;    // pixels within which a keyframe is meant
constexpr float kClickReach = 3;  // pixels
constexpr float kAllButtons = 900;

std::string frameText(double time) {
  const bool whole = std::abs(time - std::round(time)) < 5e-3;
  return fmt::format("{:.{}f}", whole ? std::round(time) : time, whole ? 0 : 2);
}

// ---- Buttons

enum class Icon { First, Before, Play, Stop, After, Last };

void drawIcon(ImDrawList& draw, ImVec2 middle, Icon icon, ImU32 tint) {
  const float h = px(5), w = px(4.5f);
  const auto triangle = [&](float x, float way) {
    draw.AddTriangleFilled({x - way * w, middle.y - h}, {x - way * w, middle.y + h},
                           {x + way * w, middle.y}, tint);
  };
  const auto bar = [&](float x) {
    draw.AddRectFilled({x - px(1), middle.y - h}, {x + px(1), middle.y + h}, tint);
  };
  const auto diamond = [&](float x) {
    draw.AddQuadFilled({x - px(3.5f), middle.y}, {x, middle.y - px(3.5f)}, {x + px(3.5f), middle.y},
                       {x, middle.y + px(3.5f)}, tint);
  };
  switch (icon) {
    case Icon::First:
      return bar(middle.x - px(5)), triangle(middle.x + px(1.5f), -1);
    case Icon::Last:
      return bar(middle.x + px(5)), triangle(middle.x - px(1.5f), 1);
    case Icon::Before:
      return triangle(middle.x - px(4), -1), diamond(middle.x + px(5));
    case Icon::After:
      return triangle(middle.x + px(4), 1), diamond(middle.x - px(5));
    case Icon::Play:
      return draw.AddTriangleFilled({middle.x - px(5), middle.y - px(6)},
                                    {middle.x - px(5), middle.y + px(6)},
                                    {middle.x + px(6.5f), middle.y}, tint);
    case Icon::Stop:
      return draw.AddRectFilled({middle.x - px(5), middle.y - px(5)},
                                {middle.x + px(5), middle.y + px(5)}, tint, px(1));
  }
}

bool iconButton(const char* name, Icon icon, const std::string& about, bool enabled = true) {
  const bool wide = icon == Icon::Play || icon == Icon::Stop;
  const bool pressed = button(std::string("##") + name, std::string("timeline:") + name,
                              {px(wide ? 46 : 32), 0}, about, enabled);
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const float alpha = enabled ? 1.0f : 0.4f;
  drawIcon(*ImGui::GetWindowDrawList(), {(low.x + high.x) / 2, (low.y + high.y) / 2}, icon,
           packed(wide ? color::kAccent : color::kText, alpha));
  ImGui::SameLine(0, px(3));
  return pressed;
}

bool textButton(const char* label, const char* name, const std::string& about,
                bool enabled = true) {
  return button(label, std::string("timeline:") + name, {0, 0}, about, enabled);
}

void drawTransport(const TimelineView& view) {
  const Timeline& timeline = view.timeline();
  const bool moves = timeline.moves(), playing = view.transport.playing();
  const auto before = timeline.timeBefore(), after = timeline.timeAfter();
  if (iconButton("first", Icon::First, "Go to the beginning (Home)", moves))
    view.transport.goTo(timeline.firstTime());
  if (iconButton("before", Icon::Before, "Previous keyframe (PgUp)", moves && before))
    view.transport.goTo(*before);
  if (iconButton("play", playing ? Icon::Stop : Icon::Play, "Play or stop (Space)", moves))
    view.transport.play(!playing);
  if (iconButton("after", Icon::After, "Next keyframe (PgDn)", moves && after))
    view.transport.goTo(*after);
  if (iconButton("last", Icon::Last, "Go to the end (End)", moves))
    view.transport.goTo(timeline.lastTime());
}

/// True while it is dragged.
bool drawTime(const TimelineView& view) {
  const Timeline& timeline = view.timeline();
  ImGui::SameLine(0, px(10));
  double time = timeline.time();
  const std::string format = "frame " + frameText(time);
  ImGui::SetNextItemWidth(px(104));
  const double low = -1e5, high = 1e5;
  if (ImGui::DragScalar("##time", ImGuiDataType_Double, &time, 0.2f, &low, &high, format.c_str()))
    view.transport.goTo(ImGui::GetIO().KeyAlt || ImGui::GetIO().WantTextInput ? time
                                                                              : std::round(time));
  tooltip("The playhead: drag, or Ctrl+click and type.",
          "Left and Right: previous and next frame.");
  Landmarks::note("timeline:time");
  return ImGui::IsItemActive() && !ImGui::GetIO().WantTextInput;
}

void drawPlaying(const TimelineView& view) {
  PlaybackSettings& playback = view.transport.settings();
  ImGui::SetNextItemWidth(px(66));
  ImGui::DragFloat("##rate", &playback.frameRate, 0.1f, kMinFrameRate, kMaxFrameRate, "%.0f fps",
                   ImGuiSliderFlags_AlwaysClamp);
  tooltip("Frames per second. Frames that are not ready in time are skipped.");
  ImGui::SameLine(0, px(6));
  if (barButton("Loop", "timeline:loop", playback.loop, "Start over at the end"))
    playback.loop = !playback.loop;
  ImGui::SameLine(0, px(2));
  if (barButton("Blur", "timeline:blur", playback.motionBlur,
                "Motion blur: an open shutter, as in animate"))
    playback.motionBlur = !playback.motionBlur;
}

void drawKeyButtons(const TimelineView& view, float gap) {
  const Timeline& timeline = view.timeline();
  Editor& editor = view.editor;
  const auto next = [&] {
    if (gap > 0) ImGui::SameLine(0, gap);
  };
  const bool edits = timeline.editable() && !view.transport.playing();
  const std::size_t key = timeline.current();
  const bool on = timeline.onKeyframe() && timeline.time() == timeline.shownTime();
  const bool one = timeline.genomes().size() == 1;
  if (textButton("Add key", "add", "Add the current flame as a keyframe (Ctrl+K)",
                 edits && !on && (one || timeline.moves())))
    editor.edit([](Timeline& t) { t.addKeyframe(); });
  next();
  if (textButton("Copy", "copy", "Copy the keyframe",
                 edits && timeline.moves() && timeline.onKeyframe()))
    editor.edit([&](Timeline& t) { t.duplicateKeyframe(key); });
  next();
  if (textButton("Delete", "delete", "Delete this keyframe (Shift+Delete)",
                 edits && !one && timeline.onKeyframe()))
    editor.edit([&](Timeline& t) { t.removeKeyframe(key); });
  next();
  if (textButton("Segment ...", "segment", "How one keyframe becomes the next; the shutter",
                 edits && timeline.moves()))
    ImGui::OpenPopup("segment");
  next();
  if (textButton("Animate ...", "film", "Make keyframes of the open flames",
                 !view.transport.playing()))
    ImGui::OpenPopup("film");
}

/// True while the time is dragged.
bool drawControls(const TimelineView& view) {
  const float room = ImGui::GetContentRegionAvail().x;
  drawTransport(view);
  const bool dragged = drawTime(view);
  if (room >= px(kAllButtons)) {
    ImGui::SameLine(0, px(6));
    drawPlaying(view);
    ImGui::SameLine(0, px(18));
    drawKeyButtons(view, px(6));
  } else {
    ImGui::SameLine(0, px(8));
    if (textButton("More ...", "more", "Speed, loop, keyframes")) ImGui::OpenPopup("more");
    if (ImGui::BeginPopup("more")) {
      drawPlaying(view);
      drawKeyButtons(view, 0);
      drawTimelineMenus(view);
      closeOnEscape();
      ImGui::EndPopup();
    }
  }
  drawTimelineMenus(view);
  return dragged;
}

// ---- The ruler

struct Canvas {
  ImDrawList& draw;
  ImVec2 low, high;
  float marks, kept, track;  // y of: lower end of the numbers, frames that are kept, keyframes
};

void drawMarks(const Canvas& c, const Ruler& ruler) {
  const double step = ruler.step(px(56)), fine = ruler.step(px(9));
  for (double t = std::ceil(ruler.low() / fine) * fine; t < ruler.high(); t += fine) {
    const bool named = std::abs(std::remainder(t, step)) < 1e-6;
    const float x = std::round(ruler.xAt(t));
    c.draw.AddLine({x, c.marks - px(named ? 6 : 3)}, {x, c.marks},
                   packed(named ? color::kFaint : color::kLine), 1);
    if (!named) continue;
    const std::string text = frameText(t);
    const float width = textSize(fonts().small, text).x;
    if (x - width / 2 < c.low.x + 2 || x + width / 2 > c.high.x - 2) continue;
    drawText(c.draw, fonts().small, {x, c.low.y + px(1)}, color::kDim, text, 0.5f);
  }
}

/// Frames that are kept, as a bar.
void drawKept(const Canvas& c, const TimelineView& view, const Ruler& ruler) {
  const Timeline& timeline = view.timeline();
  if (!timeline.moves()) return;
  const auto rectangle = [&](double from, double to, ImVec4 tint) {
    c.draw.AddRectFilled({std::max(c.low.x, ruler.xAt(from)), c.kept},
                         {std::min(c.high.x, ruler.xAt(to)), c.kept + px(4)}, packed(tint));
  };
  rectangle(timeline.firstTime(), timeline.lastTime(), color::kPress);
  const FrameRange range = view.transport.range();
  int runs = -1, count = 0;
  const std::vector<bool> kept = view.preview.kept(view.transport, view.settings);
  for (int frame = range.first; frame <= range.last + 1; ++frame) {
    const bool there = frame <= range.last && kept[std::size_t(frame - range.first)];
    count += there;
    if (there && runs < 0) runs = frame - range.first;
    if (there || runs < 0) continue;
    rectangle(range.first + runs, frame, color::kAccent);
    runs = -1;
  }
  Landmarks::note(fmt::format("timeline:kept={}", count), {c.low.x, c.kept},
                  {c.high.x, c.kept + px(4)});
}

/// Flames without times have no place on the ruler.
bool showsKeyframes(const Timeline& timeline) {
  return timeline.editable() && (timeline.moves() || timeline.genomes().size() == 1);
}

void drawKeyframes(const Canvas& c, const Timeline& timeline, const Ruler& ruler, int hot) {
  if (!showsKeyframes(timeline)) return;
  const std::vector<Genome>& keys = timeline.genomes();
  float labelEnd = -1e9f;
  for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
    const bool smooth =
        keys[i].interpolation == Interpolation::Smooth && i > 0 && i + 2 < keys.size();
    c.draw.AddLine({ruler.xAt(keys[i].time), c.track}, {ruler.xAt(keys[i + 1].time), c.track},
                   packed(smooth ? color::kThird : color::kFaint), px(smooth ? 2.5f : 1.5f));
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const float x = ruler.xAt(keys[i].time);
    if (x < c.low.x - px(8) || x > c.high.x + px(8)) continue;
    const bool chosen = timeline.current() == i && timeline.onKeyframe();
    const float r = px(int(i) == hot || chosen ? 6.5f : 5.0f);
    const ImVec2 points[4] = {
        {x - r, c.track}, {x, c.track - r}, {x + r, c.track}, {x, c.track + r}};
    c.draw.AddConvexPolyFilled(points, 4, packed(chosen ? color::kAccent : color::kText));
    c.draw.AddPolyline(points, 4, packed(color::kBar), ImDrawFlags_Closed, px(1.5f));
    Landmarks::note("key:" + std::to_string(i), {x - r, c.track - r}, {x + r, c.track + r});
    std::string name = keys[i].name.empty() ? std::to_string(i + 1) : keys[i].name;
    if (name.size() > 14) name = name.substr(0, 12) + "..";
    const float width = textSize(fonts().small, name).x;
    const float left = std::clamp(x - width / 2, c.low.x + px(3), c.high.x - width - px(3));
    if (left < labelEnd + px(8)) continue;
    labelEnd = left + width;
    drawText(c.draw, fonts().small, {left, c.track + px(7)}, chosen ? color::kAccent : color::kDim,
             name);
  }
}

void drawHint(const Canvas& c, const Timeline& timeline, const Ruler& ruler) {
  if (timeline.moves()) return;
  const std::string hint =
      timeline.genomes().size() == 1
          ? "A still. Move the playhead and add a keyframe, or make a loop: Animate ..."
          : fmt::format("{} flames without times. Animate ... makes keyframes of them.",
                        timeline.genomes().size());
  const float x = std::max(ruler.xAt(timeline.genomes()[0].time), c.low.x) + px(70);
  c.draw.AddText(fonts().text, fonts().text->FontSize, {x, c.track - fonts().text->FontSize / 2},
                 packed(color::kDim), fitting(fonts().text, hint, c.high.x - x).c_str());
}

void drawPlayhead(const Canvas& c, const Timeline& timeline, const Ruler& ruler) {
  const float x = std::round(ruler.xAt(timeline.time()));
  Landmarks::note("timeline:at=" + frameText(timeline.time()), {x - 2, c.low.y}, {x + 2, c.high.y});
  if (x < c.low.x - 1 || x > c.high.x + 1) return;
  const ImU32 tint = packed(color::kSecond);
  c.draw.AddLine({x, c.low.y}, {x, c.high.y}, tint, px(1.5f));
  const ImVec2 flag[5] = {{x - px(5), c.low.y},
                          {x + px(5), c.low.y},
                          {x + px(5), c.low.y + px(7)},
                          {x, c.low.y + px(12)},
                          {x - px(5), c.low.y + px(7)}};
  c.draw.AddConvexPolyFilled(flag, 5, tint);
}

/// The keyframe under the mouse, or -1.
int keyAt(const Canvas& c, const Timeline& timeline, const Ruler& ruler) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!showsKeyframes(timeline) || std::abs(mouse.y - c.track) > px(14)) return -1;
  int found = -1;
  float nearest = px(kKeyReach);
  for (std::size_t i = 0; i < timeline.genomes().size(); ++i) {
    const float distance = std::abs(ruler.xAt(timeline.genomes()[i].time) - mouse.x);
    if (distance < nearest) nearest = distance, found = int(i);
  }
  return found;
}

/// What the mouse holds on the ruler.
struct RulerDrag {
  enum class What { None, Playhead, Keyframe, View } what = What::None;
  std::size_t key = 0;
  float from = 0;
  bool far = false;  // no longer a click
};

void beginDrag(RulerDrag& drag, const TimelineView& view, int hot) {
  const bool left = ImGui::IsMouseDown(ImGuiMouseButton_Left);
  drag.what = !left     ? RulerDrag::What::View
              : hot < 0 ? RulerDrag::What::Playhead
                        : RulerDrag::What::Keyframe;
  drag.key = std::size_t(std::max(hot, 0));
  drag.from = ImGui::GetIO().MousePos.x;
  drag.far = false;
  if (drag.what == RulerDrag::What::Keyframe)
    view.transport.goTo(view.timeline().genomes()[drag.key].time);
}

/// Moves the playhead or a keyframe, selects, zooms and pans.
void interactWithRuler(const Canvas& c, const TimelineView& view, int hot, RulerDrag& drag) {
  const ImGuiIO& io = ImGui::GetIO();
  Ruler& ruler = view.ruler;
  if (ImGui::IsItemHovered() && io.MouseWheel != 0)
    ruler.zoomAt(io.MousePos.x, std::pow(1.2, double(io.MouseWheel)));
  if (ImGui::IsItemActivated()) beginDrag(drag, view, hot);
  const double under = ruler.timeAt(std::clamp(io.MousePos.x, c.low.x, c.high.x));
  const double to = io.KeyAlt ? under : std::round(under);
  drag.far = drag.far || std::abs(io.MousePos.x - drag.from) > px(kClickReach);
  // In the frame of the release, too: slow frames see no movement before it.
  if (drag.what == RulerDrag::What::View) ruler.pan(io.MouseDelta.x);
  if (drag.what == RulerDrag::What::Playhead) view.transport.goTo(to);
  if (drag.what == RulerDrag::What::Keyframe && drag.far)
    view.editor.edit([&](Timeline& t) { t.moveKeyframe(drag.key, to, !io.KeyAlt); });
  if (!ImGui::IsItemActive()) drag.what = RulerDrag::What::None;
}

/// True while the playhead is dragged.
bool drawRuler(const TimelineView& view) {
  static RulerDrag drag;
  const ImVec2 size = ImGui::GetContentRegionAvail();
  const ImVec2 low = ImGui::GetCursorScreenPos(), high(low.x + size.x, low.y + size.y);
  ImGui::InvisibleButton("##ruler", {std::max(size.x, 1.0f), std::max(size.y, 1.0f)},
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle);
  Landmarks::note("timeline:ruler");
  Ruler& ruler = view.ruler;
  ruler.place(low.x, size.x);
  const float marks = low.y + px(22);
  const Canvas c{*ImGui::GetWindowDrawList(), low, high, marks, marks + px(3), marks + px(20)};
  const int hot = ImGui::IsItemHovered() ? keyAt(c, view.timeline(), ruler) : -1;
  interactWithRuler(c, view, hot, drag);
  const bool holdsKey = drag.what == RulerDrag::What::Keyframe;
  if (hot >= 0 && drag.what == RulerDrag::What::None)
    ImGui::SetTooltip("frame %s%s",
                      frameText(view.timeline().genomes()[std::size_t(hot)].time).c_str(),
                      "\ndrag: moves it (Alt: between frames)");
  c.draw.AddRectFilled(low, high, packed(color::kBar), px(5));
  c.draw.PushClipRect(low, high, true);
  drawMarks(c, ruler);
  drawKept(c, view, ruler);
  drawKeyframes(c, view.timeline(), ruler, holdsKey ? int(drag.key) : hot);
  drawHint(c, view.timeline(), ruler);
  drawPlayhead(c, view.timeline(), ruler);
  c.draw.PopClipRect();
  return drag.what == RulerDrag::What::Playhead;
}

}  // namespace

void drawTimeline(const TimelineView& view) {
  const bool timeDragged = drawControls(view);
  const bool rulerDragged = drawRuler(view);
  view.transport.setScrubbing(timeDragged || rulerDragged);
}

}  // namespace fathom::flame
