// SPDX-License-Identifier: BSD-3-Clause
// fathom flame info: what genomes use, how films of cuburn go, what its profiles ask for.
#include "app/cli/flame/command.h"
#include "app/engine/flame/cuburn/animation.h"
#include "app/engine/flame/cuburn/document.h"
#include "app/engine/flame/genome/variations.h"
#include "app/engine/gpu/memory_account.h"

#include <fmt/ranges.h>

namespace fathom::flame {
namespace {

std::string titleOf(const OpenedGenomes& opened, std::size_t index) {
  const std::string& name = opened.genomes()[index].name;
  return name.empty() ? fmt::format("flame {}", index + 1)
                      : fmt::format("flame {}: {}", index + 1, name);
}

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

void describeGenome(CommandContext& context, const OpenedGenomes& opened, std::size_t index) {
  const Genome& genome = opened.genomes()[index];
  const Settings& settings = opened.technique.drawing();
  const std::string prefix = opened.genomes().size() > 1 ? fmt::format("flame {} ", index + 1) : "";
  const auto fact = [&](const std::string& name, const auto& value, const std::string& shown) {
    context.print(fmt::format("  {:<18} {}", name, shown));
    context.record.set(prefix + name, value);
  };
  const auto text = [&](const std::string& name, const std::string& value) {
    fact(name, value, value);
  };
  context.print(titleOf(opened, index));
  text("dialect", std::string(kDialects[std::size_t(genome.dialect)]));
  text("size", fmt::format("{}x{}", genome.size.x, genome.size.y));
  for (const auto& [name, value] : genome.other)
    if ((name == "nick" || name == "url") && !value.empty()) text(name, value);
  const double samples = samplesFor(genome, settings);
  const double pixels = double(genome.size.x) * double(genome.size.y);
  fact("quality", samples / pixels, fmt::format("{:.6g} samples per pixel", samples / pixels));
  fact("samples", samples, fmt::format("{:.4g}", samples));
  fact("supersample", genome.supersample, std::to_string(genome.supersample));
  const HistogramShape shape = shapeFor(genome, settings);
  const glm::ivec2 buckets = shape.buckets();
  const std::int64_t bytes = std::int64_t(buckets.x) * buckets.y * shape.words() * 4;
  text("histogram", fmt::format("{}x{} bins, gutter {}", buckets.x, buckets.y, shape.gutter));
  fact("memory", bytes, gpu::bytesText(bytes));
  text("palette", genome.paletteNumber >= 0     ? fmt::format("number {}", genome.paletteNumber)
                  : genome.palette == Palette{} ? "none"
                                                : "in the file");
  fact("xforms", int(genome.xforms.size()), std::to_string(genome.xforms.size()));
  double total = 0;
  for (const Xform& xform : genome.xforms) total += xform.weight;
  for (std::size_t i = 0; i < genome.xforms.size(); ++i) {
    const Xform& xform = genome.xforms[i];
    text(
        fmt::format("xform {}", i + 1),
        fmt::format("{:5.1f} %  {}", total > 0 ? 100 * xform.weight / total : 0, xformText(xform)));
  }
  if (genome.finalXform) text("final xform", xformText(*genome.finalXform));
  for (const Xform& xform : genome.furtherFinals) text("further final", xformText(xform));
  for (std::size_t i = 0; i < genome.layers.size(); ++i) {
    const Layer& layer = genome.layers[i];
    text(fmt::format("layer {}", i + 2),
         fmt::format("{} xforms, weight {:.4g}{}", layer.xforms.size(), layer.settings.weight,
                     layer.settings.visible ? "" : ", hidden"));
  }
  for (const UnsupportedFeature& lost : genome.lost)
    context.print(fmt::format(
        "  {:<18} {}", "lost",
        lost.xforms == 0
            ? lost.name
            : fmt::format("{} ({} xform{})", lost.name, lost.xforms, lost.xforms == 1 ? "" : "s")));
}

/// What is not drawn, as a list: over all flames of the file.
void recordLost(CommandContext& context, const OpenedGenomes& opened) {
  std::vector<UnsupportedFeature> all;
  for (const Genome& genome : opened.genomes())
    for (const UnsupportedFeature& lost : genome.lost) {
      const auto at = std::find_if(all.begin(), all.end(), [&](const UnsupportedFeature& other) {
        return other.name == lost.name;
      });
      if (at == all.end())
        all.push_back(lost);
      else
        at->xforms += lost.xforms;
    }
  std::vector<RunRecord::Row> rows;
  for (const UnsupportedFeature& lost : all)
    rows.push_back({{"name", lost.name}, {"xforms", std::int64_t(lost.xforms)}});
  context.record.lists.emplace_back("lost", std::move(rows));
}

void describeFilm(CommandContext& context, const CuburnAnimation& animation) {
  using cuburn::DocumentType;
  constexpr const char* kinds[] = {"node", "edge", "animation"};
  const cuburn::Film& film = animation.film();
  const auto fact = [&](const std::string& name, const auto& value, const std::string& shown) {
    context.print(fmt::format("  {:<18} {}", name, shown));
    context.record.set(name, value);
  };
  const std::string kind = kinds[std::size_t(film.type)];
  fact("film", kind, fmt::format("{}: {}", kind, film.name));
  fact("turns", film.duration, fmt::format("{:.6g}", film.duration));
  fact("frames", animation.frameCount(), std::to_string(animation.frameCount()));
  if (film.type != DocumentType::Edge) return;
  for (std::size_t i = 0; i < film.xforms.size(); ++i) {
    const auto id = [](const std::string& name) { return name.empty() ? "none" : name; };
    const std::string pair =
        fmt::format("{} becomes {}", id(film.xforms[i].from), id(film.xforms[i].to));
    fact(fmt::format("pair {}", i + 1), pair, pair);
  }
}

void describeProfile(CommandContext& context, const cuburn::FilmProfile& profile) {
  const auto fact = [&](const std::string& name, const auto& value, const std::string& shown) {
    context.print(fmt::format("  {:<18} {}", name, shown));
    context.record.set(name, value);
  };
  const auto number = [&](const std::string& name, double value, const std::string& unit) {
    fact(name, value, fmt::format("{:.6g}{}", value, unit));
  };
  context.record.size = {profile.width, profile.height};
  context.print("profile");
  const std::string size = fmt::format("{}x{}", profile.width, profile.height);
  fact("size", size, size);
  number("frame rate", profile.framesPerSecond, " frames per second");
  number("turn", profile.secondsPerTurn, " s");
  const int frames = profile.frameCount(1, context.inputs[0]);
  fact("frames", frames, fmt::format("{} per turn", frames));
  number("shutter", profile.frameWidth, " times the genome's frame_width");
  number("quality", profile.samplesPerPixel, " samples per pixel times the genome's spp");
  fact("start", profile.start, std::to_string(profile.start));
  fact("end", profile.end, profile.end == 0 ? "the last frame" : std::to_string(profile.end));
  fact("skip", profile.skip, std::to_string(profile.skip));
  for (const auto& [path, factor] : profile.factors) number(path, factor, " times the genome's");
  const std::string density = profile.estimates ? "estimated" : "as it is";
  fact("density", density, density);
  if (profile.missingFilters.empty()) return;
  const std::string missing = fmt::format("{}", fmt::join(profile.missingFilters, ", "));
  fact("left out", missing, missing);
}

}  // namespace

void runInfo(CommandContext& context) {
  if (cuburn::isProfile(context.inputs[0]))
    return describeProfile(context, cuburn::readProfile(context.inputs[0]));
  const OpenedGenomes opened = openGenomes(context);
  context.record.set("flames", opened.genomes().size());
  for (std::size_t i = 0; i < opened.genomes().size(); ++i) describeGenome(context, opened, i);
  if (opened.genomes().size() > 1)
    context.record.set("dialect",
                       std::string(kDialects[std::size_t(opened.genomes().front().dialect)]));
  recordLost(context, opened);
  if (opened.film) describeFilm(context, *opened.film);
}

}  // namespace fathom::flame
