// SPDX-License-Identifier: BSD-3-Clause
// The page of mutations: small pictures of genomes to pick from.
#include "app/engine/core/error.h"
#include "app/window/flame/pages.h"
#include "app/window/ui/widgets.h"

namespace fathom::flame {
using namespace ui;

namespace {

/// True once what was changed is let go: the grid is then filled again.
bool drawChange(Change& change) {
  const double low = 0, high = 1;
  ImGui::SetNextItemWidth(px(140));
  ImGui::SliderScalar("##strength", ImGuiDataType_Double, &change.strength, &low, &high,
                      "Strength %.2f");
  Landmarks::note("offers:strength");
  tooltip("How far mutations go.");
  bool done = ImGui::IsItemDeactivatedAfterEdit();
  done |= ImGui::Checkbox("Keep framing", &change.keepsFraming);
  Landmarks::note("offers:keep-framing");
  tooltip("The camera stays, even where little of the image would be seen.");
  return done;
}

/// What the last change of the favorites could not do.
std::string favoritesProblem;

void changeFavorites(const std::function<void()>& change) {
  favoritesProblem.clear();
  try {
    change();
  } catch (const Error& error) {
    favoritesProblem = error.what();
  }
}

/// What the grid is filled with.
void drawSources(Editor& editor, Thumbnails& thumbnails, Favorites& favorites) {
  using Source = Thumbnails::Source;
  const std::vector<Genome>& flames = editor.timeline().genomes();
  const auto fill = [&](Source source, std::uint64_t seed) {
    thumbnails.fill(editor.genome(), source == Source::Favorites ? favorites.list() : flames,
                    source, seed);
  };
  const ImVec2 wide(px(140), 0);
  if (thumbnails.list().empty())
    fill(flames.size() > 1 ? Source::File : Source::Mutations, thumbnails.seed());
  const auto offer = [&](const char* label, const char* landmark, const char* about,
                         Source source) {
    if (button(label, landmark, wide, about)) fill(source, thumbnails.seed());
  };
  if (flames.size() > 1) {
    offer("Flames of the file", "offers:file", "All flames of the file; a click shows one.",
          Source::File);
    offer("Children", "offers:children",
          "Crosses of the current flame with each of the others: xforms of both.",
          Source::Children);
  }
  offer("Mutations", "offers:mutations", "Mutations of the current genome, one of each kind.",
        Source::Mutations);
  offer("Random", "offers:random", "New genomes.", Source::Random);
  if (!favorites.list().empty())
    offer("Favorites", "offers:favorites",
          "Favorites: click to open one, right-click to remove it.", Source::Favorites);
  if (button("Add to favorites", "offers:keep", wide, "Adds the current flame to the favorites.")) {
    changeFavorites([&] { favorites.add(editor.genome()); });
    fill(Source::Favorites, thumbnails.seed());
  }
  if (!favoritesProblem.empty()) textIn(fonts().small, color::kError, favoritesProblem);
  if (button("New batch", "offers:others", wide, "The same with the next seed."))
    fill(thumbnails.source(), thumbnails.seed() + 1);
  dimText(fmt::format("seed {}", thumbnails.seed()));
  if (drawChange(thumbnails.change())) fill(thumbnails.source(), thumbnails.seed());
}

/// True when it was clicked.
bool drawThumbnail(const Thumbnail& thumbnail, std::size_t index, ImVec2 size) {
  const ImVec2 low = ImGui::GetCursorScreenPos(), high(low.x + size.x, low.y + size.y);
  const bool ready = bool(thumbnail.picture);
  const bool clicked = ImGui::InvisibleButton("offer", size) && ready;
  if (ready) Landmarks::note("offer:" + std::to_string(index));
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(low, high, packed(color::kBar), px(4));
  if (ready) drawPictureWithin(draw, thumbnail.picture, low, high, px(4));
  if (ImGui::IsItemHovered()) draw.AddRect(low, high, packed(color::kAccent), px(4), 0, px(2));
  if (ready) tooltip(thumbnail.title);
  return clicked;
}

}  // namespace

void drawThumbnailPage(Editor& editor, Thumbnails& thumbnails, Favorites& favorites) {
  if (!editor.open()) return;
  ImGui::BeginChild("actions", {px(156), 0}, false, ImGuiWindowFlags_NavFlattened);
  drawSources(editor, thumbnails, favorites);
  ImGui::EndChild();
  ImGui::SameLine();
  ImGui::BeginChild("grid", {0, 0}, false, ImGuiWindowFlags_NavFlattened);
  const ImVec2 size(px(116), px(87));
  const float gap = px(8);
  const int columns = std::max(1, int((ImGui::GetContentRegionAvail().x + gap) / (size.x + gap)));
  const Thumbnail* picked = nullptr;
  std::size_t pickedIndex = 0;
  std::optional<std::size_t> forgotten;
  for (std::size_t i = 0; i < thumbnails.list().size(); ++i) {
    if (i % std::size_t(columns) != 0) ImGui::SameLine(0, gap);
    const IdScope scope{int(i)};
    if (drawThumbnail(thumbnails.list()[i], i, size))
      picked = &thumbnails.list()[i], pickedIndex = i;
    if (thumbnails.source() == Thumbnails::Source::Favorites && ImGui::IsItemClicked(1))
      forgotten = i;
  }
  if (forgotten) {
    changeFavorites([&] { favorites.remove(*forgotten); });
    thumbnails.fill(editor.genome(), favorites.list(), Thumbnails::Source::Favorites,
                    thumbnails.seed());
    picked = nullptr;
  }
  if (picked && thumbnails.source() == Thumbnails::Source::File)
    editor.show(pickedIndex);
  else if (picked)
    editor.take(Genome(picked->genome), picked->fileName);
  ImGui::EndChild();
}

}  // namespace fathom::flame
