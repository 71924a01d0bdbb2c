// SPDX-License-Identifier: BSD-3-Clause
// fathom flame palette | shader | random, and what all subcommands begin with.
#include "app/engine/gpu/shader_loader.h"
#include "app/cli/flame/command_parts.h"
#include "app/window/flame/editing.h"
#include "app/window/flame/random.h"
#include "app/engine/flame/genome/io.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/genome/palette_files.h"
#include "app/engine/flame/render/generator.h"

#include <algorithm>

namespace fathom::flame {

OpenedGenomes openGenomes(CommandContext& context) {
  auto& technique = context.as<FlameEngine>();
  const PhaseTimer timer(context.record, "read");
  technique.setSeed(context.seed);
  GenomeReadOptions options{context.seed, context.size.value_or(glm::ivec2(0)), {}};
  if (context.given("film")) options.filmProfile = context.text("film");
  std::unique_ptr<LoadedGenomes> loaded = readInputs(context.inputs, options, context.progress);
  const std::shared_ptr<const CuburnAnimation> film = loaded->film;
  technique.adopt(std::move(loaded));
  if (context.given("film") && !film)
    throw UsageError(fmt::format(
        "--film: expected a node, an edge or an animation (JSON), found {}", context.inputs[0]));
  const glm::ivec2 size = technique.size();
  context.record.size = {size.x, size.y};
  return {technique, film};
}

PictureOptions pictureOptions(CommandContext& context) {
  PictureOptions options;
  options.bits = context.number("bits", 8, 16);
  if (options.bits != 8 && options.bits != 16)
    throw UsageError(fmt::format("--bits: expected 8 or 16, found {}", options.bits));
  options.asFloat = context.on("float");
  options.transparent = context.as<FlameEngine>().drawing().transparent;
  return options;
}

// palette
// ------------------------------------------------------------------------------------------------

/// Of a palette file, or of a genome.
void runPalette(CommandContext& context) {
  const std::string& input = context.inputs[0];
  const int wanted = context.number("number", 1, 100000);
  Palette palette{};
  std::size_t count = 1;
  if (isPaletteFile(input)) {
    const std::vector<NamedPalette> list = readPaletteFile(input);
    count = list.size();
    if (wanted > int(count))
      fail("{}: expected a palette from 1 to {}, found {}", input, count, wanted);
    palette = list[std::size_t(wanted - 1)].colors;
  } else {
    palette = openGenomes(context).technique.timeline().shown().palette;
  }
  writePaletteFile(context.output, palette);
  context.record.set("palettes", count);
}

// shader
// ------------------------------------------------------------------------------------------------

void runShader(CommandContext& context) {
  const FlameEngine& technique = openGenomes(context).technique;
  const Genome genome = forRendering(technique.timeline().shown());
  Settings settings = technique.drawing();
  if (settings.accumulate == Accumulate::Auto) settings.accumulate = Accumulate::Atomic;
  const std::string& selection = context.text("selection");
  if (selection != "shared" && selection != "own")
    throw UsageError(fmt::format("--selection: expected shared or own, found \"{}\"", selection));
  const Structure structure = structureOf(genome, shapeFor(genome, settings), settings,
                                          selection == "own" ? Selection::Own : Selection::Shared);
  const std::vector<gpu::GeneratedText> texts = generate(structure);
  std::size_t lines = 0;
  const auto print = [&](const std::string& text) {
    lines += std::size_t(std::count(text.begin(), text.end(), '\n'));
    context.print(text.empty() || text.back() != '\n' ? text : text.substr(0, text.size() - 1));
  };
  if (context.on("whole")) {
    const gpu::PassKey key = iteratePass(structure, 256);
    print(gpu::loadShader(key.shader, key.defines, key.generated).text);
  } else {
    for (const gpu::GeneratedText& text : texts) {
      context.print("// " + text.name);
      print(text.text);
    }
  }
  context.record.set("lines", lines);
}

// random
// ------------------------------------------------------------------------------------------------

void runRandom(CommandContext& context) {
  const int count = context.number("count", 1, 10000);
  const Change change{context.real("strength", 0, 1), context.on("keep-framing")};
  const glm::ivec2 size = context.size.value_or(glm::ivec2(800, 600));
  std::vector<Genome> genomes;
  if (context.inputs.empty()) {
    for (int i = 0; i < count; ++i)
      genomes.push_back(randomGenome(context.seed + std::uint64_t(i), size));
  } else {
    const FlameEngine& technique = openGenomes(context).technique;
    for (int i = 0; i < count; ++i)
      genomes.push_back(
          mutated(technique.timeline().shown(), context.seed + std::uint64_t(i), change));
  }
  writeGenomes(context.output, genomes);
  context.record.size = {genomes[0].size.x, genomes[0].size.y};
  context.record.set("flames", count);
}

}  // namespace fathom::flame
