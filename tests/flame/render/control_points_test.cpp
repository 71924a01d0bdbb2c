// SPDX-License-Identifier: BSD-3-Clause
// Control points evaluated on the GPU beside those packed on the CPU, of as many moments as a frame
// may have: a relative difference of 1e-6 at most, of every kind of number that one holds.
#include "app/engine/flame/render/control_points.h"
#include "app/engine/core/random.h"
#include "app/engine/flame/cuburn/animation.h"
#include "app/engine/flame/genome/variations.h"
#include "app/engine/flame/motion/keyframes.h"
#include "shaders/flame/shared.h"
#include "tests/flame/motion/moving_genomes.h"
#include "tests/support/gpu_test.h"

namespace fathom::flame {
namespace {

constexpr std::size_t kMoments = 4096;

struct Largest {
  double relative = 0;
  std::string where;
};

class ControlPointsOnGpu : public fathom::test::GpuTest {
 protected:
  static constexpr HistogramShape kShape{{96, 64}, 2, 8, true};

  static Structure structureOfExtent(const Genome& extent, Selection selection) {
    const Settings settings{.accumulate = Accumulate::Atomic};
    Structure structure = structureOf(forRendering(extent), kShape, settings, selection);
    structure.moving = true;
    return structure;
  }

  static std::vector<double> momentsIn(double first, double last) {
    std::vector<double> moments;
    for (std::size_t i = 0; i < kMoments; ++i)
      moments.push_back(first + (last - first) * double(i) / double(kMoments - 1));
    return moments;
  }

  static std::vector<glm::vec4> evaluated(std::span<const MovingGenome> pieces,
                                          const Structure& structure,
                                          std::span<const double> moments) {
    ControlPoints points(context());
    points.start(pieces, structure, kShape, moments);
    gpu::Buffer<glm::vec4> out(context(), "out", moments.size() * controlPointRows(structure));
    out.clear();
    points.evaluate(0, moments.size(), out);
    return out.download();
  }

  /// The numbers at offsets that hold packed values of a variation without weight mean nothing.
  static std::vector<bool> meaningless(const Genome& genome, const Structure& structure) {
    const RecordLayout layout = layoutOf(structure);
    std::vector<bool> list(controlPointRows(structure) * 4);
    const auto mark = [&](std::size_t record, const Xform* xform) {
      for (const auto& [variation, offset] : layout.variationOffsets)
        if (!xform || weightIn(*xform, variation) == 0)
          for (int i = 1; i <= packedCount(variation); ++i)
            list[std::size_t(FLAME_CAMERA_ROWS * 4 + offset + i) +
                 record * std::size_t(layout.rows) * 4] = true;
    };
    for (std::size_t i = 0; i < std::size_t(structure.capacity); ++i)
      mark(i, i < genome.xforms.size() ? &genome.xforms[i] : nullptr);
    mark(std::size_t(structure.capacity), genome.finalXform ? &*genome.finalXform : nullptr);
    return list;
  }

  static void expectAlike(const std::vector<Genome>& genomes, const Structure& structure,
                          std::span<const MovingGenome> pieces, std::span<const double> moments) {
    const std::vector<glm::vec4> found = evaluated(pieces, structure, moments);
    const std::size_t rows = controlPointRows(structure);
    const std::size_t thresholds = (rows - thresholdWords(structure) / 4) * 4;
    Largest largest;
    for (std::size_t m = 0; m < moments.size(); ++m) {
      const std::vector<glm::vec4> expected = packControlPoint(genomes[m], structure, kShape);
      const std::vector<bool> skip = meaningless(genomes[m], structure);
      const float* a = &found[m * rows].x;
      const float* b = &expected[0].x;
      for (std::size_t i = 0; i < rows * 4; ++i) {
        if (skip[i]) continue;
        // Thresholds are whole numbers of 0..16384.
        const double scale =
            i >= thresholds ? FLAME_SELECTION : std::max(1e-9, std::abs(double(b[i])));
        const double relative = std::abs(double(a[i]) - double(b[i])) / scale;
        if (!(relative <= largest.relative))
          largest = {relative,
                     fmt::format("moment {}, float {}: expected {}, found {}", m, i, b[i], a[i])};
      }
    }
    EXPECT_LE(largest.relative, 1e-6) << largest.where;
    RecordProperty("largest", fmt::format("{:.3g}", largest.relative));
  }

