// SPDX-License-Identifier: BSD-3-Clause
// Genome files: flam3's XML in every form that flam3 3.1 reads, and back without loss. What flam3
// rejects is rejected here, what makes it crash as well, and what it passes over in silence is a
// warning. More lenient in two places: white space after the numbers of coefs, and names of any
// length.
#pragma once

#include "app/engine/flame/genome/model.h"

namespace fathom::flame {

// Limits of files: beyond them a message, never a hang.
constexpr std::uint64_t kMaxGenomeFileBytes = 64u << 20;  // bytes
constexpr int kMaxElementDepth = 64;
constexpr int kMaxFlames = 100000;
constexpr int kMaxXforms = 256;
constexpr int kMaxSide = 1000000;         // pixels; what a device can draw is asked when drawing
constexpr double kMaxFilterRadius = 100;  // pixels, of filters
constexpr int kMaxSupersample = 16;

struct GenomeFile {
  std::vector<Genome> genomes;        // in the order of the document, at least one
  std::vector<std::string> warnings;  // a line each, `FILE: flame NAME, xform 2: ...`
  int frames = 0;    // of the film that the only flame is by motion curves of JWildfire, from 1
  double frame = 1;  // that it shows
};

/// Throws Error: `FILE: flame NAME, xform 2: expected ..., found ...`. `seed` decides what
/// <symmetry kind="0"/> becomes; of one `flame` alone, from 1, are the warnings, unless it is 0.
GenomeFile readGenomes(const fs::path& file, std::uint64_t seed = 1, int flame = 0);
/// Reads genomes from text; `name` takes the place of the file in messages. Flames that move by
/// curves are as they are at `frame`, or at the one that each shows.
GenomeFile parseGenomes(std::string_view xml, const std::string& name, std::uint64_t seed = 1,
                        int flame = 0, std::optional<double> frame = {});

/// True when the file begins like XML and names a flame; never throws.
bool looksLikeGenomes(const fs::path& file);

/// One flame, or several below <flames>. Reading it again gives equal genomes.
std::string genomesXml(std::span<const Genome> genomes);
void writeGenomes(const fs::path& file, std::span<const Genome> genomes);

// Flames and single xforms as text for the clipboard, in the XML that forums, Apophysis and
// JWildfire exchange.

/// The <xform> elements of these xforms; index xforms.size() is the final one. Without chaos, which
/// names xforms that the text does not hold.
std::string xformsXml(const Genome& genome, std::span<const std::size_t> indices);

/// What a text holds: flames, or xforms alone.
struct Fragment {
  std::vector<Genome> flames;
  std::vector<Xform> xforms;
  std::optional<Xform> finalXform;
};

/// Xforms alone are read as `dialectOf` would have written them. Throws Error: "clipboard: expected
/// ..., found ...".
Fragment parseFragment(const std::string& text, const Genome& dialectOf);

}  // namespace fathom::flame
