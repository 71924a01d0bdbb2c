// SPDX-License-Identifier: BSD-3-Clause
// What EXR files hold, from their headers: parts with their views, channels by layer, attributes. A
// click opens a layer of a flat part, or another deep part.
#include "app/engine/io/exr/exr_attributes.h"
#include "app/window/document/flat_picture.h"
#include "app/window/panels/panels.h"

#include <fmt/ranges.h>

namespace fathom::viewer {
using namespace ui;
namespace {

struct Contents {
  std::vector<ExrPartInfo> parts;  // none: no EXR
  fs::file_time_type time{};
};

/// Read once per file and change.
const Contents& contentsOf(const std::string& file) {
  static std::map<std::string, Contents> known;
  std::error_code error;
  const auto time = fs::last_write_time(file, error);
  Contents& contents = known[file];
  if (error || contents.time == time) return contents;
  contents = {{}, time};
  if (fs::is_regular_file(file, error) && looksLikeExr(file)) contents.parts = exrParts(file);
  return contents;
}

std::string partTitle(const ExrPartInfo& part) {
  std::string title = part.name.empty() ? fmt::format("Part {}", part.index) : part.name;
  if (!part.view.empty() && part.view != part.name) title += ", view " + part.view;
  return title;
}

void drawAttributes(const ExrPartInfo& part) {
  if (!part.attributes || !openTree("Header", fmt::format("exr:header-{}", part.index))) return;
  if (ImGui::BeginTable("attributes", 2, ImGuiTableFlags_SizingStretchProp)) {
    for (const Attribute& attribute : *part.attributes)
      tableRow([&] { textToFit(fonts().small, color::kDim, attribute.name); },
               [&] { textToFit(fonts().small, color::kText, textOf(attribute)); });
    ImGui::EndTable();
  }
  ImGui::TreePop();
}

/// The input that was clicked; empty: none. `now`: what is open.
std::string drawPart(const std::string& file, const ExrPartInfo& part, const std::string& now) {
  textIn(fonts().strong, color::kText, partTitle(part));
  const Rect& window = part.dataWindow;
  dimText(fmt::format("{}, {}, {} x {} at {}, {}", part.type, part.compression, window.width,
                      window.height, window.x, window.y));
  const std::string whole = fmt::format("{}#{}", file, part.index);
  std::string chosen;
  if (part.deep) {
    if (ImGui::Selectable(part.channelNames().c_str(), now == whole)) chosen = whole;
    Landmarks::note(fmt::format("exr:part-{}", part.index));
  } else {
    for (const ExrLayer& layer : layersOf(part)) {
      const std::string input = whole + ":" + layer.name;
      const std::string label = fmt::format("{}{}", layer.name.empty() ? "" : layer.name + ": ",
                                            fmt::join(layer.channels, ", "));
      if (ImGui::Selectable(label.c_str(), now == input)) chosen = input;
      Landmarks::note(fmt::format("exr:layer-{}-{}", part.index, layer.name));
      tooltip("Show these channels. " + label);
    }
  }
  drawAttributes(part);
  return chosen;
}

}  // namespace

void drawExrContents(Workspace& w) {
  const std::vector<std::string> inputs = w.document.technique()->inputs();
  std::string chosen;
  for (const std::string& input : inputs) {
    const std::string file = splitPart(input).first;
    const Contents& contents = contentsOf(file);
    if (contents.parts.empty()) continue;
    heading(inputs.size() == 1 ? "Parts and layers" : fileName(file).c_str());
    const IdScope ofInput{input.c_str()};
    for (const ExrPartInfo& part : contents.parts) {
      const IdScope ofPart{part.index};
      const std::string clicked = drawPart(file, part, input);
      if (!clicked.empty()) chosen = clicked;
    }
  }
  if (chosen.empty()) return;
  w.keepView = true;  // layers have one size
  w.open({chosen});
}

}  // namespace fathom::viewer
