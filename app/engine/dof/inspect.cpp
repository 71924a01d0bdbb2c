// SPDX-License-Identifier: BSD-3-Clause
// What the engine tells about a picture: the splats that cover a pixel, the legend of an overlay,
// and the facts below the settings. Read-outs are computed from the shot and the newest lists when
// they are asked for; only the list of one tile is kept.
#include "app/engine/dof/engine.h"
#include "app/engine/dof/splats/list_reader.h"

namespace fathom::dof {
namespace {

std::string depthText(double z) { return std::isinf(z) ? "infinity" : fmt::format("{:.4g}", z); }

/// `n`: samples along a pixel's side.
std::vector<std::string> rowOf(const Entry& e, double weight, int n) {
  return {isBackground(e.z) ? "inf" : fmt::format("{:.5g}", e.z),
          fmt::format("{:.6g}", double(e.pixel.x) / n),
          fmt::format("{:.6g}", double(e.pixel.y) / n),
          fmt::format("{:.2f}", e.radius / n),
          fmt::format("{:.4f}", e.alpha),
          fmt::format("{:.4f}", weight),
          fmt::format("{:.3f}", e.color.r),
          fmt::format("{:.3f}", e.color.g),
          fmt::format("{:.3f}", e.color.b)};
}

bool covers(const Entry& e, int x, int y) {
  const glm::ivec2 d = e.pixel - glm::ivec2(x, y);
  return float(d.x * d.x + d.y * d.y) <= std::abs(e.r2);
}

/// Of each of a pixel's splats; half of what is hidden from the middle of the lens waits for what
/// is left in the end (accumulate_area.comp).
std::vector<double> weightsOf(const std::vector<Entry>& entries, Operator op) {
  std::vector<double> weights, rests;
  double left = 1, rest = 0;
  for (const Entry& e : entries) {
    const bool hidden = e.hidden && op == Operator::Coverage;
    const double a = e.alpha, free = std::max(0.0, left - rest);
    weights.push_back(hidden ? a * free / 2 : op == Operator::Over ? a * left : std::min(a, left));
    left -= weights.back();
    rests.push_back(hidden ? std::max(0.0, std::min(a - weights.back(), left - rest)) : 0);
    rest += rests.back();
  }
  const double open = glm::smoothstep(DOF_CLOSED, DOF_OPEN, left);
  const double filled = rest > 0 ? open * std::min(1.0, left / rest) : 0;
  for (std::size_t i = 0; i < entries.size(); ++i) weights[i] += filled * rests[i];
  return weights;
}

}  // namespace

// ---- The pixel under the cursor

bool DofEngine::inPicture(int x, int y) const {
  return x >= 0 && y >= 0 && x < shot_.size.x && y < shot_.size.y && sharp();
}

/// The list of the pixel's tile; null when it lies in a band whose lists are gone.
const std::vector<Entry>* DofEngine::listAt(const Pipeline& lists, int x, int y) {
  if (!lists.lists().tileBegin) return nullptr;
  const TileArea& area = lists.lists().area;
  const glm::ivec2 at(x / DOF_TILE, y / DOF_TILE);
  if (!area.contains(at)) return nullptr;
  const auto tile =
      std::uint32_t((at.y - area.rows.first) * area.columns.count + at.x - area.columns.first);
  if (inspected_.tile != tile || inspected_.generation != generation()) {
    inspected_.list = ListReader(lists).list(tile);
    inspected_.tile = tile, inspected_.generation = generation();
  }
  return &inspected_.list;
}

/// Weights by lens cells, and the cell (column, row) that a splat is seen through.
std::vector<double> DofEngine::cellWeights(const std::vector<Entry>& entries, glm::ivec2 at,
                                           std::vector<std::string>& cells) {
  const Shot fine = shot_.finer();
  const Aperture aperture = fine.aperture();
  if (!inspected_.map || !(inspected_.map->aperture() == aperture))
    inspected_.map.emplace(aperture);
  const ImageFrame frame = fine.frame();
  reference::CellPixel pixel(*inspected_.map, frame.fieldAt(at));
  const double focus = lens().focus;
  std::vector<double> weights, waits;
  for (const Entry& e : entries) {
    Splat splat;
    splat.hidden = e.hidden;
    splat.r = std::max(e.radius, 0.5f) * (!isBackground(e.z) && e.z < focus ? -1.0f : 1.0f);
    const auto taken =
        pixel.add(splat, glm::dvec4(e.alpha),
                  inspected_.map->lensPoint(at - e.pixel, splat.r, frame.fieldAt(e.pixel)));
    weights.push_back(taken.weight), waits.push_back(taken.waits);
    cells.push_back(fmt::format("{}, {}", taken.cell % DOF_CELLS, taken.cell / DOF_CELLS));
  }
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] += pixel.filled() * waits[i];
  return weights;
}