  static void expectAlike(const Motion& motion, double first, double last,
                          Selection selection = Selection::Own) {
    const Structure structure = structureOfExtent(motion.extent(first, last), selection);
    const std::vector<double> moments = momentsIn(first, last);
    std::vector<Genome> genomes;
    for (const double moment : moments) genomes.push_back(forRendering(motion.shapeAt(moment)));
    expectAlike(genomes, structure, motion.curves(first, last), moments);
  }
};

TEST_F(ControlPointsOnGpu, OfEachMatrixInterpolation) {
  for (const auto matrices : {MatrixInterpolation::Log, MatrixInterpolation::Linear,
                              MatrixInterpolation::Old, MatrixInterpolation::Older})
    for (const auto how : {Interpolation::Linear, Interpolation::Smooth})
      expectAlike(Keyframes(test::manyKeyframes(matrices, how)), -1, 18);
}

TEST_F(ControlPointsOnGpu, OfSharedSelection) {
  std::vector<Genome> list = test::manyKeyframes(MatrixInterpolation::Log, Interpolation::Smooth);
  for (Genome& g : list)
    for (Xform& x : g.xforms) x.chaos.clear();
  expectAlike(Keyframes(list), 0, 17, Selection::Shared);
}

// Every parameter of every variation, ten variations at a time so that shared memory holds them.
TEST_F(ControlPointsOnGpu, OfEveryVariation) {
  Random random(7, 1);
  const auto drawn = [&](double low, double high) {
    return low + (high - low) * double(random.uniform());
  };
  for (int first = 0; first < kFlam3Variations; first += 10) {
    std::vector<Genome> list(3);
    for (std::size_t k = 0; k < list.size(); ++k) {
      Genome& g = list[k];
      g.time = double(k);
      g.xforms.resize(2);
      for (Xform& x : g.xforms) {
        x.weight = drawn(0.1, 1);
        x.coefs = {drawn(-1, 1), drawn(-1, 1),  drawn(-1, 1),
                   drawn(-1, 1), drawn(0.2, 1), drawn(-1, -0.2)};
        for (int v = first; v < std::min(first + 10, kFlam3Variations); ++v) {
          VariationUse& use = variationIn(x, v);
          use.weight = drawn(0.2, 1);
          // Away from 0, where much is divided.
          const auto& parameters = variations()[std::size_t(v)].parameters;
          for (std::size_t p = 0; p < parameters.size(); ++p) use.parameters[p] = drawn(0.1, 4);
        }
      }
    }
    SCOPED_TRACE(fmt::format("variations from {}", first));
    expectAlike(Keyframes(list), 0.01, 1.99);
  }
}

TEST_F(ControlPointsOnGpu, OfManyXforms) {
  std::vector<Genome> list = test::manyKeyframes(MatrixInterpolation::Log, Interpolation::Linear);
  for (Genome& g : list) {
    for (Xform& x : g.xforms) x.chaos.clear();
    g.xforms.resize(40, g.xforms[0]);
    for (std::size_t i = 0; i < g.xforms.size(); ++i)
      g.xforms[i].weight = 1 + 0.1 * double(i) * g.time;
  }
  expectAlike(Keyframes(list), 1, 3);
}

TEST_F(ControlPointsOnGpu, WhereOneXformPlaysAlone) {
  std::vector<Genome> list = test::manyKeyframes(MatrixInterpolation::Log, Interpolation::Linear);
  for (Genome& g : list) g.soloXform = 1;
  expectAlike(Keyframes(list), 0, 4);
}

// Curves as cuburn has them: knots at any times, angles and spreads, magnitudes.
TEST_F(ControlPointsOnGpu, OfSplinesWithManyKnots) {
  Random random(11, 1);
  const auto curve = [&](double low, double high, CurveDomain domain, std::size_t count) {
    Curve out;
    out.domain = domain;
    const double step = 9.0 / double(count - 1);  // from -2 to 7
    for (std::size_t i = 0; i < count; ++i)
      out.knots.push_back({-2 + step * (double(i) + 0.4 * double(random.uniform())),
                           low + (high - low) * double(random.uniform())});
    return out;
  };
  const auto plain = [&](double low, double high, std::size_t count = 6) {
    return curve(low, high, CurveDomain::Plain, count);
  };
  const auto magnitude = [&](double low, double high, std::size_t count = 6) {
    return curve(low, high, CurveDomain::Magnitude, count);
  };
  MovingGenome moving;
  moving.begin = -1.5, moving.end = 6;
  moving.fixed.size = {48, 32};
  moving.centerX = plain(-1, 1), moving.centerY = plain(-1, 1, 7);
  moving.scale = magnitude(0.5, 40), moving.zoom = plain(-1, 1),
  moving.rotate = plain(-720, 720, 32);
  moving.filter = magnitude(0.2, 1);
  for (int i = 0; i < 3; ++i) {
    MovingXform x;
    x.weight = plain(0.1, 2, std::size_t(5 + 9 * i)), x.weight.limit = CurveLimit::NotNegative;
    x.color = plain(-0.5, 1.5), x.color.limit = CurveLimit::ZeroToOne;
    x.colorSpeed = plain(0, 1), x.opacity = magnitude(-0.1, 0.9, 32);
    for (MovingAffine* affine : {&x.coefs, &x.post}) {
      affine->form = MovingAffine::Form::Spread;
      affine->curves = {plain(-400, 400),  plain(20, 80), magnitude(-0.2, 0.2, 31),
                        magnitude(0.1, 2), plain(-1, 1),  plain(-1, 1)};
    }
    for (const int index : {0, 15, 22, 32}) {
      MovingVariation variation;
      variation.index = index, variation.weight = plain(0.2, 1);
      for (std::size_t p = 0; p < variations()[std::size_t(index)].parameters.size(); ++p)
        variation.parameters[p] = plain(0.5, 3);
      x.variations.push_back(variation);
    }
    for (int to = 0; to < 3; ++to) {
      x.chaos.push_back(plain(0.4, 1));
      x.chaos.back().limit = CurveLimit::NotNegative;
    }
    moving.xforms.push_back(x);
  }
  const std::vector<double> moments = momentsIn(-1.5, 6);
  std::vector<Genome> genomes;
  for (const double moment : moments) genomes.push_back(forRendering(shapeOf(moving, moment)));
  Genome extent = shapeOf(moving, 1);
  for (Xform& x : extent.xforms) x.opacity = 0.5;
  expectAlike(genomes, structureOfExtent(extent, Selection::Own),
              std::span<const MovingGenome>(&moving, 1), moments);
}

TEST_F(ControlPointsOnGpu, OfAnEdgeOfCuburn) {
  const auto edge = readCuburn(sourcePath("assets/flame/edge.corona=seahorse.json"));
  expectAlike(*edge, edge->firstTime(), edge->lastTime());
}

}  // namespace
}  // namespace fathom::flame
