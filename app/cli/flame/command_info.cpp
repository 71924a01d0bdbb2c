// SPDX-License-Identifier: BSD-3-Clause
// fathom flame info: what genomes use, how films of cuburn go, what its profiles ask for.
#include "app/cli/flame/command.h"
#include "app/engine/flame/cuburn/animation.h"
#include "app/engine/flame/cuburn/document.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/genome/variations.h"
#include "app/engine/gpu/memory_account.h"

namespace fathom::flame {
namespace {

std::string titleOf(const OpenedGenomes& opened, std::size_t index) {
  const std::string& name = opened.genomes()[index].name;
  return name.empty() ? fmt::format("flame {}", index + 1)
                      : fmt::format("flame {}: {}", index + 1, name);
}

/// A line for each fact, which goes to the record too.
struct Facts {
  CommandContext& context;
  std::string prefix;  // of the names in the record
  template <class Value>
  void add(const std::string& name, const Value& value, const std::string& shown) const {
    context.print(fmt::format("  {:<18} {}", name, shown));
    context.record.set(prefix + name, value);
  }
  void add(const std::string& name, const std::string& text) const { add(name, text, text); }
  void add(const std::string& name, int number) const { add(name, number, std::to_string(number)); }
};

std::string variationsText(const Xform& xform) {
  std::string text;
  for (const VariationUse& use : xform.variations)
    if (use.weight != 0)
      text += fmt::format("{}{} {:.4g}", text.empty() ? "" : ", ",
                          variations()[std::size_t(use.index)].name, use.weight);
  return text.empty() ? "no variation: everything goes to the origin" : text;
}

std::string xformText(const Xform& xform) {
  std::string text = variationsText(xform);
  if (!(xform.post == Affine())) text += "; post";
  if (xform.opacity != 1) text += fmt::format("; opacity {:.4g}", xform.opacity);
  if (!xform.chaos.empty()) text += "; xaos";
  if (!xform.motions.empty()) text += fmt::format("; {} motions", xform.motions.size());
  return text;
}

/// Variations that differ from JWildfire's, or that nobody compared with them.
void describeBeside(const Facts& facts, const Genome& genome) {
  std::map<std::string, std::string> beside;
  const auto look = [&](const Xform& xform) {
    for (const VariationUse& use : xform.variations)
      if (const VariationInfo& info = variations()[std::size_t(use.index)]; use.weight != 0)
        beside.emplace(info.function, info.besideJWildfire);
  };
  eachXform(genome, look);
  for (const Layer& layer : genome.layers) eachXform(layer, look);
  std::erase_if(beside, [](const auto& each) { return each.second.empty(); });
  std::vector<RunRecord::Row> rows;
  for (const auto& [name, how] : beside) {
    facts.context.print(fmt::format("  {:<18} {}: {}", "beside JWildfire", name, how));
    rows.push_back({{"name", name}, {"how", how}});
  }
  facts.context.record.lists.emplace_back(facts.prefix + "beside JWildfire", std::move(rows));
}

void describeGenome(CommandContext& context, const OpenedGenomes& opened, std::size_t index) {
  const Genome& genome = opened.genomes()[index];
  const Settings& settings = opened.technique.drawing();
  const Facts facts{context,
                    opened.genomes().size() > 1 ? fmt::format("flame {} ", index + 1) : ""};
  context.print(titleOf(opened, index));
  facts.add("dialect", std::string(kDialects[std::size_t(genome.dialect)]));
  facts.add("size", fmt::format("{}x{}", genome.size.x, genome.size.y));
  for (const auto& [name, value] : genome.other)
    if ((name == "nick" || name == "url") && !value.empty()) facts.add(name, value);
  const double samples = samplesFor(genome, settings);
  const double pixels = double(genome.size.x) * double(genome.size.y);
  facts.add("quality", samples / pixels, fmt::format("{:.6g} samples per pixel", samples / pixels));
  facts.add("samples", samples, fmt::format("{:.4g}", samples));
  facts.add("supersample", genome.supersample);
  const HistogramShape shape = shapeFor(genome, settings);
  const glm::ivec2 buckets = shape.buckets();
  const std::int64_t bytes = std::int64_t(buckets.x) * buckets.y * shape.words() * 4;
  facts.add("histogram", fmt::format("{}x{} bins, gutter {}", buckets.x, buckets.y, shape.gutter));
  facts.add("memory", bytes, gpu::bytesText(bytes));
  facts.add("palette", genome.paletteNumber >= 0 ? fmt::format("number {}", genome.paletteNumber)
                       : genome.palette == Palette{} ? "none"
                                                     : "in the file");
  facts.add("xforms", int(genome.xforms.size()));
  double total = 0;
  for (const Xform& xform : genome.xforms) total += xform.weight;
  for (std::size_t i = 0; i < genome.xforms.size(); ++i) {
    const Xform& xform = genome.xforms[i];
    facts.add(
        fmt::format("xform {}", i + 1),
        fmt::format("{:5.1f} %  {}", total > 0 ? 100 * xform.weight / total : 0, xformText(xform)));
  }
  if (genome.finalXform) facts.add("final xform", xformText(*genome.finalXform));
  for (const Xform& xform : genome.furtherFinals) facts.add("further final", xformText(xform));
  for (std::size_t i = 0; i < genome.layers.size(); ++i) {
    const Layer& layer = genome.layers[i];
    facts.add(
        fmt::format("layer {}", i + 2),
        fmt::format("{} xforms, weight {:.4g}{}", layer.xforms.size(), layer.layerSettings.weight,
                    layer.layerSettings.visible ? "" : ", hidden"));
  }
  describeBeside(facts, genome);
  for (const UnsupportedFeature& lost : genome.lost)
    context.print(fmt::format(
        "  {:<18} {}", "unsupported",
        lost.xforms == 0
            ? lost.name
            : fmt::format("{} ({} xform{})", lost.name, lost.xforms, lost.xforms == 1 ? "" : "s")));
}

/// "lost" is the older name, kept for scripts.
void recordLost(CommandContext& context, const std::string& of,
                const std::vector<UnsupportedFeature>& lost) {
  std::vector<RunRecord::Row> rows;
  for (const UnsupportedFeature& each : lost)
    rows.push_back({{"name", each.name}, {"xforms", std::int64_t(each.xforms)}});
  context.record.lists.emplace_back(of + "unsupported", rows);
  context.record.lists.emplace_back(of + "lost", std::move(rows));
}

/// What is not drawn, as lists: of each flame, and over all flames of the file.
void recordAllLost(CommandContext& context, const OpenedGenomes& opened) {
  std::vector<UnsupportedFeature> all;
  const std::vector<Genome>& genomes = opened.genomes();
  for (std::size_t i = 0; i < genomes.size(); ++i) {
    if (genomes.size() > 1) recordLost(context, fmt::format("flame {} ", i + 1), genomes[i].lost);
    for (const UnsupportedFeature& lost : genomes[i].lost) {
      const auto at = std::ranges::find_if(
          all, [&](const UnsupportedFeature& other) { return other.name == lost.name; });
      if (at == all.end())
        all.push_back(lost);
      else
        at->xforms += lost.xforms;
    }
  }
  recordLost(context, "", all);
}

void describeFilm(CommandContext& context, const CuburnAnimation& animation) {
  using cuburn::DocumentType;
  constexpr const char* kinds[] = {"node", "edge", "animation"};
  const cuburn::Film& film = animation.film();
  const Facts facts{context, ""};
  const std::string kind = kinds[std::size_t(film.type)];
  facts.add("film", kind, fmt::format("{}: {}", kind, film.name));
  facts.add("turns", film.duration, fmt::format("{:.6g}", film.duration));
  facts.add("frames", animation.frameCount());
  if (film.type != DocumentType::Edge) return;
  for (std::size_t i = 0; i < film.xforms.size(); ++i) {
    const auto id = [](const std::string& name) { return name.empty() ? "none" : name; };
    const std::string pair =
        fmt::format("{} becomes {}", id(film.xforms[i].from), id(film.xforms[i].to));
    facts.add(fmt::format("pair {}", i + 1), pair);
  }
}

}  // namespace

void runInfo(CommandContext& context) {
  const OpenedGenomes opened = openGenomes(context);
  context.record.set("flames", opened.genomes().size());
  for (std::size_t i = 0; i < opened.genomes().size(); ++i) describeGenome(context, opened, i);
  if (opened.genomes().size() > 1)
    context.record.set("dialect",
                       std::string(kDialects[std::size_t(opened.genomes().front().dialect)]));
  recordAllLost(context, opened);
  const Timeline& timeline = opened.technique.timeline();
  if (opened.film)
    describeFilm(context, *opened.film);
  else if (!timeline.editable())
    Facts{context, ""}.add("frames", int(timeline.lastTime()));
}

}  // namespace fathom::flame
