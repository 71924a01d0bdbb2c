// SPDX-License-Identifier: BSD-3-Clause
// The status line (tabs of the strip, long work, pixel under the cursor, pass times, size), and
// what lies over the picture and its borders: progress of reading, and the drags that resize the
// panels.
#include "app/engine/core/text.h"
#include "app/engine/gpu/compiler.h"
#include "app/window/panels/panels.h"
#include "app/window/workspace/actions.h"

namespace fathom::viewer {
using namespace ui;

namespace {

struct TabName {
  PanelLayout::Tab tab;
  const char *title, *landmark, *about;
};
constexpr TabName kTabs[] = {
    {PanelLayout::Tab::Inspector, "Inspector", "tab:inspector", "The pixel under the cursor (I)"},
    {PanelLayout::Tab::Histogram, "Histogram", "tab:histogram", "Values of the image (Y)"},
    {PanelLayout::Tab::Timings, "Timings", "tab:timings", "Time of each pass (T)"},
    {PanelLayout::Tab::Memory, "Memory", "tab:memory", "Size of each buffer (M)"},
    {PanelLayout::Tab::Compare, "Compare", "tab:compare", "A and the reference B (J)"},
    {PanelLayout::Tab::Files, "Files", "tab:files", "Files of the folder (F3)"},
};

/// A tab of the strip: its name, lit while it is in front.
bool statusTab(const char* title, bool on, const char* about, const std::string& landmark) {
  const bool pressed = barButton(title, landmark, on, about);
  ImGui::SameLine(0, px(1));
  return pressed;
}

/// The strip's tabs; what does not fit is in a menu.
void drawTabs(Workspace& w, float room) {
  struct Entry {
    std::string title, about, landmark;
    bool on;
    std::function<void()> toggle;
  };
  std::vector<Entry> entries;
  const WindowParts& parts = w.document.active().parts();
  if (const auto strip = parts.strip()) {
    const bool shown = w.stripShown();
    entries.push_back({strip->title, strip->about, "bar:" + strip->name, shown, [&w, strip, shown] {
                         const auto chosen =
                             shown ? PanelLayout::Strip::Hidden : PanelLayout::Strip::Shown;
                         w.layout.strip =
                             strip->wanted == !shown ? PanelLayout::Strip::Auto : chosen;
                       }});
  }
  for (const TechniquePage& page : parts.pages())
    if (page.place == TechniquePage::Place::Strip)
      entries.push_back({page.title, page.about, "tab:" + page.name, w.inFront(page.name),
                         [&w, name = page.name] { w.toggle(name); }});
  for (const TabName& tab : kTabs)
    entries.push_back({tab.title, tab.about, tab.landmark, w.inFront(tab.tab),
                       [&w, which = tab.tab] { w.toggle(which); }});
  std::size_t fitting = 0;
  float used = buttonWidth("...");
  for (; fitting < entries.size(); ++fitting) {
    used += buttonWidth(entries[fitting].title.c_str()) + px(1);
    if (used > room) break;
  }
  for (std::size_t i = 0; i < fitting; ++i)
    if (statusTab(entries[i].title.c_str(), entries[i].on, entries[i].about.c_str(),
                  entries[i].landmark))
      entries[i].toggle();
  if (fitting == entries.size()) return;
  if (statusTab("...", false, "More pages", "tab:more")) ImGui::OpenPopup("##tabs");
  if (!ImGui::BeginPopup("##tabs")) return;
  for (std::size_t i = fitting; i < entries.size(); ++i) {
    if (ImGui::MenuItem(entries[i].title.c_str(), nullptr, entries[i].on)) entries[i].toggle();
    Landmarks::note(entries[i].landmark);
  }
  ImGui::EndPopup();
}

std::string pixelText(Workspace& w, std::optional<glm::ivec2> hovered) {
  const Engine* technique = w.document.technique();
  if (!technique || !hovered) return {};
  const glm::ivec2 at = *hovered + technique->frame().origin;
  std::string text = fmt::format("x {}  y {}", at.x, at.y);
  if (const auto pixel = w.inspector.pixel(); pixel && *pixel == *hovered) {
    const glm::vec4 v = w.inspector.value();
    text += fmt::format("   {:.4f}  {:.4f}  {:.4f}  {:.4f}   8-bit {} {} {}", v.r, v.g, v.b, v.a,
                        shownByte(w.display, v.r), shownByte(w.display, v.g),
                        shownByte(w.display, v.b));
  }
  return text;
}

/// Each pass of the last picture as its share of a thin bar; a click opens the timings.
void drawPassBar(Workspace& w, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetFrameHeight(), top = at.y + height / 2 - px(4);
  if (ImGui::InvisibleButton("##passes", {width, height}))
    w.layout.showTab(PanelLayout::Tab::Timings);
  Landmarks::note("status:passes");
  const auto& passes = w.gpu.timings().passes();
  double sum = 0;
  for (const gpu::PassTiming& pass : passes) sum += pass.gpuMs;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled({at.x, top}, {at.x + width, top + px(8)}, packed(color::kRaised), px(2));
  float x = at.x;
  const bool over = ImGui::IsItemHovered();
  for (std::size_t i = 0; i < passes.size() && sum > 0; ++i) {
    const float part = width * float(passes[i].gpuMs / sum);
    draw.AddRectFilled({x, top}, {x + part, top + px(8)}, packed(passColor(i)));
    const float mouse = ImGui::GetIO().MousePos.x;
    if (over && mouse >= x && mouse < x + part)
      ImGui::SetTooltip("%s: %.3f ms", passes[i].name.c_str(), passes[i].gpuMs);
    x += part;
  }
}

using Working = Engine::Working;

/// Of the technique, or on its picture.
std::optional<Working> ownWork(Document& document) {
  Engine* const technique = document.technique();
  if (!technique) return std::nullopt;
  const bool rendering = document.pictures().busy();
  std::function<void()> stop;
  if (rendering && document.pictures().refines())
    stop = [&document] { document.pictures().stop(); };
  const auto own = document.active().working();
  if (own && own->stop) return own;
  if (own && rendering) return Working{own->what, own->share, stop};
  return rendering ? std::optional(Working{"Rendering", 0, stop}) : std::nullopt;
}

/// Long work, what takes longest first.
std::optional<Working> longWork(Workspace& w) {
  Document& document = w.document;
  if (Progress* const progress = document.loader().progress())
    return Working{progress->phase().empty() ? "Reading" : progress->phase(), progress->fraction(),
                   [&document] { document.loader().cancel(); }};
  if (const gpu::CompileProgress compiling = w.gpu.compileProgress(); compiling.total > 0)
    return Working{"Compiling", double(compiling.ready) / compiling.total, {}};
  if (w.recorder.running())
    return Working{"Recording", w.recorder.progress(), [&w] { cancelRecording(w); }};
  if (w.writer.working()) return Working{"Saving", 0, {}};
  return ownWork(document);
}

/// How long the work that is shown will still take, by how far it has come in the last seconds.
class RemainingTime {
 public:
  std::optional<double> seconds(const Working& work) {
    const Mark now{Clock::now(), work.share};
    if (work.what != what_ || work.share < from_.share)
      what_ = work.what, from_ = next_ = now;
    else if (now.at - next_.at > kRemembered)
      from_ = std::exchange(next_, now);
    const double seconds = std::chrono::duration<double>(now.at - from_.at).count();
    const double made = work.share - from_.share;
    if (seconds <= 1 || made <= 0.002) return std::nullopt;
    return seconds / made * (1 - work.share);
  }
  void forget() { what_.clear(); }

