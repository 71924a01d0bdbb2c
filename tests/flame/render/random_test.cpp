// SPDX-License-Identifier: BSD-3-Clause
// Random genomes: the same seed the same genome, and none that shows nothing.
#include "app/engine/flame/random.h"

#include "app/engine/flame/genome/io.h"
#include "app/engine/flame/genome/operations.h"
#include "app/engine/flame/genome/variations.h"

namespace fathom::flame {
namespace {

Genome oneXform(const Affine& coefs) {
  Genome genome;
  genome.xforms.resize(1);
  genome.xforms[0].weight = 1;
  genome.xforms[0].coefs = coefs;
  variationIn(genome.xforms[0], kLinear).weight = 1;
  return genome;
}

TEST(FlameRandom, SeedsDecide) {
  EXPECT_EQ(randomGenome(3), randomGenome(3));
  EXPECT_NE(randomGenome(3), randomGenome(4));
  const Genome genome = randomGenome(3);
  EXPECT_EQ(mutated(genome, 5), mutated(genome, 5));
  EXPECT_EQ(crossed(genome, randomGenome(4), 5), crossed(genome, randomGenome(4), 5));
}

TEST(FlameRandom, NewGenomesDrawSomethingWithinThePicture) {
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    const Genome genome = randomGenome(seed, {320, 200});
    const Look look = lookAt(genome);
    EXPECT_FALSE(isDegenerate(look)) << seed;
    EXPECT_EQ(genome.size, glm::ivec2(320, 200));
    EXPECT_LT(look.radius * genome.scale, 100) << seed;
    EXPECT_GT(look.radius * genome.scale, 60) << seed;
  }
}

TEST(FlameRandom, NewGenomesCanBeWrittenAndRead) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Genome genome = randomGenome(seed);
    const GenomeFile file = parseGenomes(genomesXml(std::span(&genome, 1)), "x");
    EXPECT_EQ(file.genomes[0], genome) << seed;
    EXPECT_TRUE(file.warnings.empty()) << seed;
  }
}

TEST(FlameRandom, EveryMutationChangesTheGenomeAndStillDraws) {
  const Genome genome = randomGenome(11);
  for (int kind = 0; kind < kMutationCount; ++kind)
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const Genome child = mutated(genome, Mutation(kind), seed);
      EXPECT_NE(child, genome) << nameOf(Mutation(kind));
      EXPECT_FALSE(isDegenerate(lookAt(child))) << nameOf(Mutation(kind));
    }
}

TEST(FlameRandom, MutationsStayWithinTheLimits) {
  Genome genome = randomGenome(2);
  const std::size_t own = genome.xforms.size();
  for (const std::size_t count : {16, 40, 41, kMaxXforms}) {
    while (genome.xforms.size() < count)
      genome.xforms.push_back(Xform(genome.xforms[genome.xforms.size() - own]));
    EXPECT_LE(mutated(genome, Mutation::Symmetry, count).xforms.size(), std::size_t(kMaxXforms));
  }
}

TEST(FlameRandom, WhatExplodesShrinksOrIsAPointIsDegenerate) {
  EXPECT_TRUE(isDegenerate(lookAt(oneXform({0.5, 0, 0, 0.5, 1, 1}))));  // a point
  EXPECT_TRUE(isDegenerate(lookAt(oneXform({3, 0, 0, 3, 1, 1}))));      // explodes
  EXPECT_TRUE(isDegenerate(lookAt(oneXform({NAN, 0, 0, 1, 0, 0}))));    // noise
  EXPECT_TRUE(isDegenerate(lookAt(oneXform({1, 0, 0, 0, 0, 0}))));      // stands still
}

TEST(FlameRandom, SierpinskisTriangleIsNot) {
  Genome genome = oneXform({0.5, 0, 0, 0.5, 0, 0});
  genome.xforms.push_back(genome.xforms[0]);
  genome.xforms.push_back(genome.xforms[0]);
  genome.xforms[1].coefs.c = 1;
  genome.xforms[2].coefs.f = 1;
  const Look look = lookAt(genome);
  EXPECT_FALSE(isDegenerate(look));
  EXPECT_EQ(look.badShare, 0);
}

/// A picture of the middle of a cloud that goes far: what most points do is no reason to leave it.
TEST(Mutations, KeepAFramingThatShowsEnough) {
  Genome parent = oneXform({0.5, 0, 0, 0.5, 0, 0});
  for (int i = 0; i < 2; ++i) parent.xforms.push_back(parent.xforms[0]);
  parent.xforms[1].coefs.c = 1, parent.xforms[2].coefs.f = 1;
  parent.finalXform = parent.xforms[0];
  parent.finalXform->coefs = {1, 0, 0, 1, -0.5, -0.5};
  parent.finalXform->variations.clear();
  variationIn(*parent.finalXform, variationNamed("spherical")).weight = 1;  // far beyond
  parent.size = {64, 48}, parent.center = {0, 0}, parent.scale = 20;
  ASSERT_GT(lookAt(parent).shown, 0.1);
  int kept = 0;
  for (int kind = 0; kind < kMutationCount; ++kind) {
    const Genome child = mutated(parent, Mutation(kind), 3);
    EXPECT_GT(lookAt(child).shown, 0.06) << nameOf(Mutation(kind));
    kept += child.scale == parent.scale && child.center == parent.center ? 1 : 0;
  }
  EXPECT_GE(kept, kMutationCount - 2);
}

TEST(Mutations, KeepTheFramingOnRequestAndGoAsFarAsTheyAreAsked) {
  Genome parent = randomGenome(3, {64, 48});
  parent.center.x += 50;  // where nothing is, which cameras leave
  bool follows = false;
  const auto distance = [&](double strength) {
    double sum = 0;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const Genome free = mutated(parent, Mutation::Affine, seed, {strength, false});
      const Genome kept = mutated(parent, Mutation::Affine, seed, {strength, true});
      EXPECT_EQ(kept.center, parent.center);
      EXPECT_EQ(kept.scale, parent.scale);
      EXPECT_EQ(kept.xforms, free.xforms);  // the camera alone differs
      follows = follows || free.center != parent.center || free.scale != parent.scale;
      for (std::size_t i = 0; i < kept.xforms.size(); ++i)
        sum += std::abs(kept.xforms[i].coefs.c - parent.xforms[i].coefs.c) +
               std::abs(kept.xforms[i].coefs.a - parent.xforms[i].coefs.a);
    }
    return sum;
  };
  const double little = distance(0.1), much = distance(1);
  EXPECT_GT(little, 0);
  EXPECT_GT(much, 3 * little);
  EXPECT_TRUE(follows) << "no camera had a reason to move";
}

}  // namespace
}  // namespace fathom::flame
