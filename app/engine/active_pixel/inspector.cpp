// SPDX-License-Identifier: BSD-3-Clause
// What the engine reports about a picture: the runs that hold a pixel, the surface under it, the
// legend of an overlay, and facts in numbers. Sparse images are walked run by run to find a pixel;
// totals are those that the ranks report.
#include "app/engine/active_pixel/engine.h"

#include "app/engine/gpu/memory_account.h"

namespace fathom::active_pixel {
namespace {

constexpr std::size_t kMaxLegend = 12;  // entries

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

// ---- The pixel under the cursor

std::optional<PixelReport> ActivePixelEngine::inspect(int x, int y) {
  const glm::ivec2 size = view_.size;
  const Frame& frame = composited();
  if (x < 0 || y < 0 || x >= size.x || y >= size.y || !complete_ || pictures_ == 0 ||
      frame.width != size.x || frame.height != size.y)
    return std::nullopt;
  const std::uint64_t index =
      std::uint64_t(size.y - 1 - y) * std::uint64_t(size.x) + std::uint64_t(x);
  PixelReport report;
  report.columns = {"part", "run", "length"};
  for (std::string& column : payloadColumns(frame.format))
    report.columns.push_back(std::move(column));
  const std::vector<SparseWords> images = sparseImages();
  for (std::size_t k = 0; k < images.size(); ++k) {
    const FoundPixel found = findPixel(images[k], index);
    if (!found.payload) continue;
    std::vector<std::string> row{std::to_string(k + 1), std::to_string(found.run + 1),
                                 std::to_string(found.runLength)};
    for (std::string& text : payloadTexts(found.payload, frame.format))
      row.push_back(std::move(text));
    report.rows.push_back(std::move(row));
  }
  report.headline = fmt::format("pixel {}, {}: active in {} of {} parts", x, y, report.rows.size(),
                                images.size());
  return report;
}

std::optional<glm::vec3> ActivePixelEngine::pick(int x, int y) {
  const Frame& frame = composited();
  if (!view_.input.source || frame.depth.empty() || x < 0 || y < 0 || x >= frame.width ||
      y >= frame.height)
    return std::nullopt;
  const int row = frame.height - 1 - y;
  const float depth = frame.depth[std::size_t(row) * std::size_t(frame.width) + std::size_t(x)];
  if (!(depth < 1)) return std::nullopt;
  Camera camera = view_.camera;
  camera.fitDepth(view_.input.source->whole.bounds);
  const glm::vec2 size(view_.size);
  const glm::mat4 fromClip = glm::inverse(camera.projection(size.x / size.y) * camera.view());
  const glm::vec4 p = fromClip * glm::vec4((float(x) + 0.5f) / size.x * 2 - 1,
                                           (float(row) + 0.5f) / size.y * 2 - 1, depth * 2 - 1, 1);
  return glm::vec3(p) / p.w;
}

// ---- Legend

std::vector<LegendEntry> ActivePixelEngine::legend() const {
  std::vector<LegendEntry> entries;
  const Show show = view_.settings.show;
  if (show == Show::Active)
    return {{0.045f, 0.17f, 0.40f, "active in one part"},
            {0.10f, 0.62f, 0.55f, "in two"},
            {1.0f, 0.52f, 0.07f, "in six or more"}};
  if (show != Show::Parts && show != Show::Regions) return entries;
  for (std::size_t i = 0; i < ranks().size() && i < kMaxLegend; ++i) {
    const glm::vec3 c = rankColor(int(i));
    entries.push_back({c.r, c.g, c.b, fmt::format("part {}", i + 1)});
  }
  return entries;
}

// ---- Facts

namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;

/// All is known without drawing it.
Facts factsOfFile(const SparseFacts& f) {
  return {{"image", fmt::format("{} x {}", f.width, f.height)},
          {"color", name(f.format.color)},
          {"depth", f.format.depth == Depth::None ? "none" : "float"},
          {"active pixels", std::to_string(f.active)},
          {"runs", std::to_string(f.runs)},
          {"compressed", fmt::format("{} B, {}", f.bytes, percent(f.ratio))}};
}

void addRankFacts(Facts& facts, const std::vector<LocalRank>& ranks) {
  SparseFacts sum;
  double slowest = 0, smallest = 1, largest = 0;
  for (const LocalRank& rank : ranks) {
    sum.active += rank.facts.active, sum.runs += rank.facts.runs, sum.bytes += rank.facts.bytes;
    smallest = std::min(smallest, rank.facts.ratio), largest = std::max(largest, rank.facts.ratio);
    slowest = std::max(slowest, rank.times.read + rank.times.compress);
  }
  facts.emplace_back("parts", std::to_string(ranks.size()));
  facts.emplace_back("active pixels", std::to_string(sum.active));
  facts.emplace_back("runs", std::to_string(sum.runs));
  facts.emplace_back("compressed", gpu::bytesText(std::int64_t(sum.bytes)));
  facts.emplace_back("of raw, per part", percent(smallest) + " to " + percent(largest));
  facts.emplace_back("read and compress", fmt::format("{:.2f} ms, the slowest part", slowest));
}

}  // namespace

Facts ActivePixelEngine::facts() const {
  if (view_.input.file) return factsOfFile(view_.input.facts);
  Facts facts;
  if (pictures_ == 0) return facts;
  facts.emplace_back("image", fmt::format("{} x {}", view_.size.x, view_.size.y));
  const Whole& whole = view_.input.source->whole;
  if (whole.points > 0)
    facts.emplace_back("points", std::to_string(whole.points));
  else
    facts.emplace_back("triangles",
                       fmt::format("{} in {} objects", whole.triangles, whole.objects));
  addRankFacts(facts, ranks());
  facts.emplace_back("composite", fmt::format("{:.2f} ms", compositeMs_));
  return facts;
}

}  // namespace fathom::active_pixel
