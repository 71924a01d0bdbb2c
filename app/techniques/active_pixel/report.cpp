// SPDX-License-Identifier: BSD-3-Clause
// What is told about a picture: totals of its parts, the pixel under the cursor, the legend, pages.
#include "app/techniques/active_pixel/panel_parts.h"
#include "app/techniques/active_pixel/picture.h"
#include "app/techniques/active_pixel/reference.h"
#include "app/techniques/active_pixel/technique.h"

#include <bit>

namespace fathom::active_pixel {
namespace {

constexpr std::size_t kMaxLegend = 12;

std::string percent(double share) { return fmt::format("{:.2f} %", 100 * share); }

/// A payload as columns: R, G, B, A and depth, those that the format has.
std::vector<std::string> payloadTexts(const std::uint32_t* payload, const Format& format) {
  std::vector<std::string> texts;
  const auto floats = [&](int count) {
    for (int i = 0; i < count; ++i)
      texts.push_back(fmt::format("{:.4f}", std::bit_cast<float>(*payload++)));
  };
  if (format.color == Color::Rgba8) {
    for (int i = 0; i < 4; ++i) texts.push_back(std::to_string(*payload >> (8 * i) & 255));
    ++payload;
  }
  if (format.color == Color::Rgb32f) floats(3);
  if (format.color == Color::Rgba32f) floats(4);
  if (format.depth == Depth::Float32) floats(1);
  return texts;
}

std::vector<std::string> payloadColumns(const Format& format) {
  std::vector<std::string> columns;
  if (format.color != Color::None) columns = {"R", "G", "B"};
  if (format.color == Color::Rgba8 || format.color == Color::Rgba32f) columns.push_back("A");
  if (format.depth == Depth::Float32) columns.push_back("depth");
  return columns;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> ActivePixelTechnique::facts() const {
  std::vector<std::pair<std::string, std::string>> facts;
  if (input_.file) {  // all is known without drawing it
    const SparseFacts& f = input_.facts;
    facts.emplace_back("picture", fmt::format("{} x {}", f.width, f.height));
    facts.emplace_back("color", name(f.format.color));
    facts.emplace_back("depth", f.format.depth == Depth::None ? "none" : "float");
    facts.emplace_back("active pixels", std::to_string(f.active));
    facts.emplace_back("runs", std::to_string(f.runs));
    facts.emplace_back("compressed", fmt::format("{} B, {}", f.bytes, percent(f.ratio)));
    return facts;
  }
  if (pictures_ == 0 || composited_.width == 0) return facts;
  facts.emplace_back("picture", fmt::format("{} x {}", size_.x, size_.y));
  const Whole& whole = input_.source->whole();
  if (whole.points > 0)
    facts.emplace_back("points", std::to_string(whole.points));
  else
    facts.emplace_back("triangles",
                       fmt::format("{} in {} objects", whole.triangles, whole.objects));
  if (!tuned_.note().empty()) facts.emplace_back("profile", tuned_.note());
  SparseFacts sum;
  double slowest = 0, least = 1, most = 0;
  for (const Part& part : parts()) {
    sum.active += part.facts.active, sum.runs += part.facts.runs, sum.bytes += part.facts.bytes;
    least = std::min(least, part.facts.ratio), most = std::max(most, part.facts.ratio);
    slowest = std::max(slowest, part.times.read + part.times.compress);
  }
  facts.emplace_back("parts", std::to_string(parts().size()));
  facts.emplace_back("active pixels", std::to_string(sum.active));
  facts.emplace_back("runs", std::to_string(sum.runs));
  facts.emplace_back("compressed", fmt::format("{:.1f} kB", double(sum.bytes) / 1e3));
  facts.emplace_back("of raw, per part", percent(least) + " to " + percent(most));
  facts.emplace_back("read and compress", fmt::format("{:.2f} ms, the slowest part", slowest));
  facts.emplace_back("composite", fmt::format("{:.2f} ms", compositeMs_));
  return facts;
}

std::optional<PixelReport> ActivePixelTechnique::inspect(int x, int y) {
  if (x < 0 || y < 0 || x >= size_.x || y >= size_.y || stage_ != Stage::Done || pictures_ == 0 ||
      composited_.width != size_.x || composited_.height != size_.y)
    return std::nullopt;
  const std::uint64_t pixel =
      std::uint64_t(size_.y - 1 - y) * std::uint64_t(size_.x) + std::uint64_t(x);
  const Format& format = composited_.format;
  PixelReport report;
  report.columns = {"part", "run", "length"};
  for (std::string& column : payloadColumns(format)) report.columns.push_back(std::move(column));
  const std::vector<Words> images = sparseImages();
  for (std::size_t k = 0; k < images.size(); ++k) {
    const FoundPixel found = findPixel(images[k], pixel);
    if (!found.payload) continue;
    std::vector<std::string> row{std::to_string(k + 1), std::to_string(found.run + 1),
                                 std::to_string(found.runLength)};
    for (std::string& text : payloadTexts(found.payload, format)) row.push_back(std::move(text));
    report.rows.push_back(std::move(row));
  }
  report.headline = fmt::format("pixel {}, {}: active in {} of {} parts", x, y, report.rows.size(),
                                images.size());
  return report;
}

std::vector<LegendEntry> ActivePixelTechnique::entries() const {
  std::vector<LegendEntry> entries;
  if (settings_.show == Show::Active)
    return {{0.045f, 0.17f, 0.40f, "active in one part"},
            {0.10f, 0.62f, 0.55f, "in two"},
            {1.0f, 0.52f, 0.07f, "in six or more"}};
  if (settings_.show != Show::Parts && settings_.show != Show::Regions) return entries;
  for (std::size_t i = 0; i < parts().size() && i < kMaxLegend; ++i) {
    const glm::vec3 c = partColor(int(i));
    entries.push_back({c.r, c.g, c.b, fmt::format("part {}", i + 1)});
  }
  return entries;
}

std::vector<TechniquePage> ActivePixelTechnique::pages() const {
  return {{"parts", "Parts", "Each part in numbers", TechniquePage::Place::Strip},
          {"modes", "Modes", "Three ways to the host, measured on this scene",
           TechniquePage::Place::Side}};
}

void ActivePixelTechnique::drawPage(const std::string& name) {
  if (name == "parts") drawPartsPage(parts(), size_);
  if (name == "modes") {
    modesSeen_ = std::chrono::steady_clock::now();
    drawModesPage(modes_, settings_.turn);
  }
}

}  // namespace fathom::active_pixel