std::optional<PixelReport> DofEngine::inspect(int x, int y) {
  if (!inPicture(x, y) || !complete()) return std::nullopt;
  const float z = depthAt(x, y);
  PixelReport report;
  report.headline = fmt::format(
      "pixel {}, {}: Z {}, radius {:.2f} px", x + shot_.origin().x, y + shot_.origin().y,
      isBackground(z) ? "infinite" : fmt::format("{:.4g}", z), radiusAt(x, y));
  // Of a pixel with several samples, the one in its middle.
  const int n = shot_.samples();
  x = x * n + n / 2, y = y * n + n / 2;
  const std::vector<Entry>* list = lists() ? listAt(*lists(), x, y) : nullptr;
  if (!list) return report;

  report.columns = {"Z", "x", "y", "radius", "alpha", "weight", "R", "G", "B"};
  std::vector<Entry> covering;
  std::copy_if(list->begin(), list->end(), std::back_inserter(covering),
               [&](const Entry& e) { return covers(e, x, y); });
  std::vector<std::string> cells;
  const std::vector<double> weights = shot_.settings.op == Operator::LensCells
                                          ? cellWeights(covering, {x, y}, cells)
                                          : weightsOf(covering, shot_.settings.op);
  if (!cells.empty()) report.columns.push_back("cell");
  for (std::size_t i = 0; i < covering.size(); ++i) {
    const Entry& e = covering[i];
    report.rows.push_back(rowOf(e, weights[i], n));
    if (!cells.empty()) report.rows.back().push_back(cells[i]);
    report.marks.push_back({e.z, e.z, e.alpha, e.color.r, e.color.g, e.color.b, 0});
  }
  report.headline +=
      fmt::format("; {} of {} splats in its tile cover it", covering.size(), list->size());
  return report;
}

std::optional<glm::vec3> DofEngine::pick(int x, int y) {
  if (!shot_.input.scene || !inPicture(x, y)) return std::nullopt;
  const float z = depthAt(x, y);
  if (isBackground(z)) return std::nullopt;
  return shot_.camera.placeAt(x, y, shot_.size, z);
}

// ---- Legend

std::vector<LegendEntry> DofEngine::legend() const {
  switch (shot_.settings.show) {
    case Show::Circles:
      return {{0.05f, 0.25f, 0.9f, "nearer than focus"},
              {0.3f, 0.3f, 0.3f, "sharp"},
              {0.95f, 0.35f, 0.03f, "farther"}};
    case Show::FocalPlane:
      return {{0.1f, 0.8f, 0.5f, "radius below 1 px"}};
    case Show::Difference:
      return {{0.5f, 0.5f, 0.5f, "brighter than truth"},
              {0.18f, 0.18f, 0.18f, "equal"},
              {0.02f, 0.02f, 0.02f, "darker"}};
    default:
      return {};
  }
}

// ---- Facts

std::vector<std::pair<std::string, std::string>> DofEngine::facts() const {
  std::vector<std::pair<std::string, std::string>> facts;
  if (!sharp()) return facts;
  const Lens l = lens();
  const Lens::Zone zone = l.sharpZone();
  facts.emplace_back("image", fmt::format("{} x {}", shot_.size.x, shot_.size.y));
  if (const int n = shot_.samples(); n > 1)
    facts.emplace_back("samples of a pixel", fmt::format("{} x {}", n, n));
  facts.emplace_back("focal length", fmt::format("{:.1f} mm", l.focalLength));
  facts.emplace_back("in focus", depthText(l.focus));
  facts.emplace_back("sharp",
                     fmt::format("{} to {}", depthText(zone.nearest), depthText(zone.farthest)));
  facts.emplace_back("hyperfocal", depthText(l.hyperfocal()));
  facts.emplace_back("radius at infinity", fmt::format("{:.2f} px", l.farRadius()));
  if (shot_.mask)
    facts.emplace_back("focus mask",
                       shot_.settings.op == Operator::Lens
                           ? "left out by lens samples"
                           : fmt::format("{} x {}", shot_.mask->width, shot_.mask->height));
  if (const auto [done, all] = lensProgress(); all > 0)
    facts.emplace_back("lens points", fmt::format("{} of {}", done, all));
  if (!lists()) return facts;
  const Pipeline::Totals t = totals();
  if (!usedVariant().empty()) facts.emplace_back("variant in use", usedVariant());
  if (!choice().note().empty()) facts.emplace_back("profile", choice().note());
  facts.emplace_back("splats", std::to_string(t.splats));
  facts.emplace_back("cut to the largest radius", fmt::format("{:.2f} %", 100 * t.clampedShare()));
  facts.emplace_back("entries", std::to_string(t.entries));
  facts.emplace_back("list", fmt::format("{:.0f} mean, {} longest", t.meanList(), t.longest));
  if (lists()->bands().size() > 1)
    facts.emplace_back("bands", std::to_string(lists()->bands().size()));
  if (t.overflowRedos > 0) facts.emplace_back("scattered again", std::to_string(t.overflowRedos));
  return facts;
}

}  // namespace fathom::dof
