// SPDX-License-Identifier: BSD-3-Clause
// Random genomes: new ones, mutations, and crosses of two. Equal seeds give equal genomes.
// Each is tested with a short chaos game; those that explode, shrink to a point or hardly
// draw anything are rejected.
#pragma once

#include "app/engine/flame/genome/model.h"

namespace fathom::flame {

/// What a short chaos game (no GPU, some milliseconds) shows of a genome.
struct Look {
  double badShare = 0;   // of all applications
  glm::dvec2 center{0};  // of where most points are
  double radius = 0;     // around the center, of 90 % of the points; not finite when there are none
  double filled = 0;     // share of the 48 x 48 cells within the radius that are hit
  double shown = 0;      // share of the 48 x 48 cells of the genome's own picture that are hit
};
Look lookAt(const Genome& genome);
bool isDegenerate(const Look& look);

/// A new genome with one of Fathom's palettes, framed by what it draws.
Genome randomGenome(std::uint64_t seed, glm::ivec2 size = {800, 600});

enum class Mutation {
  Weights,     // how often each xform is chosen
  NewXform,    // one more, or one in place of another
  Variations,  // of one xform
  Affine,      // all coefs move a little
  Color,       // another palette, colors and speeds
  Post,        // a post transformation for one xform
  Symmetry     // rotations or a reflection beside the xforms
};
constexpr int kMutationCount = 7;
const char* nameOf(Mutation mutation);

/// How far changes go, and whether the camera may follow where little of the picture would be left.
struct Change {
  double strength = 0.5;  // 0 to 1
  bool keepsFraming = false;
};
/// The genome changed in one way.
Genome mutated(const Genome& genome, Mutation mutation, std::uint64_t seed,
               const Change& change = {});
/// A change of any kind.
Genome mutated(const Genome& genome, std::uint64_t seed, const Change& change = {});
/// Xforms of both, palette and camera of one; `change`: the framing alone.
Genome crossed(const Genome& mother, const Genome& father, std::uint64_t seed,
               const Change& change = {});

}  // namespace fathom::flame