 private:
  static constexpr std::chrono::seconds kRemembered{5};
  struct Mark {
    Clock::time_point at{};
    double share = 0;
  };
  std::string what_;
  Mark from_, next_;
};

/// "Rendering 28 %, 71 s left" with a way to stop it.
void drawPill(Workspace& w) {
  static RemainingTime remaining;
  const auto work = longWork(w);
  if (!work) return remaining.forget();
  std::string text = work->what;
  if (work->share > 0) text += fmt::format(" {:.0f} %", work->share * 100);
  if (const auto left = remaining.seconds(*work)) text += fmt::format(", {:.0f} s left", *left);
  textIn(fonts().small, color::kAccent, text);
  Landmarks::note("status:work");
  Landmarks::note(fmt::format("status:share:{}={:.3f}", work->what, work->share));
  if (work->stop) {
    ImGui::SameLine(0, px(4));
    if (barButton("\u00d7", "status:stop", false, "Stop")) work->stop();
  }
  ImGui::SameLine(0, px(14));
}

std::string rightText(const Workspace& w) {
  std::string right;
  const glm::ivec2 size = w.document.pictures().size();
  if (w.document.hasPicture()) right += fmt::format("{} x {}   ", size.x, size.y);
  const double scale = w.document.pictures().scale();
  if (scale < 1 && w.document.pictures().busy())
    right += fmt::format("Preview {:.0f} %   ", scale * 100);
  const gpu::Timings& timings = w.gpu.timings();
  if (!timings.passes().empty()) right += fmt::format("GPU {:.2f} ms   ", timings.gpuSumMs());
  return right + gpu::bytesText(w.gpu.memory().totalBytes());
}

}  // namespace

void drawStatusLine(Workspace& w, const Area& area, std::optional<glm::ivec2> hovered) {
  ImGui::PushFont(fonts().small);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {px(7), px(3)});
  beginFixed("##status", area, color::kBar,
             {px(8), std::round((area.height - ImGui::GetFrameHeight()) / 2)});
  edge({area.x, area.y}, {area.x + area.width, area.y});
  const std::string right = rightText(w);
  const float bar = area.width > px(1000) ? px(120) : px(60);
  const float end = ImGui::CalcTextSize(right.c_str()).x + bar + px(30);
  const std::string pixel = pixelText(w, hovered);
  drawTabs(w, std::max(px(60), area.width - end - px(area.width > px(1000) ? 430 : 120)));
  ImGui::SameLine(0, px(12));
  ImGui::AlignTextToFramePadding();
  drawPill(w);
  const float room = area.width - end - ImGui::GetCursorPosX() - px(10);
  if (room > px(60)) {
    ImGui::AlignTextToFramePadding();
    textToFit(fonts().small, color::kText, pixel, room);
    Landmarks::note("status:pixel");
  }
  ImGui::SameLine(std::max(area.width - end, ImGui::GetCursorPosX()));
  drawPassBar(w, bar);
  ImGui::SameLine(0, px(10));
  ImGui::AlignTextToFramePadding();
  textToFit(fonts().small, color::kDim, right, area.width - ImGui::GetCursorPosX() - px(2));
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PopFont();
}

