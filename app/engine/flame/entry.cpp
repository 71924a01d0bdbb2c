// SPDX-License-Identifier: BSD-3-Clause
// How the registry knows flames, and what their files become: genomes of flam3 and its relatives,
// documents of cuburn and palettes, as values without an engine.
#include "app/engine/flame/entry.h"

#include "app/engine/core/error.h"
#include "app/engine/flame/cuburn/animation.h"
#include "app/engine/flame/engine.h"
#include "app/engine/flame/genome/io.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/genome/palettes.h"

namespace fathom::flame {

bool accepts(const std::vector<std::string>& inputs) {
  return !inputs.empty() && std::all_of(inputs.begin(), inputs.end(), [](const std::string& input) {
    return looksLikeGenomes(input) || cuburn::looksLikeDocument(input) || isPaletteFile(input);
  });
}

std::unique_ptr<LoadedGenomes> readInputs(const std::vector<std::string>& inputs,
                                          const GenomeReadOptions& options, Progress& progress) {
  if (inputs.empty()) throw UsageError("flame: expected a genome file, found no input");
  auto loaded = std::make_unique<LoadedGenomes>();
  for (const std::string& input : inputs) {
    if (isPaletteFile(input)) {
      loaded->palette = readPaletteFile(input).front().colors;
      continue;
    }
    loaded->names.push_back(input);
    GenomeFile file;
    const bool isJson = std::filesystem::path(input).extension() == ".json";
    if (isJson || cuburn::looksLikeDocument(input)) {
      CuburnFile read = readCuburn(input, options.filmProfile, options.size);
      loaded->film = std::move(read.animation);
      file = {{loaded->film->still()}, std::move(read.warnings)};
      file.genomes.front().dialect = Dialect::Cuburn;
    } else {
      file = readGenomes(input, options.seed, options.flame);
    }
    std::move(file.genomes.begin(), file.genomes.end(), std::back_inserter(loaded->genomes));
    std::move(file.warnings.begin(), file.warnings.end(), std::back_inserter(loaded->warnings));
    progress.throwIfCancelled();
  }
  if (loaded->names.empty()) loaded->names = inputs;  // a palette alone
  if (loaded->names.size() > 1) loaded->film.reset();
  const bool moves = loaded->film && loaded->film->moves();
  if (options.size.x > 0 && !moves)
    for (Genome& genome : loaded->genomes) genome = framed(genome, options.size);
  return loaded;
}

std::unique_ptr<LoadedInputs> read(const std::vector<std::string>& inputs, Progress& progress) {
  return readInputs(inputs, {}, progress);
}

namespace {

Describe settings() {
  return [engine = std::make_shared<FlameEngine>()](FieldVisitor& f) { engine->describe(f); };
}

}  // namespace

const TechniqueEntry& entry() {
  static const TechniqueEntry entry{
      {"flame",
       "Fractal flames",
       "Draws flam3 genomes as flam3 does, on the GPU, while you edit them.",
       "Robertson, \"cuburn: a GPU flame renderer\" (2011), after Draves and Reckase, \"The "
       "Fractal Flame Algorithm\" (2003)",
       {".flame", ".flam3", ".json"}},
      accepts,
      read,
      settings,
      makeEngine<FlameEngine>};
  return entry;
}

}  // namespace fathom::flame
