// SPDX-License-Identifier: BSD-3-Clause
// fathom deep heatmap | inspect: what looks at images.
#include "app/cli/deep/command_inputs.h"
#include "app/engine/core/stopwatch.h"
#include "app/engine/inspect.h"
#include "app/engine/io/label.h"
#include "app/engine/io/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fathom::deep {
namespace {

/// Renders result() and brings it back.
Image render(CommandContext& context, DeepEngine& technique) {
  const Stopwatch rendering;
  technique.update(context.gpu(), Effect::Rebuild, INFINITY);
  context.gpu().finish();
  context.record.addPhase("gpu", rendering.ms() - technique.uploadMs());
  context.record.addPhase("upload", technique.uploadMs());
  const Stopwatch downloading;
  Image picture = technique.result().downloadImage();
  context.record.addPhase("download", downloading.ms());
  return picture;
}

/// Legend below the picture: a swatch per class, wrapped to the width.
Image withLegend(const Image& picture, const std::vector<LegendEntry>& entries,
                 const std::string& title) {
  const int scale = std::clamp(picture.width / 480, 1, 4), unit = 12 * scale;
  const int width = std::max(picture.width, 24 * unit);
  std::vector<glm::ivec2> places;
  int x = unit, y = 2 * unit + unit / 2;
  for (const LegendEntry& entry : entries) {
    const int need = 2 * unit + labelWidth(scale, entry.label) + unit;
    if (x + need > width) x = unit, y += unit + unit / 2;
    places.emplace_back(x, y);
    x += need;
  }
  Image page(width, picture.height + y + 2 * unit, glm::vec4(0.012f, 0.012f, 0.014f, 1));
  for (int row = 0; row < picture.height; ++row)
    for (int column = 0; column < picture.width; ++column)
      page.at(column, row) = picture.at(column, row);
  const glm::vec3 ink(0.75f);
  drawLabel(page, unit, picture.height + unit - unit / 4, scale, title, ink);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const glm::ivec2 at = places[i] + glm::ivec2(0, picture.height);
    for (int dy = -1; dy <= unit; ++dy)
      for (int dx = -1; dx <= unit + unit / 2; ++dx) {
        const bool border = dy < 0 || dx < 0 || dy == unit || dx == unit + unit / 2;
        page.at(at.x + dx, at.y + dy) =
            border ? glm::vec4(ink * 0.4f, 1)
                   : glm::vec4(entries[i].r, entries[i].g, entries[i].b, 1);
      }
    drawLabel(page, at.x + 2 * unit, at.y + unit / 4, scale, entries[i].label, ink);
  }
  return page;
}

}  // namespace

void runHeatmap(CommandContext& context) {
  takeOnePart(context);
  DeepEngine& technique = openInputs(context);
  technique.settingsStruct().show = Show::HeatMap;
  const Image picture = render(context, technique);
  const std::vector<std::uint32_t> counts = technique.counts(context.gpu());
  std::uint64_t fragments = 0;
  std::uint32_t max = 0;
  std::size_t empty = 0;
  for (const std::uint32_t n : counts) fragments += n, max = std::max(max, n), empty += n == 0;
  const double mean = double(fragments) / double(std::max<std::size_t>(1, counts.size()));
  const Stopwatch writing;
  writePicture(context.output,
               withLegend(picture, technique.legend(),
                          fmt::format("fragments per pixel   mean {:.2f}   most {}", mean, max)));
  context.record.addPhase("write", writing.ms());
  reportFragments(context, fragments, fragments);
  context.record.set("mean_per_pixel", mean);
  context.record.set("most_per_pixel", std::uint64_t(max));
  context.record.set("empty_pixels", std::uint64_t(empty));
  context.print(fmt::format("{} fragments, {:.2f} per pixel, most {}, {} pixels empty", fragments,
                            mean, max, empty));
}

void runInspect(CommandContext& context) {
  const glm::ivec2 pixel = context.pair("pixel");
  takeOnePart(context);
  DeepEngine& technique = openForPixel(context, pixel);
  if (technique.camera()) technique.update(context.gpu(), Effect::Rebuild, INFINITY);
  const glm::ivec2 at = pixel - technique.origin(), size = technique.size();
  const std::optional<PixelReport> report = technique.inspect(at.x, at.y);
  const glm::ivec2 origin = technique.origin();
  if (!report) failOutside(context, {origin.x, origin.y, size.x, size.y}, pixel);
  context.print(report->headline);
  if (!report->rows.empty()) {
    std::vector<std::size_t> widths;
    for (std::size_t c = 0; c < report->columns.size(); ++c) {
      widths.push_back(report->columns[c].size());
      for (const auto& row : report->rows) widths[c] = std::max(widths[c], row[c].size());
    }
    const auto line = [&](const std::vector<std::string>& cells) {
      std::string text = "  ";
      for (std::size_t c = 0; c < cells.size(); ++c)
        text += fmt::format("{:>{}}{}", cells[c], widths[c], c + 1 < cells.size() ? "  " : "");
      context.print(text);
    };
    line(report->columns);
    for (const auto& row : report->rows) line(row);
  }
  context.record.set("fragments", std::uint64_t(report->rows.size()));
  for (std::size_t i = 0; i < report->rows.size(); ++i)
    context.record.set(fmt::format("fragment_{}", i + 1),
                       fmt::format("{}", fmt::join(report->rows[i], " ")));
}

}  // namespace fathom::deep
