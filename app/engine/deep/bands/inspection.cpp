// SPDX-License-Identifier: BSD-3-Clause
// Lists of files are read in memory, those of scenes from the device.
#include "app/engine/deep/bands/inspection.h"

#include "app/engine/core/deep_image.h"
#include "app/engine/deep/lists/arrange_lists.h"
#include "app/engine/io/exr/id_filter.h"

#include <glm/gtc/matrix_transform.hpp>

namespace fathom::deep {

bool PixelInspection::hasPixel(int x, int y) const {
  return inputs_.isOpen() && settings_.show != Show::Points && x >= 0 && y >= 0 &&
         x < inputs_.size().x && y < inputs_.size().y;
}

void PixelInspection::visitBands(int x, int y, const std::function<void(const Band&)>& visit) {
  for (std::size_t i = 0; i < bands_.count(); ++i) {
    Band& band = bands_[i];
    if (!band.region.contains(x, y)) continue;
    if (isIdle_()) bands_.ensureLoaded(band);
    if (bands_.isLoaded(band)) visit(band);
  }
}

std::vector<PixelInspection::Sourced> PixelInspection::listAt(int x, int y) {
  // Before the first picture nothing is set up, but files are there.
  const Edits edits = MergeSetup(settings_, inputs_).edits(Purpose::File);
  std::vector<Sourced> list;
  const Rect pixel = inputs_.windowOf({x, y, 1, 1});
  const auto append = [&](std::span<const DeepImage> images) {
    for (const EditedFragment& f :
         editedList(editedInputs(images, edits), edits.merged, pixel.x, pixel.y))
      list.push_back({f.fragment, int(edits.order[std::size_t(f.input)]), f.ids});
  };
  if (!inputs_.scene()) {
    append(inputs_.images());
    return list;
  }
  visitBands(x, y, [&](const Band& band) {
    std::vector<DeepImage> parts;
    for (const FragmentLists& lists : band.inputs) {
      DeepImage& part = parts.emplace_back(inputs_.header(lists.shape.format));
      part.dataWindow = pixel;
      part.words = readList(bands_.pipeline(), lists, x, y);
      part.fragmentOffsets = {0, part.words.size() / std::size_t(part.stride())};
    }
    append(parts);
  });
  return list;
}

std::optional<PixelReport> PixelInspection::inspect(int x, int y) {
  if (!hasPixel(x, y)) return std::nullopt;
  const std::vector<Sourced> list = listAt(x, y);
  const bool volumes = std::any_of(
      list.begin(), list.end(), [](const Sourced& s) { return s.fragment.zBack > s.fragment.z; });
  const bool several = inputs_.count() > 1;
  const Rect pixel = inputs_.windowOf({x, y, 1, 1});
  PixelReport report;
  report.headline = fmt::format("pixel {}, {}: {} fragment{}", pixel.x, pixel.y, list.size(),
                                list.size() == 1 ? "" : "s");
  report.columns = {"Z"};
  if (volumes) report.columns.push_back("ZBack");
  for (const char* name : {"R", "G", "B", "A", "A over"}) report.columns.push_back(name);
  if (several) report.columns.push_back("input");
  // Names of IDs as the input has them that the fragment came from.
  const std::vector<SharedAttributes> attributes = inputs_.attributes();
  const std::vector<DeepChannel> channels = inputs_.header(FragmentFormat::Half).channels;
  std::vector<IdNaming> naming;
  if (!inputs_.scene())
    for (const SharedAttributes& one : attributes) naming.emplace_back(one, channels);
  if (!naming.empty())
    for (const std::string& channel : naming[0].channels()) report.columns.push_back(channel);
  double covered = 0;
  for (const auto& [f, source, ids] : list) {
    covered += (1 - covered) * f.a;
    std::vector<std::string> row{fmt::format("{:.6g}", f.z)};
    if (volumes) row.push_back(f.zBack > f.z ? fmt::format("{:.6g}", f.zBack) : "");
    for (const double v : {double(f.r), double(f.g), double(f.b), double(f.a), covered})
      row.push_back(fmt::format("{:.4f}", v));
    if (several) row.push_back(inputs_.nameOf(std::size_t(source)));
    for (std::size_t c = 0; c < ids.size() && std::size_t(source) < naming.size(); ++c)
      row.push_back(naming[std::size_t(source)].nameOf(c, ids[c]));
    row.resize(report.columns.size());
    report.rows.push_back(std::move(row));
    const float a = f.a > 0 ? f.a : 1;
    report.marks.push_back({f.z, f.zBack, f.a, f.r / a, f.g / a, f.b / a, source});
  }
  return report;
}

std::optional<PickedObject> PixelInspection::object(int x, int y) {
  if (!hasPixel(x, y) || inputs_.scene()) return std::nullopt;
  std::map<std::pair<int, std::uint32_t>, double> shown;
  double passing = 1;
  for (const auto& [f, source, ids] : listAt(x, y)) {
    if (!ids.empty()) shown[{source, ids[0]}] += passing * f.a;
    passing *= 1 - f.a;
  }
  if (shown.empty()) return std::nullopt;
  const auto most = std::max_element(
      shown.begin(), shown.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  const auto& [input, id] = most->first;
  const IdNaming naming(inputs_.attributes()[std::size_t(input)],
                        inputs_.header(FragmentFormat::Half).channels);
  return PickedObject{std::size_t(input), id, naming.nameOf(0, id)};
}

std::optional<glm::vec3> PixelInspection::pick(int x, int y) {
  const glm::ivec2 size = inputs_.size();
  if (!inputs_.scene() || size.x <= 0 || settings_.show == Show::Points) return std::nullopt;
  const std::vector<Sourced> list = listAt(x, y);
  if (list.empty()) return std::nullopt;
  // The first surface that hides half of what is behind, else the first at all.
  double covered = 0;
  float z = list[0].fragment.z;
  for (const Sourced& s : list) {
    covered += (1 - covered) * s.fragment.a;
    if (covered >= 0.5) {
      z = s.fragment.z;
      break;
    }
  }
  return inputs_.camera().placeAt(x, y, size, z);
}

}  // namespace fathom::deep
