// SPDX-License-Identifier: BSD-3-Clause
// What is told about a picture: read-outs of the lens, statistics of the lists, the splats under
// the cursor, the legend.
#include "app/techniques/dof/technique.h"

#include <cmath>

namespace fathom::dof {
namespace {

std::string depthText(double z) { return std::isinf(z) ? "infinity" : fmt::format("{:.4g}", z); }

}  // namespace

std::vector<std::pair<std::string, std::string>> DofTechnique::facts() const {
  std::vector<std::pair<std::string, std::string>> facts;
  if (!picture_) return facts;
  const Lens l = lens();
  const Lens::Zone zone = l.sharpZone();
  facts.emplace_back("picture", fmt::format("{} x {}", size_.x, size_.y));
  facts.emplace_back("focal length", fmt::format("{:.1f} mm", l.focalLength));
  facts.emplace_back("in focus", depthText(l.focus));
  facts.emplace_back("sharp",
                     fmt::format("{} to {}", depthText(zone.nearest), depthText(zone.farthest)));
  facts.emplace_back("hyperfocal", depthText(l.hyperfocal()));
  facts.emplace_back("radius at infinity", fmt::format("{:.2f} px", l.farRadius()));
  if (const auto [done, all] = lensProgress(); all > 0)
    facts.emplace_back("lens points", fmt::format("{} of {}", done, all));
  if (!listed()) return facts;
  const Pipeline::Totals& t = totals();
  if (!usedVariant_.empty()) facts.emplace_back("variant in use", usedVariant_);
  if (!tuned_.note().empty()) facts.emplace_back("profile", tuned_.note());
  facts.emplace_back("splats", std::to_string(t.splats));
  facts.emplace_back("cut to the largest radius", fmt::format("{:.2f} %", 100 * t.clampedShare()));
  facts.emplace_back("entries", std::to_string(t.entries));
  facts.emplace_back("list", fmt::format("{:.0f} mean, {} longest", t.meanList(), t.longest));
  if (pipeline_->bands().size() > 1)
    facts.emplace_back("bands", std::to_string(pipeline_->bands().size()));
  if (t.overflowRedos > 0) facts.emplace_back("scattered again", std::to_string(t.overflowRedos));
  return facts;
}

std::vector<TechniquePage> DofTechnique::pages() const {
  return {{"variants", "Variants", "All variants of accumulation on this device",
           TechniquePage::Place::Side}};
}

void DofTechnique::drawPage(const std::string& name) {
  if (name == "variants")
    variantPage_.draw(settings_.variant, variant(), settings_.radius(),
                      settings_.op == Operator::Coverage);
}

bool DofTechnique::backgroundStep(gpu::Context& gpu, double budgetMs) {
  return variantPage_.browser.work(gpu, budgetMs);
}

std::vector<LegendEntry> DofTechnique::entries() const {
  switch (settings_.show) {
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

std::optional<PixelReport> DofTechnique::inspect(int x, int y) {
  if (x < 0 || y < 0 || x >= size_.x || y >= size_.y || !picture_ || stage_ != Stage::Done)
    return std::nullopt;
  const Lens l = lens();
  const float z = picture_->texel(x, y).a;
  PixelReport report;
  report.headline =
      fmt::format("pixel {}, {}: Z {}, radius {:.2f} px", x + origin().x, y + origin().y,
                  isBackground(z) ? "infinite" : fmt::format("{:.4g}", z), l.cocRadius(z));
  if (!listed() || !pipeline_->lists().tileBegin) return report;
  const TileRows rows = pipeline_->lists().rows;
  const int tileX = x / DOF_TILE, tileY = y / DOF_TILE;
  if (tileY < rows.first || tileY >= rows.end()) return report;  // of a band that is gone
  const auto tile = std::uint32_t((tileY - rows.first) * tilesOver(size_.x) + tileX);
  if (inspected_.tile != tile || inspected_.generation != generation_)
    inspected_ = {generation_, tile, pipeline_->downloadList(tile)};

  report.columns = {"Z", "x", "y", "radius", "alpha", "weight", "R", "G", "B"};
  double left = 1;
  std::size_t covering = 0;
  for (const Entry& e : inspected_.list) {
    const glm::ivec2 d = e.pixel - glm::ivec2(x, y);
    if (float(d.x * d.x + d.y * d.y) > std::abs(e.r2)) continue;
    ++covering;
    const double weight =
        settings_.op == Operator::Over ? left * e.alpha : std::min(left, double(e.alpha));
    left -= weight;
    report.rows.push_back({isBackground(e.z) ? "inf" : fmt::format("{:.5g}", e.z),
                           std::to_string(e.pixel.x), std::to_string(e.pixel.y),
                           fmt::format("{:.2f}", std::sqrt(std::abs(e.r2))),
                           fmt::format("{:.4f}", e.alpha), fmt::format("{:.4f}", weight),
                           fmt::format("{:.3f}", e.color.r), fmt::format("{:.3f}", e.color.g),
                           fmt::format("{:.3f}", e.color.b)});
    report.marks.push_back({e.z, e.z, e.alpha, e.color.r, e.color.g, e.color.b, 0});
  }
  report.headline +=
      fmt::format("; {} of {} splats in its tile cover it", covering, inspected_.list.size());
  return report;
}

}  // namespace fathom::dof
