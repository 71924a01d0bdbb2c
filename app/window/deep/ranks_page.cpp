// SPDX-License-Identifier: BSD-3-Clause
// The page of ranks: what compositing over ranks would send in each of three ways and how far its
// picture would be off, and a row of numbers per rank. A click shows the difference, or the rank's
// image alone.
#include "app/engine/gpu/memory_account.h"
#include "app/window/deep/parts.h"
#include "app/window/ui/widgets.h"

#include <imgui.h>

namespace fathom::deep {
using namespace ui;
namespace {

constexpr const char* kWays[3] = {"flat", "deep", "thinned"};
constexpr const char* kWayAbout[3] = {
    "Every rank sends a flat picture; they are put over each other, the rank that is nearest on "
    "average in front. Wrong where parts pass through each other.",
    "Every rank sends all its fragments: the picture of one process.",
    "Every rank sends at most N fragments per pixel of each input."};

using PreviewChoice = RankPreview::Choice;

void chooseOr(RankPreview& preview, const PreviewChoice& choice) {
  preview.choose(preview.choice() == choice ? PreviewChoice{} : choice);
}

/// A row of segments for one of these numbers.
void numberSegments(const char* id, const char* label, int& value, const std::vector<int>& values) {
  ImGui::AlignTextToFramePadding();
  dimText(label);
  ImGui::SameLine(px(90));
  std::vector<std::string> names;
  for (const int number : values) names.push_back(std::to_string(number));
  int index = int(std::find(values.begin(), values.end(), value) - values.begin());
  if (segments(id, index, names, ImGui::GetContentRegionAvail().x))
    value = values[std::size_t(index)];
}

void drawOptions(const DepthPage& page) {
  PreviewOptions& options = page.ranks.options;
  numberSegments("ranks:count", "Ranks", options.ranks, {2, 3, 4, 8, 16});
  if (page.inputs.scene()) {
    ImGui::AlignTextToFramePadding();
    dimText("Each draws");
    ImGui::SameLine(px(90));
    int deal = int(options.deal);
    if (segments("ranks:split", deal, {"parts", "triangles", "morton"},
                 ImGui::GetContentRegionAvail().x))
      options.deal = Deal(deal);
  }
  numberSegments("ranks:thin", "Thinned to", options.thin, {1, 2, 4, 8});
}

void drawWay(RankPreview& preview, std::size_t i, double most) {
  const WayOfCompositing& way = preview.ways()[i];
  const PreviewChoice choice{PreviewChoice::Way, i};
  ImGui::PushID(int(i));
  const bool exact = way.difference.pixels.empty();
  if (ImGui::Selectable(kWays[i], preview.choice() == choice,
                        exact ? ImGuiSelectableFlags_Disabled : 0, {px(80), 0}))
    chooseOr(preview, choice);
  Landmarks::note(fmt::format("ranks:{}", kWays[i]));
  tooltip(kWayAbout[i], exact ? "" : "Click: how far each pixel is off.");
  ImGui::SameLine(px(90));
  monoText(fmt::format("{:>10}", gpu::bytesText(std::int64_t(way.bytes))).c_str());
  meter(float(double(way.bytes) / most), color::kAccent, ImGui::GetContentRegionAvail().x, px(8));
  dimText(
      exact
          ? "all fragments: exact"
          : fmt::format("off by {:.5f} on average, {:.3f} at most", way.mean, way.largest).c_str());
  ImGui::Dummy({0, px(4)});
  ImGui::PopID();
}

void drawRank(RankPreview& preview, std::size_t i) {
  const RankNumbers& rank = preview.study()->ranks[i];
  const PreviewChoice choice{PreviewChoice::Rank, i};
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushID(int(i));
  if (ImGui::Selectable(std::to_string(i).c_str(), preview.choice() == choice,
                        ImGuiSelectableFlags_SpanAllColumns))
    chooseOr(preview, choice);
  Landmarks::note(fmt::format("ranks:rank-{}", i));
  tooltip("Shows the image of this rank alone.",
          fmt::format("{} of raw deep images", gpu::bytesText(std::int64_t(rank.rawBytes))));
  ImGui::TableNextColumn();
  monoText(fmt::format("{:>9}", rank.fragments).c_str());
  ImGui::TableNextColumn();
  monoText(fmt::format("{:>9}", rank.thinnedFragments).c_str());
  ImGui::TableNextColumn();
  monoText(gpu::bytesText(std::int64_t(rank.sentBytes)).c_str());
  ImGui::TableNextColumn();
  monoText(fmt::format("{:.3f}",
                       double(rank.sentBytes) / double(std::max<std::uint64_t>(1, rank.rawBytes)))
               .c_str());
  ImGui::PopID();
}

void drawStudy(RankPreview& preview) {
  heading("Sent by all ranks");
  double most = 1;
  for (const WayOfCompositing& way : preview.ways()) most = std::max(most, double(way.bytes));
  for (std::size_t i = 0; i < preview.ways().size(); ++i) drawWay(preview, i, most);
  heading("Ranks");
  if (!ImGui::BeginTable("ranks", 5, ImGuiTableFlags_SizingStretchProp)) return;
  for (const char* name : {"Rank", "Fragments", "Thinned", "Sent", "Share"})
    ImGui::TableSetupColumn(name);
  ImGui::TableHeadersRow();
  for (std::size_t i = 0; i < preview.study()->ranks.size(); ++i) drawRank(preview, i);
  ImGui::EndTable();
  Landmarks::note("ranks:table");
}

}  // namespace

void drawRanksPage(const DepthPage& page) {
  RankPreview& preview = page.ranks;
  preview.want();
  drawOptions(page);
  ImGui::Dummy({0, px(4)});
  if (page.settings.show == Show::Points) {
    dimText("Points are shown: go back to the picture.");
    return;
  }
  if (page.inputs
          .header(page.settings.captureFormat == CaptureFormat::Half ? FragmentFormat::Half
                                                                     : FragmentFormat::Rgba8)
          .format == FragmentFormat::Indexed) {
    dimText("Images with channels besides color are composited by the command only.");
    return;
  }
  if (!preview.complaint().empty()) {
    textIn(fonts().text, color::kError, preview.complaint().c_str());
    return;
  }
  if (!preview.isComplete()) {
    dimText(fmt::format("Compositing ... {:.0f} %", 100 * preview.share()).c_str());
    return;
  }
  drawStudy(preview);
}

}  // namespace fathom::deep
