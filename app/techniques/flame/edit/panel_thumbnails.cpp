// SPDX-License-Identifier: BSD-3-Clause
// The page of mutations: small pictures of genomes to pick from.
#include "app/techniques/flame/edit/panel_rows.h"
#include "app/techniques/flame/edit/panels.h"

#include <fmt/format.h>

#include <cstdint>

namespace fathom::flame {
using namespace ui;

void drawThumbnailPage(Editor& editor, Thumbnails& thumbnails) {
  if (!editor.open()) return;
  using Source = Thumbnails::Source;
  const auto fill = [&](Source source, std::uint64_t seed) {
    thumbnails.fill(editor.genome(), source, seed);
  };
  if (thumbnails.list().empty()) fill(Source::Mutations, thumbnails.seed());
  ImGui::BeginChild("actions", {px(150), 0});
  const ImVec2 wide(px(140), 0);
  if (ImGui::Button("Mutations", wide)) fill(Source::Mutations, thumbnails.seed());
  Landmarks::note("offers:mutations");
  tooltip("Mutations of the current genome, one of each kind.");
  if (ImGui::Button("Random", wide)) fill(Source::Random, thumbnails.seed());
  Landmarks::note("offers:random");
  tooltip("New genomes.");
  if (ImGui::Button("Others", wide)) fill(thumbnails.source(), thumbnails.seed() + 1);
  Landmarks::note("offers:others");
  tooltip("The same with the next seed.");
  dimText(fmt::format("seed {}", thumbnails.seed()).c_str());
  ImGui::EndChild();
  ImGui::SameLine();
  ImGui::BeginChild("grid");
  const float width = px(116), height = px(87), gap = px(8);
  const int columns = std::max(1, int((ImGui::GetContentRegionAvail().x + gap) / (width + gap)));
  const Thumbnail* picked = nullptr;
  for (std::size_t i = 0; i < thumbnails.list().size(); ++i) {
    const Thumbnail& each = thumbnails.list()[i];
    if (i % std::size_t(columns) != 0) ImGui::SameLine(0, gap);
    ImGui::PushID(int(i));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 high(at.x + width, at.y + height);
    const bool ready = bool(each.picture);
    if (ImGui::InvisibleButton("offer", {width, height}) && ready) picked = &each;
    if (ready) Landmarks::note("offer:" + std::to_string(i));
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled(at, high, packed(color::kBar), px(4));
    if (ready) {
      const float scale =
          std::min(width / float(each.picture.width()), height / float(each.picture.height()));
      const ImVec2 size(float(each.picture.width()) * scale, float(each.picture.height()) * scale);
      const ImVec2 low(at.x + (width - size.x) / 2, at.y + (height - size.y) / 2);
      draw.AddImageRounded(reinterpret_cast<ImTextureID>(std::uintptr_t(each.picture.id())), low,
                           {low.x + size.x, low.y + size.y}, {0, 0}, {1, 1}, packed({1, 1, 1, 1}),
                           px(4));
    }
    if (ImGui::IsItemHovered()) draw.AddRect(at, high, packed(color::kAccent), px(4), 0, px(2));
    if (ready) tooltip(each.title);
    ImGui::PopID();
  }
  if (picked) {
    const Genome genome = picked->genome;
    editor.change(genome);
  }
  ImGui::EndChild();
}

}  // namespace fathom::flame