void drawProgress(Workspace& w, const Area& area) {
  Progress* progress = w.document.loader().progress();
  if (!progress) return;
  ImGui::SetNextWindowPos({area.x + area.width / 2, area.y + px(16)}, ImGuiCond_Always, {0.5f, 0});
  ImGui::SetNextWindowSize({std::min(px(420), area.width - px(20)), 0});
  ImGui::Begin("##progress", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::TextUnformatted(joined(w.document.loader().inputs(), ", ", fileName).c_str());
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - buttonWidth("Cancel"));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ImGui::GetStyle().FramePadding.x, 0});
  if (button("Cancel", "progress:cancel")) w.document.loader().cancel();
  ImGui::PopStyleVar();
  if (const std::string question = progress->question(); !question.empty()) {
    wrappedText(fonts().text, color::kText, question);
    if (button("Open anyway", "progress:yes")) progress->answer(true);
    ImGui::End();
    return;
  }
  const std::string phase = progress->phase();
  dimText(phase.empty() ? "Starting" : phase);
  meter(float(progress->fraction()), color::kAccent, ImGui::GetContentRegionAvail().x, px(6));
  ImGui::End();
}

namespace {

constexpr float kMinSideWidth = 240, kMinBottomHeight = 120, kMaxPanel = 900;  // see describe()

/// How far a border was dragged in this frame, in window pixels.
ImVec2 dragBorder(const char* name, ImVec2 at, ImVec2 size, ImGuiMouseCursor cursor) {
  ImGui::SetNextWindowPos(at);
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::Begin(name, nullptr,
               (kFixedFlags & ~ImGuiWindowFlags_NoBringToFrontOnFocus) |
                   ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PopStyleVar(3);
  ImGui::InvisibleButton("##grip", size);
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) ImGui::SetMouseCursor(cursor);
  const ImVec2 moved = ImGui::IsItemActive() ? ImGui::GetIO().MouseDelta : ImVec2(0, 0);
  ImGui::End();
  return moved;
}

}  // namespace

void dragBorders(PanelLayout& layout, const Areas& areas) {
  const float reach = px(6);
  if (layout.side) {
    const Area& side = areas.side;
    const ImVec2 moved = dragBorder("##side border", {side.x - reach / 2, side.y},
                                    {reach, side.height}, ImGuiMouseCursor_ResizeEW);
    if (moved.x != 0)
      layout.sideWidth = std::clamp((side.width - moved.x) / uiScale(), kMinSideWidth, kMaxPanel);
  }
  if (layout.bottom) {
    const Area& bottom = areas.bottom;
    const ImVec2 moved = dragBorder("##bottom border", {bottom.x, bottom.y - reach / 2},
                                    {bottom.width, reach}, ImGuiMouseCursor_ResizeNS);
    layout.bottomHeight =
        std::clamp(layout.bottomHeight - moved.y / uiScale(), kMinBottomHeight, kMaxPanel);
  }
}

}  // namespace fathom::viewer
