// SPDX-License-Identifier: BSD-3-Clause
// How the registry knows flames, and what their files become: genomes of flam3 and its relatives,
// documents of cuburn and palettes, as values without an engine.
#pragma once

#include "app/engine/engine.h"
#include "app/engine/flame/genome/model.h"

namespace fathom::flame {

class CuburnAnimation;  // cuburn/animation.h

/// How genomes are read, besides the files.
struct GenomeReadOptions {
  std::uint64_t seed = 1;   // decides what <symmetry kind="0"/> becomes
  glm::ivec2 size{0};       // of the pictures, unless 0; pixels per unit follow the width
  std::string filmProfile;  // how films of cuburn are drawn; empty: by its defaults
  int flame = 0;            // whose warnings are wanted, from 1; 0: of all flames of a file
};

struct LoadedGenomes : LoadedInputs {
  std::vector<Genome> genomes;                  // at least one, or a palette
  std::optional<Palette> palette;               // for the flame that is shown
  std::shared_ptr<const CuburnAnimation> film;  // what a single file of cuburn moves like, or null
  std::vector<std::string> warnings;            // a line each
};

/// Genome files, or documents of cuburn, by their content; palette files by their ending.
bool accepts(const std::vector<std::string>& inputs);
/// Throws Error.
std::unique_ptr<LoadedGenomes> readInputs(const std::vector<std::string>& inputs,
                                          const GenomeReadOptions& options, Progress& progress);
/// With default options, for TechniqueEntry.
std::unique_ptr<LoadedInputs> read(const std::vector<std::string>& inputs, Progress& progress);

const TechniqueEntry& entry();

}  // namespace fathom::flame
