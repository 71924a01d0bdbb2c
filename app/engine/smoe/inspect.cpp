// SPDX-License-Identifier: BSD-3-Clause
// What can be asked of the engine's picture: the components under a pixel, evaluated by the
// reference's formulas, the legend of false colors, and the facts about model, lists and
// certificate.
#include "app/engine/smoe/engine.h"

#include "app/engine/gpu/memory_account.h"
#include "app/engine/smoe/model/file_format.h"
#include "app/engine/smoe/model/reference.h"

namespace fathom::smoe {
namespace {

constexpr std::size_t kMaxRows = 64;  // of the inspector's table

/// A component of a tile's list at one pixel.
struct AtPixel {
  std::uint32_t component = 0;
  double logWeight = 0, distance = 0, gate = 0;
  glm::dvec3 color{0};
  bool evaluated = true;
};

AtPixel evaluate(const Record& r, std::uint32_t component, glm::dvec2 at) {
  const Evaluation here(r, at);
  return {component, here.log, glm::length(here.z), 0, here.color(r)};
}

/// Gates from log weights, over what is evaluated; the largest first.
void normalize(std::vector<AtPixel>& list) {
  double largest = -INFINITY, sum = 0;
  for (const AtPixel& a : list)
    if (a.evaluated) largest = std::max(largest, a.logWeight);
  for (AtPixel& a : list) sum += a.gate = a.evaluated ? std::exp(a.logWeight - largest) : 0;
  for (AtPixel& a : list) a.gate /= sum;
  std::sort(list.begin(), list.end(), [](const AtPixel& a, const AtPixel& b) {
    return a.gate != b.gate ? a.gate > b.gate : a.component < b.component;
  });
}

std::string boundText(double bound) {
  return std::isfinite(bound) ? fmt::format("{:.1e}", bound) : "no bound";
}

}  // namespace

const std::vector<Record>& SmoeEngine::records() {
  const ViewCoordinates at = drawn_ ? drawn_->window.at : ViewCoordinates(0);
  if (sliced_.model != models_.generation() || sliced_.at != at)
    sliced_ = {models_.generation(), at, reference::recordsOf(*models_, at)};
  return sliced_.records;
}

std::optional<PixelReport> SmoeEngine::inspect(int x, int y) {
  const glm::ivec2 size = shown_.size();
  if (!drawn_ || inProgress() || x < 0 || y < 0 || x >= size.x || y >= size.y) return std::nullopt;
  const ViewWindow& window = drawn_->window;
  x %= window.size.x;  // of panels side by side all show the same part
  // The sample in the middle of the pixel; tiles are of samples, and entries are skipped by 8 x 4.
  const glm::ivec2 sample = glm::ivec2(x, y) * window.samples + window.samples / 2;
  const glm::ivec2 tile = sample / drawn_->options.tilePixels;
  const glm::ivec2 inTile = sample % drawn_->options.tilePixels;
  const auto half = std::uint32_t(3) << (inTile.y / 4 * 4 + inTile.x / 8 * 2);
  const glm::dvec2 at = window.corner + (glm::dvec2(x, y) + 0.5) * window.step;
  const std::vector<Record>& records = this->records();
  std::vector<AtPixel> list;
  for (const Decoder::Entry& entry : decoder_->downloadList(tile)) {
    AtPixel found = evaluate(records[entry.component], entry.component, at);
    found.evaluated = !drawn_->options.masks || (entry.mask & half) != 0;
    list.push_back(found);
  }
  normalize(list);
  const auto evaluated = std::ranges::count_if(list, [](const AtPixel& a) { return a.evaluated; });
  PixelReport report;
  report.headline = fmt::format(
      "pixel {}, {} at {:.2f}, {:.2f} of the model: {} of {} components in the tile's list are "
      "evaluated, certificate {}",
      x, y, at.x, at.y, evaluated, list.size(), boundText(decoder_->certificate(tile)));
  report.columns = {"component", "gate", "distance", "log weight"};
  const ColorSpace space = models_->colorSpace;
  const bool luma = space == ColorSpace::Ycbcr709;
  for (const char* name : {luma ? "Y" : "R", luma ? "Cb" : "G", luma ? "Cr" : "B"})
    report.columns.push_back(fmt::format("{} ({})", name, kColorSpaceWords[std::size_t(space)]));
  for (std::size_t i = 0; i < std::min(list.size(), kMaxRows); ++i) {
    const AtPixel& a = list[i];
    report.rows.push_back({std::to_string(a.component),
                           a.evaluated ? fmt::format("{:.5f}", a.gate) : "skipped",
                           fmt::format("{:.3f}", a.distance), fmt::format("{:.3f}", a.logWeight),
                           fmt::format("{:.4f}", a.color.r), fmt::format("{:.4f}", a.color.g),
                           fmt::format("{:.4f}", a.color.b)});
  }
  return report;
}

std::vector<std::pair<std::string, std::string>> SmoeEngine::facts() const {
  std::vector<std::pair<std::string, std::string>> facts;
  if (!models_) return facts;
  const Model& m = *models_;
  facts.emplace_back("model", fmt::format("{} x {}", m.width, m.height));
  if (m.dims == 3) facts.emplace_back("frames", std::to_string(m.frames));
  if (m.dims == 4) facts.emplace_back("views", fmt::format("{} x {}", m.views.x, m.views.y));
  facts.emplace_back("components", std::to_string(m.components.size()));
  if (m.alpha) facts.emplace_back("of alpha", std::to_string(m.alpha->components.size()));
  facts.emplace_back("colors", kColorSpaceWords[std::size_t(m.colorSpace)]);
  if (isAsinh(m.colorSpace)) facts.emplace_back("light up to", fmt::format("{:g}", m.peak));
  // Of the file that there is; else of the one that saving would make.
  const std::uint64_t bytes = models_.fileBytes()
                                  ? models_.fileBytes()
                                  : std::uint64_t(models_.bytesAs(settings_.encoding));
  if (bytes > 0) {
    facts.emplace_back(models_.fileBytes() ? "file" : "file when saved",
                       gpu::bytesText(std::int64_t(bytes)));
    facts.emplace_back("encoding", models_.fileBytes() ? models_.fileEncoding()
                                                       : encodingName(settings_.encoding));
    facts.emplace_back("bits per component",
                       fmt::format("{:.0f}", 8.0 * double(bytes) / double(allComponents(m))));
  }
  if (m.psnr > 0) facts.emplace_back("PSNR", fmt::format("{:.2f} dB", m.psnr));
  if (m.alpha && m.alpha->psnr > 0)
    facts.emplace_back("PSNR of alpha", fmt::format("{:.2f} dB", m.alpha->psnr));
  if (!m.source.empty()) facts.emplace_back("source", m.source);
  if (!m.fit.empty()) facts.emplace_back("fit", m.fit);
  if (!drawn_) return facts;
  if (m.leading() > 0)
    facts.emplace_back(m.dims == 4 ? "view" : "frame", viewLabel(drawn_->window.at, m.leading()));
  const ListFacts& lists = listFacts();
  facts.emplace_back("list", fmt::format("{:.1f} mean, {} longest", lists.kpb, lists.longest));
  if (lists.emptyTiles > 0) facts.emplace_back("empty lists", std::to_string(lists.emptyTiles));
  facts.emplace_back("evaluations", fmt::format("{:.1f} per sample", lists.evaluationsPerSample));
  facts.emplace_back("list memory", gpu::bytesText(std::int64_t(lists.entries * 4)));
  facts.emplace_back("certified error", boundText(lists.maxErrorBound));
  return facts;
}

std::string viewLabel(ViewCoordinates at, int leading) {
  return leading == 2 ? fmt::format("{:.2f}, {:.2f}", at.x, at.y) : fmt::format("{:.2f}", at.x);
}

std::vector<LegendEntry> SmoeEngine::legend() const {
  if (!drawn_) return {};
  const auto heat = [](std::array<std::string, 5> labels) {
    return std::vector<LegendEntry>{{1, 1, 1, labels[4]},
                                    {1, 0.8f, 0.1f, labels[3]},
                                    {0.85f, 0.1f, 0.1f, labels[2]},
                                    {0.25f, 0, 0.45f, labels[1]},
                                    {0, 0, 0, labels[0]}};
  };
  switch (drawn_->show) {
    case Show::Lists: {
      const double end = 256 / double(drawn_->gain);
      const auto at = [&](double share) { return fmt::format("{:.0f}", end * share); };
      return heat({"no component", at(0.25), at(0.5), at(0.75), at(1) + " and more"});
    }
    case Show::Certificate:
      return heat({"1/4096 and less", "1/256 of it", "1/16 of it",
                   fmt::format("half a step of {} bits", drawn_->options.bits), "more"});
    case Show::Disparity:
      return {{1, 0, 0, "+1 px per view"}, {0, 0.15f, 0, "0"}, {0, 0, 1, "-1 px per view"}};
    case Show::Beside:
    case Show::Error:
      if (!drawn_->source) return {};
      return {{1, 1, 1, fmt::format("wrong by 1/{:.3g}", drawn_->gain)}, {0, 0, 0, "right"}};
    default:
      return {};
  }
}

}  // namespace fathom::smoe
